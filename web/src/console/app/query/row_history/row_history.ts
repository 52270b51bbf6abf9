/**
 * Every commit that changed a row. A commit did where none of its parents has the row as it has it: a merge that took one side's row changed
 * nothing, and who changed it is in the history of that side. `dolt_diff_TABLE` tells of merges beside their second parent
 * instead, and leaves out commits of the first one. Both know tables and columns by the names that they have now: what was before they got them is
 * the history that the commit before has of the row.
 */
import type { Column, Queries } from '../../../../lib/index.ts';
import { quoteName, quoteString } from '../../../sql/names.ts';
import { conditionOf, type KeyValue } from '../results/links.ts';
import { changedBy } from './row_changes.ts';
import { formerRow } from './row_renames.ts';
import { type ChangedCell, type Version, Versions } from './row_versions.ts';

/** More changes are not told. */
export const CHANGES_MAX = 500;

/** In place of the hash of a commit, for what is not committed. */
export const WORKING = 'WORKING';

/** How the history names the commit of each row, behind the columns of the table. */
const COMMIT_COLUMNS = 3;

export interface RowChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly hash: string;
  /** The table had another name before. */
  readonly tableBefore?: string | undefined;
  /** Of a modified row only those that differ, of another those that have a value. */
  readonly cells: readonly ChangedCell[];
}

export interface CommitFacts {
  readonly author: string;
  readonly date: string;
  readonly message: string;
  /** Of a later commit it is greater. */
  readonly order: number;
}

export interface RowHistory {
  /** The newest first. */
  readonly changes: readonly RowChange[];
  readonly commits: ReadonlyMap<string, CommitFacts>;
}

/** Asks something of a commit. */
export type AskAt = <T>(hash: string, ask: (queries: Queries) => Promise<T>) => Promise<T>;

export async function readHistory(
  database: Queries,
  table: string,
  key: readonly KeyValue[],
  at: AskAt,
  signal: AbortSignal,
): Promise<RowHistory> {
  const versions = new Versions();
  const where = conditionOf(key);
  const history = database.stream(`SELECT * FROM ${quoteName(`dolt_history_${table}`)} WHERE ${where}`, [], { signal });
  const columns = (await history.columns).slice(0, -COMMIT_COLUMNS);
  const byCommit = new Map<string, Version>();
  for await (const batch of history) {
    const hashes = batch.column(columns.length);
    const values = columns.map((_, index) => batch.column(index));
    for (let row = 0; row < batch.rowCount; row += 1) byCommit.set(hashes.text(row) ?? '', versions.of(values, row));
  }
  const { parents, head } = await readParents(database, signal);
  parents.set(WORKING, [head]);
  const now = await database.query(`SELECT * FROM ${quoteName(table)} WHERE ${where}`, [], { signal });
  for (const batch of now.batches) {
    const values = columns.map((_, index) => batch.column(index));
    if (batch.rowCount > 0) byCommit.set(WORKING, versions.of(values, 0));
  }
  const changes = changedBy(WORKING, parents, hash => byCommit.get(hash)).map(({ hash, before, after }): RowChange => {
    const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    return { kind, hash, cells: cellsOf(columns, before, after) };
  });
  const commits = await readCommits(database, changes, signal);
  const orderOf = ({ hash }: RowChange) => commits.get(hash)?.order ?? Number.POSITIVE_INFINITY;
  changes.sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
  for (const change of changes.slice(0, CHANGES_MAX)) {
    const parent = parents.get(change.hash)?.[0];
    if (parent === undefined || !mayBeOfNames(change)) continue;
    // A clone may not have the parent.
    const former = await formerRow(database, { table, key }, change.hash, parent, signal).catch(() => undefined);
    if (former === undefined) continue;
    const earlier = await at(parent, queries => readHistory(queries, former.table, former.key, at, signal));
    const known = reachable(parents, parent);
    const later = changes.filter(({ hash }) => hash !== change.hash && !known.has(hash));
    const { cells, tableBefore } = former;
    const all = [...later, { kind: 'changed' as const, hash: change.hash, cells, tableBefore }, ...earlier.changes];
    return { changes: all.slice(0, CHANGES_MAX), commits: new Map([...earlier.commits, ...commits]) };
  }
  return { changes: changes.slice(0, CHANGES_MAX), commits };
}

/** What has got another name seems to come from nowhere. */
function mayBeOfNames({ kind, cells }: RowChange): boolean {
  return kind === 'added' || (kind === 'changed' && cells.some(({ before }) => before === null));
}

/** A commit and all before it. */
function reachable(parents: ReadonlyMap<string, readonly string[]>, from: string): ReadonlySet<string> {
  const found = new Set([from]);
  for (const hash of found) for (const parent of parents.get(hash) ?? []) found.add(parent);
  return found;
}

function cellsOf(
  columns: readonly Column[],
  before: Version | undefined,
  after: Version | undefined,
): readonly ChangedCell[] {
  return columns.flatMap(({ name }, index) => {
    const [was, is] = [before?.cells[index], after?.cells[index]];
    const isTold = was === undefined || is === undefined ? (was ?? is)?.whole !== null : was.whole !== is.whole;
    return isTold ? [{ name, before: was?.shown, after: is?.shown }] : [];
  });
}

async function readParents(
  database: Queries,
  signal: AbortSignal,
): Promise<{ readonly parents: Map<string, string[]>; readonly head: string }> {
  const head = await database.query("SELECT HASHOF('HEAD') AS head", [], { signal });
  const parents = new Map<string, string[]>();
  const edges = database.stream(
    'SELECT commit_hash, parent_hash FROM dolt_commit_ancestors ORDER BY parent_index',
    [],
    { signal },
  );
  for await (const batch of edges) {
    const [commits, before] = [batch.column(0), batch.column(1)];
    for (let row = 0; row < batch.rowCount; row += 1) {
      const hash = commits.text(row) ?? '';
      const known = parents.get(hash) ?? [];
      const parent = before.text(row);
      if (parent !== null) known.push(parent);
      parents.set(hash, known);
    }
  }
  return { parents, head: String(head.rows[0]?.head) };
}

async function readCommits(
  database: Queries,
  changes: readonly RowChange[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, CommitFacts>> {
  const hashes = changes.map(({ hash }) => hash).filter(hash => hash !== WORKING);
  if (hashes.length === 0) return new Map();
  const list = hashes.map(quoteString).join(', ');
  const sql = `SELECT commit_hash, author, author_date, message, commit_order FROM dolt_log WHERE commit_hash IN (${list})`;
  const found = await database.query(sql, [], { signal });
  return new Map(
    found.rowArrays().map(([hash, author, date, message, order]) => {
      const facts = { author: String(author), date: String(date), message: String(message), order: Number(order) };
      return [String(hash), facts];
    }),
  );
}
