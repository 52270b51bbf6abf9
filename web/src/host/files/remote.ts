import { type ByteRange, FileFault, type HostDirectory, type HostFile } from './file.ts';
import { type BlockingNetwork, type Freshness, get, type HttpAnswer, interpret, type RangeAnswer } from './http.ts';
import { MemoryFile } from './memory.ts';
import { mergeRanges, REQUEST_BYTES_MAX, Segments, subtractRanges } from './ranges.ts';
import type { Traffic } from './source.ts';

/** A round trip brings this much at least. */
const REMOTE_PAGE_BYTES = 64 * 1024;
/** Bytes that came ahead of their use and are kept for it, per file. */
const AHEAD_BYTES_MAX = 32 * 1024 * 1024;

/** Files that are small and change: read as a whole, past the browser's cache. */
const MUTABLE = /(^|\/)(manifest|repo_state\.json|config\.json|LOCK)$/;

/** A directory on a web server. Without a blocking network its reads suspend the engine and wait for `fetch`. */
export class RemoteDirectory implements HostDirectory {
  readonly suspends: boolean;
  readonly isRemote = true;
  readonly traffic: Traffic;
  readonly #base: URL;
  readonly #network: BlockingNetwork | null;
  /** Absent files too: the store asks for some of them more than once. */
  readonly #opened = new Map<string, HostFile | null>();
  readonly #interrupts = new Interrupts();

  constructor(base: URL, network: BlockingNetwork | null, traffic: Traffic) {
    this.#base = base;
    this.#network = network;
    this.suspends = network === null;
    this.traffic = traffic;
  }

  list(): null {
    return null;
  }

  paths(): string[] {
    return [...this.#opened].filter(([, file]) => file !== null).map(([path]) => path);
  }

  open(path: string): HostFile | null {
    const known = this.#opened.get(path);
    if (known !== undefined) return known;
    const url = this.#urlOf(path);
    const answer = this.#getBlocking(url, this.#firstRange(path));
    return this.#keep(path, url, answer.kind === 'unplaced' ? this.#getBlocking(url, null) : answer);
  }

  async openLater(path: string): Promise<HostFile | null> {
    const known = this.#opened.get(path);
    if (known !== undefined) return known;
    const url = this.#urlOf(path);
    const fetched = async (): Promise<RangeAnswer> => {
      const freshness: Freshness = MUTABLE.test(path) ? 'mutable' : 'immutable';
      const answer = interpret(url, await get(url, this.#firstRange(path), freshness, this.traffic));
      if (answer.kind !== 'unplaced') return answer;
      return interpret(url, await get(url, null, freshness, this.traffic));
    };
    return this.#keep(path, url, await this.#interrupts.orElse(fetched()));
  }

  /**
   * Opens files side by side before anybody asks, and brings the end of each, where its index lies. What is absent is
   * remembered as well.
   */
  async openAhead(paths: readonly string[]): Promise<void> {
    const open = async (path: string): Promise<void> => {
      const file = await this.openLater(path);
      if (file instanceof RemoteFile) await file.bringEnd();
    };
    await Promise.all(paths.map(open));
  }

  /** Ends the read that the engine waits for, with a fault. Nothing for reads that block. */
  interrupt(): void {
    this.#interrupts.all();
  }

  #getBlocking(url: string, range: string | null): RangeAnswer {
    const [answer] = this.#network?.get(url, [range], this.traffic) ?? [];
    if (answer === undefined) throw new FileFault('host', `${url} can only be read with the engine suspended`);
    return interpret(url, answer);
  }

  #urlOf(path: string): string {
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), this.#base);
    url.search = this.#base.search;
    return url.href;
  }

  /**
   * The end first, where table files have their index. A range from the end is not one of the simple ranges that
   * browsers send to other origins without asking, so there it is the beginning, which also tells the length.
   */
  #firstRange(path: string): string | null {
    if (MUTABLE.test(path)) return null;
    const isOurs = globalThis.location?.origin === undefined || globalThis.location.origin === this.#base.origin;
    return isOurs ? `bytes=-${REMOTE_PAGE_BYTES}` : `bytes=0-${REMOTE_PAGE_BYTES - 1}`;
  }

  #keep(path: string, url: string, answer: RangeAnswer): HostFile | null {
    const file = this.#fileOf(url, answer);
    this.#opened.set(path, file);
    return file;
  }

  #fileOf(url: string, answer: RangeAnswer): HostFile | null {
    switch (answer.kind) {
      case 'absent':
        return null;
      case 'whole':
        return new MemoryFile(answer.bytes);
      case 'unplaced':
        throw new FileFault('host', `${url}: the server tells neither the length nor the whole file`);
      case 'part': {
        const file = new RemoteFile(url, answer.total, this.#network, this.traffic, this.#interrupts);
        file.keep(answer.start, answer.bytes);
        return file;
      }
    }
  }
}

