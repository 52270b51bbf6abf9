/** A new database on disk, whose first commit is made by the person. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../client/index.ts';

export interface FirstCommit {
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly date: string | undefined;
  /** Of the branch, `main` by default. */
  readonly branch: string | undefined;
}

/**
 * Makes the commit that every new database has one of `first`; of the session's author, where nothing else is said.
 *
 * @param isKnown the session has an author
 */
export async function beginHistory(
  database: Database,
  path: string,
  first: FirstCommit,
  isKnown: boolean,
): Promise<void> {
  const { name, email, date, branch } = first;
  if (name !== undefined || email !== undefined) keepAuthor(path, name, email);
  if (name !== undefined) await database.query('SET @@dolt_author_name = ?, @@dolt_committer_name = ?', [name, name]);
  if (email !== undefined)
    await database.query('SET @@dolt_author_email = ?, @@dolt_committer_email = ?', [email, email]);
  if (isKnown || name !== undefined || email !== undefined || date !== undefined) {
    const { rows } = await database.query('SELECT @@dolt_author_name AS name, @@dolt_author_email AS email');
    const author = `${rows[0]?.name || 'root'} <${rows[0]?.email || 'root@localhost'}>`;
    const when = date ?? new Date().toISOString().slice(0, 19);
    await database.query("CALL dolt_commit('--amend', '--author', ?, '--date', ?)", [author, when]);
  }
  if (branch === undefined || branch === 'main') return;
  await database.query("CALL dolt_branch('-m', 'main', ?)", [branch]);
  const state = join(path, '.dolt/repo_state.json');
  const before = JSON.parse(readFileSync(state, 'utf8')) as Record<string, unknown>;
  writeFileSync(state, JSON.stringify({ ...before, head: `refs/heads/${branch}` }, null, 2));
}

/** The settings of the database say so from then on, as after native Dolt's `init`. */
function keepAuthor(path: string, name: string | undefined, email: string | undefined): void {
  const file = join(path, '.dolt/config.json');
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const settings = {
    ...before,
    ...(name !== undefined && { 'user.name': name }),
    ...(email !== undefined && { 'user.email': email }),
  };
  writeFileSync(file, JSON.stringify(settings));
}
