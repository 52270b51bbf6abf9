/** From a row of a result to others: those it refers to, those that refer to it, and what it was in earlier commits. */
import type { Column } from '../../../../lib/index.ts';
import { loadKeys } from '../../../diagram/load.ts';
import type { SchemaKey } from '../../../diagram/model.ts';
import { oneLine } from '../../../grid/cells.ts';
import type { EditedRows } from '../../../grid/edit/edited_rows.ts';
import type { Selection } from '../../../grid/selection.ts';
import { typedName } from '../../../sql/names.ts';
import { tableOf } from '../../../sql/table_of.ts';
import { literal } from '../../../sql/values.ts';
import type { MenuGroup } from '../../../ui/menu.tsx';
import { runInTab } from '../../actions.ts';
import { boundDatabase } from '../../database/bound_database.ts';
import { type Connection, currentConnection } from '../../database/connection.ts';
import { dialog } from '../../dialogs.ts';

export type ForeignKey = SchemaKey;

/** A column of a table, and its value in a row. */
export interface KeyValue {
  readonly column: string;
  readonly type: string;
  readonly value: string;
}

const LINKS_SHOWN_MAX = 8;
const VALUE_CHARS_MAX = 24;

interface Known {
  readonly connection: Connection;
  readonly version: number;
  readonly place: string;
  readonly keys: Promise<readonly ForeignKey[]>;
}
let known: Known | undefined;

/** The foreign keys of the selected branch, read once until something may have changed them. */
export function foreignKeys(connection: Connection): Promise<readonly ForeignKey[]> {
  const { database, branch } = connection.catalog.place.peek();
  const version = connection.catalog.version.peek();
  const place = `${database}/${branch}`;
  if (known?.connection === connection && known.version === version && known.place === place) return known.keys;
  const keys = boundDatabase(connection).then(loadKeys);
  known = { connection, version, place, keys };
  return keys;
}

/** Values of a row by the names that the table has for its columns. */
class TableRow {
  readonly table: string;
  readonly #values = new Map<string, { readonly type: string; readonly value: string | null }>();

  constructor(table: string, alias: string, pages: EditedRows, row: number) {
    this.table = table;
    pages.columns.forEach((column, index) => {
      const value = pages.original(row, index);
      const isOwn = sameName(column.table, alias) && column.originalName !== '';
      if (isOwn && value !== undefined) this.#values.set(lower(column.originalName), { type: column.type, value });
    });
  }

  /** Undefined where the result lacks one of the columns, or one is NULL. */
  key(columns: readonly string[], called: readonly string[] = columns): readonly KeyValue[] | undefined {
    const parts = columns.flatMap((column, index) => {
      const found = this.#values.get(lower(column));
      const { value } = found ?? { value: null };
      return found === undefined || value === null
        ? []
        : [{ column: called[index] ?? column, type: found.type, value }];
    });
    return parts.length === columns.length && parts.length > 0 ? parts : undefined;
  }
}

const lower = (name: string) => name.toLowerCase();
const sameName = (a: string, b: string) => lower(a) === lower(b);

/** `id = 17 AND line = 2`, with a prefix before every column. */
export function conditionOf(key: readonly KeyValue[], prefix = ''): string {
  return key.map(({ column, type, value }) => `${typedName(prefix + column)} = ${literal(type, value)}`).join(' AND ');
}

/** `17`, or `3, 2`. */
export function keyText(key: readonly KeyValue[]): string {
  return oneLine(key.map(({ value }) => value).join(', ')).slice(0, VALUE_CHARS_MAX);
}

/** @param keys of the selected branch */
export function linkMenu(
  sql: string,
  pages: EditedRows,
  selection: Selection | undefined,
  keys: readonly ForeignKey[],
): readonly MenuGroup[] {
  const place = currentConnection()?.catalog.place.peek();
  const column = pages.columns[selection?.focus.column ?? -1];
  if (selection === undefined || column === undefined || place === undefined) return [];
  const source = tableOf(sql);
  const isPlain = source.kind === 'table';
  // A table of elsewhere refers to others of elsewhere.
  if (isPlain && source.database !== undefined && source.database !== place.database) return [];
  const [table, alias] = isPlain ? [source.table, source.alias] : [column.table, column.table];
  if (table === '') return [];
  const row = new TableRow(table, alias, pages, selection.focus.row);
  const rowsOf = (other: string, key: readonly KeyValue[]) => () =>
    runInTab(`${other} ${keyText(key)}`, `SELECT * FROM ${typedName(other)} WHERE ${conditionOf(key)};`);
  const forth = keys
    .filter(key => sameName(key.table, table) && key.columns.some(name => sameName(name, column.originalName)))
    .flatMap(({ columns, toTable, toColumns }) => {
      const key = row.key(columns, toColumns);
      return key === undefined
        ? []
        : [{ label: `Go to ${toTable} ${keyText(key)}`, icon: 'link' as const, onSelect: rowsOf(toTable, key) }];
    });
  const back = keys
    .filter(key => sameName(key.toTable, table))
    .flatMap(({ table: from, columns, toColumns }) => {
      const key = row.key(toColumns, columns);
      return key === undefined
        ? []
        : [{ label: from, hint: columns.join(', '), icon: 'table' as const, onSelect: rowsOf(from, key) }];
    });
  const history = isPlain ? historyEntry(table, row, pages.columns) : undefined;
  return [
    { entries: [...forth, ...(history === undefined ? [] : [history])] },
    { heading: 'Referencing rows', entries: back.slice(0, LINKS_SHOWN_MAX) },
  ].filter(({ entries }) => entries.length > 0);
}

function historyEntry(table: string, row: TableRow, columns: readonly Column[]) {
  const names = columns.filter(({ primaryKey }) => primaryKey).map(({ originalName }) => originalName);
  const key = row.key(names);
  if (key === undefined) return undefined;
  const onSelect = () => {
    dialog.value = { kind: 'row-history', table, key };
  };
  return { label: 'History of the row', icon: 'commit' as const, onSelect };
}
