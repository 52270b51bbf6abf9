/** What the list of changes does to the database. */
import type { Database } from '../../../../lib/index.ts';
import { quoteName } from '../../../sql/names.ts';
import { toast } from '../../../ui/toast.tsx';
import type { ChangeActions } from '../../../versions/selection.ts';
import type { TableChange } from '../../../versions/status.ts';
import { change } from '../../database/changing.ts';
import { dialog } from '../../dialogs.ts';
import { abortRebase, continueRebase } from '../branches/rebase_actions.ts';
import { compare } from '../compare/compare_state.ts';
import { lastMessage, undoCommit } from '../log/history_actions.ts';
import { signature } from './author.ts';
import { dropStash, takeBack } from './stash_actions.ts';
import { workingSet } from './working_set_state.ts';

function call(database: Database, procedure: string, args: readonly string[]) {
  return database.query(`CALL ${procedure}(${args.map(() => '?').join(', ')})`, args);
}

async function commit(message: string, isAmended: boolean): Promise<boolean> {
  const done = await change(database => {
    // As it is by now: what was staged just before is what is committed.
    const state = workingSet.peek()?.state.peek();
    const isMerge = state?.merging !== undefined;
    const all = (state?.staged.length ?? 0) === 0 || isMerge;
    return database.commit({ message, all, allowEmpty: isMerge, amend: isAmended, ...signature() });
  });
  if (done === undefined) return false;
  toast(`${isAmended ? 'Amended: now' : 'Committed'} ${done.value.slice(0, 8)}`);
  return true;
}

async function discard(database: Database, { table, kind }: TableChange): Promise<void> {
  if (kind === 'added') await database.query(`DROP TABLE ${quoteName(table)}`);
  else await call(database, 'dolt_checkout', [table]);
}

/** Of all rows of a table that break a constraint. */
export function settleViolations(table: string, areDeleted: boolean): void {
  const violations = quoteName(`dolt_constraint_violations_${table}`);
  void change(async database => {
    if (areDeleted) {
      const { rows } = await database.query(`SHOW COLUMNS FROM ${quoteName(table)}`);
      const key = rows.filter(row => row.Key === 'PRI').map(row => quoteName(String(row.Field)));
      if (key.length === 0) throw new Error(`${table} has no key: delete the rows by a statement`);
      const broken = (await database.query(`SELECT ${key.join(', ')} FROM ${violations}`)).rowArrays();
      const where = key.map(name => `${name} = ?`).join(' AND ');
      for (const values of broken) await database.query(`DELETE FROM ${quoteName(table)} WHERE ${where}`, values);
    }
    await database.query(`DELETE FROM ${violations}`);
  });
}

export const changeActions: ChangeActions = {
  onStage: tables => void change(database => call(database, 'dolt_add', tables)),
  onUnstage: tables => void change(database => call(database, 'dolt_reset', tables)),
  onDiscard: changed => {
    const isNew = changed.kind === 'added';
    dialog.value = {
      kind: 'confirm',
      title: isNew ? `Drop ${changed.table}?` : `Discard changes to ${changed.table}?`,
      text: isNew
        ? 'The table is not in any commit. All its rows will be lost.'
        : 'Resets the table to its staged state or the last commit. This cannot be undone.',
      verb: isNew ? 'Drop the table' : 'Discard',
      onConfirm: () => void change(database => discard(database, changed)),
    };
  },
  onDiscardAll: () => {
    dialog.value = {
      kind: 'confirm',
      title: 'Discard all changes?',
      text: 'Resets every table to the last commit, drops new tables and aborts a merge. This cannot be undone.',
      verb: 'Discard all',
      onConfirm: () =>
        void change(async database => {
          await call(database, 'dolt_reset', ['--hard']);
          await call(database, 'dolt_clean', []);
        }),
    };
  },
  onCommit: commit,
  lastMessage,
  onUndoCommit: () => void undoCommit(),
  onStash: () => (dialog.value = { kind: 'stash' }),
  stashes: {
    onShow: stash => compare(stash.hash, `stash:${stash.list}@{${stash.index}}`),
    onPop: stash => void takeBack(stash, 'pop'),
    onApply: stash => void takeBack(stash, 'apply'),
    onDrop: dropStash,
  },
  onContinueRebase: () => void continueRebase(),
  onAbortRebase: abortRebase,
  onAbortMerge: () => void change(database => database.abortMerge()),
  onCompare: () => compare('HEAD', 'WORKING'),
};
