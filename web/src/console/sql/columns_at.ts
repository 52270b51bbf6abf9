import type { Queries, StatementOptions } from '../../lib/index.ts';
import { quoteName, quoteString } from './names.ts';

/** A column of a table as a commit has it. */
export interface ColumnAt {
  readonly name: string;
  readonly type: string;
  /** Whether it is one of the primary key. */
  readonly isKey: boolean;
}

/** @throws where the revision does not have the table */
export async function loadColumnsAt(
  queries: Queries,
  table: string,
  revision: string,
  options: StatementOptions = {},
): Promise<readonly ColumnAt[]> {
  const sql = `SHOW COLUMNS FROM ${quoteName(table)} AS OF ${quoteString(revision)}`;
  const { rows } = await queries.query(sql, [], options);
  return rows.map(row => ({ name: String(row.Field), type: String(row.Type), isKey: row.Key === 'PRI' }));
}