interface InFlight extends ByteRange {
  readonly done: Promise<void>;
}

/** A file read by ranges. What `willNeed` brought waits until it is read. */
class RemoteFile implements HostFile {
  readonly pageBytes = REMOTE_PAGE_BYTES;
  readonly length: number;
  readonly #url: string;
  readonly #network: BlockingNetwork | null;
  readonly #traffic: Traffic;
  readonly #interrupts: Interrupts;
  readonly #ahead = new Segments(AHEAD_BYTES_MAX);
  /** Announced but not asked for, because asking would block. */
  #wanted: ByteRange[] = [];
  #inFlight: InFlight[] = [];
  #sequentialEnd = -1;
  #readAheadBytes = 0;

  constructor(url: string, length: number, network: BlockingNetwork | null, traffic: Traffic, interrupts: Interrupts) {
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
    const missing = this.#ahead.take(offset, dest);
    if (missing.length > 0) {
      this.#load(
        this.#network?.isParallel
          ? this.#withWanted(missing, offset + dest.length)
          : this.#requestsFor(missing, offset + dest.length),
      );
      this.#mustHave(offset, dest);
    }
    this.#ahead.consume(offset, dest.length);
  }

  /** Everything announced comes along where that costs no time. */
  #withWanted(missing: readonly ByteRange[], end: number): ByteRange[] {
    const requests = this.#requestsFor(missing, end);
    const wanted = mergeRanges(this.#wanted);
    this.#wanted = [];
    return [...requests, ...wanted];
  }

  /** Fetches ranges while the caller waits; a server may send less at a time than was asked for. */
  #load(requests: readonly ByteRange[]): void {
    let left = requests;
    while (left.length > 0) {
      const answers = this.#network?.get(this.#url, left.map(rangeHeader), this.#traffic) ?? [];
      left = left.flatMap((range, index) => {
        const start = range.start + this.#accept(range.start, answers[index] as HttpAnswer);
        return start < range.end ? [{ start, end: range.end }] : [];
      });
    }
  }

  async readLater(offset: number, length: number, dest: () => Uint8Array): Promise<void> {
    const read = async (): Promise<void> => {
      const range = { start: offset, end: offset + length };
      const flying = this.#inFlight.filter(known => known.start < range.end && known.end > range.start);
      // One that failed is asked for again below, and then its failure counts.
      await Promise.allSettled(flying.map(({ done }) => done));
      const missing = subtractRanges(range, this.#ahead.ranges);
      await Promise.all(this.#requestsFor(missing, range.end).map(part => this.#start(part)));
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
    const known = [...this.#ahead.ranges, ...this.#inFlight];
    const fresh = ranges.flatMap(range => subtractRanges(range, known));
    if (this.#network !== null) this.#wanted.push(...fresh);
    else for (const range of mergeRanges(fresh)) void this.#start(range).catch(() => {});
  }

  close(): void {
    this.#wanted = [];
  }

  /** What to ask for: the missing ranges, those announced beside them, and more when the file is read in order. */
  #requestsFor(missing: readonly ByteRange[], end: number): ByteRange[] {
    const first = missing[0];
    if (first === undefined) return [];
    const isSequential = first.start === this.#sequentialEnd;
    this.#readAheadBytes = isSequential ? Math.min(2 * this.#readAheadBytes + REMOTE_PAGE_BYTES, REQUEST_BYTES_MAX) : 0;
    const last = Math.min(end + this.#readAheadBytes, this.length);
    this.#sequentialEnd = last;
    const ahead =
      last > end ? subtractRanges({ start: end, end: last }, [...this.#ahead.ranges, ...this.#inFlight]) : [];
    const asked = [...missing, ...ahead];
    const merged = mergeRanges([...asked, ...this.#wanted]);
    const requests = merged.filter(range => asked.some(part => part.start >= range.start && part.end <= range.end));
    this.#wanted = this.#wanted.flatMap(range => subtractRanges(range, requests));
    return requests;
  }

  #start(range: ByteRange): Promise<void> {
    const load = async (): Promise<void> => {
      for (let at = range.start; at < range.end; ) {
        at += this.#accept(
          at,
          await get(this.#url, rangeHeader({ start: at, end: range.end }), 'immutable', this.#traffic),
        );
      }
    };
    const flight: InFlight = {
      ...range,
      done: load().finally(() => {
        this.#inFlight = this.#inFlight.filter(known => known !== flight);
      }),
    };
    this.#inFlight.push(flight);
    return flight.done;
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

function rangeHeader({ start, end }: ByteRange): string {
  return `bytes=${start}-${end - 1}`;
}

/** Lets a waiting read end before its bytes come. */
class Interrupts {
  readonly #waiting = new Set<(fault: FileFault) => void>();

  orElse<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      work.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  all(): void {
    for (const reject of this.#waiting) reject(new FileFault('cancelled', 'The read was cancelled'));
  }
}
