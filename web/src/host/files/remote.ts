import { FileFault, type HostDirectory, type HostFile } from './file.ts';
import {
  type BlockingNetwork,
  type ByteLimit,
  type Freshness,
  type GetOptions,
  get,
  interpret,
  type RangeAnswer,
  WHOLE_BYTES_MAX,
  wholeLimit,
} from './http.ts';
import { Interrupts } from './interrupts.ts';
import { MemoryFile } from './memory.ts';
import { REMOTE_PAGE_BYTES, RemoteFile } from './remote_file.ts';
import type { Traffic } from './source.ts';

/** Some ten thousand files; more is no manifest. */
export const MANIFEST_BYTES_MAX = 1 << 20;
/** Files that are small and change: read as a whole, past the browser's cache. */
const MUTABLE = /(^|\/)(manifest|repo_state\.json|config\.json|LOCK)$/;

/** A directory on a web server. Without a blocking network its reads suspend the engine and wait for `fetch`. */
export class RemoteDirectory implements HostDirectory {
  readonly suspends: boolean;
  readonly isRemote = true;
  readonly traffic: Traffic;
  readonly #base: URL;
  readonly #network: BlockingNetwork | null;
  readonly #options: GetOptions;
  /** Absent files too: the store asks for some of them more than once. */
  readonly #opened = new Map<string, HostFile | null>();
  readonly #interrupts = new Interrupts();

  constructor(base: URL, network: BlockingNetwork | null, traffic: Traffic, options: GetOptions = {}) {
    this.#options = options;
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
    const answer = this.#getBlocking(url, this.#firstRange(path), limitOf(path));
    return this.#keep(
      path,
      url,
      answer.kind === 'unplaced' ? this.#getBlocking(url, null, wholeLimit(WHOLE_BYTES_MAX)) : answer,
    );
  }

  async openLater(path: string): Promise<HostFile | null> {
    const known = this.#opened.get(path);
    if (known !== undefined) return known;
    const url = this.#urlOf(path);
    const fetched = async (): Promise<RangeAnswer> => {
      const freshness: Freshness = MUTABLE.test(path) ? 'mutable' : 'immutable';
      const answer = interpret(
        url,
        await get(url, this.#firstRange(path), freshness, this.traffic, limitOf(path), this.#options),
      );
      if (answer.kind !== 'unplaced') return answer;
      return interpret(url, await get(url, null, freshness, this.traffic, wholeLimit(WHOLE_BYTES_MAX), this.#options));
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

  #getBlocking(url: string, range: string | null, limit: ByteLimit): RangeAnswer {
    if (this.#network === null) throw new FileFault('host', `${url} can only be read with the engine suspended`);
    return interpret(url, this.#network.ask(url, range, this.traffic, limit).wait());
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
        const file = new RemoteFile(url, answer.total, this.#network, this.traffic, this.#interrupts, this.#options);
        file.keep(answer.start, answer.bytes);
        return file;
      }
    }
  }
}

/** What is taken of the first answer of a file. A server that knows no ranges sends all of it. */
function limitOf(path: string): ByteLimit {
  if (MUTABLE.test(path)) return wholeLimit(MANIFEST_BYTES_MAX);
  return { partBytes: REMOTE_PAGE_BYTES, wholeBytes: WHOLE_BYTES_MAX, isBeginningEnough: false };
}
