import { generatedColumnsOf as read } from '../../lib/generated_columns.ts';
import type { Queries, StatementOptions } from '../../lib/index.ts';

/**
 * Columns of a table that are computed from others, and so are not written. What has no definition, such as some tables of the system, has
 * none.
 *
 * @param table quoted where it must be
 */
export function generatedColumnsOf(
  queries: Queries,
  table: string,
  options: StatementOptions = {},
): Promise<ReadonlySet<string>> {
  return read(queries, table, options).catch(() => new Set<string>());
}
