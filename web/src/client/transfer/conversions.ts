/** What texts of a file become in a column. */
import type { ColumnKind } from '../../protocol/index.ts';
import { KINDS_OF_BYTES } from '../stream.ts';
import type { Param } from '../types.ts';
import type { ImportRowsOptions } from './transfer_types.ts';
import { dateOf, numberOf, type WrittenForms } from './written_forms.ts';

/** Null for a text that is not written as was said. */
export type Convert = (text: string) => Param;

/** Only texts of CSV are written in one way or another. */
export function formsOf({ format, dates, decimal }: ImportRowsOptions): WrittenForms {
  return format === 'csv' ? { dates, decimal } : {};
}

/** Undefined where a text is what the column takes. */
export function conversionTo(kind: ColumnKind, { dates, decimal }: WrittenForms): Convert | undefined {
  switch (kind) {
    case 'date':
    case 'datetime':
      return dates && (text => dateOf(text, dates));
    case 'int':
    case 'decimal':
    case 'float':
      return decimal && (text => numberOf(text, decimal));
    default:
      return KINDS_OF_BYTES.has(kind) ? bytesOf : undefined;
  }
}

/** Bytes are exported as `0x…`, for there are none in CSV and JSON; in columns of bytes that is what such a text means. */
function bytesOf(text: string): string | Uint8Array {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) return text;
  const bytes = new Uint8Array(text.length / 2 - 1);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(2 * at + 2, 2 * at + 4), 16);
  return bytes;
}
