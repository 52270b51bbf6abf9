/** A file on a web server: pages from memory, the cache on disk, or ranged requests. */
import { type ByteRange, FileFault, type HostFile } from '../file.ts';
import type { Interrupts } from '../interrupts.ts';
import type { Traffic } from '../source.ts';
import {
  type BlockingNetwork,
  type ByteLimit,
  type GetOptions,
  get,
  type HttpAnswer,
  interpret,
  type PendingAnswer,
} from './http.ts';
import { LineSpeed } from './line_speed.ts';
import { CACHE_PAGE_BYTES } from './page_cache.ts';
import { mergeRanges, Segments, splitRange, subtractRanges } from './ranges.ts';
import { READ_AHEAD_BYTES_MAX, ReadAhead } from './read_ahead.ts';
import type { CachedFile } from './remote_cache.ts';

/** A round trip brings this much at least: a page of the cache. */
export const REMOTE_PAGE_BYTES = CACHE_PAGE_BYTES;
/** What is brought of the end of a file, where its footer and a small index are: a whole page of the cache at least. */
export const END_BYTES = 2 * CACHE_PAGE_BYTES;

/** Of a file of which less was read only what is needed is asked for, unless it is in many places. */
const FEW_BYTES = 640 * 1024;
/** What may be asked for: so many times the bytes that were needed, and this. */
const WIDENING = 2;
const SPECULATIVE_BYTES = 16 * 1024 * 1024;
/** By so many times fewer requests are worth their bytes at once, where they are so many: a lookup reads an index in three places. */
const FEWER = 3;
const MANY = 8;
/** Blocks that are read ahead. A smaller one saves no request; the requests of a larger one wait for the bandwidth, not the round trip. */
const BLOCK_BYTES_MIN = 128 * 1024;
const BLOCK_BYTES_MAX = 4 * 1024 * 1024;
/** What is left of a file is asked for at once where it comes while a scan by blocks would wait for so many round trips. */
const REST_ROUND_TRIPS = 8;

/** A request whose answer has not come: one of `fetch`, or of a network that blocks. */
interface InFlight extends ByteRange {
  readonly done?: Promise<void>;
  readonly answer?: PendingAnswer;
  /** Told of the bytes of the answer. */
  readonly arrived?: (bytes: number) => void;
}

/**
 * A file read by ranges: from memory, the cache on disk, the network, in this order. What was announced, and what comes next where it is
 * read in order, is asked for before it is read.
 */
export class RemoteFile implements HostFile {
  readonly pageBytes = REMOTE_PAGE_BYTES;
  readonly length: number;
  readonly #url: string;
  readonly #network: BlockingNetwork | null;
  readonly #traffic: Traffic;
  readonly #interrupts: Interrupts;
  readonly #options: GetOptions;
  readonly #cache: CachedFile | null;
  readonly #onRenewed: () => void;
  readonly #readAhead = new ReadAhead();
  readonly #speed: LineSpeed;
  /** Bytes that came ahead of their use. */
  readonly #ahead = new Segments(READ_AHEAD_BYTES_MAX);
  #inFlight: InFlight[] = [];
  /** Bytes that were read, wherever they came from, and bytes that the network was asked for. */
  #read = 0;
  #asked = 0;
  readonly #askedPages: Uint8Array;
  /** Announced but not asked for, because asking would block. */
  #wanted: ByteRange[] = [];

  constructor(
    url: string,
    length: number,
    network: BlockingNetwork | null,
    traffic: Traffic,
    interrupts: Interrupts,
    options: GetOptions = {},
    cache: CachedFile | null = null,
    speed = new LineSpeed(),
    onRenewed = (): void => {},
  ) {
    this.#speed = speed;
    this.#onRenewed = onRenewed;
    this.#options = options;
    this.#cache = cache;
    this.#url = url;
    this.length = length;
    this.#askedPages = new Uint8Array(Math.ceil(length / REMOTE_PAGE_BYTES));
    this.#network = network;
    this.#traffic = traffic;
    this.#interrupts = interrupts;
  }

