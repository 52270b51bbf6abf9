/** Rows of a query that are others than they were: by the difference of two trees, so that it costs what has changed. */
import type { RowQuery } from '../protocol/index.ts';
import type { Column, Param, Queries, Row, Value } from './types.ts';
import type { Change } from './versions/version_types.ts';
import { quoteName, quoteText } from './versions/versions.ts';

/** Past so many rows the whole result is the shorter answer. */
const ROWS_MAX = 1000;

/** The root hash of the session's branch, for the next comparison; null on a tag or a commit. */
export async function rootHash(queries: Queries): Promise<string | null> {
  try {
    const { rows } = await queries.query("SELECT dolt_hashof_db('WORKING') AS root");
    return String(rows[0]?.root);
  } catch {
    return null;
  }
}

/**
 * The rows of the result that came, went and changed since the branch had the root `before`.
 *
 * Null when it cannot be told: the table has no key or another definition, too many rows differ, or the root was collected.
 */
export async function changedRows(
  queries: Queries,
  query: RowQuery,
  params: readonly Param[],
  before: string,
): Promise<readonly Change[] | null> {
  const range = `${quoteText(`root:${before}`)}, 'WORKING', ${quoteText(query.table)}`;
  const summary = await queries.query(`SELECT schema_change FROM dolt_diff_summary(${range})`);
  const [table] = summary.rows;
  if (table === undefined) return [];
  // A new row of AUTO_INCREMENT is such a change, too: the number that comes next is part of the definition.
  if (Number(table.schema_change) !== 0) {
    const definitions = await queries.query(`SELECT to_table_name FROM dolt_schema_diff(${range})`);
    if (definitions.rowCount > 0) return null;
  }
  const key = await keyOf(queries, query.table);
  if (key.length === 0) return null;
  const sides = ['to_', 'from_'].map(side => key.map(name => quoteName(side + name)).join(', '));
  const differing = await queries.query(
    `SELECT diff_type, ${sides.join(', ')} FROM dolt_diff(${range}) LIMIT ${ROWS_MAX + 1}`,
  );
  if (differing.rowCount > ROWS_MAX) return null;
  const keys = differing
    .rowArrays()
    .map(([kind, ...both]) => (kind === 'removed' ? both.slice(key.length) : both.slice(0, key.length)));
  if (keys.length === 0) return [];
  const [was, is] = await Promise.all(
    [` AS OF ${quoteText(`root:${before}`)}`, ''].map(asOf => rowsOf(queries, query, params, key, keys, asOf)),
  );
  return compare(query.table, was as KeyedRows, is as KeyedRows);
}

/** Rows by the text of their key. */
type KeyedRows = ReadonlyMap<string, Row>;

/** Rows of the result that have one of the keys. */
async function rowsOf(
  queries: Queries,
  { selected, table, alias, condition }: RowQuery,
  params: readonly Param[],
  key: readonly string[],
  keys: readonly (readonly Value[])[],
  asOf: string,
): Promise<KeyedRows> {
  const names = key.map(name => `${quoteName(alias)}.${quoteName(name)}`);
  const one = `(${names.map(name => `${name} = ?`).join(' AND ')})`;
  const any =
    names.length === 1 ? `${names[0]} IN (${keys.map(() => '?').join(', ')})` : keys.map(() => one).join(' OR ');
  const where = condition === '' ? `(${any})` : `(${condition}) AND (${any})`;
  const sql = `SELECT ${selected}, ${names.join(', ')} FROM ${quoteName(table)}${asOf} AS ${quoteName(alias)} WHERE ${where}`;
  const result = await queries.query(sql, [...params, ...keys.flat()]);
  const columns = result.columns.slice(0, result.columns.length - key.length);
  return new Map(
    result.rowArrays().map(values => {
      const keyValues = values.slice(columns.length);
      return [keyValues.map(textOf).join('\0'), rowOf(columns, values)] as const;
    }),
  );
}

function rowOf(columns: readonly Column[], values: readonly Value[]): Row {
  return Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null]));
}

function compare(table: string, was: KeyedRows, is: KeyedRows): readonly Change[] {
  const changes: Change[] = [];
  for (const [key, from] of was) {
    const to = is.get(key);
    if (to === undefined) changes.push({ table, kind: 'removed', from, to: null });
    else if (!isSame(from, to)) changes.push({ table, kind: 'modified', from, to });
  }
  for (const [key, to] of is) if (!was.has(key)) changes.push({ table, kind: 'added', from: null, to });
  return changes;
}

function isSame(from: Row, to: Row): boolean {
  return Object.keys(to).every(name => textOf(from[name]) === textOf(to[name]));
}

function textOf(value: Value | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Uint8Array) return `bytes ${value.join()}`;
  return typeof value === 'object' ? `json ${JSON.stringify(value)}` : `${typeof value} ${value}`;
}

async function keyOf(queries: Queries, table: string): Promise<readonly string[]> {
  const { rows } = await queries.query(`SHOW COLUMNS FROM ${quoteName(table)}`);
  return rows.filter(row => row.Key === 'PRI').map(row => String(row.Field));
}
