/** Reads the schema by SQL, as any client of a Dolt server would. */
import type { Queries, StatementOptions, Value } from '../../lib/index.ts';
import { quoteName, revisionName, splitRevision } from '../sql/names.ts';
import { type BranchInfo, type ColumnInfo, keyOf, type Place, type Program, type TableInfo } from './model.ts';

const HIDDEN_DATABASES = new Set(['information_schema', 'mysql', 'performance_schema', 'sys']);

function textOf(value: Value | undefined): string {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return value === null || value === undefined ? '' : String(value);
}

/** A branch of a database, quoted. */
export function placeName({ database, branch }: Place): string {
  return quoteName(revisionName(database, branch));
}

async function rowsOf(queries: Queries, sql: string, options?: StatementOptions): Promise<readonly Value[][]> {
  return (await queries.query(sql, [], options)).rowArrays();
}

export async function loadDatabases(queries: Queries): Promise<readonly string[]> {
  const names = (await rowsOf(queries, 'SHOW DATABASES')).map(row => textOf(row[0]));
  // A revision that was selected (`shop/main`) is listed beside its database.
  return names.filter(name => !HIDDEN_DATABASES.has(name.toLowerCase()) && !name.includes('/'));
}

export async function loadPlace(queries: Queries): Promise<Place> {
  const [row] = await rowsOf(queries, 'SELECT database(), active_branch()');
  const { database } = splitRevision(textOf(row?.[0]));
  return { database, branch: textOf(row?.[1]) };
}

export async function loadBranches(queries: Queries, database: string): Promise<readonly BranchInfo[]> {
  const sql = `SELECT name, dirty FROM ${quoteName(database)}.dolt_branches ORDER BY name`;
  const rows = await rowsOf(queries, sql);
  return rows.map(([name, dirty]) => ({ name: textOf(name), isDirty: Number(dirty) === 1 }));
}

export async function loadTables(queries: Queries, place: Place): Promise<readonly TableInfo[]> {
  const rows = await rowsOf(queries, `SHOW FULL TABLES FROM ${placeName(place)}`);
  const tables = rows.map(([name, type]) => ({ name: textOf(name), isView: textOf(type) === 'VIEW' }));
  return tables.sort((a, b) => Number(a.isView) - Number(b.isView) || compareNames(a.name, b.name));
}

/** From where Dolt keeps them: the statements of MySQL that list them know one branch only. */
export async function loadPrograms(queries: Queries, place: Place): Promise<readonly Program[]> {
  const name = placeName(place);
  const others = `SELECT type, name FROM ${name}.dolt_schemas WHERE type IN ('trigger', 'event')`;
  const rows = await rowsOf(queries, `${others} UNION ALL SELECT 'procedure', name FROM ${name}.dolt_procedures`);
  const programs = rows.map(([kind, name]) => ({ name: textOf(name), kind: textOf(kind) as Program['kind'] }));
  return programs.sort((a, b) => compareNames(b.kind, a.kind) || compareNames(a.name, b.name));
}

function compareNames(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

export async function loadColumns(queries: Queries, place: Place, table: string): Promise<readonly ColumnInfo[]> {
  const rows = await rowsOf(queries, `SHOW COLUMNS FROM ${quoteName(table)} FROM ${placeName(place)}`);
  return rows.map(([field, type, nullable, key, initial, extra]) => ({
    name: textOf(field),
    type: textOf(type),
    isNullable: textOf(nullable) !== 'NO',
    key: keyOf(textOf(key)),
    extra: [initial === null ? '' : `default ${textOf(initial)}`, textOf(extra)].filter(part => part !== '').join(' '),
  }));
}

export async function countRows(queries: Queries, place: Place, table: string, signal: AbortSignal): Promise<number> {
  const sql = `SELECT COUNT(*) FROM ${placeName(place)}.${quoteName(table)}`;
  const [row] = await rowsOf(queries, sql, { signal });
  return Number(row?.[0] ?? 0);
}
