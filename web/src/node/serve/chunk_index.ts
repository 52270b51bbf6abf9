/** Where chunks are in table files and archives (docs/format/store.md, sections 4.2 and 5.2). */
import { FileFault } from '../../host/files/file.ts';
import type { ServedFile } from './served_database.ts';

/** What is to be read for a chunk: a record of its own, or zstd with a dictionary of the same file. */
export interface Place {
  readonly offset: number;
  readonly length: number;
  readonly dictionaryOffset: number;
  readonly dictionaryLength: number;
}

export interface ChunkIndex {
  /** @param address 20 bytes. Null when the chunk is not in the file. */
  find(address: Uint8Array): Place | null;
}

/** The index of a data file. */
export interface FileIndex extends ChunkIndex {
  readonly chunks: number;
  /** The parts of the file, besides the whole of it, whose hash may be its name: of a table file the suffixes, of an archive all behind the spans. */
  readonly named: { readonly start: number; readonly end: number };
}

/** 36 bytes for each chunk: 30 million of them. */
const INDEX_BYTES_MAX = 1 << 30;
const TABLE_FOOTER_BYTES = 20;
const ARCHIVE_FOOTER_BYTES = 220;
const TABLE_MAGIC = 0xffb5d8c2_2463ee50n;

/** @throws FileFault when the file is damaged. */
export async function readIndex(file: ServedFile): Promise<FileIndex> {
  return file.name.endsWith('.darc') ? readArchiveIndex(file) : readTableIndex(file);
}

async function readTableIndex(file: ServedFile): Promise<FileIndex> {
  const footer = await tailOf(file, TABLE_FOOTER_BYTES);
  if (footer.getBigUint64(12) !== TABLE_MAGIC) throw damaged(file, 'its end is none of a table file');
  const chunks = footer.getUint32(0);
  const start = file.length - 28 * chunks - TABLE_FOOTER_BYTES;
  if (start < 0) throw damaged(file, `${chunks} chunks do not fit`);
  return new TableIndex(await readIndexBytes(file, start, 28 * chunks), chunks, file, start);
}

async function readArchiveIndex(file: ServedFile): Promise<FileIndex> {
  // Its shortest span, index and metadata are longer than the four bytes that the footers of early versions lack.
  const footer = await tailOf(file, ARCHIVE_FOOTER_BYTES);
  const magic = new TextDecoder('latin1').decode(new Uint8Array(footer.buffer, footer.byteOffset + 213, 7));
  const version = footer.getUint8(212);
  if (magic !== 'DOLTARC' || version < 1 || version > 3) throw damaged(file, 'its end is none of an archive');
  const footerBytes = version < 3 ? ARCHIVE_FOOTER_BYTES - 4 : ARCHIVE_FOOTER_BYTES;
  const [spans, chunks, metadataBytes] = [footer.getUint32(8), footer.getUint32(12), footer.getUint32(16)];
  const indexBytes = 8 * spans + 28 * chunks;
  const said = version < 3 ? footer.getUint32(4) : Number(footer.getBigUint64(0));
  const start = file.length - footerBytes - metadataBytes - indexBytes;
  if (said !== indexBytes || start < 0) throw damaged(file, `its index of ${said} bytes does not fit`);
  return new ArchiveIndex(await readIndexBytes(file, start, indexBytes), spans, chunks, file, start);
}

class TableIndex implements FileIndex {
  readonly chunks: number;
  readonly named: FileIndex['named'];
  readonly #view: DataView;
  /** Offsets of the records, by ordinal, and the end of the last. */
  readonly #offsets: Float64Array;

