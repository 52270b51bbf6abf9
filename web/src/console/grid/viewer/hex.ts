/** Bytes as the lines of a hex viewer. Pure. */

/** Half as many where there is little room. */
export type LineBytes = 16 | 8;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase());

export interface HexLine {
  readonly offset: string;
  readonly bytes: string;
  readonly text: string;
}

/** `DEADBEEF`, at most `bytesMax` bytes of it. */
export function hexDigits(bytes: Uint8Array, bytesMax = bytes.length): string {
  let digits = '';
  const end = Math.min(bytes.length, bytesMax);
  for (let at = 0; at < end; at += 1) digits += HEX[bytes[at] ?? 0];
  return digits;
}

/** The bytes of such digits. */
export function bytesOfHex(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length >> 1 }, (_, at) =>
    Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16),
  );
}

export function hexLineCount(bytes: Uint8Array, lineBytes: LineBytes): number {
  return Math.ceil(bytes.length / lineBytes);
}

export function hexLine(bytes: Uint8Array, line: number, lineBytes: LineBytes): HexLine {
  const from = line * lineBytes;
  const part = bytes.subarray(from, from + lineBytes);
  const digits = Array.from(part, byte => HEX[byte] ?? '');
  const half = [digits.slice(0, 8).join(' '), digits.slice(8).join(' ')].filter(group => group !== '');
  return {
    offset: from.toString(16).padStart(8, '0').toUpperCase(),
    bytes: half.join('  ').padEnd(lineBytes * 3, ' '),
    text: Array.from(part, byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join(''),
  };
}
