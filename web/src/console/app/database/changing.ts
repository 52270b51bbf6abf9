/** Changes of the database that are not statements of the editor: one at a time, and everything that shows them is read again. */

import { computed, signal } from '@preact/signals';
import type { Database } from '../../../lib/index.ts';
import { giveFocusBack } from '../../ui/focus.ts';
import { messageOf } from '../../ui/message_of.ts';
import { toast } from '../../ui/toast.tsx';
import { workingSet } from '../versions/changes/working_set_state.ts';
import { boundDatabase } from './bound_database.ts';
import { currentConnection, noteChange } from './connection.ts';

type Done<T> = { readonly value: T } | undefined;

/** Changes that were asked for and are not done. */
const unfinished = signal(0);
/** Something is being changed: buttons that would change more wait. */
export const isChanging = computed(() => unfinished.value > 0);
let last: Promise<unknown> = Promise.resolve();

/** Does the work after all that was asked for before. Undefined when it failed, which was said then. */
export async function change<T>(work: (database: Database) => Promise<T>): Promise<Done<T>> {
  const focused = document.activeElement;
  unfinished.value += 1;
  const turn = last.then(() => perform(work));
  last = turn;
  const done = await turn;
  unfinished.value -= 1;
  // A button that waited lost the focus; it has it again when it is drawn again. A dialog gives it back by itself, maybe to a
  // button that is gone by now.
  requestAnimationFrame(() => giveFocusBack(focused?.closest('dialog') === null ? focused : null));
  return done;
}

/** Never rejects. */
async function perform<T>(work: (database: Database) => Promise<T>): Promise<Done<T>> {
  const connection = currentConnection();
  if (connection === undefined) return undefined;
  try {
    const value = await work(await boundDatabase(connection));
    noteChange(connection);
    return { value };
  } catch (error) {
    toast(messageOf(error), 'failure');
    return undefined;
  } finally {
    // A failed refresh is reported where the data is shown.
    await Promise.all([connection.catalog.refresh(connection.session), workingSet.peek()?.read()]).catch(
      () => undefined,
    );
  }
}
