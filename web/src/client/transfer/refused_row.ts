/** Finds a row in a piece of comma-separated values, as the engine has read it. Pure. */

const QUOTE = 34;
const LF = 10;
const CR = 13;

export interface RowSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * @param number which of the rows that begin in the piece, from 1; an empty line is none
 * @returns where it lies, in bytes; undefined where the piece has fewer
 */
export function rowSpan(bytes: Uint8Array, number: number, separator: string): RowSpan | undefined {
  const between = new TextEncoder().encode(separator);
  let rows = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = rowEnd(bytes, start, between);
    if (bytes[start] !== LF && bytes[start] !== CR && ++rows === number) return { start, end };
    start = end;
  }
  return undefined;
}

function rowEnd(bytes: Uint8Array, start: number, between: Uint8Array): number {
  let isFieldStart = true;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE && isFieldStart) {
      at = quoteEnd(bytes, at + 1);
      isFieldStart = false;
      continue;
    }
    if (byte === LF) return at + 1;
    if (byte === CR) return bytes[at + 1] === LF ? at + 2 : at + 1;
    isFieldStart = between.every((part, index) => bytes[at + 1 - between.length + index] === part);
  }
  return bytes.length;
}

/** Where the quote is that closes a field: one that another follows is a part of it. */
function quoteEnd(bytes: Uint8Array, start: number): number {
  let at = bytes.indexOf(QUOTE, start);
  while (at >= 0 && bytes[at + 1] === QUOTE) at = bytes.indexOf(QUOTE, at + 2);
  return at < 0 ? bytes.length : at;
}

/** The number of the row that an error of the engine is about; undefined where it is about none. */
export function rowOf(error: unknown): number | undefined {
  const [, row] = /^Row (\d+) of the file/.exec(error instanceof Error ? error.message : '') ?? [];
  return row === undefined ? undefined : Number(row);
}