  keep(start: number, bytes: Uint8Array): void {
    this.#ahead.add(start, bytes);
    this.#cache?.keep(start, bytes);
  }

  read(offset: number, dest: Uint8Array): void {
    const range = { start: offset, end: offset + dest.length };
    this.#receive();
    this.#readCache(range);
    const requests = this.#requestsFor([range], 'read');
    if (this.#network?.isParallel) this.#ask(requests);
    else this.#wanted.push(...requests);
    const flights = this.#inFlight.filter(known => overlap(known, range));
    for (const flight of flights) this.#land(flight);
    const isLoaded = this.#load(range);
    if (flights.length > 0 || isLoaded) this.#traffic.rounds++;
    this.#take(offset, dest);
  }

  readLater(offset: number, length: number, dest: () => Uint8Array): Promise<void> | undefined {
    const range = { start: offset, end: offset + length };
    this.#readCache(range);
    for (const request of this.#requestsFor([range], 'read')) void this.#start(request);
    if (subtractRanges(range, this.#ahead.ranges).length > 0) return this.#readMissing(range, dest);
    this.#take(offset, dest());
    return undefined;
  }

  async #readMissing(range: ByteRange, dest: () => Uint8Array): Promise<void> {
    const read = async (): Promise<void> => {
      this.#traffic.rounds++;
      // One that failed is asked for again below, and then its failure counts.
      await Promise.allSettled(this.#inFlight.filter(known => overlap(known, range)).map(({ done }) => done));
      const missing = subtractRanges(range, this.#ahead.ranges);
      for (const part of missing) this.#mustAsk(part);
      await Promise.all(missing.map(part => this.#start(part)));
    };
    await this.#interrupts.orElse(read());
    this.#take(range.start, dest());
  }

  renew(range: ByteRange): void {
    this.#onRenewed();
    this.#receive();
    this.#ahead.consume(range.start, range.end - range.start);
    this.#cache?.drop(range);
  }

  async bringEnd(): Promise<void> {
    // Of the page in which the first answer began the cache has nothing.
    const start = Math.ceil(Math.max(0, this.length - END_BYTES) / CACHE_PAGE_BYTES) * CACHE_PAGE_BYTES;
    const end = { start, end: this.length };
    await Promise.all(this.#missing([end]).map(range => this.#start(range)));
  }

  willNeed(ranges: readonly ByteRange[]): void {
    const requests = this.#requestsFor(ranges, 'announced');
    if (this.#network === null) for (const request of requests) void this.#start(request);
    else if (this.#network.isParallel) this.#ask(requests);
    else this.#wanted.push(...requests);
  }

  close(): void {
    this.#wanted = [];
  }

  /** What of these ranges is neither here nor on its way, and what is worth asking for around and behind them. */
  #requestsFor(ranges: readonly ByteRange[], use: 'read' | 'announced'): ByteRange[] {
    const ahead = mergeRanges(ranges).map(range => {
      const { start, end } = this.#readAhead.after(range, use);
      return { start: Math.min(start, this.length), end: Math.min(end, this.length) };
    });
    return this.#widened([...ranges, ...ahead]).filter(request => {
      const mayAsk = this.#mayAsk(request);
      if (mayAsk) this.#noteAsked(request);
      return mayAsk;
    });
  }

  /** Whether the statement at work may fetch so much more. */
  #mayAsk(...ranges: readonly ByteRange[]): boolean {
    const { bytes, limitBytes } = this.#traffic;
    if (limitBytes === Number.POSITIVE_INFINITY) return true;
    const pending = [...this.#inFlight, ...this.#wanted, ...ranges];
    return bytes + bytesOf(pending) <= limitBytes;
  }

  /** @throws FileFault where the statement at work may not fetch a range that it cannot do without. */
  #mustAsk(range: ByteRange): void {
    if (this.#mayAsk(range)) return;
    this.#traffic.isOverLimit = true;
    throw new FileFault('host', `${this.#url}: more bytes than the statement may fetch`);
  }

  /**
   * Ranges with the blocks around them. A round trip takes as long as a megabyte: where much is read, as by a scan whose leaves are stored here
   * and there, what is around a range is probably read as well. In all no more than a multiple of what was needed, and a constant, is asked
   * for, so that lookups in a large file cost what they need; of the blocks that fit, the largest are taken for all ranges alike.
   */
  #widened(ranges: readonly ByteRange[]): readonly ByteRange[] {
    const missing = this.#missing(ranges);
    if (missing.length === 0) return missing;
    const needed = this.#read + bytesOf(missing);
    if (this.#read >= FEW_BYTES && this.length - this.#asked <= this.#quickBytes) {
      return [
        ...missing,
        ...this.#missing(this.#unasked(0, this.length)).flatMap(range => subtractRanges(range, missing)),
      ];
    }
    const allowance = WIDENING * needed + SPECULATIVE_BYTES - this.#asked;
    for (let block = BLOCK_BYTES_MAX; block >= BLOCK_BYTES_MIN; block /= 2) {
      const blocks = new Set(missing.flatMap(({ start, end }) => numbersOf(start, end, block)));
      const around = [...blocks].flatMap(number => this.#unasked(number * block, (number + 1) * block));
      const requests = this.#missing([...missing, ...around]);
      // Little was read: only where that makes few requests of many.
      const isWorth =
        this.#read >= FEW_BYTES
          ? block <= WIDENING * needed
          : MANY <= missing.length && FEWER * requests.length <= missing.length;
      if (isWorth && bytesOf(requests) <= allowance) return requests;
    }
    return missing;
  }

  get #quickBytes(): number {
    return Math.min(SPECULATIVE_BYTES, this.#speed.bytesIn(REST_ROUND_TRIPS));
  }

  /** The pages of a block that were never asked for: others were read, and what is not kept would come twice. */
  #unasked(start: number, end: number): ByteRange[] {
    const pages: ByteRange[] = [];
    for (let at = start; at < Math.min(end, this.length); at += REMOTE_PAGE_BYTES) {
      const isAsked = this.#askedPages[at / REMOTE_PAGE_BYTES] === 1;
      if (!isAsked) pages.push({ start: at, end: Math.min(at + REMOTE_PAGE_BYTES, this.length) });
    }
    return pages;
  }

  #noteAsked({ start, end }: ByteRange): void {
    this.#asked += end - start;
    this.#askedPages.fill(1, Math.floor(start / REMOTE_PAGE_BYTES), Math.ceil(end / REMOTE_PAGE_BYTES));
  }

  /** Requests for what is neither here nor on its way. A small gap between two ranges is asked for as well, unless it is known. */
  #missing(ranges: readonly ByteRange[]): ByteRange[] {
    const known = [...this.#ahead.ranges, ...this.#inFlight, ...this.#wanted];
    return mergeRanges(ranges)
      .flatMap(range => subtractRanges(range, [...known, ...this.#cachedParts(range)]))
      .flatMap(splitRange);
  }

  #cachedParts(range: ByteRange): ByteRange[] {
    return this.#cache?.parts(range) ?? [];
  }

  /** Brings what the cache has of a range that is read now. */
  #readCache(range: ByteRange): void {
    for (const missing of subtractRanges(range, this.#ahead.ranges)) {
      this.#cache?.read(missing, (start, bytes) => {
        this.#traffic.cachedBytes += bytes.length;
        this.#ahead.add(start, bytes);
      });
    }
  }

  /** Asks without waiting. */
  #ask(requests: readonly ByteRange[]): void {
    for (const range of requests) {
      const answer = this.#network?.ask(this.#url, rangeHeader(range), this.#traffic, limitOf(range));
      if (answer !== undefined) this.#inFlight.push({ ...range, answer, arrived: this.#speed.request() });
    }
  }

  /** Takes the answers that have come, so that they count as memory. */
  #receive(): void {
    for (const flight of this.#inFlight.filter(({ answer }) => answer?.hasCome())) this.#land(flight);
  }

  /** Waits for an answer. One that brings nothing is no failure yet: what is needed is asked for again. */
  #land(flight: InFlight): void {
    this.#inFlight = this.#inFlight.filter(known => known !== flight);
    try {
      const answer = flight.answer?.wait();
      flight.arrived?.(answer?.bytes.length ?? 0);
      if (answer !== undefined) this.#accept(flight.start, answer);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
    }
  }

  /** Fetches what is missing of `range` while the caller waits, with what was announced beside it. False when nothing is. */
  #load(range: ByteRange): boolean {
    for (let isLoaded = false; ; isLoaded = true) {
      const [first] = subtractRanges(range, this.#ahead.ranges);
      if (first === undefined) return isLoaded;
      this.#mustAsk(first);
      const request = mergeRanges([first, ...this.#wanted]).find(merged => overlap(merged, first)) ?? first;
      this.#wanted = this.#wanted.flatMap(part => subtractRanges(part, [request]));
      const answer = this.#network?.ask(this.#url, rangeHeader(request), this.#traffic, limitOf(request)).wait();
      if (answer === undefined) return isLoaded;
      this.#accept(request.start, answer);
    }
  }

  #start(range: ByteRange): Promise<void> {
    let bytes = 0;
    const load = async (): Promise<void> => {
      for (let at = range.start; at < range.end; ) {
        const rest = { start: at, end: range.end };
        const { url, traffic, options } = { url: this.#url, traffic: this.#traffic, options: this.#options };
        const answer = await get(url, rangeHeader(rest), 'immutable', traffic, limitOf(rest), options);
        bytes += answer.bytes.length;
        at += this.#accept(at, answer);
      }
    };
    const arrived = this.#speed.request();
    const flight: InFlight = {
      ...range,
      done: load().finally(() => {
        arrived(bytes);
        this.#inFlight = this.#inFlight.filter(known => known !== flight);
      }),
    };
    this.#inFlight.push(flight);
    // Its readers get the error.
    flight.done?.catch(() => {});
    return flight.done as Promise<void>;
  }

  /** Keeps what came and gives how many bytes that brought at `at`. */
  #accept(at: number, answer: HttpAnswer): number {
    const part = interpret(this.#url, answer);
    if (part.kind === 'absent') throw new FileFault('gone', `${this.#url} is gone`);
    if (part.kind === 'whole') {
      this.keep(at, part.bytes.subarray(at));
      return this.#progress(part.bytes.length - at);
    }
    if (part.kind === 'unplaced') {
      this.keep(at, answer.bytes);
      return this.#progress(answer.bytes.length);
    }
    if (part.total !== this.length) throw new FileFault('gone', `${this.#url} has changed`);
    this.keep(part.start, part.bytes);
    return this.#progress(part.start + part.bytes.length - at);
  }

  #progress(bytes: number): number {
    if (bytes <= 0)
      throw new FileFault('host', `${this.#url}: the server sent nothing of the range that was asked for`);
    return bytes;
  }

  /** Moves bytes that are here to where they are read. Pages that arrived in two answers are whole by now. */
  #take(offset: number, dest: Uint8Array): void {
    if (this.#ahead.take(offset, dest).length > 0) {
      throw new FileFault('host', `${this.#url}: no bytes at offset ${offset}`);
    }
    this.#ahead.consume(offset, dest.length);
    this.#read += dest.length;
    this.#cache?.keep(offset, dest);
  }
}

/** The blocks that a range touches. */
function numbersOf(start: number, end: number, block: number): number[] {
  const first = Math.floor(start / block);
  return Array.from({ length: Math.ceil(end / block) - first }, (_, number) => first + number);
}

function bytesOf(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}

function overlap(left: ByteRange, right: ByteRange): boolean {
  return left.start < right.end && right.start < left.end;
}

/** A server that has forgotten its ranges sends the file from the beginning: as far as it is needed. */
function limitOf({ start, end }: ByteRange): ByteLimit {
  return { partBytes: end - start, wholeBytes: end, isBeginningEnough: true };
}

function rangeHeader({ start, end }: ByteRange): string {
  return `bytes=${start}-${end - 1}`;
}
