/** The central directory of a zip archive: entries in the order of their data, checked before anything is unpacked. */

import type { ByteSource } from '../../../protocol/index.ts';
import { type ArchiveNames, isOfDatabase } from './archive_names.ts';
import type { Unpacking } from './unpacking.ts';

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const LOCATOR_SIGNATURE = 0x07064b50;
const LOCATOR_BYTES = 20;
const END64_SIGNATURE = 0x06064b50;
const END64_BYTES = 56;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
export const LOCAL_BYTES = 30;
const COMMENT_BYTES_MAX = 0xffff;
/** A hundred thousand entries with names of 600 bytes. */
const DIRECTORY_BYTES_MAX = 64 * 1024 * 1024;
/** In a 16-bit or 32-bit field: the value is in the zip64 extra field, or the zip64 end record. */
const IN_EXTRA16 = 0xffff;
export const IN_EXTRA = 0xffffffff;
const ZIP64_EXTRA = 1;
const UNIX = 3;
const TYPE_BITS = 0xf000;
const REGULAR = 0x8000;
const DIRECTORY = 0x4000;

export interface ZipEntry {
  /** With `/`; empty for the top directory. */
  readonly path: string;
  readonly rawName: Uint8Array;
  readonly isFile: boolean;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly localAt: number;
  /** Where the next entry's local header, or the directory, begins. */
  readonly endsBefore: number;
}

interface DirectoryPlace {
  readonly at: number;
  readonly bytes: number;
  readonly entries: number;
}

/**
 * Reads the central directory.
 *
 * @throws HostFailure when it is damaged, entries overlap, names are refused, or the declared sizes exceed the limits.
 */
export async function readDirectory(
  source: ByteSource,
  names: ArchiveNames,
  unpacking: Unpacking,
): Promise<readonly ZipEntry[]> {
  const place = await findDirectory(source, unpacking);
  const bytes = await source.read(place.at, place.at + place.bytes);
  if (bytes.length < place.bytes) throw unpacking.failure('its directory is cut off', undefined, place.at);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let left = place.entries; left > 0; left--) {
    unpacking.countEntry();
    const { entry, end } = readEntry(bytes, at, place.at, names, unpacking);
    entries.push(entry);
    at = end;
  }
  if (at !== place.bytes) throw unpacking.failure('its directory has more than its entries', undefined, place.at + at);
  return inOrder(entries, place, unpacking);
}

/** Sorts entries by place, and refuses those whose data overlap. */
function inOrder(entries: readonly ZipEntry[], place: DirectoryPlace, unpacking: Unpacking): ZipEntry[] {
  const sorted = [...entries].sort((left, right) => left.localAt - right.localAt);
  let declared = 0;
  return sorted.map((entry, index) => {
    const { path, localAt, packedBytes, bytes, rawName } = entry;
    const endsBefore = sorted[index + 1]?.localAt ?? place.at;
    if (localAt + LOCAL_BYTES + rawName.length + packedBytes > endsBefore)
      throw unpacking.failure(
        index === sorted.length - 1 ? 'overlaps the directory' : `overlaps ${sorted[index + 1]?.path}`,
        path,
        localAt,
      );
    declared += bytes;
    unpacking.declare(declared, path, localAt);
    return { ...entry, endsBefore };
  });
}

/** The end record is the last thing but for a comment, whose length it has. */
async function findDirectory(source: ByteSource, unpacking: Unpacking): Promise<DirectoryPlace> {
  const tailAt = Math.max(0, source.length - END_BYTES - COMMENT_BYTES_MAX - LOCATOR_BYTES);
  const tail = viewOf(await source.read(tailAt, source.length));
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + END_BYTES + tail.getUint16(at + 20, true) !== tail.byteLength) continue;
    const numbers = {
      disk: tail.getUint16(at + 4, true),
      entries: tail.getUint16(at + 10, true),
      bytes: tail.getUint32(at + 12, true),
      at: tail.getUint32(at + 16, true),
    };
    const isWide = numbers.entries === IN_EXTRA16 || numbers.bytes === IN_EXTRA || numbers.at === IN_EXTRA;
    const hasLocator = at >= LOCATOR_BYTES && tail.getUint32(at - LOCATOR_BYTES, true) === LOCATOR_SIGNATURE;
    if (isWide && hasLocator) {
      const wideAt = wide(tail, at - LOCATOR_BYTES + 8);
      return readEnd64(source, wideAt, tailAt + at - LOCATOR_BYTES, unpacking);
    }
    if (numbers.disk !== 0 && numbers.disk !== IN_EXTRA16)
      throw unpacking.failure('it is one part of several: join them first', undefined, tailAt + at);
    return checkedPlace(numbers, tailAt + at, unpacking);
  }
  throw unpacking.failure('the zip archive has no directory at its end: it is cut off or damaged');
}

