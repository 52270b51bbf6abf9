/** Table files and archives that a dishonest client sends: well-formed, and named after what they contain (docs/format/store.md, 4.2 and 5.2). */
import { createHash } from 'node:crypto';
import { addressText } from '../host/remotes/manifest_text.ts';

/** A data file that a push sends. */
export interface SentFile {
  /** With its suffix. */
  readonly name: string;
  readonly chunks: number;
  readonly bytes: Uint8Array;
}

/** Where the arrays of an archive's index start, and its footer. */
interface ArchiveIndex {
  readonly spans: number;
  readonly prefixes: number;
  readonly refs: number;
  readonly suffixes: number;
  readonly footer: number;
}

const TABLE_FOOTER_BYTES = 20;
const ARCHIVE_FOOTER_BYTES = 220;

function isArchive({ name }: SentFile): boolean {
  return name.endsWith('.darc');
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

function archiveIndex({ bytes }: SentFile): ArchiveIndex {
  const footer = bytes.length - ARCHIVE_FOOTER_BYTES;
  const word = (at: number): number => viewOf(bytes).getUint32(footer + at);
  const [spans, chunks, metadata] = [word(8), word(12), word(16)];
  const prefixes = footer - metadata - 28 * chunks;
  return {
    spans: prefixes - 8 * spans,
    prefixes,
    refs: prefixes + 8 * chunks,
    suffixes: prefixes + 16 * chunks,
    footer,
  };
}

/** The address of an entry of the index, as text. */
export function addressIn(file: SentFile, entry: number): string {
  const { bytes, chunks } = file;
  const part = (at: number, length: number): Uint8Array => bytes.subarray(at, at + length);
  const of = (prefix: number, suffix: number): string =>
    addressText(Uint8Array.from([...part(prefix, 8), ...part(suffix, 12)]));
  if (isArchive(file)) {
    const { prefixes, suffixes } = archiveIndex(file);
    return of(prefixes + 8 * entry, suffixes + 12 * entry);
  }
  const start = bytes.length - TABLE_FOOTER_BYTES - 28 * chunks;
  const ordinal = viewOf(bytes).getUint32(start + 12 * entry + 8);
  return of(start + 12 * entry, start + 16 * chunks + 12 * ordinal);
}

/** The same file without a chunk, under its new name. */
export function withoutChunk(file: SentFile, entry: number): SentFile {
  return isArchive(file) ? archiveWithout(file, entry) : tableWithout(file, entry);
}

function archiveWithout(file: SentFile, entry: number): SentFile {
  const { bytes, chunks } = file;
  const { prefixes, refs, suffixes, footer } = archiveIndex(file);
  const kept = Buffer.from(bytes);
  const view = viewOf(kept);
  view.setBigUint64(footer, view.getBigUint64(footer) - 28n);
  view.setUint32(footer + 12, chunks - 1);
  const cuts = [
    [prefixes + 8 * entry, prefixes + 8 * (entry + 1)],
    [refs + 8 * entry, refs + 8 * (entry + 1)],
    [suffixes + 12 * entry, suffixes + 12 * (entry + 1)],
  ] as const;
  return named(file, cutOut(kept, cuts), chunks - 1);
}

function tableWithout(file: SentFile, entry: number): SentFile {
  const { bytes, chunks } = file;
  const start = bytes.length - TABLE_FOOTER_BYTES - 28 * chunks;
  const kept = Buffer.from(bytes);
  const view = viewOf(kept);
  const ordinal = view.getUint32(start + 12 * entry + 8);
  const lengths = start + 12 * chunks;
  let record = 0;
  for (let before = 0; before < ordinal; before++) record += view.getUint32(lengths + 4 * before);
  for (let other = 0; other < chunks; other++) {
    const at = start + 12 * other + 8;
    if (view.getUint32(at) > ordinal) view.setUint32(at, view.getUint32(at) - 1);
  }
  view.setUint32(bytes.length - TABLE_FOOTER_BYTES, chunks - 1);
  const suffix = start + 16 * chunks + 12 * ordinal;
  const cuts: readonly (readonly [number, number])[] = [
    [record, record + view.getUint32(lengths + 4 * ordinal)],
    [start + 12 * entry, start + 12 * (entry + 1)],
    [lengths + 4 * ordinal, lengths + 4 * (ordinal + 1)],
    [suffix, suffix + 12],
  ];
  return named(file, cutOut(kept, cuts), chunks - 1);
}

/** The same file in which two chunks have each other's address. */
export function withSwapped(file: SentFile, one: number, other: number): SentFile {
  const { bytes, chunks } = file;
  const array = isArchive(file)
    ? ([archiveIndex(file).refs, 8] as const)
    : ([bytes.length - TABLE_FOOTER_BYTES - 12 * chunks, 12] as const);
  return exchanged(file, one, other, [array]);
}

/** The same file in which two entries of the index are in each other's place. */
export function withUnsorted(file: SentFile, one: number, other: number): SentFile {
  const { bytes, chunks } = file;
  if (!isArchive(file)) return exchanged(file, one, other, [[bytes.length - TABLE_FOOTER_BYTES - 28 * chunks, 12]]);
  const { prefixes, refs, suffixes } = archiveIndex(file);
  return exchanged(file, one, other, [
    [prefixes, 8],
    [refs, 8],
    [suffixes, 12],
  ]);
}

/** @param arrays where each starts, and the bytes of an element */
function exchanged(
  file: SentFile,
  one: number,
  other: number,
  arrays: readonly (readonly [start: number, stride: number])[],
): SentFile {
  const bytes = Buffer.from(file.bytes);
  for (const [start, stride] of arrays) {
    const element = (entry: number): Buffer => bytes.subarray(start + stride * entry, start + stride * (entry + 1));
    const kept = Buffer.from(element(one));
    element(one).set(element(other));
    element(other).set(kept);
  }
  return named(file, bytes, file.chunks);
}

/** The name is the hash of a table file's suffixes, of an archive's bytes after its spans. */
function named(file: SentFile, bytes: Uint8Array, chunks: number): SentFile {
  const changed = { name: file.name, chunks, bytes };
  const start = isArchive(file) ? archiveIndex(changed).spans : bytes.length - TABLE_FOOTER_BYTES - 12 * chunks;
  const end = isArchive(file) ? bytes.length : bytes.length - TABLE_FOOTER_BYTES;
  const hash = createHash('sha512').update(bytes.subarray(start, end)).digest().subarray(0, 20);
  return { ...changed, name: addressText(hash) + (isArchive(file) ? '.darc' : '') };
}

function cutOut(bytes: Uint8Array, cuts: readonly (readonly [number, number])[]): Uint8Array {
  const ends = [...cuts.map(([, end]) => end), bytes.length];
  return Buffer.concat([0, ...ends.slice(0, -1)].map((from, part) => bytes.subarray(from, cuts[part]?.[0])));
}
