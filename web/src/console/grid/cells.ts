/** How a value looks in a cell. Pure. */
import type { BatchColumn, Column } from '../../lib/index.ts';
import { geometryText } from '../sql/geometry.ts';
import { byteCount } from '../ui/figures.ts';
import { hexDigits } from './viewer/hex.ts';

/** More characters than the widest column can show; the rest is in the viewer. */
export const CELL_CHARS_MAX = 400;
const CELL_BYTES_MAX = 48;

export type Look = 'text' | 'number' | 'time' | 'json' | 'bytes' | 'null';

export interface CellView {
  readonly text: string;
  /** `absent` where a side of a diff has no such column; `default` where a new row was given nothing. */
  readonly look: Look | 'absent' | 'default';
  /** Of a cell in a row that differs, or that was edited. */
  readonly state?: 'changed' | 'same' | 'edited' | 'wrong';
  /** What is wrong with it. */
  readonly problem?: string;
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
    if (value instanceof Uint8Array) {
      const words = values.column.kind === 'geometry' ? geometryText(value) : undefined;
      return words === undefined ? { text: bytesText(value), look } : { text: oneLine(words), look: 'text' };
    }
  }
  return { text: oneLine(values.text(index) ?? ''), look };
}

export function bytesText(bytes: Uint8Array): string {
  const digits = `0x${hexDigits(bytes, CELL_BYTES_MAX)}`;
  return bytes.length > CELL_BYTES_MAX ? `${digits}… ${byteCount(bytes.length)}` : digits;
}

/** Line ends, tabs, and what turns the direction of the letters behind it, so that a text reads as another one. */
const UNSEEN = /\r\n|[\n\r\t\u202a-\u202e\u2066-\u2069]/g;

/** They make a text another one, and look like none. */
const LAST_SPACES = / +$/;

/** The start of a text with what cannot be seen made visible. */
export function oneLine(text: string): string {
  const clipped = text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX)}…` : text;
  const marked = clipped.endsWith(' ') ? clipped.replace(LAST_SPACES, spaces => '·'.repeat(spaces.length)) : clipped;
  return marked.replace(UNSEEN, found => (found === '\t' ? '⇥' : found > '\u2000' ? `⟨${hexOf(found)}⟩` : '↵'));
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase();
}
