/** Names of the generated columns of a table, by its definition. */
import type { Queries, StatementOptions } from './types.ts';

/** The line of such a column in a definition, with its name as it is written there. */
const LINE = /^ *`((?:[^`]|``)+)` (?:(?! DEFAULT | COMMENT ).)*? GENERATED ALWAYS AS \(/gm;

/**
 * Columns that are computed from others, and so are not written. SHOW COLUMNS does not tell them: its Extra says DEFAULT_GENERATED, of a
 * default that is an expression, and nothing of these.
 *
 * @param definition what SHOW CREATE TABLE says
 */
export function generatedColumns(definition: string): ReadonlySet<string> {
  return new Set(Array.from(definition.matchAll(LINE), ([, name = '']) => name.replaceAll('``', '`')));
}

/** The same of a table of a database. @param table quoted where it must be */
export async function generatedColumnsOf(
  queries: Queries,
  table: string,
  options: StatementOptions = {},
): Promise<ReadonlySet<string>> {
  const { rows } = await queries.query(`SHOW CREATE TABLE ${table}`, [], options);
  return generatedColumns(String(rows[0]?.['Create Table'] ?? ''));
}
