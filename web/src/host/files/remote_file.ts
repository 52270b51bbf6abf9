import { type ByteRange, FileFault, type HostFile } from './file.ts';
import {
  type BlockingNetwork,
  type ByteLimit,
  type GetOptions,
  get,
  type HttpAnswer,
  interpret,
  type PendingAnswer,
} from './http.ts';
import type { Interrupts } from './interrupts.ts';
import { mergeRanges, Segments, splitRange, subtractRanges } from './ranges.ts';
import { READ_AHEAD_BYTES_MAX, ReadAhead } from './read_ahead.ts';
import type { Traffic } from './source.ts';

/** A round trip brings this much at least. */
export const REMOTE_PAGE_BYTES = 64 * 1024;

/** A request whose answer has not come: one of `fetch`, or of a network that blocks. */
interface InFlight extends ByteRange {
  readonly done?: Promise<void>;
  readonly answer?: PendingAnswer;
}

/** A file read by ranges. What was announced, and what comes next where it is read in order, is asked for before it is read. */
export class RemoteFile implements HostFile {
  readonly pageBytes = REMOTE_PAGE_BYTES;
  readonly length: number;
  readonly #url: string;
  readonly #network: BlockingNetwork | null;
  readonly #traffic: Traffic;
  readonly #interrupts: Interrupts;
  readonly #options: GetOptions;
  readonly #readAhead = new ReadAhead();
  /** Bytes that came ahead of their use. */
  readonly #ahead = new Segments(READ_AHEAD_BYTES_MAX);
  #inFlight: InFlight[] = [];
  /** Announced but not asked for, because asking would block. */
  #wanted: ByteRange[] = [];

  constructor(
    url: string,
    length: number,
    network: BlockingNetwork | null,
    traffic: Traffic,
    interrupts: Interrupts,
    options: GetOptions = {},
  ) {
    this.#options = options;
    this.#url = url;
    this.length = length;
    this.#network = network;
    this.#traffic = traffic;
    this.#interrupts = interrupts;
  }

  keep(start: number, bytes: Uint8Array): void {
    this.#ahead.add(start, bytes);
  }

  read(offset: number, dest: Uint8Array): void {
    const range = { start: offset, end: offset + dest.length };
    this.#receive();
    const requests = this.#requestsFor(range, 'read');
    if (this.#network?.isParallel) this.#ask(requests);
    else this.#wanted.push(...requests);
    for (const flight of this.#inFlight.filter(known => overlap(known, range))) this.#land(flight);
    this.#load(range);
    this.#mustHave(offset, dest);
    this.#ahead.consume(offset, dest.length);
  }

  async readLater(offset: number, length: number, dest: () => Uint8Array): Promise<void> {
    const read = async (): Promise<void> => {
      const range = { start: offset, end: offset + length };
      for (const request of this.#requestsFor(range, 'read')) void this.#start(request);
      // One that failed is asked for again below, and then its failure counts.
      await Promise.allSettled(this.#inFlight.filter(known => overlap(known, range)).map(({ done }) => done));
      const missing = subtractRanges(range, this.#ahead.ranges);
      await Promise.all(missing.map(part => this.#start(part)));
    };
    await this.#interrupts.orElse(read());
    const memory = dest();
    this.#mustHave(offset, memory);
    this.#ahead.consume(offset, length);
  }

  async bringEnd(): Promise<void> {
    const end = { start: Math.max(0, this.length - REMOTE_PAGE_BYTES), end: this.length };
    await Promise.all(subtractRanges(end, this.#ahead.ranges).map(range => this.#start(range)));
  }

  willNeed(ranges: readonly ByteRange[]): void {
    const requests = mergeRanges(mergeRanges(ranges).flatMap(range => this.#requestsFor(range, 'announced')));
    if (this.#network === null) for (const request of requests) void this.#start(request);
    else if (this.#network.isParallel) this.#ask(requests);
    else this.#wanted.push(...requests);
  }

  close(): void {
    this.#wanted = [];
  }

  /** What of `range` is neither here nor on its way, and what is worth asking for behind it. */
  #requestsFor(range: ByteRange, use: 'read' | 'announced'): ByteRange[] {
    const known = [...this.#ahead.ranges, ...this.#inFlight, ...this.#wanted];
    const behind = this.#readAhead.after(range, use);
    const ahead = { start: Math.min(behind.start, this.length), end: Math.min(behind.end, this.length) };
    return mergeRanges([range, ahead].flatMap(part => subtractRanges(part, known)).flatMap(splitRange));
  }

  /** Asks without waiting. */
  #ask(requests: readonly ByteRange[]): void {
    for (const range of requests) {
      const answer = this.#network?.ask(this.#url, rangeHeader(range), this.#traffic, limitOf(range));
      if (answer !== undefined) this.#inFlight.push({ ...range, answer });
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
      if (flight.answer !== undefined) this.#accept(flight.start, flight.answer.wait());
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
    }
  }

  /** Fetches what is missing of `range` while the caller waits, with what was announced beside it. */
  #load(range: ByteRange): void {
    for (;;) {
      const [first] = subtractRanges(range, this.#ahead.ranges);
      if (first === undefined) return;
      const request = mergeRanges([first, ...this.#wanted]).find(merged => overlap(merged, first)) ?? first;
      this.#wanted = this.#wanted.flatMap(part => subtractRanges(part, [request]));
      const answer = this.#network?.ask(this.#url, rangeHeader(request), this.#traffic, limitOf(request)).wait();
      if (answer === undefined) return;
      this.#accept(request.start, answer);
    }
  }

  #start(range: ByteRange): Promise<void> {
    const load = async (): Promise<void> => {
      for (let at = range.start; at < range.end; ) {
        const rest = { start: at, end: range.end };
        const { url, traffic, options } = { url: this.#url, traffic: this.#traffic, options: this.#options };
        at += this.#accept(at, await get(url, rangeHeader(rest), 'immutable', traffic, limitOf(rest), options));
      }
    };
    const flight: InFlight = {
      ...range,
      done: load().finally(() => {
        this.#inFlight = this.#inFlight.filter(known => known !== flight);
      }),
    };
    this.#inFlight.push(flight);
    // Whoever waits for it hears of its failure.
    flight.done?.catch(() => {});
    return flight.done as Promise<void>;
  }

  /** Keeps what came and gives how many bytes that brought at `at`. */
  #accept(at: number, answer: HttpAnswer): number {
    const part = interpret(this.#url, answer);
    if (part.kind === 'absent') throw new FileFault('gone', `${this.#url} is gone`);
    if (part.kind === 'whole') {
      this.#ahead.add(at, part.bytes.subarray(at));
      return this.#progress(part.bytes.length - at);
    }
    if (part.kind === 'unplaced') {
      this.#ahead.add(at, answer.bytes);
      return this.#progress(answer.bytes.length);
    }
    if (part.total !== this.length) throw new FileFault('gone', `${this.#url} has changed`);
    this.#ahead.add(part.start, part.bytes);
    return this.#progress(part.start + part.bytes.length - at);
  }

  #progress(bytes: number): number {
    if (bytes <= 0)
      throw new FileFault('host', `${this.#url}: the server sent nothing of the range that was asked for`);
    return bytes;
  }

  #mustHave(offset: number, dest: Uint8Array): void {
    if (this.#ahead.take(offset, dest).length > 0) {
      throw new FileFault('host', `${this.#url}: no bytes at offset ${offset}`);
    }
  }
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
