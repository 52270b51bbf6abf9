import { generatedColumns } from '../../lib/generated_columns.ts';
import type { Queries, StatementOptions } from '../../lib/index.ts';

/**
 * Columns of a table that are computed from others, and so are not written.
 *
 * @param table quoted where it must be
 */
export async function generatedColumnsOf(
  queries: Queries,
  table: string,
  options: StatementOptions = {},
): Promise<ReadonlySet<string>> {
  // What has no definition, such as some tables of the system, has no such column either.
  const found = await queries.query(`SHOW CREATE TABLE ${table}`, [], options).catch(() => undefined);
  return generatedColumns(String(found?.rows[0]?.['Create Table'] ?? ''));
}
