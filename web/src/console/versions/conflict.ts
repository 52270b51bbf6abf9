/** What to do with a row that two sides changed. Pure. */
import type { Conflict, Resolution, Row, Value } from '../../lib/index.ts';
import { geometryText } from '../sql/geometry.ts';

/** How a person wants a conflict to end. Edited values are texts, which the database makes into its types. */
export type Choice =
  | { readonly kind: 'ours' }
  | { readonly kind: 'theirs' }
  | { readonly kind: 'edited'; readonly values: Readonly<Record<string, string | null>> };

/** `both`: the two sides have different values where both changed it. `ours`, `theirs`: only that side changed it. */
export type CellState = 'same' | 'ours' | 'theirs' | 'both';

const VALUE_CHARS_MAX = 400;

/** One line that shows a value of a column; null for NULL. */
export type TextOf = (column: string, value: Value | undefined) => string | null;

/** @param geometries columns whose bytes are geometries: they are shown in words (WKT). */
export function textsWith(geometries: ReadonlySet<string>): TextOf {
  return (column, value) => {
    const words = value instanceof Uint8Array && geometries.has(column) ? geometryText(value) : undefined;
    return valueText(words ?? value);
  };
}

export function valueText(value: Value | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return bytesText(value);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const clipped = text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text;
  return clipped.replace(/\r\n|\n|\r/g, '↵').replaceAll('\t', '⇥');
}

function bytesText(bytes: Uint8Array): string {
  const digits = Array.from(bytes.subarray(0, 32), byte => byte.toString(16).padStart(2, '0')).join('');
  return `0x${digits}${bytes.length > 32 ? '…' : ''}`;
}

/** Values whose text says all of them, so that a person can write them. */
export function isEditable(value: Value | undefined): boolean {
  return !(value instanceof Uint8Array);
}

function plainText(value: Value | undefined): string | null {
  if (value === null || value === undefined || value instanceof Uint8Array) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function columnsOf({ base, ours, theirs }: Conflict): readonly string[] {
  return Object.keys(ours ?? theirs ?? base ?? {});
}

export function cellState({ base, ours, theirs }: Conflict, column: string): CellState {
  if (ours === null || theirs === null) return 'both';
  const [was, our, their] = [base, ours, theirs].map(row => plainOrBytes(row?.[column]));
  if (our === their) return 'same';
  if (our === was) return 'theirs';
  return their === was ? 'ours' : 'both';
}

function plainOrBytes(value: Value | undefined): string | null {
  return value instanceof Uint8Array ? Array.from(value).join() : plainText(value);
}

/** What both sides did, in words. */
export function summaryOf(conflict: Conflict): string {
  const { base, ours, theirs } = conflict;
  if (ours === null && theirs === null) return 'changed by both';
  if (ours === null) return 'removed by us, changed by them';
  if (theirs === null) return 'changed by us, removed by them';
  const both = columnsOf(conflict).filter(column => cellState(conflict, column) === 'both');
  return `${base === null ? 'added by both' : 'changed by both'}: ${both.join(', ')}`;
}

/** Where an edit begins: our values, with what only they changed taken over. */
export function startOfEdit(conflict: Conflict): Readonly<Record<string, string | null>> {
  const { ours, theirs } = conflict;
  const row: Row = ours ?? theirs ?? {};
  return Object.fromEntries(
    columnsOf(conflict)
      .filter(column => isEditable(row[column]))
      .map(column => {
        const side = ours !== null && cellState(conflict, column) === 'theirs' ? theirs : row;
        return [column, plainText(side?.[column])];
      }),
  );
}

export function resolutionOf({ id }: Conflict, choice: Choice): Resolution {
  return choice.kind === 'edited' ? { id, row: choice.values } : { id, take: choice.kind };
}
