/** What the console itself can offer while SQL is typed: names of the schema, keywords, Dolt's own names. Pure. */

import { typedName } from '../sql/names.ts';

export interface SchemaNames {
  readonly databases: readonly string[];
  /** Of the selected database and branch. Columns are empty until they are loaded. */
  readonly tables: readonly TableNames[];
}

export interface TableNames {
  readonly name: string;
  readonly isView: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

export interface Suggestion {
  readonly label: string;
  readonly apply: string;
  readonly detail: string;
  readonly kind: 'column' | 'table' | 'database' | 'keyword' | 'function';
  /** Higher is nearer the top, -99 to 99. */
  readonly boost: number;
}

export interface Suggestions {
  /** Where the word being typed begins. */
  readonly from: number;
  readonly items: readonly Suggestion[];
}

const KEYWORDS =
  `SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET JOIN LEFT RIGHT INNER CROSS ON USING AS AND OR NOT IN IS NULL LIKE
  BETWEEN EXISTS DISTINCT UNION ALL CASE WHEN THEN ELSE END WITH RECURSIVE INSERT INTO VALUES UPDATE SET DELETE REPLACE
  CREATE TABLE VIEW INDEX UNIQUE PRIMARY KEY FOREIGN REFERENCES ALTER ADD COLUMN DROP TRUNCATE DESCRIBE EXPLAIN SHOW TABLES
  COLUMNS DATABASES USE CALL OF TIMESTAMP DESC ASC OVER PARTITION ROWS WINDOW INTERVAL CAST CONVERT BEGIN COMMIT ROLLBACK`.split(
    /\s+/,
  );

const FUNCTIONS =
  `COUNT SUM AVG MIN MAX GROUP_CONCAT CONCAT COALESCE IFNULL NULLIF IF LENGTH CHAR_LENGTH LOWER UPPER TRIM SUBSTRING
  LPAD ROUND FLOOR CEIL ABS MOD NOW CURDATE DATE DATE_ADD DATE_SUB DATE_FORMAT DATEDIFF YEAR MONTH DAY JSON_EXTRACT
  JSON_OBJECT JSON_ARRAY JSON_UNQUOTE HEX UNHEX ROW_NUMBER RANK LAG LEAD ACTIVE_BRANCH DOLT_HASHOF`.split(/\s+/);

const SYSTEM_TABLES =
  'dolt_log dolt_branches dolt_tags dolt_status dolt_diff dolt_commits dolt_commit_ancestors dolt_remotes'.split(' ');

const RELATION =
  /(?:\b(?:FROM|JOIN|UPDATE|INTO)|,)\s+(?:(?:`[^`]+`|[\w$]+)\s*\.\s*)?(`[^`]+`|[\w$]+)(?:\s+(?:AS\s+)?(`[^`]+`|[\w$]+))?/gi;
const NO_ALIAS = new Set(
  'on where group order limit join left right inner cross using set values having union natural for as'.split(' '),
);

function unquote(name: string): string {
  return name.startsWith('`') ? name.slice(1, -1).replaceAll('``', '`') : name;
}

/** Tables named in a statement, by the names (or aliases) that columns can be asked of. */
export function tablesInScope(sql: string, schema: SchemaNames): ReadonlyMap<string, TableNames> {
  const found = new Map<string, TableNames>();
  for (const match of sql.matchAll(RELATION)) {
    const name = unquote(match[1] ?? '');
    const table = schema.tables.find(candidate => candidate.name.toLowerCase() === name.toLowerCase());
    if (table === undefined) continue;
    const alias = unquote(match[2] ?? '');
    found.set(alias === '' || NO_ALIAS.has(alias.toLowerCase()) ? name : alias, table);
  }
  return found;
}

/** Suggestions at `position` of one statement. */
export function suggest(sql: string, position: number, schema: SchemaNames): Suggestions {
  const before = sql.slice(0, position);
  const word = /`[^`]*$|[\w$]*$/.exec(before)?.[0] ?? '';
  const from = position - word.length;
  const owner = /(`[^`]+`|[\w$]+)\s*\.\s*$/.exec(before.slice(0, from))?.[1];
  const scope = tablesInScope(sql, schema);
  if (owner !== undefined) return { from, items: membersOf(unquote(owner), scope, schema) };
  if (wantsTable(before.slice(0, from))) return { from, items: [...tableItems(schema, 60), ...databaseItems(schema)] };
  return { from, items: [...columnItems(scope), ...tableItems(schema, 10), ...functionItems(), ...keywordItems()] };
}

function wantsTable(before: string): boolean {
  return /\b(?:FROM|JOIN|INTO|UPDATE|TABLE|DESCRIBE|DESC)\s+$/i.test(before) || /\bFROM\s+[^;()]*,\s*$/i.test(before);
}

function membersOf(owner: string, scope: ReadonlyMap<string, TableNames>, schema: SchemaNames): Suggestion[] {
  for (const [name, table] of scope) {
    if (name.toLowerCase() === owner.toLowerCase()) return columnItems(new Map([[name, table]]));
  }
  const table = schema.tables.find(({ name }) => name.toLowerCase() === owner.toLowerCase());
  if (table !== undefined) return columnItems(new Map([[table.name, table]]));
  return schema.databases.includes(owner) ? tableItems(schema, 50) : [];
}

function columnItems(scope: ReadonlyMap<string, TableNames>): Suggestion[] {
  return [...scope].flatMap(([owner, { columns }]) =>
    columns.map(({ name, type }) => ({
      label: name,
      apply: typedName(name),
      detail: scope.size > 1 ? `${owner} · ${type}` : type,
      kind: 'column' as const,
      boost: 50,
    })),
  );
}

function tableItems({ tables }: SchemaNames, boost: number): Suggestion[] {
  const own = tables.map(({ name, isView }) => ({
    label: name,
    apply: typedName(name),
    detail: isView ? 'view' : 'table',
    kind: 'table' as const,
    boost,
  }));
  const system = SYSTEM_TABLES.map(name => ({
    label: name,
    apply: name,
    detail: 'system table',
    kind: 'table' as const,
    boost: boost - 30,
  }));
  return [...own, ...system];
}

function databaseItems({ databases }: SchemaNames): Suggestion[] {
  return databases.map(name => ({
    label: name,
    apply: typedName(name),
    detail: 'database',
    kind: 'database',
    boost: 5,
  }));
}

function keywordItems(): Suggestion[] {
  return KEYWORDS.map(label => ({ label, apply: label, detail: '', kind: 'keyword', boost: -10 }));
}

function functionItems(): Suggestion[] {
  return FUNCTIONS.map(label => ({ label, apply: `${label}(`, detail: 'function', kind: 'function', boost: -20 }));
}
