/** Kinds of columns that an import treats alike. */
import type { ColumnKind } from '../../../protocol/index.ts';

/** A text is no value of theirs, so that some may mean NULL. */
export const KINDS_WITHOUT_TEXT: ReadonlySet<ColumnKind> = new Set([
  'int',
  'decimal',
  'float',
  'date',
  'datetime',
  'time',
  'year',
]);

/** Bytes are exported as `0x…`, for there are none in CSV and JSON; in columns of bytes that is what such a text means. */
export function bytesOf(text: string): string | Uint8Array {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) return text;
  const bytes = new Uint8Array(text.length / 2 - 1);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(2 * at + 2, 2 * at + 4), 16);
  return bytes;
}
