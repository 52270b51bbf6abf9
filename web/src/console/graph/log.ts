/** The commit log by SQL. */
import type { Queries, StatementOptions, Value } from '../../lib/index.ts';
import { type ChangedTable, loadChangedTables } from '../sql/changed_tables.ts';
import { quoteName, quoteString, revisionName } from '../sql/names.ts';

export interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly email: string;
  /** As the server writes it, UTC. */
  readonly date: string;
  readonly message: string;
  readonly parents: readonly string[];
  readonly refs: readonly Ref[];
}

export interface Ref {
  readonly name: string;
  readonly kind: 'head' | 'branch' | 'tag' | 'remote';
}

export interface Revision {
  readonly database: string;
  readonly branch: string;
}

export type LogScope = 'branch' | 'all';

export const LOG_PAGE_COMMITS = 200;

function textOf(value: Value | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

/** `HEAD -> main, tag: v1, remotes/origin/main` as git and Dolt print it. */
export function parseRefs(text: string): readonly Ref[] {
  return text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
    .map((part): Ref => {
      if (part.startsWith('HEAD -> ')) return { name: part.slice('HEAD -> '.length), kind: 'head' };
      if (part.startsWith('tag: ')) return { name: part.slice('tag: '.length), kind: 'tag' };
      if (part.startsWith('remotes/')) return { name: part.slice('remotes/'.length), kind: 'remote' };
      return { name: part, kind: 'branch' };
    });
}

/** The selected branch first and as the head: Dolt writes `HEAD ->` before the first of several branches by name. */
export function refsSeenFrom(branch: string, refs: readonly Ref[]): readonly Ref[] {
  const isOwn = ({ name, kind }: Ref) => name === branch && (kind === 'head' || kind === 'branch');
  const others = refs.filter(ref => !isOwn(ref));
  if (others.length === refs.length) return refs;
  return [
    { name: branch, kind: 'head' },
    ...others.map(ref => (ref.kind === 'head' ? { ...ref, kind: 'branch' as const } : ref)),
  ];
}

/** Which commits of a revision are listed. */
export interface LogWish {
  readonly scope: LogScope;
  /** Words that a commit must have, each in its message, its author or a name that points to it, or its hash begins so. */
  readonly search: string;
}

const ANY_CASE = "LOWER(CONCAT_WS('\\n', message, author, author_email, refs))";

/** The condition of a search; empty where nothing is looked for. */
export function searchCondition(search: string): string {
  const words = search.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const like = (pattern: string) => `LIKE ${quoteString(pattern)}`;
  const conditions = words.map(word => {
    const literal = word.replace(/[\\%_]/g, '\\$&');
    return `(${ANY_CASE} ${like(`%${literal}%`)} OR commit_hash ${like(`${literal}%`)})`;
  });
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/** A part of a log. */
export interface LogPage {
  readonly offset: number;
  readonly commits: number;
}

/** Commits of a branch, or of all, newest first. */
export async function loadLog(
  queries: Queries,
  { database, branch }: Revision,
  { scope, search }: LogWish,
  page: LogPage,
  options: StatementOptions,
): Promise<readonly Commit[]> {
  const ofBranch = `${quoteName(revisionName(database, branch))}.dolt_log`;
  const from = scope === 'all' ? "dolt_log('--all', '--parents')" : ofBranch;
  const columns = 'commit_hash, author, author_email, author_date, message, parents, refs';
  const sql = `SELECT ${columns} FROM ${from}${searchCondition(search)} LIMIT ${page.commits} OFFSET ${page.offset}`;
  const { rows } = await queries.query(sql, [], options);
  return rows.map(row => ({
    hash: textOf(row.commit_hash),
    author: textOf(row.author),
    email: textOf(row.author_email),
    date: textOf(row.author_date),
    message: textOf(row.message),
    parents: textOf(row.parents)
      .split(',')
      .map(hash => hash.trim())
      .filter(hash => hash !== ''),
    refs: refsSeenFrom(branch, parseRefs(textOf(row.refs))),
  }));
}

/** Tables that differ between a commit and its first parent; all that the first commit has. */
export async function loadChanges(
  queries: Queries,
  { database, branch }: Revision,
  { hash, parents: [parent] }: Pick<Commit, 'hash' | 'parents'>,
  options: StatementOptions,
): Promise<readonly ChangedTable[]> {
  if (parent !== undefined) return loadChangedTables(queries, parent, hash, options);
  const from = `${quoteName(revisionName(database, branch))}.dolt_diff`;
  const sql = `SELECT table_name, data_change FROM ${from} WHERE commit_hash = ${quoteString(hash)}`;
  const { rows } = await queries.query(sql, [], options);
  return rows.map(row => ({
    table: textOf(row.table_name),
    tableBefore: undefined,
    kind: 'added',
    hasData: Number(row.data_change) === 1,
    hasSchema: true,
  }));
}

/** The first line, and what follows it. */
export function splitMessage(message: string): { readonly subject: string; readonly body: string } {
  const end = message.indexOf('\n');
  return end < 0
    ? { subject: message, body: '' }
    : { subject: message.slice(0, end), body: message.slice(end + 1).trim() };
}
