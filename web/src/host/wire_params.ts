import type { WireParam } from '../protocol/index.ts';

/** Tags of bound values; rust/wasm/src/params.rs has the same numbers. */
const NULL = 0;
const INT = 1;
const UINT = 2;
const DOUBLE = 3;
const TEXT = 4;
const BYTES = 5;

const encoder = new TextEncoder();
const INT_MAX = 2n ** 63n - 1n;

/** UTF-16 units of a text that is written one by one: the encoder's call costs more than they do, in Chromium some 0.3 us. */
const SHORT_TEXT = 200;

// `length` is asked of texts only, of bytes `byteLength`: where both have the one name, V8 11 (Node 20) reads the length of a text
// before it has looked whether the parameter is one, and a small negative number ends the process.

/** More bytes than `writeParams` needs: a UTF-16 unit becomes three bytes of UTF-8 at most. */
export function paramsBytesMax(params: readonly WireParam[]): number {
  let bytes = 0;
  for (const param of params) {
    if (typeof param === 'string') bytes += 5 + 3 * param.length;
    else bytes += param instanceof Uint8Array ? 5 + param.byteLength : 9;
  }
  return bytes;
}

/**
 * Writes parameters one after the other: a tag byte, then 8 bytes for numbers, or a u32 length and the bytes.
 *
 * @param view of the memory, from its first byte on.
 * @returns the number of bytes written at `at`.
 */
export function writeParams(params: readonly WireParam[], view: DataView, at: number): number {
  let end = at;
  for (const param of params) {
    if (typeof param === 'number') {
      if (Number.isSafeInteger(param) && !Object.is(param, -0)) {
        view.setUint8(end, INT);
        // Two halves instead of a BigInt: this is on the path of every point lookup.
        view.setUint32(end + 1, param >>> 0, true);
        view.setInt32(end + 5, Math.floor(param / 2 ** 32), true);
      } else {
        view.setUint8(end, DOUBLE);
        view.setFloat64(end + 1, param, true);
      }
      end += 9;
    } else if (param === null) {
      view.setUint8(end, NULL);
      end += 1;
    } else if (typeof param === 'boolean') {
      view.setUint8(end, INT);
      view.setBigInt64(end + 1, param ? 1n : 0n, true);
      end += 9;
    } else if (typeof param === 'bigint') {
      end = writeBigInt(param, view, end);
    } else {
      const start = end + 5;
      const isText = typeof param === 'string';
      const length = isText ? writeText(param, view, start) : param.byteLength;
      if (!isText) new Uint8Array(view.buffer, start, length).set(param);
      view.setUint8(end, isText ? TEXT : BYTES);
      view.setUint32(end + 1, length, true);
      end = start + length;
    }
  }
  return end - at;
}

/**
 * Writes a text as UTF-8; there is room for three bytes of each of its UTF-16 units.
 *
 * @returns the number of bytes written at `at`.
 */
export function writeText(text: string, view: DataView, at: number): number {
  if (text.length <= SHORT_TEXT && writeAscii(text, view, at)) return text.length;
  return encoder.encodeInto(text, new Uint8Array(view.buffer, at)).written;
}

/** False, with the memory in any state, for a text that is not all ASCII. */
function writeAscii(text: string, view: DataView, at: number): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) return false;
    view.setUint8(at + index, unit);
  }
  return true;
}

/** What no 64-bit integer holds goes as its digits, which SQL reads as a DECIMAL. */
function writeBigInt(value: bigint, view: DataView, at: number): number {
  if (BigInt.asIntN(64, value) === value || BigInt.asUintN(64, value) === value) {
    view.setUint8(at, value > INT_MAX ? UINT : INT);
    view.setBigUint64(at + 1, BigInt.asUintN(64, value), true);
    return at + 9;
  }
  const digits = encoder.encode(value.toString());
  view.setUint8(at, TEXT);
  view.setUint32(at + 1, digits.length, true);
  new Uint8Array(view.buffer, at + 5, digits.length).set(digits);
  return at + 5 + digits.length;
}
