import type { Queries, StatementOptions, Value } from '../../lib/index.ts';
import type { RowCounts } from '../ui/row_counts.tsx';
import { quoteString } from './names.ts';

/** How many rows of each table differ between two revisions. Undefined when one of the tables cannot be compared. */
export async function diffStat(
  queries: Queries,
  from: string,
  to: string,
  options: StatementOptions = {},
): Promise<ReadonlyMap<string, RowCounts> | undefined> {
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
