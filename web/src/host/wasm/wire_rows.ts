import {
  bitsOf,
  ROWS_BYTES,
  ROWS_FIELDS,
  ROWS_NULLS_BYTES,
  ROWS_ROWS_BEFORE,
  ROWS_SEPARATOR,
  ROWS_TEXT_BYTES,
  ROWS_TRAIT,
  ROWS_TRAITS,
  type WireRows,
} from '../../protocol/index.ts';

/** The input of `rows_open`, in parts: how the text is written, texts that mean NULL, fields that are left out, the text. */
export function rowsParts(rows: WireRows): Uint8Array[] {
  const { bytes, separator, rowsBefore, nulls = [], leftOut = [] } = rows;
  const nullBytes = new TextEncoder().encode(nulls.map(text => `${text}\0`).join(''));
  const head = new DataView(new ArrayBuffer(ROWS_BYTES));
  head.setUint32(ROWS_NULLS_BYTES, nullBytes.length, true);
  head.setUint32(ROWS_FIELDS, leftOut.length, true);
  head.setUint32(ROWS_TEXT_BYTES, bytes.length, true);
  head.setUint32(ROWS_SEPARATOR, separator.codePointAt(0) ?? 0, true);
  head.setUint32(ROWS_TRAITS, traitsOf(rows), true);
  head.setFloat64(ROWS_ROWS_BEFORE, rowsBefore, true);
  return [new Uint8Array(head.buffer), nullBytes, Uint8Array.from(leftOut, Number), bytes];
}

function traitsOf({ isLast, hasTitles, dates, decimal, fillsShortLines, hasEscapes }: WireRows): number {
  return bitsOf(ROWS_TRAIT, {
    isLast,
    hasTitles,
    dayFirst: dates === 'dmy',
    monthFirst: dates === 'mdy',
    decimalComma: decimal === ',',
    decimalPoint: decimal === '.',
    fillsShortLines: fillsShortLines === true,
    hasEscapes: hasEscapes === true,
  });
}
