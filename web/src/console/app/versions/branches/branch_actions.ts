/** Branches, tags and merges, as the dialogs and menus ask for them. */
import { SqlError } from '../../../../lib/index.ts';
import { counted } from '../../../ui/figures.ts';
import { toast } from '../../../ui/toast.tsx';
import { selectBranch } from '../../actions.ts';
import { change } from '../../database/changing.ts';
import { currentConnection } from '../../database/connection.ts';
import { dialog } from '../../dialogs.ts';
import { view } from '../../layout_state.ts';
import { signature } from '../changes/author.ts';

export async function createBranch(name: string, from: string, isSelected: boolean): Promise<boolean> {
  const done = await change(database => database.query('CALL dolt_branch(?, ?)', [name, from]));
  if (done === undefined) return false;
  toast(`Created branch ${name}`);
  const database = currentConnection()?.catalog.place.peek().database;
  if (isSelected && database !== undefined) await selectBranch({ database, branch: name });
  return true;
}

export async function renameBranch(name: string, next: string): Promise<boolean> {
  const place = currentConnection()?.catalog.place.peek();
  const done = await change(database => database.query("CALL dolt_branch('-m', ?, ?)", [name, next]));
  if (done === undefined) return false;
  toast(`Renamed ${name} to ${next}`);
  if (place?.branch === name) await selectBranch({ database: place.database, branch: next });
  return true;
}

/** Asks again before commits that are on no other branch are lost. */
export async function deleteBranch(name: string, isForced = false): Promise<void> {
  let isUnmerged = false;
  const done = await change(async database => {
    try {
      await database.query('CALL dolt_branch(?, ?)', [isForced ? '-D' : '-d', name]);
    } catch (error) {
      isUnmerged = error instanceof SqlError && /not fully merged/i.test(error.message) && !isForced;
      if (!isUnmerged) throw error;
    }
  });
  if (isUnmerged) {
    dialog.value = {
      kind: 'confirm',
      title: `Delete ${name} and its unmerged commits?`,
      text: 'No other branch contains these commits. They will be lost.',
      verb: 'Delete the branch',
      onConfirm: () => void deleteBranch(name, true),
    };
  } else if (done !== undefined) toast(`Deleted the branch ${name}`);
}

export interface MergeWish {
  readonly branch: string;
  readonly fastForward: 'no' | undefined;
  readonly squash: boolean;
  readonly message: string;
}

export async function mergeBranch({ branch, fastForward, squash, message }: MergeWish): Promise<boolean> {
  const done = await change(database =>
    database.merge(branch, {
      ...(fastForward && { fastForward }),
      ...(squash && { squash }),
      ...(message.trim() !== '' && { message: message.trim() }),
      ...signature(),
    }),
  );
  if (done === undefined) return false;
  const { outcome, isFastForward, conflicts } = done.value;
  if (outcome === 'conflicts') {
    toast(`${counted(conflicts.length, 'table')} to resolve`, 'notice');
    view.value = 'changes';
  } else if (outcome === 'up_to_date') toast(`${branch} is already merged`);
  else
    toast(
      isFastForward ? `Fast-forward to ${branch}` : squash ? `The changes of ${branch} are staged` : `Merged ${branch}`,
    );
  if (squash && outcome === 'merged') view.value = 'changes';
  return true;
}

export async function createTag(name: string, at: string, message: string): Promise<boolean> {
  const args = [name, at, ...(message.trim() === '' ? [] : ['-m', message.trim()])];
  const { author } = signature();
  if (author !== undefined) args.push('--author', author);
  const done = await change(database => database.query(`CALL dolt_tag(${args.map(() => '?').join(', ')})`, args));
  if (done !== undefined) toast(`Tagged ${name}`);
  return done !== undefined;
}

export async function deleteTag(name: string): Promise<void> {
  const done = await change(database => database.query("CALL dolt_tag('-d', ?)", [name]));
  if (done !== undefined) toast(`Deleted the tag ${name}`);
}
