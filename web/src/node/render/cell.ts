/** Values as text for people. */
import type { BatchColumn } from '../../client/index.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** A value for people: BIT as its number, binary as text where it is text and as hexadecimal digits where it is not. */
export function cellText(column: BatchColumn, row: number): string | null {
  const { kind } = column.column;
  if (kind !== 'binary' && kind !== 'bit') return column.text(row);
  const value = column.value(row);
  if (!(value instanceof Uint8Array)) return column.text(row);
  if (kind === 'bit') return value.reduce((number, byte) => number * 256n + BigInt(byte), 0n).toString();
  try {
    const text = utf8.decode(value);
    return CONTROL.test(text) ? column.text(row) : text;
  } catch {
    return column.text(row);
  }
}

/** Columns that a terminal needs for a text: East Asian characters and emoji take two, combining marks and control characters none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) continue;
    if (code < 0x300) width += 1;
    else if (!COMBINING.test(character)) width += isWide(code) ? 2 : 1;
  }
  return width;
}

const COMBINING = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** First and last code points of the wide blocks of Unicode's East Asian Width. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

function isWide(code: number): boolean {
  return WIDE.some(([first, last]) => code >= first && code <= last);
}
