/** Tables and the foreign keys between them, as they are now and as they were. Pure. */

export interface SchemaColumn {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
}

export interface SchemaTable {
  readonly name: string;
  readonly columns: readonly SchemaColumn[];
}

export interface SchemaKey {
  readonly table: string;
  readonly columns: readonly string[];
  readonly toTable: string;
  readonly toColumns: readonly string[];
}

/** What a commit, or the working set, has of tables. */
export interface Schema {
  readonly tables: readonly SchemaTable[];
  readonly keys: readonly SchemaKey[];
}

export type Change = 'added' | 'removed' | 'modified';

export interface DiagramColumn extends SchemaColumn {
  /** Of a foreign key. */
  readonly isLink: boolean;
  readonly change: Change | undefined;
  /** Its type before, where it has another one. */
  readonly typeBefore: string | undefined;
  /** Its name before, where it has another one. */
  readonly nameBefore: string | undefined;
}

export interface DiagramTable {
  readonly name: string;
  readonly columns: readonly DiagramColumn[];
  readonly change: Change | undefined;
  /** Its name before, where it has another one. */
  readonly nameBefore: string | undefined;
}

export interface DiagramKey extends SchemaKey {
  readonly change: Exclude<Change, 'modified'> | undefined;
}

export interface Diagram {
  readonly tables: readonly DiagramTable[];
  readonly keys: readonly DiagramKey[];
}

/** Names that are others now, by those. */
export type Names = ReadonlyMap<string, string>;

export interface Renames {
  readonly tables: Names;
  /** By the name that their table has now. */
  readonly columns: ReadonlyMap<string, Names>;
}

const NO_NAMES: Names = new Map();
const NO_RENAMES: Renames = { tables: NO_NAMES, columns: new Map() };

/** What is there now and what was there before, each with what became of it. */
export function diagramOf(now: Schema, was: Schema, renames: Renames = NO_RENAMES): Diagram {
  const before = renamed(was, renames);
  const keys = mergeNamed(now.keys, before.keys, idOf).map(
    ({ now: key, before: old }): DiagramKey => ({
      ...((key ?? old) as SchemaKey),
      change: key === undefined ? 'removed' : old === undefined ? 'added' : undefined,
    }),
  );
  const links = new Set(keys.flatMap(({ table, columns }) => columns.map(column => `${table}\n${column}`)));
  const tables = mergeNamed(now.tables, before.tables, ({ name }) => name).map(({ now: table, before: old }) => {
    const name = (table ?? old)?.name ?? '';
    const namesBefore = renames.columns.get(name) ?? NO_NAMES;
    const columns = mergeNamed(table?.columns ?? [], old?.columns ?? [], ({ name }) => name).map(one => {
      const known = (one.now ?? one.before)?.name ?? '';
      const column = columnOf(one, table !== undefined && old !== undefined, links.has(`${name}\n${known}`));
      const nameBefore = one.now === undefined ? undefined : namesBefore.get(known);
      return nameBefore === undefined ? column : { ...column, nameBefore, change: 'modified' as const };
    });
    const nameBefore = table === undefined ? undefined : renames.tables.get(name);
    const isOther =
      nameBefore !== undefined ||
      columns.some(({ change }) => change !== undefined) ||
      keys.some(key => key.table === name && key.change);
    const change: Change | undefined =
      table === undefined ? 'removed' : old === undefined ? 'added' : isOther ? 'modified' : undefined;
    return { name, columns, change, nameBefore };
  });
  const known = new Set(tables.map(({ name }) => name));
  return { tables, keys: keys.filter(({ table, toTable }) => known.has(table) && known.has(toTable)) };
}

/** Tables with columns that came and others that went: these may be the same. */
export function maybeRenamed(now: Schema, was: Schema, tables: Names): readonly string[] {
  const { tables: changed } = diagramOf(now, was, { tables, columns: new Map() });
  const has = (columns: readonly DiagramColumn[], change: Change) => columns.some(column => column.change === change);
  return changed.filter(({ columns }) => has(columns, 'added') && has(columns, 'removed')).map(({ name }) => name);
}

/** The schema as it was, with the names that its tables and columns have now. */
function renamed({ tables, keys }: Schema, renames: Renames): Schema {
  const tableName = inverse(renames.tables);
  const columnNames = new Map([...renames.columns].map(([table, names]) => [table, inverse(names)]));
  const columnName = (table: string, name: string) => columnNames.get(tableName(table))?.(name) ?? name;
  return {
    tables: tables.map(table => ({
      name: tableName(table.name),
      columns: table.columns.map(column => ({ ...column, name: columnName(table.name, column.name) })),
    })),
    keys: keys.map(({ table, columns, toTable, toColumns }) => ({
      table: tableName(table),
      columns: columns.map(name => columnName(table, name)),
      toTable: tableName(toTable),
      toColumns: toColumns.map(name => columnName(toTable, name)),
    })),
  };
}

/** The name now of what had a name before. */
function inverse(names: Names): (before: string) => string {
  const now = new Map([...names].map(([now, before]) => [before, now]));
  return before => now.get(before) ?? before;
}

function idOf({ table, columns, toTable, toColumns }: SchemaKey): string {
  return [table, columns.join(','), toTable, toColumns.join(',')].join('\n');
}

interface Both<T> {
  readonly now: T | undefined;
  readonly before: T | undefined;
}

/** In the current order; removed ones come last. */
function mergeNamed<T>(now: readonly T[], before: readonly T[], idOf: (one: T) => string): readonly Both<T>[] {
  const old = new Map(before.map(one => [idOf(one), one]));
  const both = now.map((one): Both<T> => ({ now: one, before: old.get(idOf(one)) }));
  const names = new Set(now.map(idOf));
  const gone = before.filter(one => !names.has(idOf(one)));
  return [...both, ...gone.map((one): Both<T> => ({ now: undefined, before: one }))];
}

/** Columns of a table that came or went as a whole are not marked one by one. */
function columnOf({ now, before }: Both<SchemaColumn>, isInBoth: boolean, isLink: boolean): DiagramColumn {
  const column = (now ?? before) as SchemaColumn;
  const isOther = now !== undefined && before !== undefined && (now.type !== before.type || now.isKey !== before.isKey);
  const change = now === undefined ? 'removed' : before === undefined ? 'added' : isOther ? 'modified' : undefined;
  const typeBefore = before !== undefined && now !== undefined && before.type !== now.type ? before.type : undefined;
  return { ...column, isLink, change: isInBoth ? change : undefined, typeBefore, nameBefore: undefined };
}

/** Only what links tables and what changed; all of it where nothing else would be left. */
export function tellingColumns({ columns }: DiagramTable): readonly DiagramColumn[] {
  return columns.filter(({ isKey, isLink, change }) => isKey || isLink || change !== undefined);
}
