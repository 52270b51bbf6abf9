/** Tar archives: ustar with the GNU and pax forms of long names, which is what tar programs write. */

const BLOCK_BYTES = 512;
const decoder = new TextDecoder();

export interface TarEntry {
  readonly path: string;
  /** A view of the archive, nothing copied. */
  readonly bytes: Uint8Array;
}

/**
 * Lists the regular files of an unpacked tar archive.
 *
 * @throws RangeError when an entry is damaged or cut off.
 */
export function* readTar(archive: Uint8Array): IterableIterator<TarEntry> {
  let at = 0;
  let longName = '';
  while (at + BLOCK_BYTES <= archive.length) {
    const header = archive.subarray(at, at + BLOCK_BYTES);
    if (header.every(byte => byte === 0)) return;
    checkSum(header, at);
    const length = numberField(header, 124, 12);
    const start = at + BLOCK_BYTES;
    if (start + length > archive.length) throw new RangeError(`the tar archive is cut off at byte ${at}`);
    const bytes = archive.subarray(start, start + length);
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'L') {
      longName = textField(bytes, 0, length);
    } else if (type === 'x') {
      longName = paxPath(bytes) ?? longName;
    } else {
      if (type === '0' || type === '\0' || type === '7') yield { path: cleanPath(longName || nameOf(header)), bytes };
      if (type !== 'g' && type !== 'K') longName = '';
    }
    at = start + Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES;
  }
}

function nameOf(header: Uint8Array): string {
  const name = textField(header, 0, 100);
  const isUstar = textField(header, 257, 5) === 'ustar';
  const prefix = isUstar ? textField(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function cleanPath(path: string): string {
  return path.replace(/^(\.?\/)+/, '');
}

function textField(bytes: Uint8Array, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return decoder.decode(end < 0 ? field : field.subarray(0, end));
}

/** Octal text, or big-endian binary when the first bit is set (files of 8 GiB and more). */
function numberField(header: Uint8Array, at: number, length: number): number {
  const first = header[at] ?? 0;
  if ((first & 0x80) !== 0) {
    let value = first & 0x7f;
    for (const byte of header.subarray(at + 1, at + length)) value = value * 256 + byte;
    return value;
  }
  const text = textField(header, at, length).trim();
  const value = text === '' ? 0 : Number.parseInt(text, 8);
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('the tar archive has a bad number');
  return value;
}

/** Whether a file is worth reading as tar: with a first header, or with nothing but its end. */
export function startsLikeTar(archive: Uint8Array): boolean {
  const header = archive.subarray(0, BLOCK_BYTES);
  if (header.length < BLOCK_BYTES) return false;
  try {
    return header.every(byte => byte === 0) || isSumRight(header);
  } catch {
    // Where the sum should be stands no number.
    return false;
  }
}

function checkSum(header: Uint8Array, at: number): void {
  if (!isSumRight(header)) throw new RangeError(`not a tar header at byte ${at}`);
}

function isSumRight(header: Uint8Array): boolean {
  let sum = 0;
  header.forEach((byte, index) => {
    sum += index >= 148 && index < 156 ? 32 : byte;
  });
  return sum === numberField(header, 148, 8);
}

/** The `path` record of a pax header: lines of `LENGTH key=value\n`. */
function paxPath(bytes: Uint8Array): string | undefined {
  let path: string | undefined;
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(32, at);
    const length = Number.parseInt(decoder.decode(bytes.subarray(at, space)), 10);
    if (space < 0 || !(length > 0)) break;
    const record = decoder.decode(bytes.subarray(space + 1, at + length - 1));
    if (record.startsWith('path=')) path = record.slice('path='.length);
    at += length;
  }
  return path;
}
