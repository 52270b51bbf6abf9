import { computed, effect, signal } from '@preact/signals';
import type { WorkingSet } from '../versions/working_set.ts';
import { currentConnection } from './connection.ts';
import { here } from './here.ts';

/** Of the branch that is selected; undefined until its part of the page is loaded. */
export const workingSet = signal<WorkingSet | undefined>(undefined);

const place = computed(() => {
  const connection = currentConnection();
  const at = connection?.catalog.place.value;
  return { connection, key: at === undefined ? '' : `${at.database}/${at.branch}` };
});

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
      const { WorkingSet } = await import('../versions/working_set.ts');
      const database = await here(connection);
      if (own !== turn) return;
      const made = new WorkingSet(database);
      workingSet.value = made;
      await made.start();
    })().catch(() => undefined);
  });
}