  constructor(view: DataView, chunks: number, file: ServedFile, end: number) {
    this.#view = view;
    this.chunks = chunks;
    this.named = { start: end + 16 * chunks, end: end + 28 * chunks };
    this.#offsets = new Float64Array(chunks + 1);
    for (let ordinal = 0; ordinal < chunks; ordinal++) {
      this.#offsets[ordinal + 1] = (this.#offsets[ordinal] as number) + view.getUint32(12 * chunks + 4 * ordinal);
    }
    if (this.#offsets[chunks] !== end) throw damaged(file, 'the lengths of its records do not add up');
  }

  find(address: Uint8Array): Place | null {
    const wanted = new DataView(address.buffer, address.byteOffset, 20);
    const view = this.#view;
    const { chunks } = this;
    for (let at = firstOf(view, 0, 12, chunks, wanted); at < chunks && samePrefix(view, 12 * at, wanted); at++) {
      const ordinal = view.getUint32(12 * at + 8);
      if (ordinal >= chunks || !sameSuffix(view, 16 * chunks + 12 * ordinal, wanted)) continue;
      const offset = this.#offsets[ordinal] as number;
      const length = (this.#offsets[ordinal + 1] as number) - offset;
      return { offset, length, dictionaryOffset: 0, dictionaryLength: 0 };
    }
    return null;
  }
}

class ArchiveIndex implements FileIndex {
  readonly chunks: number;
  readonly named: FileIndex['named'];
  readonly #view: DataView;
  readonly #spans: number;
  readonly #file: ServedFile;
  readonly #end: number;

  constructor(view: DataView, spans: number, chunks: number, file: ServedFile, end: number) {
    this.#view = view;
    this.#spans = spans;
    this.chunks = chunks;
    this.named = { start: end, end: file.length };
    this.#file = file;
    this.#end = end;
  }

  find(address: Uint8Array): Place | null {
    const wanted = new DataView(address.buffer, address.byteOffset, 20);
    const view = this.#view;
    const prefixes = 8 * this.#spans;
    const refs = prefixes + 8 * this.chunks;
    const suffixes = refs + 8 * this.chunks;
    const first = firstOf(view, prefixes, 8, this.chunks, wanted);
    for (let at = first; at < this.chunks && samePrefix(view, prefixes + 8 * at, wanted); at++) {
      if (!sameSuffix(view, suffixes + 12 * at, wanted)) continue;
      const dictionary = view.getUint32(refs + 8 * at);
      const data = this.#span(view.getUint32(refs + 8 * at + 4));
      const used = dictionary === 0 ? { start: 0, end: 0 } : this.#span(dictionary);
      return {
        offset: data.start,
        length: data.end - data.start,
        dictionaryOffset: used.start,
        dictionaryLength: used.end - used.start,
      };
    }
    return null;
  }

  /** @param number from 1 */
  #span(number: number): { readonly start: number; readonly end: number } {
    if (number < 1 || number > this.#spans) throw damaged(this.#file, `it has no span ${number}`);
    const start = number === 1 ? 0 : Number(this.#view.getBigUint64(8 * (number - 2)));
    const end = Number(this.#view.getBigUint64(8 * (number - 1)));
    if (start > end || end > this.#end) throw damaged(this.#file, `span ${number} lies outside`);
    return { start, end };
  }
}

/** The number of the first of `count` entries whose prefix is not below the address's. */
function firstOf(view: DataView, start: number, stride: number, count: number, wanted: DataView): number {
  const prefix = wanted.getBigUint64(0);
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (view.getBigUint64(start + stride * middle) < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}

function samePrefix(view: DataView, at: number, wanted: DataView): boolean {
  return view.getBigUint64(at) === wanted.getBigUint64(0);
}

function sameSuffix(view: DataView, at: number, wanted: DataView): boolean {
  return view.getBigUint64(at) === wanted.getBigUint64(8) && view.getUint32(at + 8) === wanted.getUint32(16);
}

async function tailOf(file: ServedFile, bytes: number): Promise<DataView> {
  if (file.length < bytes) throw damaged(file, 'it is too short');
  return viewOf(await file.read(file.length - bytes, bytes));
}

async function readIndexBytes(file: ServedFile, start: number, length: number): Promise<DataView> {
  if (length > INDEX_BYTES_MAX) throw damaged(file, `its index has ${length} bytes`);
  return viewOf(await file.read(start, length));
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

function damaged(file: ServedFile, why: string): FileFault {
  return new FileFault('host', `${file.name} is damaged: ${why}`);
}
