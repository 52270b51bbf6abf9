/** Encoder of parameters for the engine. */
import { PARAM, type WireParam } from '../../protocol/index.ts';

// Constants of their own: a property of an object is read more slowly where the code is not optimized yet.
const { null: NULL, int: INT, uint: UINT, double: DOUBLE, text: TEXT, bytes: BYTES } = PARAM;

const encoder = new TextEncoder();
const INT_MAX = 2n ** 63n - 1n;

/** From that many parameters on, their texts are written in one call; a few long texts are not copied twice. */
const MANY = 16;

/** UTF-16 units of a text that is written one by one: the encoder's call costs more than they do, in Chromium some 0.3 us. */
const SHORT_TEXT = 200;

// `length` is asked of texts only, of bytes `byteLength`: where both have the one name, V8 11 (Node 20) reads the length of a text
// before it has looked whether the parameter is one, and a small negative number ends the process.

/** More bytes than `writeParams` needs: a UTF-16 unit becomes three bytes of UTF-8 at most. */
export function paramsBytesMax(params: readonly WireParam[]): number {
  let bytes = 4;
  for (const param of params) {
    if (typeof param === 'string') bytes += 5 + 3 * param.length;
    else if (typeof param === 'bigint' && isDecimal(param)) bytes += 5 + String(param).length;
    else bytes += param instanceof Uint8Array ? 5 + param.byteLength : 9;
  }
  return bytes;
}

/**
 * Writes parameters: how many bytes they take without their texts, in a u32, then one after the other a tag byte with the 8 bytes of a
 * number, or a u32 length and bytes. The bytes of texts lie behind all of them, for to write one long text takes less than many short ones.
 *
 * @param view of the memory, from its first byte on.
 * @returns the number of bytes written at `at`.
 */
export function writeParams(params: readonly WireParam[], view: DataView, at: number): number {
  let end = at + 4;
  let texts = '';
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
    } else if (typeof param === 'bigint' && !isDecimal(param)) {
      view.setUint8(end, param > INT_MAX ? UINT : INT);
      view.setBigUint64(end + 1, BigInt.asUintN(64, param), true);
      end += 9;
    } else if (param instanceof Uint8Array) {
      view.setUint8(end, BYTES);
      view.setUint32(end + 1, param.byteLength, true);
      new Uint8Array(view.buffer, end + 5, param.byteLength).set(param);
      end += 5 + param.byteLength;
    } else {
      const text = String(param);
      view.setUint8(end, TEXT);
      view.setUint32(end + 1, text.length, true);
      texts += text;
      end += 5;
    }
  }
  view.setUint32(at, end - at - 4, true);
  if (texts === '') return end - at;
  // As many bytes as UTF-16 units: then all is ASCII, and the lengths are right.
  const areRight = params.length >= MANY && writeText(texts, view, end) === texts.length;
  return (areRight ? end + texts.length : writeTexts(params, view, at + 4, end)) - at;
}

/**
 * Writes texts one by one, and their lengths into the parameters that begin at `place`.
 *
 * @returns the end of the texts, which begin at `at`.
 */
function writeTexts(params: readonly WireParam[], view: DataView, place: number, at: number): number {
  let end = at;
  for (const param of params) {
    const tag = view.getUint8(place);
    if (tag === TEXT) {
      const length = writeText(String(param), view, end);
      view.setUint32(place + 1, length, true);
      end += length;
    }
    if (tag === NULL) place += 1;
    else if (tag === TEXT) place += 5;
    else place += tag === BYTES ? 5 + view.getUint32(place + 1, true) : 9;
  }
  return end;
}

/**
 * Writes a text as UTF-8; there is room for three bytes of each of its UTF-16 units.
 *
 * @returns the number of bytes written at `at`.
 */
export function writeText(text: string, view: DataView, at: number): number {
  if (text.length <= SHORT_TEXT && writeAscii(text, view, at)) return text.length;
  // Of a longer array, from 2 GiB on, Node writes nothing into it.
  const { read, written } = encoder.encodeInto(text, new Uint8Array(view.buffer, at, 3 * text.length));
  if (read !== text.length) throw new Error(`${read} of ${text.length} characters were written`);
  return written;
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

/** Whether it is an integer that no 64 bits hold: it goes as its digits, which SQL reads as a DECIMAL. */
function isDecimal(value: bigint): boolean {
  return BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value;
}
