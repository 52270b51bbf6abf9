/** Zip archives: stored and deflated entries, zip64. Inflating is the platform's DecompressionStream. */

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const END64_LOCATOR_BYTES = 20;
const END64_SIGNATURE = 0x06064b50;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const COMMENT_BYTES_MAX = 0xffff;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** In a 32-bit field: the value is in the zip64 extra field. */
const IN_EXTRA = 0xffffffff;
const ZIP64_EXTRA = 1;

export interface ZipEntry {
  readonly path: string;
  readonly bytes: Uint8Array;
}

interface Listed {
  readonly path: string;
  readonly flags: number;
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly localAt: number;
}

/**
 * Unpacks the files of a zip archive.
 *
 * @throws RangeError when it is damaged or uses what no database archive needs (encryption, other methods).
 */
export async function readZip(archive: Uint8Array): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  for (const listed of listEntries(archive)) {
    if (!listed.path.endsWith('/')) entries.push({ path: listed.path, bytes: await contentOf(archive, listed) });
  }
  return entries;
}

function* listEntries(archive: Uint8Array): IterableIterator<Listed> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const decoder = new TextDecoder();
  const directory = findDirectory(view);
  let at = directory.at;
  for (let left = directory.entries; left > 0; left--) {
    if (view.getUint32(at, true) !== ENTRY_SIGNATURE) throw new RangeError(`no zip entry at byte ${at}`);
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const nameAt = at + ENTRY_BYTES;
    const wide = wideNumbers(view, nameAt + nameBytes, extraBytes);
    // The zip64 field holds only those numbers that do not fit, in this order.
    const number = (fieldAt: number): number => {
      const value = view.getUint32(fieldAt, true);
      return value === IN_EXTRA ? (wide.shift() ?? value) : value;
    };
    const bytes = number(at + 24);
    const packedBytes = number(at + 20);
    const localAt = number(at + 42);
    yield {
      path: decoder.decode(archive.subarray(nameAt, nameAt + nameBytes)),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      packedBytes,
      bytes,
      localAt,
    };
    at = nameAt + nameBytes + extraBytes + view.getUint16(at + 32, true);
  }
}

/** The end record is the last thing but for a comment of unknown length. */
function findDirectory(view: DataView): { at: number; entries: number } {
  const first = Math.max(0, view.byteLength - END_BYTES - COMMENT_BYTES_MAX);
  for (let end = view.byteLength - END_BYTES; end >= first; end--) {
    if (view.getUint32(end, true) !== END_SIGNATURE) continue;
    const entries = view.getUint16(end + 10, true);
    const at = view.getUint32(end + 16, true);
    if (entries !== 0xffff && at !== IN_EXTRA) return { at, entries };
    const wideAt = Number(view.getBigUint64(end - END64_LOCATOR_BYTES + 8, true));
    if (view.getUint32(wideAt, true) !== END64_SIGNATURE) throw new RangeError('the zip64 directory is damaged');
    return { entries: Number(view.getBigUint64(wideAt + 32, true)), at: Number(view.getBigUint64(wideAt + 48, true)) };
  }
  throw new RangeError('the zip archive has no directory');
}

function wideNumbers(view: DataView, at: number, length: number): number[] {
  for (let field = at; field + 4 <= at + length; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== ZIP64_EXTRA) continue;
    const count = view.getUint16(field + 2, true) >> 3;
    return Array.from({ length: count }, (_, index) => Number(view.getBigUint64(field + 4 + 8 * index, true)));
  }
  return [];
}

async function contentOf(archive: Uint8Array, listed: Listed): Promise<Uint8Array> {
  const { path, flags, method, packedBytes, localAt } = listed;
  if ((flags & ENCRYPTED) !== 0) throw new RangeError(`${path} is encrypted`);
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const start = localAt + LOCAL_BYTES + view.getUint16(localAt + 26, true) + view.getUint16(localAt + 28, true);
  const packed = archive.subarray(start, start + packedBytes);
  if (packed.length < packedBytes) throw new RangeError(`${path} is cut off`);
  if (method !== STORED && method !== DEFLATED) throw new RangeError(`${path} is packed by unknown method ${method}`);
  const bytes = method === STORED ? packed : await unpacked(packed, 'deflate-raw');
  if (bytes.length !== listed.bytes) throw new RangeError(`${path} has ${bytes.length} of ${listed.bytes} bytes`);
  return bytes;
}

export async function unpacked(packed: Uint8Array, format: CompressionFormat): Promise<Uint8Array> {
  const stream = new Blob([packed as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
