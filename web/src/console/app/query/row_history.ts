/**
 * Every commit that changed a row. A commit did where none of its parents has the row as it has it: a merge that took one side's row changed
 * nothing, and who changed it is in the history of that side. `dolt_diff_TABLE` tells of merges beside their second parent
 * instead, and leaves out commits of the first one.
 */
import type { BatchColumn, Column, Database } from '../../../lib/index.ts';
import { cellView } from '../../grid/cells.ts';
import { hexDigits } from '../../grid/hex.ts';
import { quoteName, quoteString } from '../../sql/names.ts';
import { conditionOf, type KeyValue } from './links.ts';
import { changedBy } from './row_changes.ts';

/** More changes are not told. */
export const CHANGES_MAX = 500;

/** In place of the hash of a commit, for what is not committed. */
export const WORKING = 'WORKING';

/** How the history names the commit of each row, behind the columns of the table. */
const COMMIT_COLUMNS = 3;

export interface ChangedCell {
  readonly name: string;
  /** Undefined where that side has no row. */
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
}

export interface RowChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly hash: string;
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

/** The row as some commits have it: each way once. */
interface Version {
  readonly cells: readonly { readonly whole: string | null; readonly shown: string | null }[];
}

export async function readHistory(
  database: Database,
  table: string,
  key: readonly KeyValue[],
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
  return { changes: changes.slice(0, CHANGES_MAX), commits };
}

/** Rows of most commits are as those of the commit before: each version is kept once. */
class Versions {
  readonly #known = new Map<string, Version>();

  of(values: readonly BatchColumn[], row: number): Version {
    const whole = values.map(column => wholeText(column, row));
    const content = JSON.stringify(whole);
    const known = this.#known.get(content);
    if (known !== undefined) return known;
    const cells = values.map((column, index) => {
      const text = whole[index] ?? null;
      return { whole: text, shown: text === null ? null : cellView(column, row).text };
    });
    const version = { cells };
    this.#known.set(content, version);
    return version;
  }
}

function wholeText(column: BatchColumn, row: number): string | null {
  if (column.isNull(row)) return null;
  const value = column.value(row);
  return value instanceof Uint8Array ? hexDigits(value, value.length) : column.text(row);
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
  database: Database,
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
  database: Database,
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
