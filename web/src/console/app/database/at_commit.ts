/** What the database was, or is: sessions that stand on a commit. */
import type { Session } from '../../../lib/index.ts';
import { quoteName, revisionName } from '../../sql/names.ts';
import { boundDatabase } from './bound_database.ts';
import type { Connection } from './connection.ts';

const WORKING = /^WORKING$/i;
const STAGED = /^STAGED$/i;
/** `main...`, as git has it: where the selected branch parted from main. */
const PARTED = /^(.+)\.\.\.$/;

/** What is there, committed or not. */
export function isWorking(ref: string): boolean {
  return WORKING.test(ref);
}

/**
 * Asks in a session of its own that only reads; the person's stays where it is.
 *
 * @param ref a branch, tag or commit; `BRANCH...`, the commit at which the selected branch parted from it; or `WORKING`: what
 *   the selected branch has and is not committed yet
 */
export async function atCommit<T>(
  connection: Connection,
  ref: string,
  ask: (session: Session) => Promise<T>,
): Promise<T> {
  const { database, branch } = connection.catalog.place.peek();
  const revision = isWorking(ref) ? branch : await commitOf(connection, ref);
  const session = await connection.database.session();
  try {
    await session.query(`USE ${quoteName(revisionName(database, revision))}`);
    await session.query('START TRANSACTION READ ONLY');
    return await ask(session);
  } finally {
    void session.close().catch(() => undefined);
  }
}

/** A branch is what is committed there, as it is wherever commits are compared. */
export async function commitOf(connection: Connection, ref: string): Promise<string> {
  if (STAGED.test(ref)) throw new Error('What is staged cannot be queried: commit it, or take WORKING');
  const parted = PARTED.exec(ref)?.[1];
  const hash = parted === undefined ? 'HASHOF(?)' : "DOLT_MERGE_BASE(?, 'HEAD')";
  const { rows } = await (await boundDatabase(connection)).query(`SELECT ${hash} AS commit_hash`, [parted ?? ref]);
  return String(rows[0]?.commit_hash);
}

/** Where changes are likely to be looked for: in what is not committed, or in a branch beside the one it is likely to be merged into. */
export function likelyRange(connection: Connection): { readonly from: string; readonly to: string } {
  const { database, branch } = connection.catalog.place.peek();
  const loaded = connection.catalog.branches(database).peek();
  const branches = loaded?.kind === 'ready' ? loaded.value : [];
  if (branch === '') return { from: 'HEAD~1', to: 'HEAD' };
  if (branches.some(({ name, isDirty }) => name === branch && isDirty)) return { from: 'HEAD', to: 'WORKING' };
  const names = branches.map(({ name }) => name);
  const trunk = ['main', 'master'].find(name => names.includes(name)) ?? branch;
  if (branch !== trunk) return { from: trunk, to: branch };
  const other = names.find(name => name !== branch);
  return other === undefined ? { from: 'HEAD~1', to: 'HEAD' } : { from: branch, to: other };
}