async function readEnd64(
  source: ByteSource,
  wideAt: number,
  locatorAt: number,
  unpacking: Unpacking,
): Promise<DirectoryPlace> {
  const damaged = () => unpacking.failure('its zip64 directory is damaged', undefined, locatorAt);
  if (!(wideAt + END64_BYTES <= locatorAt)) throw damaged();
  const record = viewOf(await source.read(wideAt, wideAt + END64_BYTES));
  if (record.byteLength < END64_BYTES || record.getUint32(0, true) !== END64_SIGNATURE) throw damaged();
  if (wideAt + 12 + wide(record, 4) !== locatorAt) throw damaged();
  return checkedPlace({ entries: wide(record, 32), bytes: wide(record, 40), at: wide(record, 48) }, wideAt, unpacking);
}

/** The directory ends before its end record, and its entries fit in it. */
function checkedPlace(place: DirectoryPlace, endAt: number, unpacking: Unpacking): DirectoryPlace {
  const isWithin = place.at + place.bytes <= endAt && place.entries * ENTRY_BYTES <= place.bytes;
  if (!isWithin) throw unpacking.failure('its directory is cut off or damaged', undefined, endAt);
  if (place.bytes > DIRECTORY_BYTES_MAX)
    throw unpacking.failure(`its directory has more than ${DIRECTORY_BYTES_MAX} bytes`, undefined, place.at);
  return { at: place.at, bytes: place.bytes, entries: place.entries };
}

/** @param base where the directory begins in the archive. */
function readEntry(
  directory: Uint8Array,
  at: number,
  base: number,
  names: ArchiveNames,
  unpacking: Unpacking,
): { readonly entry: ZipEntry; readonly end: number } {
  const view = viewOf(directory);
  const damaged = () => unpacking.failure('its directory is damaged', undefined, base + at);
  if (at + ENTRY_BYTES > directory.length || view.getUint32(at, true) !== ENTRY_SIGNATURE) throw damaged();
  const nameAt = at + ENTRY_BYTES;
  const extraAt = nameAt + view.getUint16(at + 28, true);
  const commentAt = extraAt + view.getUint16(at + 30, true);
  const end = commentAt + view.getUint16(at + 32, true);
  if (end > directory.length) throw damaged();
  const rawName = directory.subarray(nameAt, extraAt);
  const name = new TextDecoder().decode(rawName);
  // The extra field holds only those numbers that do not fit, in this order.
  const wideNumbers = readWideNumbers(directory.subarray(extraAt, commentAt));
  const number = (fieldAt: number): number => {
    const value = view.getUint32(fieldAt, true);
    if (value !== IN_EXTRA) return value;
    const found = wideNumbers.shift();
    if (found === undefined) throw unpacking.failure('has no zip64 field for its sizes', name, base + at);
    return found;
  };
  const bytes = number(at + 24);
  const packedBytes = number(at + 20);
  const localAt = number(at + 42);
  const path = names.take(name, base + at);
  const mode = view.getUint8(at + 5) === UNIX ? view.getUint16(at + 40, true) & TYPE_BITS : 0;
  const isSpecial = mode !== 0 && mode !== REGULAR && mode !== DIRECTORY;
  if (isSpecial && isOfDatabase(path))
    throw unpacking.failure('is a link or a device: pack the file that it leads to', path, base + at);
  return {
    entry: {
      ...{ path, rawName, bytes, packedBytes, localAt },
      isFile: !isSpecial && !/[/\\]$/.test(name) && path !== '',
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      endsBefore: 0,
    },
    end,
  };
}

/** The numbers of a zip64 extra field. */
export function readWideNumbers(extra: Uint8Array): number[] {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== ZIP64_EXTRA) continue;
    const count = Math.min(view.getUint16(at + 2, true), extra.length - at - 4) >> 3;
    return Array.from({ length: Math.min(count, 3) }, (_, index) => wide(view, at + 4 + 8 * index));
  }
  return [];
}

/** A 64-bit number; one that no archive has is so large that every check refuses it. */
export function wide(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
