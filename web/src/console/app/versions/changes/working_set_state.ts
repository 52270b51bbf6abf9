import { computed, effect, signal } from '@preact/signals';
import type { WorkingSet } from '../../../versions/working_set.ts';
import { boundDatabase } from '../../database/bound_database.ts';
import { currentConnection } from '../../database/connection.ts';
import { view } from '../../layout_state.ts';

/** Of the branch that is selected; undefined until its part of the page is loaded. */
export const workingSet = signal<WorkingSet | undefined>(undefined);

const place = computed(() => {
  const connection = currentConnection();
  const at = connection?.catalog.place.value;
  // A tag or a commit has none.
  return { connection, key: at === undefined || at.branch === '' ? '' : `${at.database}/${at.branch}` };
});

/** Resolves when the page has nothing better to do, or after so long. */
const IDLE_MAX_MS = 400;

function idle(): Promise<void> {
  return new Promise(resolve => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: IDLE_MAX_MS });
    else setTimeout(resolve, IDLE_MAX_MS);
  });
}

/** Another number for each place, so that one that was overtaken is dropped. */
let turn = 0;

/** Follows what is selected from now on. */
export function watchWorkingSet(): () => void {
  return effect(() => {
    const { connection, key } = place.value;
    turn += 1;
    const own = turn;
    workingSet.peek()?.close();
    workingSet.value = undefined;
    if (connection === undefined || key === '') return;
    void (async () => {
      // The tables and the first answers come first.
      if (view.peek() !== 'changes') await idle();
      if (own !== turn) return;
      const { WorkingSet } = await import('../../../versions/working_set.ts');
      const database = await boundDatabase(connection);
      if (own !== turn) return;
      const made = new WorkingSet(database);
      workingSet.value = made;
      await made.start();
    })().catch(() => undefined);
  });
}
