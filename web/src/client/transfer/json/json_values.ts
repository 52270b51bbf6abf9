/** What the member of a JSON object is in a column. Pure. */
import type { ColumnKind } from '../../../protocol/index.ts';
import type { Param } from '../../types.ts';
import { KINDS_OF_BYTES } from '../../wire/stream.ts';
import { bytesOf, KINDS_WITHOUT_TEXT } from '../table/kinds.ts';
import { documentText, isJson } from './json_text.ts';

/** Turns a member into what its column takes; `undefined` is one that is not there. */
export type Conversion = (value: Param) => Param;

/** @param nulls texts that mean NULL where a text is no value */
export function conversionTo(kind: ColumnKind, nulls: readonly string[]): Conversion {
  if (kind === 'json') return toDocument;
  const ofText = textConversionTo(kind, nulls);
  return value => {
    if (typeof value === 'string') return ofText(value);
    return typeof value === 'object' && value !== null ? documentText(value) : value;
  };
}

function textConversionTo(kind: ColumnKind, nulls: readonly string[]): (text: string) => Param {
  if (kind === 'bit') return bitsOf;
  if (KINDS_OF_BYTES.has(kind)) return bytesOf;
  if (!KINDS_WITHOUT_TEXT.has(kind)) return text => text;
  // As a text it is the year 2000 in Dolt.
  const zero = kind === 'year' ? '0000' : undefined;
  return text => {
    if (text === zero) return 0;
    return nulls.includes(text) ? null : text;
  };
}

/** A text is read as JSON where it is some, as native Dolt does; what is `null` is that document, and what is not there is NULL. */
function toDocument(value: Param): Param {
  if (value === undefined || (typeof value === 'string' && isJson(value))) return value;
  return documentText(value);
}

/** Digits are the number, and not the bytes of their text. */
function bitsOf(text: string): Param {
  return /^\d+$/.test(text) ? BigInt(text) : bytesOf(text);
}
