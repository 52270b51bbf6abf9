/** What to do with a row that two sides changed. Pure. */
import type { Conflict, Row, Value } from '../../../lib/index.ts';
import { GEOMETRY_TYPE, geometryText } from '../../sql/geometry.ts';
import { isTypable, problemOf } from '../../sql/values.ts';

/** A column of the table. */
export interface Field {
  readonly type: string;
  readonly isNullable: boolean;
  readonly isKey: boolean;
  readonly isGenerated: boolean;
}

export type Fields = ReadonlyMap<string, Field>;

/** How a person wants a conflict to end. Edited values are texts, which the database makes into its types. */
export type Choice =
  | { readonly kind: 'ours' }
  | { readonly kind: 'theirs' }
  | { readonly kind: 'edited'; readonly values: Values };

/** Of columns, as they are typed. */
export type Values = Readonly<Record<string, string | null>>;

/**
 * `both`: the two sides have different values where both changed it, or one changed it in a row that the other removed. `ours`,
 * `theirs`: only that side changed it.
 */
export type CellState = 'same' | 'ours' | 'theirs' | 'both';

const VALUE_CHARS_MAX = 400;
/** Of a text that is cut at its beginning: so much of what it shares is left, and there is room for so much of what it does not. */
const SHARED_CHARS = 12;
const PARTING_CHARS = 8;
/** Limit for values that can be typed. */
const BYTES_TYPED_MAX = 1024;

/** One line that shows a value of a column; null for NULL. */
export type TextOf = (column: string, value: Value | undefined) => string | null;

/** A value from so many characters on. */
export function textFrom(textOf: TextOf, column: string, value: Value | undefined, start: number): string | null {
  return start === 0 ? textOf(column, value) : `…${textOf(column, plainText(value)?.slice(start))}`;
}

/** Geometries are shown in words (WKT), other bytes as digits. */
export function textsWith(fields: Fields): TextOf {
  return (column, value) => valueText(wordsOf(fields.get(column)?.type ?? '', value) ?? value);
}

function wordsOf(type: string, value: Value | undefined): string | undefined {
  return value instanceof Uint8Array && GEOMETRY_TYPE.test(type) ? geometryText(value) : undefined;
}

export function valueText(value: Value | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return bytesText(value);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const clipped = text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text;
  return clipped.replace(/\r\n|\n|\r/g, '↵').replaceAll('\t', '⇥');
}

function bytesText(bytes: Uint8Array): string {
  return `${hexOf(bytes.subarray(0, 32))}${bytes.length > 32 ? '…' : ''}`;
}

function hexOf(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The whole value as text to edit; undefined where it cannot be typed. */
function typedText(field: Field | undefined, value: Value | undefined): string | null | undefined {
  if (field?.isGenerated === true) return undefined;
  if (!(value instanceof Uint8Array)) return plainText(value);
  const words = wordsOf(field?.type ?? '', value);
  if (words !== undefined) return words;
  return isTypable(field?.type ?? '') && value.length <= BYTES_TYPED_MAX ? hexOf(value) : undefined;
}

function plainText(value: Value | undefined): string | null {
  if (value === null || value === undefined || value instanceof Uint8Array) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function columnsOf({ base, ours, theirs }: Conflict): readonly string[] {
  return Object.keys(ours ?? theirs ?? base ?? {});
}

export function cellState({ base, ours, theirs }: Conflict, column: string): CellState {
  const [was, our, their] = [base, ours, theirs].map(row => plainOrBytes(row?.[column]));
  // A row that is gone has no other values than it had.
  if (ours === null || theirs === null) return (ours === null ? their : our) === was ? 'same' : 'both';
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

/** A side that a value can be of. */
export type Side = 'ours' | 'theirs';

/**
 * Where an edit begins: the side that was chosen, or else our values, with what only they changed taken over. Columns that cannot be typed
 * are left out.
 */
export function startOfEdit(conflict: Conflict, fields: Fields, chosen?: Side): Values {
  const { ours, theirs } = conflict;
  const row: Row = (chosen === undefined ? undefined : conflict[chosen]) ?? ours ?? theirs ?? {};
  const isMixed = chosen === undefined && ours !== null;
  const start: Record<string, string | null> = {};
  for (const column of columnsOf(conflict)) {
    const side = isMixed && cellState(conflict, column) === 'theirs' ? theirs : row;
    const text = typedText(fields.get(column), side?.[column]);
    if (text !== undefined) start[column] = text;
  }
  return start;
}

/** A value that a side has for a column, on its way into the row that will be. */
export interface Taking {
  /** The row has it as it is chosen. */
  readonly isTaken: boolean;
  /** The choice with it. */
  readonly choice: Choice;
}

/** Undefined where the side has no such value, or it cannot be typed. */
export function takingOf(
  conflict: Conflict,
  fields: Fields,
  choice: Choice | undefined,
  side: Side,
  column: string,
): Taking | undefined {
  const row = conflict[side];
  const text = row === null ? undefined : typedText(fields.get(column), row[column]);
  if (text === undefined) return undefined;
  const chosen = choice?.kind === 'edited' ? undefined : choice?.kind;
  const values = choice?.kind === 'edited' ? choice.values : startOfEdit(conflict, fields, chosen);
  const isTaken =
    choice !== undefined && values[column] === text && (chosen === undefined || conflict[chosen] !== null);
  return { isTaken, choice: { kind: 'edited', values: { ...values, [column]: text } } };
}

/**
 * How many shared characters at the beginning of two texts are hidden: where they differ is in sight, with a
 * little of what they share.
 *
 * @param chars that there is room for
 */
export function sharedBeginning(value: Value | undefined, before: Value | undefined, chars: number): number {
  const [text, other] = [plainText(value), plainText(before)];
  if (text === null || other === null || text === other) return 0;
  let same = 0;
  while (same < text.length && text[same] === other[same]) same += 1;
  if (same < chars - PARTING_CHARS) return 0;
  const start = same - SHARED_CHARS;
  // Not within one of the characters that are two.
  return /[\uDC00-\uDFFF]/.test(text[start] ?? '') ? start - 1 : start;
}

/** What the edit changes of our row; all of it where we have none. What is left as it was is not written through its text. */
export function writtenValues(
  { ours, theirs }: Conflict,
  values: Values,
  fields: Fields,
): readonly (readonly [column: string, text: string | null])[] {
  const written = Object.entries(values);
  if (ours === null) return theirs === null ? [] : written;
  return written.filter(([column, text]) => text !== typedText(fields.get(column), ours[column]));
}

/** What is wrong with a value for a column; undefined when it fits. */
export function problemWith(field: Field | undefined, text: string | null): string | undefined {
  return field === undefined ? undefined : problemOf(field, text);
}

/** The first value of an edit that does not fit, with its column. */
export function firstProblem(values: Values, fields: Fields): string | undefined {
  for (const [column, text] of Object.entries(values)) {
    const problem = problemWith(fields.get(column), text);
    if (problem !== undefined) return `${column}: ${problem}`;
  }
  return undefined;
}
