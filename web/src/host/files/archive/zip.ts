/** Zip archives: stored and deflated entries, data descriptors, zip64. Every entry's CRC-32 is verified. */
import { type ByteSource, crc32, inflated, messageOf, piecesOf } from '../../../protocol/index.ts';
import { HostFailure } from '../source.ts';
import { ArchiveNames } from './archive_names.ts';
import { Collector } from './collector.ts';
import type { Unpacking } from './unpacking.ts';
import { IN_EXTRA, LOCAL_BYTES, readDirectory, readWideNumbers, viewOf, wide, type ZipEntry } from './zip_directory.ts';

const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const DESCRIPTOR_BYTES_MAX = 24;
const STORED = 0;
const DEFLATED = 8;
/** Flags: encrypted, strongly encrypted, names masked. */
const ENCRYPTED = 0x2041;
/** Flag: sizes and checksum are behind the data. */
const HAS_DESCRIPTOR = 0x0008;
/** Deflate cannot do better. */
const DEFLATE_RATIO_MAX = 1032;

export interface ArchiveFile {
  readonly path: string;
  /** Of a stored entry of an archive in memory: a view, nothing copied. */
  readonly bytes: Uint8Array;
}

/**
 * Unpacks the files of a zip archive.
 *
 * @throws HostFailure that names entry and offset, when it is damaged, exceeds the limits, or uses what no database archive needs
 *   (encryption, other methods).
 */
export async function* readZip(source: ByteSource, unpacking: Unpacking): AsyncIterableIterator<ArchiveFile> {
  for (const entry of await readDirectory(source, new ArchiveNames(unpacking), unpacking)) {
    unpacking.check();
    const dataAt = await readLocal(source, entry, unpacking);
    if (!entry.isFile) continue;
    const bytes = await contentOf(source, entry, dataAt, unpacking);
    yield { path: entry.path, bytes };
  }
}

/** Checks the local header and the data descriptor against the directory. Gives where the data begins. */
async function readLocal(source: ByteSource, entry: ZipEntry, unpacking: Unpacking): Promise<number> {
  const { path, localAt, flags, method, rawName, packedBytes, endsBefore } = entry;
  const refused = (words: string) => unpacking.failure(words, path, localAt);
  const unsupported = (words: string) => unpacking.failure(words, path, localAt, 'unsupported');
  if ((flags & ENCRYPTED) !== 0) throw unsupported('is encrypted: unpack it with its password, and open the directory');
  if (method !== STORED && method !== DEFLATED)
    throw unsupported(`is packed by method ${method}: pack it again with deflate, which every zip program has`);
  const head = await source.read(localAt, Math.min(localAt + LOCAL_BYTES + rawName.length + 0xffff, endsBefore));
  const view = viewOf(head);
  if (head.length < LOCAL_BYTES || view.getUint32(0, true) !== LOCAL_SIGNATURE) throw refused('has no local header');
  const nameBytes = view.getUint16(26, true);
  const dataStart = LOCAL_BYTES + nameBytes + view.getUint16(28, true);
  if (dataStart > head.length) throw refused('has a damaged local header');
  const local = head.subarray(LOCAL_BYTES, LOCAL_BYTES + nameBytes);
  const isSame =
    local.length === rawName.length &&
    local.every((byte, index) => byte === rawName[index]) &&
    view.getUint16(6, true) === flags &&
    view.getUint16(8, true) === method;
  if (!isSame) throw refused('has a local header that disagrees with the directory');
  const dataAt = localAt + dataStart;
  if (dataAt + packedBytes > endsBefore) throw refused('overlaps what is behind it');
  const isRight =
    (flags & HAS_DESCRIPTOR) === 0
      ? areSizes(view, head.subarray(LOCAL_BYTES + nameBytes, dataStart), entry)
      : isDescriptor(viewOf(await source.read(dataAt + packedBytes, descriptorEnd(entry, dataAt))), entry);
  if (!isRight) throw refused('has sizes or a checksum that disagree with the directory');
  return dataAt;
}

function descriptorEnd({ packedBytes, endsBefore }: ZipEntry, dataAt: number): number {
  return Math.min(dataAt + packedBytes + DESCRIPTOR_BYTES_MAX, endsBefore);
}

/** Whether a local header has the checksum and the sizes of its entry. */
function areSizes(view: DataView, extra: Uint8Array, { crc, bytes, packedBytes }: ZipEntry): boolean {
  const wideNumbers = readWideNumbers(extra);
  const number = (at: number): number => {
    const value = view.getUint32(at, true);
    return value === IN_EXTRA ? (wideNumbers.shift() ?? value) : value;
  };
  return view.getUint32(14, true) === crc && number(22) === bytes && number(18) === packedBytes;
}

/** With or without a signature; its sizes have 4 bytes, or 8 in zip64. */
function isDescriptor(view: DataView, { crc, bytes, packedBytes }: ZipEntry): boolean {
  const hasSignature = view.byteLength >= 4 && view.getUint32(0, true) === DESCRIPTOR_SIGNATURE;
  return (hasSignature ? [4, 0] : [0]).some(at => {
    if (view.byteLength < at + 12 || view.getUint32(at, true) !== crc) return false;
    const isNarrow = view.getUint32(at + 4, true) === packedBytes && view.getUint32(at + 8, true) === bytes;
    return (
      isNarrow || (view.byteLength >= at + 20 && wide(view, at + 4) === packedBytes && wide(view, at + 12) === bytes)
    );
  });
}

async function contentOf(
  source: ByteSource,
  entry: ZipEntry,
  dataAt: number,
  unpacking: Unpacking,
): Promise<Uint8Array> {
  const { path, crc, method, packedBytes } = entry;
  const refused = (words: string) => unpacking.failure(words, path, dataAt);
  if (method === STORED ? entry.bytes !== packedBytes : entry.bytes > DEFLATE_RATIO_MAX * (packedBytes + 1))
    throw refused(`cannot unpack ${packedBytes} bytes to the ${entry.bytes} that it declares`);
  const bytes =
    method === STORED
      ? await source.read(dataAt, dataAt + packedBytes)
      : await inflatedEntry(source, entry, dataAt, unpacking);
  if (bytes.length !== entry.bytes) throw refused(`has ${bytes.length} of ${entry.bytes} bytes`);
  if (method === STORED) unpacking.account(bytes.length, path, dataAt);
  const found = crc32(bytes);
  if (found !== crc) throw refused(`is damaged: its CRC-32 is ${hex(found)}, and the archive says ${hex(crc)}`);
  return bytes;
}

async function inflatedEntry(
  source: ByteSource,
  { path, packedBytes, bytes: declared }: ZipEntry,
  dataAt: number,
  unpacking: Unpacking,
): Promise<Uint8Array> {
  const collector = new Collector(declared);
  try {
    for await (const piece of inflated(() => piecesOf(source, dataAt, dataAt + packedBytes), 'deflate-raw')) {
      unpacking.account(piece.length, path, dataAt);
      if (!collector.add(piece))
        throw unpacking.failure(`unpacks to more than the ${declared} bytes that it declares`, path, dataAt);
    }
  } catch (error) {
    unpacking.check();
    if (error instanceof HostFailure) throw error;
    throw unpacking.failure(`is damaged: ${messageOf(error)}`, path, dataAt);
  }
  return collector.bytes();
}

function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
