/** Reads tables and foreign keys by SQL, of the place where a session is. */
import type { Queries } from '../../lib/index.ts';
import { maybeRenamed, type Names, type Renames, type Schema, type SchemaColumn, type SchemaKey } from './model.ts';

export async function loadSchema(queries: Queries): Promise<Schema> {
  const columns = await textsOf(
    queries,
    `SELECT c.table_name, c.column_name, c.column_type, c.column_key
     FROM information_schema.columns c
     JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
     WHERE c.table_schema = DATABASE() AND t.table_type = 'BASE TABLE'
     ORDER BY c.table_name, c.ordinal_position`,
  );
  // A table that `dolt_nonlocal_tables` leads to is listed twice where the branch has one of that name.
  const tables = new Map<string, Map<string, SchemaColumn>>();
  for (const [table = '', name = '', type = '', key] of columns) {
    const known = tables.get(table) ?? new Map<string, SchemaColumn>();
    known.set(name, { name, type, isKey: key === 'PRI' });
    tables.set(table, known);
  }
  return {
    tables: [...tables].map(([name, columns]) => ({ name, columns: [...columns.values()] })),
    keys: await loadKeys(queries),
  };
}

/** What has another name at `to` than at `from`: commits, branches or `WORKING`. @param now, was what these have */
export async function loadRenames(
  queries: Queries,
  [from, to]: readonly [string, string],
  now: Schema,
  was: Schema,
): Promise<Renames> {
  const { rows } = await queries.query(
    "SELECT from_table_name, to_table_name FROM dolt_diff_summary(?, ?) WHERE diff_type = 'renamed'",
    [from, to],
  );
  const tables = new Map(rows.map(row => [String(row.to_table_name), String(row.from_table_name)]));
  const columns = new Map<string, Names>();
  for (const table of maybeRenamed(now, was, tables)) columns.set(table, await columnRenames(queries, from, to, table));
  return { tables, columns };
}

const NAME = '`((?:[^`]|``)+)`';
const RENAME = new RegExp(`RENAME COLUMN ${NAME} TO ${NAME}`);

/** Columns of a table with other names: they have the tags that they had, which the statements of a patch go by. */
async function columnRenames(queries: Queries, from: string, to: string, table: string): Promise<Names> {
  const names = new Map<string, string>();
  const patch = queries.stream('SELECT statement, diff_type FROM dolt_patch(?, ?, ?)', [from, to, table]);
  for await (const { statement, diff_type } of patch.rows()) {
    // Statements for rows come last and are not awaited.
    if (diff_type !== 'schema') break;
    const [, before, now] = RENAME.exec(String(statement)) ?? [];
    if (before !== undefined && now !== undefined) names.set(now.replaceAll('``', '`'), before.replaceAll('``', '`'));
  }
  return names;
}

/** The foreign keys of all tables. */
export async function loadKeys(queries: Queries): Promise<readonly SchemaKey[]> {
  const rows = await textsOf(
    queries,
    `SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
     FROM information_schema.key_column_usage WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL
     ORDER BY table_name, constraint_name, ordinal_position`,
  );
  const found = new Map<string, { table: string; columns: string[]; toTable: string; toColumns: string[] }>();
  for (const [table = '', name = '', column = '', toTable = '', toColumn = ''] of rows) {
    const id = `${table}\n${name}`;
    const key = found.get(id) ?? { table, columns: [], toTable, toColumns: [] };
    key.columns.push(column);
    key.toColumns.push(toColumn);
    found.set(id, key);
  }
  return [...found.values()];
}

/** Some columns of information_schema are longtext, some binary: as texts all are the same. */
async function textsOf(queries: Queries, sql: string): Promise<string[][]> {
  const { batches } = await queries.query(sql);
  return batches.flatMap(batch =>
    Array.from({ length: batch.rowCount }, (_, row) => batch.columns.map((_, at) => batch.column(at).text(row) ?? '')),
  );
}
