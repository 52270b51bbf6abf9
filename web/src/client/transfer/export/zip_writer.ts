/**
 * Zip archives as they are written: files are stored as they are (the chunks in them are compressed), zip64 where it must be, which
 * fflate does not write.
 */
import { crc32 } from '../../../protocol/index.ts';

const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR64_SIGNATURE = 0x07064b50;
const END_SIGNATURE = 0x06054b50;
/** Sizes and checksum stand behind the bytes; names are UTF-8. */
const FLAGS = 0x0808;
/** 1980-01-01, the first day that a zip can tell. */
const DATE = 0x0021;
const VERSION64 = 45;
const ALL_ONES = 0xffffffff;

interface Written {
  readonly name: Uint8Array;
  readonly crc: number;
  readonly length: number;
  readonly at: number;
}

export interface ZipInput {
  readonly path: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The bytes of an archive, piece by piece. */
export async function* zipped(files: AsyncIterable<ZipInput>): AsyncIterableIterator<Uint8Array> {
  const entries: Written[] = [];
  let at = 0;
  const told = (bytes: Uint8Array): Uint8Array => {
    at += bytes.length;
    return bytes;
  };
  for await (const { path, chunks } of files) {
    const name = new TextEncoder().encode(path);
    const start = at;
    yield told(local(name));
    let [crc, length] = [0, 0];
    for await (const chunk of chunks) {
      crc = crc32(chunk, crc);
      length += chunk.length;
      yield told(chunk);
    }
    const entry = { name, crc, length, at: start };
    yield told(descriptor(entry));
    entries.push(entry);
  }
  const directoryAt = at;
  for (const entry of entries) yield told(listed(entry));
  yield end(entries.length, directoryAt, at - directoryAt);
}

/** Fields of 2, 4 or 8 bytes, little-endian. */
function fields(...values: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Uint8Array {
  const bytes = new Uint8Array(values.reduce((sum, [width]) => sum + width, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [width, value] of values) {
    if (width === 2) view.setUint16(at, value, true);
    else if (width === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += width;
  }
  return bytes;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** With an empty zip64 field: its presence says that the descriptor's sizes have 8 bytes. */
function local(name: Uint8Array): Uint8Array {
  const extra = fields([2, 1], [2, 16], [8, 0], [8, 0]);
  const head = fields([4, LOCAL_SIGNATURE], [2, VERSION64], [2, FLAGS], [2, 0], [2, 0], [2, DATE], [4, 0]);
  return joined(head, fields([4, ALL_ONES], [4, ALL_ONES], [2, name.length], [2, extra.length]), name, extra);
}

function descriptor({ crc, length }: Written): Uint8Array {
  return fields([4, DESCRIPTOR_SIGNATURE], [4, crc], [8, length], [8, length]);
}

function listed({ name, crc, length, at }: Written): Uint8Array {
  const extra = fields([2, 1], [2, 24], [8, length], [8, length], [8, at]);
  const head = fields([4, ENTRY_SIGNATURE], [2, VERSION64], [2, VERSION64], [2, FLAGS], [2, 0], [2, 0], [2, DATE]);
  const sizes = fields([4, crc], [4, ALL_ONES], [4, ALL_ONES], [2, name.length], [2, extra.length]);
  return joined(head, sizes, fields([2, 0], [2, 0], [2, 0], [4, 0], [4, ALL_ONES]), name, extra);
}

function end(count: number, directoryAt: number, directoryBytes: number): Uint8Array {
  const end64 = fields([4, END64_SIGNATURE], [8, 44], [2, VERSION64], [2, VERSION64], [4, 0], [4, 0], [8, count]);
  const places = fields([8, count], [8, directoryBytes], [8, directoryAt]);
  const locator = fields([4, LOCATOR64_SIGNATURE], [4, 0], [8, directoryAt + directoryBytes], [4, 1]);
  const last = fields(
    [4, END_SIGNATURE],
    [2, 0],
    [2, 0],
    [2, 0xffff],
    [2, 0xffff],
    [4, ALL_ONES],
    [4, ALL_ONES],
    [2, 0],
  );
  return joined(end64, places, locator, last);
}
