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

/** The index of a data file. An entry is numbered by its place in the index, from 0. */
export interface FileIndex extends ChunkIndex {
  readonly chunks: number;
  /**
   * Its entries in the order in which they are best read: those of one dictionary together, each by its offset.
   *
   * @throws FileFault when the index is not sorted, or lists a record twice: a reader would miss chunks
   */
  readingOrder(): Uint32Array;
  /** @throws FileFault when it is outside of the file */
  placeOf(entry: number): Place;
  /** Writes the address of an entry, 20 bytes, to `bytes` at `at`. */
  copyAddress(entry: number, bytes: Uint8Array, at: number): void;
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
  readonly #file: ServedFile;
  /** Offsets of the records, by ordinal, and the end of the last. */
  readonly #offsets: Float64Array;

  constructor(view: DataView, chunks: number, file: ServedFile, end: number) {
    this.#view = view;
    this.#file = file;
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
      if (ordinal < chunks && sameSuffix(view, 16 * chunks + 12 * ordinal, wanted)) return this.placeOf(at);
    }
    return null;
  }

  placeOf(entry: number): Place {
    const ordinal = this.#ordinalOf(entry);
    const offset = this.#offsets[ordinal] as number;
    return {
      offset,
      length: (this.#offsets[ordinal + 1] as number) - offset,
      dictionaryOffset: 0,
      dictionaryLength: 0,
    };
  }

  copyAddress(entry: number, bytes: Uint8Array, at: number): void {
    copyAddress(this.#view, 12 * entry, 16 * this.chunks + 12 * this.#ordinalOf(entry), bytes, at);
  }

  readingOrder(): Uint32Array {
    checkSorted(this.#view, 0, 12, this.chunks, this.#file);
    const NONE = 0xffff_ffff;
    const order = new Uint32Array(this.chunks).fill(NONE);
    for (let entry = 0; entry < this.chunks; entry++) {
      const ordinal = this.#ordinalOf(entry);
      if (order[ordinal] !== NONE) throw damaged(this.#file, `its index lists record ${ordinal} twice`);
      order[ordinal] = entry;
    }
    return order;
  }

  #ordinalOf(entry: number): number {
    const ordinal = this.#view.getUint32(12 * entry + 8);
    if (ordinal >= this.chunks) throw damaged(this.#file, `it has no record ${ordinal}`);
    return ordinal;
  }
}

class ArchiveIndex implements FileIndex {
  readonly chunks: number;
  readonly named: FileIndex['named'];
  readonly #view: DataView;
  readonly #spans: number;
  readonly #file: ServedFile;
  readonly #end: number;
  /** Where the arrays of the index start. */
  readonly #prefixes: number;
  readonly #refs: number;
  readonly #suffixes: number;

  constructor(view: DataView, spans: number, chunks: number, file: ServedFile, end: number) {
    this.#view = view;
    this.#spans = spans;
    this.chunks = chunks;
    this.named = { start: end, end: file.length };
    this.#file = file;
    this.#end = end;
    this.#prefixes = 8 * spans;
    this.#refs = this.#prefixes + 8 * chunks;
    this.#suffixes = this.#refs + 8 * chunks;
  }

  find(address: Uint8Array): Place | null {
    const wanted = new DataView(address.buffer, address.byteOffset, 20);
    const view = this.#view;
    const first = firstOf(view, this.#prefixes, 8, this.chunks, wanted);
    for (let at = first; at < this.chunks && samePrefix(view, this.#prefixes + 8 * at, wanted); at++) {
      if (sameSuffix(view, this.#suffixes + 12 * at, wanted)) return this.placeOf(at);
    }
    return null;
  }

  placeOf(entry: number): Place {
    const [dictionary, data] = this.#spansOf(entry);
    const { start, end } = this.#span(data);
    const used = dictionary === 0 ? { start: 0, end: 0 } : this.#span(dictionary);
    if (dictionary !== 0 && used.start === used.end) throw damaged(this.#file, `dictionary ${dictionary} is empty`);
    return {
      offset: start,
      length: end - start,
      dictionaryOffset: used.start,
      dictionaryLength: used.end - used.start,
    };
  }

  copyAddress(entry: number, bytes: Uint8Array, at: number): void {
    copyAddress(this.#view, this.#prefixes + 8 * entry, this.#suffixes + 12 * entry, bytes, at);
  }

  readingOrder(): Uint32Array {
    checkSorted(this.#view, this.#prefixes, 8, this.chunks, this.#file);
    // Spans are numbered by their offset.
    const order = Uint32Array.from({ length: this.chunks }, (_, entry) => entry);
    return order.sort((one, two) => {
      const [oneDictionary, oneData] = this.#spansOf(one);
      const [twoDictionary, twoData] = this.#spansOf(two);
      return oneDictionary - twoDictionary || oneData - twoData;
    });
  }

  /** The numbers of the spans of its dictionary, 0 for none, and of its data. */
  #spansOf(entry: number): readonly [number, number] {
    return [this.#view.getUint32(this.#refs + 8 * entry), this.#view.getUint32(this.#refs + 8 * entry + 4)];
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

function copyAddress(view: DataView, prefix: number, suffix: number, bytes: Uint8Array, at: number): void {
  bytes.set(new Uint8Array(view.buffer, view.byteOffset + prefix, 8), at);
  bytes.set(new Uint8Array(view.buffer, view.byteOffset + suffix, 12), at + 8);
}

/** Readers search by bisection. */
function checkSorted(view: DataView, start: number, stride: number, count: number, file: ServedFile): void {
  for (let entry = 1; entry < count; entry++) {
    const [before, at] = [start + stride * (entry - 1), start + stride * entry];
    const high = view.getUint32(before) - view.getUint32(at);
    if (high > 0 || (high === 0 && view.getUint32(before + 4) > view.getUint32(at + 4)))
      throw damaged(file, 'its index is not sorted');
  }
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
