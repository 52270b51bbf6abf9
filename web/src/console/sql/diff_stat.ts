/** Counts of changed rows, in a session of its own: with many rows they take long. */
import type { Database, Queries, StatementOptions, Value } from '../../lib/index.ts';
import type { RowCounts } from '../ui/row_counts.tsx';
import { quoteName, quoteString } from './names.ts';

/** Rows of each table. Undefined when one of the tables cannot be compared. */
export type DiffStat = ReadonlyMap<string, RowCounts> | undefined;

/** Two revisions: commits, branches, tags, `STAGED` or `WORKING`. */
export type Revisions = readonly [from: string, to: string];

/**
 * Counts the rows of each table that differ between revisions, in a session beside the database's own, on the same branch: what that one is
 * asked meanwhile need not wait.
 */
export async function countDiffs(
  database: Database,
  ranges: readonly Revisions[],
  options: StatementOptions = {},
): Promise<readonly DiffStat[]> {
  if (ranges.length === 0) return [];
  const [row] = (await database.query('SELECT database() AS place')).rows;
  const session = await database.session();
  try {
    if (typeof row?.place === 'string') await session.query(`USE ${quoteName(row.place)}`);
    return await Promise.all(ranges.map(([from, to]) => diffStat(session, from, to, options)));
  } finally {
    void session.close().catch(() => undefined);
  }
}

async function diffStat(queries: Queries, from: string, to: string, options: StatementOptions): Promise<DiffStat> {
  const sql = `SELECT * FROM dolt_diff_stat(${quoteString(from)}, ${quoteString(to)})`;
  const found = await queries.query(sql, [], options).catch(() => undefined);
  const number = (value: Value | undefined) => Number(value ?? 0);
  return (
    found &&
    new Map(
      found.rows.map(row => [
        String(row.table_name ?? ''),
        { added: number(row.rows_added), removed: number(row.rows_deleted), modified: number(row.rows_modified) },
      ]),
    )
  );
}

/** Counts that are there in this time need no word before them. */
const PATIENCE_MS = 150;

/**
 * Tells of counts: once where they come soon; else first that they are not there, and then again.
 *
 * @param tell is not called after the signal has aborted.
 * @returns a promise of the first call.
 */
export async function tellWhenCounted(
  counting: Promise<readonly DiffStat[]>,
  signal: AbortSignal,
  tell: (stats: readonly DiffStat[] | undefined) => void,
): Promise<void> {
  const told = counting.catch(() => []).then(stats => void (signal.aborted || tell(stats)));
  const patience = new Promise<'later'>(resolve => setTimeout(() => resolve('later'), PATIENCE_MS));
  if ((await Promise.race([told, patience])) === 'later' && !signal.aborted) tell(undefined);
}
