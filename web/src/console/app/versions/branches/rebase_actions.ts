/** A branch again, on top of another commit. */
import { type Database, keepConflicts, type Session, SqlError } from '../../../../lib/index.ts';
import { quoteName, revisionName } from '../../../sql/names.ts';
import { toast } from '../../../ui/toast.tsx';
import { type RebaseStep, rebasedBranch } from '../../../versions/rebase_plan.ts';
import { change } from '../../database/changing.ts';
import { type Connection, currentConnection } from '../../database/connection.ts';
import { dialog } from '../../dialogs.ts';
import { view } from '../../layout_state.ts';

/** What is done to the commits is written into a plan with numbers of its own first, so that none meets another. */
const OUT_OF_THE_WAY = 1000;

/** Commits that a rebase onto `onto` would do again, oldest first; merges are none of them. */
export async function commitsToRebase(
  database: Database,
  onto: string,
): Promise<readonly { readonly hash: string; readonly message: string }[]> {
  const { rows } = await database.query("SELECT commit_hash, message, parents FROM dolt_log(?, '--parents')", [
    `${onto}..HEAD`,
  ]);
  return rows
    .filter(row => !String(row.parents ?? '').includes(','))
    .map(row => ({ hash: String(row.commit_hash), message: String(row.message ?? '') }))
    .reverse();
}

/** @param plan as it was edited; undefined takes all commits as they are */
export function rebase(onto: string, plan: readonly RebaseStep[] | undefined): Promise<boolean> {
  return inItsSession(async session => {
    if (plan === undefined) return session.query('CALL dolt_rebase(?)', [onto]);
    await session.query("CALL dolt_rebase('-i', ?)", [onto]);
    try {
      await session.query(`UPDATE dolt_rebase SET rebase_order = rebase_order + ${OUT_OF_THE_WAY}`);
      const sql = 'UPDATE dolt_rebase SET rebase_order = ?, action = ?, commit_message = ? WHERE commit_hash = ?';
      for (const [index, { hash, action, message, reworded }] of plan.entries()) {
        await session.query(sql, [index + 1, action, action === 'reword' ? reworded.trim() : message, hash]);
      }
    } catch (error) {
      await session.query("CALL dolt_rebase('--abort')").catch(() => undefined);
      throw error;
    }
    return session.query("CALL dolt_rebase('--continue')");
  });
}

export async function continueRebase(): Promise<void> {
  await inItsSession(async session => {
    await session.query("CALL dolt_add('-A')");
    return session.query("CALL dolt_rebase('--continue')");
  });
}

export function abortRebase(): void {
  dialog.value = {
    kind: 'confirm',
    title: 'Abort the rebase?',
    text: 'Restores the branch as it was. Conflict resolutions and changes made during the rebase are lost.',
    verb: 'Abort the rebase',
    onConfirm: () => void inItsSession(session => session.query("CALL dolt_rebase('--abort')")),
  };
}

/**
 * A rebase moves its session from branch to branch, so it has one of its own. The person goes where it ends: onto the branch,
 * or, when it stops at conflicts or to be edited, onto the one on which it waits.
 */
async function inItsSession(
  work: (session: Session) => Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>,
): Promise<boolean> {
  const connection = currentConnection();
  if (connection === undefined) return false;
  let told = '';
  let hasStopped = false;
  const done = await change(async database => {
    const { database: name, branch } = connection.catalog.place.peek();
    await using session = await database.session();
    // Checked out rather than `USE name/branch`: a session in a revision stays in it.
    await session.query(`USE ${quoteName(name)}`);
    if ((await branchOf(session)) !== branch) await session.query('CALL dolt_checkout(?)', [branch]);
    await keepConflicts(session);
    try {
      const { rows } = await work(session);
      told = String(rows[0]?.message ?? '');
    } catch (error) {
      if (!(error instanceof SqlError) || !/^data conflict/i.test(error.message)) {
        await follow(connection, session, name);
        throw error;
      }
      told = 'The rebase stopped at a conflict: resolve it, then continue';
    }
    const at = await follow(connection, session, name);
    hasStopped = rebasedBranch(at) !== undefined;
    if (hasStopped) view.value = 'changes';
  });
  if (done === undefined) return false;
  toast(inWords(told), hasStopped ? 'notice' : 'done');
  return true;
}

function inWords(told: string): string {
  const [line = ''] = told.split('\n');
  if (/^edit action paused/.test(line)) return 'The rebase stopped after a commit, to be changed';
  const branch = /^Successfully rebased and updated refs\/heads\/(.+)$/.exec(line)?.[1];
  return branch === undefined ? line : `Rebased ${branch}`;
}

/** Takes the person's session to the branch on which another one is. */
async function follow(connection: Connection, session: Session, name: string): Promise<string> {
  const branch = await branchOf(session);
  const place = quoteName(revisionName(name, branch));
  await connection.session.query(`USE ${place}`);
  return branch;
}

async function branchOf(session: Session): Promise<string> {
  const { rows } = await session.query('SELECT active_branch() AS branch');
  return String(rows[0]?.branch ?? '');
}
