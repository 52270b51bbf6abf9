/** Tar archives: ustar with the GNU and pax forms of long names, which is what tar programs write. Read as a stream. */
import { ArchiveNames, isOfDatabase } from './archive_names.ts';
import { Collector } from './collector.ts';
import type { Unpacking } from './unpacking.ts';
import type { ArchiveFile } from './zip.ts';

const BLOCK_BYTES = 512;
/** Of a long name or a pax header. */
const HEADER_BYTES_MAX = 1024 * 1024;
const decoder = new TextDecoder();

/** What headers before an entry say of it. */
interface Extended {
  readonly path?: string | undefined;
  readonly linkPath?: string | undefined;
  readonly bytes?: number | undefined;
  readonly isSparse?: boolean;
}

/** A tar's bytes in order, which come in pieces of any size. */
export class TarStream {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array();
  /** Offset in the tar. */
  at = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** The next bytes, a view of the piece where they are in one; fewer at the end. */
  async take(length: number): Promise<Uint8Array> {
    if (this.#piece.length === 0) await this.#next();
    if (this.#piece.length >= length) return this.#cut(length);
    const collector = new Collector(length);
    while (collector.length < length && (this.#piece.length > 0 || (await this.#next())))
      collector.add(this.#cut(Math.min(this.#piece.length, length - collector.length)));
    return collector.bytes();
  }

  /** False when the end comes before. */
  async skip(length: number): Promise<boolean> {
    for (let left = length; left > 0; ) {
      if (this.#piece.length === 0 && !(await this.#next())) return false;
      left -= this.#cut(Math.min(this.#piece.length, left)).length;
    }
    return true;
  }

  /** Stops what makes the pieces. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  #cut(length: number): Uint8Array {
    const bytes = this.#piece.subarray(0, length);
    this.#piece = this.#piece.subarray(length);
    this.at += length;
    return bytes;
  }

  async #next(): Promise<boolean> {
    do {
      const { done, value } = await this.#pieces.next();
      if (done) return false;
      this.#piece = value;
    } while (this.#piece.length === 0);
    return true;
  }
}

/**
 * Lists the files of an unpacked tar archive. Hard links are the files that they lead to; symbolic links and devices are left out, and
 * refused within a database.
 *
 * @throws HostFailure that names entry and offset, when an entry is damaged, cut off or refused.
 */
export async function* readTar(stream: TarStream, unpacking: Unpacking): AsyncIterableIterator<ArchiveFile> {
  const names = new ArchiveNames(unpacking);
  const files = new Map<string, Uint8Array>();
  let extended: Extended = {};
  let isEnded = false;
  for (;;) {
    const at = stream.at;
    const header = await stream.take(BLOCK_BYTES);
    if (header.every(byte => byte === 0)) {
      if (header.length < BLOCK_BYTES) break;
      isEnded = true;
      continue;
    }
    // Behind the end come fillings of any kind, or another archive.
    if (isEnded && !isHeader(header)) break;
    isEnded = false;
    unpacking.countEntry();
    const entry = readHeader(header, at, extended, unpacking);
    const { type, bytes: length } = entry;
    unpacking.declare(length, entry.name, at);
    if (isExtension(type)) {
      extended = { ...extended, ...(await readExtension(stream, type, length, at, unpacking)) };
      continue;
    }
    extended = {};
    const path = names.take(entry.isDirectory ? `${entry.name}/` : entry.name, at);
    if (entry.isFile) {
      const bytes = await contentOf(stream, path, length, at, unpacking);
      files.set(path, bytes);
      yield { path, bytes };
    } else if (type === '1') {
      const bytes = files.get(linkTarget(entry.linkName));
      if (bytes === undefined && isOfDatabase(path))
        throw unpacking.failure(`is a hard link to ${entry.linkName}, which is not before it in the archive`, path, at);
      if (bytes === undefined) continue;
      files.set(path, bytes);
      yield { path, bytes };
    } else {
      if (isOfDatabase(path) && !entry.isDirectory) throw unpacking.failure(SPECIAL, path, at);
      if (!(await stream.skip(padded(length)))) throw cutOff(unpacking, path, at);
    }
  }
  if (!isEnded) throw unpacking.failure('it is cut off: the end of the tar is missing', undefined, stream.at);
  await drain(stream);
}

const SPECIAL = 'is a symbolic link, a device or a part of a file: pack the file itself (tar --dereference)';

/** To the end, where gzip has its checksum. */
async function drain(stream: TarStream): Promise<void> {
  while (await stream.skip(BLOCK_BYTES));
}

function linkTarget(name: string): string {
  return name
    .split('/')
    .filter(segment => segment !== '' && segment !== '.')
    .join('/');
}

async function contentOf(
  stream: TarStream,
  path: string,
  length: number,
  at: number,
  unpacking: Unpacking,
): Promise<Uint8Array> {
  const bytes = await stream.take(length);
  const isWhole = bytes.length === length && (await stream.skip(padded(length) - length));
  if (!isWhole) throw cutOff(unpacking, path, at);
  return bytes;
}

function cutOff(unpacking: Unpacking, path: string, at: number): Error {
  return unpacking.failure('is cut off', path, at);
}

function padded(length: number): number {
  return Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES;
}

interface Header {
  readonly type: string;
  readonly name: string;
  readonly linkName: string;
  readonly bytes: number;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

function readHeader(header: Uint8Array, at: number, extended: Extended, unpacking: Unpacking): Header {
  if (!isHeader(header)) throw unpacking.failure('it is damaged: there is no tar header', undefined, at);
  const type = String.fromCharCode(header[156] ?? 0);
  const name = extended.path ?? nameOf(header);
  const size = isExtension(type) ? numberField(header, 124, 12) : (extended.bytes ?? numberField(header, 124, 12));
  if (size === null) throw unpacking.failure('has a length that is no number', name, at);
  if (type === 'S' || (extended.isSparse && !isExtension(type)))
    throw unpacking.failure('is packed as a sparse file: pack without --sparse', name, at, 'unsupported');
  // Links and directories have no content, whatever their header says; long ago a `/` at the end made a directory.
  const isDirectory = type === '5' || ((type === '0' || type === '\0') && name.endsWith('/'));
  const isFile = (type === '0' || type === '\0' || type === '7') && !isDirectory;
  const hasContent = !/[1-6]/.test(type);
  return {
    ...{ type, name, isFile, isDirectory },
    linkName: extended.linkPath ?? textField(header, 157, 100),
    bytes: hasContent ? size : 0,
  };
}

/** Headers that are about the entry behind them, or, with `g`, about all. */
function isExtension(type: string): boolean {
  return type === 'L' || type === 'K' || type === 'x' || type === 'g' || type === 'X' || type === 'V';
}

async function readExtension(
  stream: TarStream,
  type: string,
  length: number,
  at: number,
  unpacking: Unpacking,
): Promise<Extended> {
  if (length > HEADER_BYTES_MAX)
    throw unpacking.failure(`a header of it has more than ${HEADER_BYTES_MAX} bytes`, undefined, at);
  const bytes = await contentOf(stream, 'a header of it', length, at, unpacking);
  if (type === 'L') return { path: textField(bytes, 0, length) };
  if (type === 'K') return { linkPath: textField(bytes, 0, length) };
  if (type !== 'x') return {};
  const records = readPax(bytes);
  if (records === null) throw unpacking.failure('a pax header of it is damaged', undefined, at);
  const size = records.get('size');
  if (size !== undefined && !/^\d{1,15}$/.test(size))
    throw unpacking.failure('a pax header of it has a size that is no number', undefined, at);
  const [path, linkPath] = [records.get('path'), records.get('linkpath')];
  return {
    ...(path !== undefined && { path }),
    ...(linkPath !== undefined && { linkPath }),
    ...(size !== undefined && { bytes: Number(size) }),
    isSparse: [...records.keys()].some(key => key.startsWith('GNU.sparse.')),
  };
}

function nameOf(header: Uint8Array): string {
  const name = textField(header, 0, 100);
  const isUstar = textField(header, 257, 5) === 'ustar';
  // GNU's old form has times where ustar has the prefix.
  const isPosix = isUstar && header[262] === 0;
  const prefix = isPosix ? textField(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textField(bytes: Uint8Array, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return decoder.decode(end < 0 ? field : field.subarray(0, end));
}

/** Octal text, or big-endian binary when the first bit is set (files of 8 GiB and more). Null for anything else. */
function numberField(header: Uint8Array, at: number, length: number): number | null {
  const first = header[at] ?? 0;
  if ((first & 0x80) !== 0) {
    let value = first & 0x7f;
    for (const byte of header.subarray(at + 1, at + length)) value = value * 256 + byte;
    return Number.isSafeInteger(value) ? value : null;
  }
  const text = textField(header, at, length).trim();
  return /^[0-7]*$/.test(text) ? Number.parseInt(text || '0', 8) : null;
}

/** Whether a tar may begin so: with a header, or with nothing but its end. */
export function startsLikeTar(block: Uint8Array): boolean {
  return block.length >= BLOCK_BYTES && (block.every(byte => byte === 0) || isHeader(block));
}

function isHeader(header: Uint8Array): boolean {
  if (header.length < BLOCK_BYTES) return false;
  let sum = 0;
  for (let index = 0; index < BLOCK_BYTES; index++) sum += index >= 148 && index < 156 ? 32 : (header[index] as number);
  return sum === numberField(header, 148, 8);
}

/** The records of a pax header, lines of `LENGTH key=value\n`; null when they are damaged. */
function readPax(bytes: Uint8Array): Map<string, string> | null {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const digits = /^(\d{1,7}) /.exec(decoder.decode(bytes.subarray(at, at + 8)))?.[1];
    const length = Number(digits);
    if (digits === undefined || length <= digits.length + 1 || at + length > bytes.length) return null;
    const record = decoder.decode(bytes.subarray(at + digits.length + 1, at + length - 1));
    const equals = record.indexOf('=');
    if (equals < 0) return null;
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}
