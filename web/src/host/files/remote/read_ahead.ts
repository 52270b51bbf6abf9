/** Where a file is read in order, and how far ahead of the reader it is worth asking. */
import type { ByteRange } from '../file.ts';
import { GAP_BYTES_MAX } from './ranges.ts';

/** So much read in order is no accident, as two neighbouring pages are. */
const ORDER_BYTES = 64 * 1024;
/** What is asked for then. It doubles from there on. */
const WINDOW_BYTES_MIN = 128 * 1024;
/** What a fast line brings in a round trip around the world. */
export const WINDOW_BYTES_MAX = 4 * 1024 * 1024;
/** Places of one file that are read in order by turns: a join has two, and beside the leaves come the nodes above them. */
const STREAMS_MAX = 8;

/** A place where the file is read in order. */
interface Stream {
  /** Behind all that was read here. */
  end: number;
  /** Behind all that was asked for ahead of it. */
  asked: number;
  /** How far ahead is asked; 0 at first. */
  window: number;
  /** Where `end` was when more was last asked for, and the bytes that were read since. */
  begin: number;
  used: number;
}

/** Bytes that may be held because of this: eight windows. */
export const READ_AHEAD_BYTES_MAX = STREAMS_MAX * WINDOW_BYTES_MAX;

/**
 * Notices reads that follow each other. Each place where they do has a window of its own, which doubles when half of it was read, so that
 * what comes next is under way before the reader is there; where most was left out it shrinks instead. Reads elsewhere ask for nothing
 * more than themselves.
 */
export class ReadAhead {
  /** The one that was read last comes last. */
  #streams: Stream[] = [];

  /** Told of a range that is read, or will be. Gives the range behind it that is worth asking for now; mostly an empty one. */
  after({ start, end }: ByteRange, use: 'read' | 'announced'): ByteRange {
    const index = this.#streams.findLastIndex(
      stream => start >= stream.end - stream.window && start <= stream.asked + GAP_BYTES_MAX,
    );
    const [stream] = index < 0 ? [] : this.#streams.splice(index, 1);
    if (stream === undefined) {
      const used = use === 'read' ? end - start : 0;
      this.#streams = [...this.#streams.slice(1 - STREAMS_MAX), { end, asked: end, window: 0, begin: start, used }];
      return { start: end, end };
    }
    this.#streams.push(stream);
    if (use === 'read') stream.used += end - start;
    stream.end = Math.max(stream.end, end);
    if (stream.window === 0 && stream.end - stream.begin < ORDER_BYTES) {
      stream.asked = Math.max(stream.asked, stream.end);
      return { start: stream.end, end: stream.end };
    }
    const from = Math.max(stream.asked, stream.end);
    stream.asked = from;
    if (from - stream.end > stream.window / 2) return { start: from, end: from };
    const isDense = 2 * stream.used >= stream.end - stream.begin;
    stream.window = isDense
      ? Math.min(Math.max(2 * stream.window, WINDOW_BYTES_MIN), WINDOW_BYTES_MAX)
      : stream.window / 2;
    stream.begin = stream.end;
    stream.used = 0;
    stream.asked = from + Math.max(0, stream.end + stream.window - from);
    return { start: from, end: stream.asked };
  }
}
