/** Directories on a web server, and the network as files use it. */
import { contentName } from '../../../protocol/index.ts';
import { FileFault, type HostDirectory, type HostFile } from '../file.ts';
import { Interrupts } from '../interrupts.ts';
import { MemoryFile } from '../memory.ts';
import type { Traffic } from '../source.ts';
import {
  type BlockingNetwork,
  type ByteLimit,
  type GetOptions,
  get,
  interpret,
  type RangeAnswer,
  WHOLE_BYTES_MAX,
  wholeLimit,
} from './http.ts';
import { LineSpeed } from './line_speed.ts';
import type { CachedAnswer, CachedFile, RemoteCache } from './remote_cache.ts';
import { END_BYTES, RemoteFile } from './remote_file.ts';

/** What the first request for a table file or an archive asks for from another origin: what an engine reads first of it. */
const HEAD_BYTES = 32 * 1024;
/** Of a journal, which is replayed. */
const FIRST_BYTES = 64 * 1024;
/** Some ten thousand files; more is no manifest. */
export const MANIFEST_BYTES_MAX = 1 << 20;
/** Files that are small and change: read as a whole, past the browser's cache. */
const MUTABLE = /(^|\/)(manifest|repo_state\.json|config\.json|ghostObjects\.txt|LOCK)$/;

/**
 * A directory on a web server. Without a blocking network its reads suspend the engine and wait for `fetch`. Table files and archives are
 * immutable: what was fetched of them stays in the cache, and they are opened from there without a request. The rest is revalidated.
 */
export class RemoteDirectory implements HostDirectory {
  readonly suspends: boolean;
  readonly isRemote = true;
  readonly traffic: Traffic;
  readonly #base: URL;
  readonly #network: BlockingNetwork | null;
  readonly #options: GetOptions;
  readonly #cache: RemoteCache | null;
  /** Absent files too: the store asks for some of them more than once. */
  readonly #opened = new Map<string, HostFile | null>();
  readonly #interrupts = new Interrupts();
  readonly #speed: LineSpeed;
  #notRevalidated: string | null = null;

  constructor(
    base: URL,
    network: BlockingNetwork | null,
    traffic: Traffic,
    options: GetOptions = {},
    cache: RemoteCache | null = null,
    speed = new LineSpeed(),
  ) {
    this.#speed = speed;
    this.#options = options;
    this.#base = base;
    this.#network = network;
    this.#cache = cache;
    this.suspends = network === null;
    this.traffic = traffic;
  }

  /** Why files that change were taken from the cache unseen; null when the server answered. */
  get notRevalidated(): string | null {
    return this.#notRevalidated;
  }

  list(): null {
    return null;
  }

