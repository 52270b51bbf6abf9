/** Arithmetic of byte ranges: merging what is wanted, keeping what came. */
import type { ByteRange } from '../file.ts';

/** Reading through a gap this wide is cheaper than a second request. */
export const GAP_BYTES_MAX = 32 * 1024;
/** One request asks for no more: several then run side by side. */
export const REQUEST_BYTES_MAX = 1024 * 1024;

/** Sorts ranges and merges those that overlap, and neighbours whose gap is small as long as the merged range stays small too. */
export function mergeRanges(ranges: readonly ByteRange[]): ByteRange[] {
  const merged: ByteRange[] = [];
  for (const range of ranges.filter(({ start, end }) => end > start).sort((left, right) => left.start - right.start)) {
    const last = merged.at(-1);
    const end = Math.max(last?.end ?? 0, range.end);
    const gap = range.start - (last?.end ?? 0);
    if (last !== undefined && (gap < 0 || (gap <= GAP_BYTES_MAX && end - last.start <= REQUEST_BYTES_MAX))) {
      merged[merged.length - 1] = { start: last.start, end };
    } else {
      merged.push(range);
    }
  }
  return merged;
}

/** The pieces of `range` that are a request each. */
export function splitRange({ start, end }: ByteRange): ByteRange[] {
  const starts = Array.from(
    { length: Math.ceil((end - start) / REQUEST_BYTES_MAX) },
    (_, i) => start + i * REQUEST_BYTES_MAX,
  );
  return starts.map(from => ({ start: from, end: Math.min(from + REQUEST_BYTES_MAX, end) }));
}

/** `range` without the parts that `known` covers. */
export function subtractRanges(range: ByteRange, known: readonly ByteRange[]): ByteRange[] {
  let left = [range];
  for (const { start, end } of known) {
    if (end <= range.start || start >= range.end) continue;
    left = left.flatMap(part => {
      if (end <= part.start || start >= part.end) return [part];
      const before = { start: part.start, end: start };
      const after = { start: end, end: part.end };
      return [before, after].filter(piece => piece.end > piece.start);
    });
  }
  return left;
}

interface Segment extends ByteRange {
  readonly bytes: Uint8Array;
}

/** Bytes that came and were not read yet. What was read is dropped: the region keeps its own pages. */
export class Segments {
  readonly #budgetBytes: number;
  #segments: Segment[] = [];
  #heldBytes = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get ranges(): readonly ByteRange[] {
    return this.#segments;
  }

  add(start: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#segments.push({ start, end: start + bytes.length, bytes });
    this.#heldBytes += bytes.length;
    while (this.#heldBytes > this.#budgetBytes && this.#segments.length > 1) this.#drop(this.#segments[0] as Segment);
  }

  /** Copies what is there of [offset, offset + dest.length) and gives the rest. */
  take(offset: number, dest: Uint8Array): ByteRange[] {
    const wanted = { start: offset, end: offset + dest.length };
    const used = this.#segments.filter(segment => segment.start < wanted.end && segment.end > wanted.start);
    for (const segment of used) {
      const start = Math.max(segment.start, wanted.start);
      const end = Math.min(segment.end, wanted.end);
      dest.set(segment.bytes.subarray(start - segment.start, end - segment.start), start - offset);
    }
    return subtractRanges(wanted, used);
  }

  /** Forgets the bytes of a range that was read. */
  consume(offset: number, length: number): void {
    const read = { start: offset, end: offset + length };
    for (const segment of this.#segments.filter(known => known.start < read.end && known.end > read.start)) {
      this.#drop(segment);
      for (const { start, end } of subtractRanges(segment, [read])) {
        // A view: the buffer behind it goes when its last part was read.
        this.add(start, segment.bytes.subarray(start - segment.start, end - segment.start));
      }
    }
  }

  #drop(segment: Segment): void {
    this.#segments = this.#segments.filter(known => known !== segment);
    this.#heldBytes -= segment.bytes.length;
  }
}
