/** What is done to commits that are there: the last one again, one onto another branch, one undone. */
import { SqlError } from '../../../../lib/index.ts';
import type { Commit } from '../../../graph/log.ts';
import { toast } from '../../../ui/toast.tsx';
import { boundDatabase } from '../../database/bound_database.ts';
import { change } from '../../database/changing.ts';
import { currentConnection } from '../../database/connection.ts';
import { dialog } from '../../dialogs.ts';
import { view } from '../../layout_state.ts';

export async function lastMessage(): Promise<string> {
  const connection = currentConnection();
  if (connection === undefined) return '';
  const database = await boundDatabase(connection);
  const { rows } = await database.query('SELECT message FROM dolt_log LIMIT 1');
  return String(rows[0]?.message ?? '');
}

/** The branch goes back by one; what the commit changed stays, staged. */
export async function undoCommit(): Promise<void> {
  const message = await lastMessage().catch(() => '');
  const done = await change(database => database.query("CALL dolt_reset('--soft', 'HEAD~1')"));
  if (done !== undefined) toast(`Undone: ${message.split('\n')[0] ?? ''}. Its changes are staged`);
}

const short = ({ hash }: Commit) => hash.slice(0, 8);

/** Runs a procedure that may stop at conflicts, which wait in the working set then. */
async function replay(procedure: string, commit: Commit, done: string): Promise<void> {
  let areConflicts = false;
  const answer = await change(async database => {
    try {
      const { rows } = await database.query(`CALL ${procedure}(?)`, [commit.hash]);
      const [row] = rows;
      areConflicts = ['data_conflicts', 'schema_conflicts', 'constraint_violations'].some(
        name => Number(row?.[name] ?? 0) > 0,
      );
    } catch (error) {
      areConflicts = error instanceof SqlError && /conflict/i.test(error.message) && (await hasConflicts(database));
      if (!areConflicts) throw error;
    }
  });
  if (answer === undefined) return;
  if (areConflicts) view.value = 'changes';
  if (areConflicts) toast('Conflicts: resolve them, then commit', 'notice');
  else toast(done);
}

async function hasConflicts(database: { query(sql: string): Promise<{ readonly rows: readonly unknown[] }> }) {
  return (await database.query('SELECT 1 FROM dolt_conflicts')).rows.length > 0;
}

export function cherryPick(commit: Commit): void {
  const branch = currentConnection()?.catalog.place.peek().branch ?? '';
  void replay('dolt_cherry_pick', commit, `Cherry-picked ${short(commit)} onto ${branch}`);
}

export function revert(commit: Commit): void {
  void replay('dolt_revert', commit, `Reverted ${short(commit)} by a new commit`);
}

export function resetTo(commit: Commit): void {
  const branch = currentConnection()?.catalog.place.peek().branch ?? '';
  dialog.value = {
    kind: 'confirm',
    title: `Reset ${branch} to ${short(commit)}?`,
    text: `${branch} will point to “${commit.message.split('\n')[0]}”. Uncommitted changes, and later commits that are on no other branch, will be lost.`,
    verb: `Reset ${branch}`,
    onConfirm: () => {
      void change(database => database.query("CALL dolt_reset('--hard', ?)", [commit.hash])).then(
        done => done !== undefined && toast(`${branch} is at ${short(commit)}`),
      );
    },
  };
}