  paths(): string[] {
    return [...this.#opened].filter(([, file]) => file !== null).map(([path]) => path);
  }

  /** What was not opened ahead is asked for while the engine waits, past the cache. */
  open(path: string): HostFile | null {
    const known = this.#opened.get(path);
    if (known !== undefined) return known;
    const url = this.#urlOf(path);
    const answer = this.#getBlocking(url, this.#firstRange(path), limitOf(path));
    const whole = answer.kind === 'unplaced' ? this.#getBlocking(url, null, wholeLimit(WHOLE_BYTES_MAX)) : answer;
    return this.#keep(path, this.#fileOf(url, whole, null));
  }

  async openLater(path: string): Promise<HostFile | null> {
    const known = this.#opened.get(path);
    if (known !== undefined) return known;
    return this.#keep(path, await this.#interrupts.orElse(this.#openCached(path)));
  }

  /**
   * Opens files side by side before the engine asks, with the end of each, where its index is. Absent files are remembered as well.
   */
  async openAhead(paths: readonly string[]): Promise<void> {
    const open = async (path: string): Promise<void> => {
      const file = await this.openLater(path);
      if (file instanceof RemoteFile) await file.bringEnd();
    };
    await Promise.all(paths.map(open));
  }

  /** What is wrong may be the manifest: the next visit asks for all of it. */
  renew(): void {
    for (const path of this.#opened.keys()) if (contentName(path) === null) this.#cache?.forget(this.#urlOf(path));
  }

  /** Ends the read that the engine waits for, with a fault. Nothing for reads that block. */
  interrupt(): void {
    this.#interrupts.all();
  }

  async #openCached(path: string): Promise<HostFile | null> {
    const url = this.#urlOf(path);
    const name = contentName(path);
    if (this.#cache === null || name === null) return this.#openVersion(path, url);
    const cached = await this.#cache.findContent(name);
    if (cached !== null) return this.#remoteFile(url, cached.length, cached);
    // A file of chunks is a table file or an archive, never both.
    if (await this.#cache.findContent(`${name}.darc`)) return null;
    this.#network?.prepare?.();
    return this.#openAsked(path, url, null);
  }

  /** A file that changes: as the server has it now, or as it was where the server cannot be reached. */
  async #openVersion(path: string, url: string): Promise<HostFile | null> {
    const known = (await this.#cache?.find(url)) ?? null;
    try {
      return await this.#openAsked(path, url, known);
    } catch (error) {
      if (known === null || !(error instanceof FileFault) || error.kind !== 'host') throw error;
      this.#notRevalidated ??= error.message;
      return this.#openKnown(path, url, known);
    }
  }

  async #openAsked(path: string, url: string, known: CachedAnswer | null): Promise<HostFile | null> {
    const freshness = MUTABLE.test(path) ? 'mutable' : 'immutable';
    // Browsers revalidate by themselves, without the question that a header of ours makes them ask of other origins.
    const etag = globalThis.location === undefined ? known?.etag : null;
    const options = { ...this.#options, etag };
    const response = await get(url, this.#firstRange(path), freshness, this.traffic, limitOf(path), options);
    if (response.status === 304 && known !== null) return this.#openKnown(path, url, known);
    let answer = interpret(url, response);
    if (answer.kind === 'unplaced') {
      const limit = wholeLimit(WHOLE_BYTES_MAX);
      answer = interpret(url, await get(url, null, freshness, this.traffic, limit, this.#options));
    }
    return this.#fileOf(url, answer, await this.#keepAnswer(path, url, answer, response.header('etag')));
  }

  /** A file as the cache knows it. */
  async #openKnown(path: string, url: string, { etag, text, length }: CachedAnswer): Promise<HostFile | null> {
    if (length !== undefined) {
      return this.#remoteFile(url, length, (await this.#cache?.fileFor(path, url, length, etag)) ?? null);
    }
    return text === null ? null : new MemoryFile(new TextEncoder().encode(text));
  }

  /** Writes down what a server answered. Gives where the bytes of the file are kept. */
  async #keepAnswer(path: string, url: string, answer: RangeAnswer, etag: string | null): Promise<CachedFile | null> {
    if (this.#cache === null) return null;
    const cached = answer.kind === 'part' ? await this.#cache.fileFor(path, url, answer.total, etag) : null;
    if (contentName(path) !== null) return cached;
    if (answer.kind === 'absent') await this.#cache.keep(url, { etag: null, text: null });
    else if (cached !== null) await this.#cache.keep(url, { etag, text: null, length: cached.length });
    else if (answer.kind === 'whole' && MUTABLE.test(path)) {
      await this.#cache.keep(url, { etag, text: new TextDecoder().decode(answer.bytes) });
    }
    return cached;
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
    const [head, end] = contentName(path) === null ? [FIRST_BYTES, FIRST_BYTES] : [HEAD_BYTES, END_BYTES];
    return isOurs ? `bytes=-${end}` : `bytes=0-${head - 1}`;
  }

  #keep(path: string, file: HostFile | null): HostFile | null {
    this.#opened.set(path, file);
    return file;
  }

  #fileOf(url: string, answer: RangeAnswer, cached: CachedFile | null): HostFile | null {
    switch (answer.kind) {
      case 'absent':
        return null;
      case 'whole':
        return new MemoryFile(answer.bytes);
      case 'unplaced':
        throw new FileFault('host', `${url}: the server tells neither the length nor the whole file`);
      case 'part': {
        const file = this.#remoteFile(url, answer.total, cached);
        file.keep(answer.start, answer.bytes);
        return file;
      }
    }
  }

  #remoteFile(url: string, length: number, cached: CachedFile | null): RemoteFile {
    const { traffic } = this;
    const renew = (): void => this.renew();
    return new RemoteFile(
      url,
      length,
      this.#network,
      traffic,
      this.#interrupts,
      this.#options,
      cached,
      this.#speed,
      renew,
    );
  }
}

/** What is taken of the first answer of a file. A server that knows no ranges sends all of it. */
function limitOf(path: string): ByteLimit {
  if (MUTABLE.test(path)) return wholeLimit(MANIFEST_BYTES_MAX);
  return { partBytes: FIRST_BYTES, wholeBytes: WHOLE_BYTES_MAX, isBeginningEnough: false };
}
