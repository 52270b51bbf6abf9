/** What the console itself can offer while SQL is typed: names of the schema, keywords, Dolt's own names. Pure. */

import { isRead, isWord, lexemesOf, nameOf, type Token } from '../sql/lexer.ts';
import { typedName } from '../sql/names.ts';
import { COMMON_FUNCTIONS, OTHER_FUNCTIONS } from './function_list.ts';
import { commonTables, type TableNames, tableOfName, tablesInScope } from './scope.ts';
import { systemTables } from './system_names.ts';

export interface SchemaNames {
  readonly databases: readonly string[];
  /** Of the selected database and branch. Columns are empty until they are loaded. */
  readonly tables: readonly TableNames[];
  /** How tables refer to each other. */
  readonly keys: readonly KeyNames[];
}

export interface KeyNames {
  readonly table: string;
  readonly columns: readonly string[];
  readonly toTable: string;
  readonly toColumns: readonly string[];
}

export interface Suggestion {
  readonly label: string;
  readonly apply: string;
  readonly detail: string;
  /** What a function gives. */
  readonly info?: string;
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

/** Suggestions at `position` of one statement. */
export function suggest(sql: string, position: number, schema: SchemaNames): Suggestions {
  const typed = typedAt(sql, position);
  if (typed === undefined) return { from: position, items: [] };
  const { from, before } = typed;
  const owner = before.at(-1)?.text === '.' ? nameOf(before.at(-2)) : undefined;
  const system = systemTables(schema.tables);
  const made = commonTables(sql, [...schema.tables, ...system]);
  const scope = tablesInScope(sql, [...schema.tables, ...system]);
  if (owner !== undefined) return { from, items: membersOf(owner, scope, schema) };
  const tables = [
    ...tableItems(made, 'in this statement', 70),
    ...tableItems(schema.tables, undefined, 60),
    ...tableItems(system, 'system table', 30),
  ];
  if (wantsTable(before)) return { from, items: [...tables, ...databaseItems(schema)] };
  const isCondition = isWord(before.at(-1), 'ON');
  const joins = isCondition ? joinItems(tablesInScope(sql.slice(0, position), schema.tables), schema) : [];
  const rest = tables.map(item => ({ ...item, boost: item.boost - 50 }));
  return { from, items: [...joins, ...columnItems(scope), ...rest, ...functionItems(), ...keywordItems()] };
}

interface Typed {
  /** Where the word or the open name begins that is being typed. */
  readonly from: number;
  /** The tokens before it. */
  readonly before: readonly Token[];
}

/** Undefined within a text or a comment. */
function typedAt(sql: string, position: number): Typed | undefined {
  const lexemes = lexemesOf(sql.slice(0, position));
  const last = lexemes.at(-1);
  const tokens = lexemes.filter(isRead);
  if (last === undefined || last.to < position) return { from: position, before: tokens };
  if (last.kind === 'line_comment' && !last.text.endsWith('\n')) return undefined;
  const isName = last.kind === 'bad' && last.text.startsWith('`');
  if (last.kind === 'bad' && !isName && last.text.length > 1) return undefined;
  const isTyped = isName || last.kind === 'word' || last.kind === 'reserved' || last.kind === 'number';
  return isTyped ? { from: last.from, before: tokens.slice(0, -1) } : { from: position, before: tokens };
}

function wantsTable(before: readonly Token[]): boolean {
  const last = before.at(-1);
  if (isWord(last, 'FROM', 'JOIN', 'INTO', 'UPDATE', 'TABLE', 'DESCRIBE', 'DESC')) return true;
  // Behind a comma of the list of FROM.
  const from = before.findLastIndex(token => isWord(token, 'FROM'));
  return last?.text === ',' && from >= 0 && !before.slice(from).some(({ text }) => /^[;()]$/.test(text));
}

function membersOf(owner: string, scope: ReadonlyMap<string, TableNames>, schema: SchemaNames): Suggestion[] {
  for (const [name, table] of scope) {
    if (name.toLowerCase() === owner.toLowerCase()) return columnItems(new Map([[name, table]]));
  }
  const table = tableOfName(schema.tables, owner);
  if (table !== undefined) return columnItems(new Map([[table.name, table]]));
  return schema.databases.includes(owner) ? tableItems(schema.tables, undefined, 50) : [];
}

/** What the table that is joined last has to do with those before it, by their foreign keys. */
function joinItems(scope: ReadonlyMap<string, TableNames>, { keys }: SchemaNames): Suggestion[] {
  const relations = [...scope].map(([alias, { name }]) => ({ alias, name: name.toLowerCase() }));
  const joined = relations.pop();
  if (joined === undefined) return [];
  return relations.reverse().flatMap(other =>
    keys.flatMap(({ table, columns, toTable, toColumns }): Suggestion[] => {
      const [from, to] = [table.toLowerCase(), toTable.toLowerCase()];
      const isForth = from === joined.name && to === other.name;
      if (!isForth && !(from === other.name && to === joined.name)) return [];
      const [own, its] = isForth ? [columns, toColumns] : [toColumns, columns];
      const place = (alias: string, column: string | undefined) => `${typedName(alias)}.${typedName(column ?? '')}`;
      const label = own
        .map((name, at) => `${place(joined.alias, name)} = ${place(other.alias, its[at])}`)
        .join(' AND ');
      return [{ label, apply: label, detail: 'foreign key', kind: 'column', boost: 90 }];
    }),
  );
}

function columnItems(scope: ReadonlyMap<string, TableNames>): Suggestion[] {
  const all = [...scope.values()].flatMap(({ columns }) => columns.map(({ name }) => name.toLowerCase()));
  const isAmbiguous = (name: string) => all.indexOf(name.toLowerCase()) !== all.lastIndexOf(name.toLowerCase());
  return [...scope].flatMap(([owner, { columns }]) =>
    columns.map(({ name, type }) => ({
      label: name,
      apply: isAmbiguous(name) ? `${typedName(owner)}.${typedName(name)}` : typedName(name),
      detail: scope.size > 1 ? `${owner} · ${type}` : type,
      kind: 'column' as const,
      boost: 50,
    })),
  );
}

function tableItems(tables: readonly TableNames[], detail: string | undefined, boost: number): Suggestion[] {
  return tables.map(({ name, isView }) => ({
    label: name,
    apply: typedName(name),
    detail: detail ?? (isView ? 'view' : 'table'),
    kind: 'table' as const,
    boost,
  }));
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
  const of = (list: typeof COMMON_FUNCTIONS, boost: number) =>
    list.map(([name, args, info]): Suggestion => {
      const label = name.toUpperCase();
      return { label, apply: `${label}(`, detail: `(${args})`, info, kind: 'function', boost };
    });
  return [...of(COMMON_FUNCTIONS, -20), ...of(OTHER_FUNCTIONS, -30)];
}
