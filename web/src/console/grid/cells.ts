/** How a value looks in a cell. Pure. */
import type { BatchColumn, Column } from '../../lib/index.ts';
import { hexDigits } from './hex.ts';

/** More characters than the widest column can show; the rest is in the viewer. */
export const CELL_CHARS_MAX = 400;
const CELL_BYTES_MAX = 48;

export type Look = 'text' | 'number' | 'time' | 'json' | 'bytes' | 'null';

export interface CellView {
  readonly text: string;
  readonly look: Look;
}

const NULL_VIEW: CellView = { text: 'NULL', look: 'null' };

const LOOKS: Readonly<Record<Column['kind'], Look>> = {
  int: 'number',
  decimal: 'number',
  float: 'number',
  year: 'number',
  text: 'text',
  enum: 'text',
  set: 'text',
  date: 'time',
  datetime: 'time',
  time: 'time',
  json: 'json',
  binary: 'bytes',
  bit: 'bytes',
  geometry: 'bytes',
  vector: 'bytes',
  null: 'null',
};

export function lookOf(column: Column): Look {
  return LOOKS[column.kind];
}

export function isRightAligned(column: Column): boolean {
  return lookOf(column) === 'number';
}

export function cellView(values: BatchColumn, index: number): CellView {
  if (values.isNull(index)) return NULL_VIEW;
  const look = lookOf(values.column);
  if (look === 'bytes') {
    const value = values.value(index);
    if (value instanceof Uint8Array) return { text: bytesText(value), look };
  }
  return { text: oneLine(values.text(index) ?? ''), look };
}

export function bytesText(bytes: Uint8Array): string {
  const digits = `0x${hexDigits(bytes, CELL_BYTES_MAX)}`;
  return bytes.length > CELL_BYTES_MAX ? `${digits}… ${byteCount(bytes.length)}` : digits;
}

/** The start of a text with line ends and tabs made visible. */
export function oneLine(text: string): string {
  const clipped = text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX)}…` : text;
  return /[\n\r\t]/.test(clipped) ? clipped.replace(/\r\n|\n|\r/g, '↵').replaceAll('\t', '⇥') : clipped;
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `1.4 MB`: three figures at most, powers of 1024. */
export function byteCount(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`;
}

/** `0.42 ms`, `17 ms`, `1.25 s`, `2 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(2)} ms`;
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

export function wholeNumber(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 row`, `2,000 rows`. */
export function counted(count: number, noun: string): string {
  return `${wholeNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
