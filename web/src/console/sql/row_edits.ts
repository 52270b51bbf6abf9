/** Statements of rows that were edited in a grid. */
import { typedName } from './names.ts';
import { literal } from './values.ts';

export interface Assignment {
  readonly field: string;
  readonly type: string;
  readonly value: string | null;
}

export interface RowEdit {
  readonly kind: 'update' | 'delete' | 'insert';
  /** Which row of the grid. */
  readonly row: number;
  /** What names the row; empty for a new one. */
  readonly key: readonly Assignment[];
  /** The new values; empty for a row that goes. */
  readonly set: readonly Assignment[];
  /** The row as it was read, to detect concurrent changes. */
  readonly before: readonly Assignment[];
}

/** @param table quoted where it must be */
export function statementOf(table: string, { kind, key, set }: RowEdit): string {
  const values = set.map(({ type, value }) => literal(type, value));
  switch (kind) {
    case 'insert':
      return `INSERT INTO ${table} (${set.map(({ field }) => typedName(field)).join(', ')}) VALUES (${values.join(', ')})`;
    case 'update': {
      const assigned = set.map(({ field }, index) => `${typedName(field)} = ${values[index]}`);
      return `UPDATE ${table} SET ${assigned.join(', ')} WHERE ${whereOf(key)}`;
    }
    case 'delete':
      return `DELETE FROM ${table} WHERE ${whereOf(key)}`;
  }
}

/** Reads what the row holds now. */
export function currentOf(table: string, { key, before }: RowEdit): string {
  return `SELECT ${before.map(({ field }) => typedName(field)).join(', ')} FROM ${table} WHERE ${whereOf(key)}`;
}

function whereOf(key: readonly Assignment[]): string {
  return key.map(({ field, type, value }) => `${typedName(field)} = ${literal(type, value)}`).join(' AND ');
}

/** Which of the edited columns an error of the engine is about; undefined when it may be any. */
export function fieldOf(message: string, { set, kind, key }: RowEdit): string | undefined {
  const named = /column(?: name)? [`'"]?([^`'"\s]+)[`'"]?/i.exec(message)?.[1]?.toLowerCase();
  const byName = set.find(({ field }) => field.toLowerCase() === named);
  if (byName !== undefined) return byName.field;
  const byValue = set.filter(({ value }) => value !== null && value !== '' && message.includes(`'${value}'`));
  if (byValue.length === 1) return byValue[0]?.field;
  if (/duplicate (primary|unique)? ?key|duplicate entry/i.test(message)) {
    const keys = set.filter(({ field }) => kind === 'insert' || key.some(other => other.field === field));
    if (keys.length > 0) return keys[0]?.field;
  }
  return set.length === 1 ? set[0]?.field : undefined;
}
