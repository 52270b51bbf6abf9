/** Changes put aside, and taken back. */
import { toast } from '../../../ui/toast.tsx';
import type { StashEntry } from '../../../versions/status.ts';
import { change } from '../../database/changing.ts';
import { dialog } from '../../dialogs.ts';

export async function stashAll(list: string, areNewTablesToo: boolean): Promise<boolean> {
  const args = ['push', list, ...(areNewTablesToo ? ['--include-untracked'] : [])];
  const done = await change(database => database.query(`CALL dolt_stash(${args.map(() => '?').join(', ')})`, args));
  if (done !== undefined) toast(`Stashed as ${list}`);
  return done !== undefined;
}

function call(verb: 'pop' | 'apply' | 'drop', { list, id }: StashEntry) {
  return change(database => database.query('CALL dolt_stash(?, ?, ?)', [verb, list, id]));
}

export async function takeBack(stash: StashEntry, verb: 'pop' | 'apply'): Promise<void> {
  const done = await call(verb, stash);
  if (done !== undefined) toast(verb === 'pop' ? `Popped ${stash.list}` : `Applied ${stash.list}: the stash stays`);
}

export function dropStash(stash: StashEntry): void {
  dialog.value = {
    kind: 'confirm',
    title: `Drop the stash ${stash.list}?`,
    text: `Its changes on ${stash.branch} (${stash.message}) will be lost. This cannot be undone.`,
    verb: 'Drop the stash',
    onConfirm: () => {
      void call('drop', stash).then(done => done !== undefined && toast(`Dropped ${stash.list}`));
    },
  };
}
