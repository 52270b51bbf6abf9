import type { Queries, Row, StatementOptions, Value } from '../../lib/index.ts';
import { quoteString } from './names.ts';

/** A table that differs between two commits, branches, tags, `STAGED` or `WORKING`. */
export interface ChangedTable {
  /** Its name; that of before where it was dropped. */
  readonly table: string;
  /** Its name before, when it has another one now. */
  readonly tableBefore: string | undefined;
  readonly kind: TableChangeKind;
  readonly hasSchema: boolean;
  readonly hasData: boolean;
}

export type TableChangeKind = 'added' | 'removed' | 'modified' | 'renamed';

export async function loadChangedTables(
  queries: Queries,
  from: string,
  to: string,
  options: StatementOptions = {},
): Promise<readonly ChangedTable[]> {
  const range = `(${quoteString(from)}, ${quoteString(to)})`;
  const { rows, warnings } = await queries.query(`SELECT * FROM dolt_diff_summary${range}`, [], options);
  const others = warnings.length === 0 ? [] : await loadOthers(queries, range, rows, options);
  return [...rows, ...others].map(changeOf).sort((a, b) => a.table.localeCompare(b.table, 'en', { numeric: true }));
}

/** Tables with another primary key, which the summary leaves out with a warning. */
async function loadOthers(
  queries: Queries,
  range: string,
  known: readonly Row[],
  options: StatementOptions,
): Promise<readonly Row[]> {
  const sql = `SELECT from_table_name, to_table_name FROM dolt_schema_diff${range}`;
  const { rows } = await queries.query(sql, [], options);
  const isKnown = (row: Row) => known.some(({ to_table_name }) => to_table_name === row.to_table_name);
  return rows.filter(row => !isKnown(row)).map(row => ({ ...row, data_change: 1, schema_change: 1 }));
}

function changeOf(row: Row): ChangedTable {
  const [before, after] = [textOf(row.from_table_name), textOf(row.to_table_name)];
  const kind = before === '' ? 'added' : after === '' ? 'removed' : before !== after ? 'renamed' : 'modified';
  return {
    table: after || before,
    tableBefore: kind === 'renamed' ? before : undefined,
    kind,
    hasSchema: Number(row.schema_change) === 1,
    hasData: Number(row.data_change) === 1,
  };
}

function textOf(value: Value | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}
