/** The directory of a remote over a transport of objects: manifest, data files, uploads. */
import { JOURNAL_ID } from '../../protocol/index.ts';
import { FileFault, type HostDirectory, type HostFile } from '../files/file.ts';
import { Interrupts } from '../files/interrupts.ts';
import { MemoryFile } from '../files/memory.ts';
import {
  type BlockingNetwork,
  type GetOptions,
  type GetResponse,
  get,
  interpret,
  WHOLE_BYTES_MAX,
  wholeLimit,
} from '../files/remote/http.ts';
import { LineSpeed } from '../files/remote/line_speed.ts';
import { MANIFEST_BYTES_MAX } from '../files/remote/remote.ts';
import { RemoteCache } from '../files/remote/remote_cache.ts';
import { RemoteFile } from '../files/remote/remote_file.ts';
import { asFault } from '../files/source.ts';
import type { RemoteContext } from './remote_types.ts';
import { type Draft, MANIFEST, manifestOf, piecesOf, type Uploaded, UploadWrites } from './upload_writes.ts';

/** The manifest of a remote, and where the bytes of its files are at present. */
export interface RemoteState {
  /** Null: the remote is empty. */
  readonly manifest: string | null;
  /** What `replace` compares with: an ETag, a root. Null: there is none. */
  readonly version: string | null;
  /** Addresses by the name of the file: `<id>`, `<id>.darc`. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** A store of objects behind a network, without a lock: a bucket, a service. Everything throws FileFault or HostFailure. */
export interface ObjectTransport {
  /** Of the remote, for messages. */
  readonly url: string;
  /** Reads the manifest anew. */
  read(): Promise<RemoteState>;
  /** Whether addresses of the last `read` end soon, or have ended. */
  readonly isExpiring: boolean;
  /**
   * Stores a data file. One that is there already is no error: names are made of contents.
   *
   * @param content whose bytes are read piece by piece
   */
  upload(name: string, content: HostFile): Promise<void>;
  /**
   * Compare-and-set: replaces the manifest of `before`, which need not be what was read last: addresses are renewed at any time.
   *
   * @returns false when there may be another one by now.
   */
  replace(manifest: string, before: RemoteState): Promise<boolean>;
}

/** As often a manifest is read that is another one by the time that its files are open. */
const LOADS_MAX = 20;
/** Files that are opened at once. */
const OPENED_AT_ONCE = 16;

/**
 * A remote whose files are objects, in the layout of a `file://` remote. Data files are read by ranges, and kept in the cache on disk. New ones
 * are written to temporary files of the host, which their rename uploads; the rename of `manifest` is a compare-and-set.
 */
export class ObjectDirectory implements HostDirectory {
  readonly suspends: boolean;
  readonly isRemote = true;
  readonly writes: ObjectWrites;
  readonly #transport: ObjectTransport;
  readonly #context: RemoteContext;
  readonly #network: BlockingNetwork | null;
  readonly #cache: RemoteCache;
  readonly #interrupts = new Interrupts();
  readonly #closing = new AbortController();
  readonly #options: GetOptions;
  readonly #files = new Map<string, HostFile>();
  readonly #speed = new LineSpeed();
  #state: RemoteState = { manifest: null, version: null, addresses: new Map() };
  #renewal: Promise<void> | null = null;

  private constructor(transport: ObjectTransport, context: RemoteContext, cache: RemoteCache) {
    this.#transport = transport;
    this.#context = context;
    this.#cache = cache;
    const { signal } = context.options;
    this.#options = {
      ...context.options,
      signal: signal == null ? this.#closing.signal : AbortSignal.any([this.#closing.signal, signal]),
      fetch: (url, init) => this.#fetch(url, init),
    };
    this.suspends = context.canSuspend;
    this.#network = context.canSuspend ? null : this.#located(context.network());
    this.writes = new ObjectWrites(transport, context.scratch, {
      current: () => this.#state,
      load: () => this.#load(),
      accept: state => this.#accept(state),
      keep: (name, file) => this.#files.set(name, file),
    });
  }

  /**
   * Reads the manifest and opens every file that it lists.
   *
   * @throws HostFailure or FileFault
   */
  static async open(transport: ObjectTransport, context: RemoteContext): Promise<ObjectDirectory> {
    const cache = await RemoteCache.open(context.openCache, context.cacheBytes);
    const directory = new ObjectDirectory(transport, context, cache);
    try {
      directory.#accept(await directory.#load());
    } catch (error) {
      await directory.close();
      throw error;
    }
    return directory;
  }

  open(path: string): HostFile | null {
    const { manifest } = this.#state;
    if (path === 'manifest') return manifest === null ? null : new MemoryFile(new TextEncoder().encode(manifest));
    return this.#files.get(path) ?? null;
  }

  async openLater(path: string): Promise<HostFile | null> {
    return this.open(path);
  }

  list(path: string): string[] {
    if (path !== '' && path !== '.') return [];
    return [...(this.#state.manifest === null ? [] : ['manifest']), ...this.#files.keys()];
  }

  interrupt(): void {
    this.#interrupts.all();
  }

  close(): Promise<void> {
    this.#closing.abort();
    this.#network?.close();
    this.writes.close();
    return this.#cache.close();
  }

  /** Reads the manifest anew, and opens the files that are new in it. */
  async #load(): Promise<RemoteState> {
    for (let tried = 1; ; tried++) {
      const state = await this.#transport.read();
      if ((state.manifest?.length ?? 0) > MANIFEST_BYTES_MAX) {
        throw new FileFault('host', `${this.#transport.url}: its manifest is larger than ${MANIFEST_BYTES_MAX} bytes`);
      }
      // The addresses are good for files of the manifest before, too.
      this.#state = { ...this.#state, addresses: new Map([...this.#state.addresses, ...state.addresses]) };
      await this.#openListed(state);
      const isCurrent = !state.addresses.has(JOURNAL_ID) || (await this.#transport.read()).manifest === state.manifest;
      if (isCurrent && this.#hasAll(state)) return state;
      // A journal that came later may have a root whose file is not listed here yet; and native Dolt merges files, and removes them.
      if (tried >= LOADS_MAX) {
        throw new FileFault('host', `${this.#transport.url} changes constantly, or lists missing files: try again`);
      }
    }
  }

  async #openListed({ addresses }: RemoteState): Promise<void> {
    const isNew = (name: string): boolean =>
      [name, name.slice(0, 32), `${name}.darc`].every(known => !this.#files.has(known));
    const names = [...addresses.keys()].filter(name => name === JOURNAL_ID || isNew(name));
    const open = async (): Promise<void> => {
      for (let name = names.shift(); name !== undefined; name = names.shift()) {
        const file = name === JOURNAL_ID ? await this.#openJournal() : await this.#openFile(name);
        if (file !== null) this.#files.set(name, file);
      }
    };
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, open));
  }

  /** Whether each listed file is there, under one of its names. */
  #hasAll({ addresses }: RemoteState): boolean {
    const ids = new Set([...addresses.keys()].map(name => name.slice(0, 32)));
    return [...ids].every(id => this.#files.has(id) || this.#files.has(`${id}.darc`));
  }

  #accept(state: RemoteState): void {
    this.#state = state;
    if (!state.addresses.has(JOURNAL_ID)) this.#files.delete(JOURNAL_ID);
  }

  async #openFile(name: string): Promise<HostFile | null> {
    const url = this.#urlOf(name);
    const { traffic } = this.#context;
    const cached = await this.#cache.findContent(name);
    let length = cached?.length;
    if (length === undefined) {
      // Sealed addresses take only ranges that lie inside the file, whose length comes with this answer.
      const limit = { partBytes: 1, wholeBytes: WHOLE_BYTES_MAX, isBeginningEnough: false };
      const answer = interpret(url, await get(url, 'bytes=0-0', 'immutable', traffic, limit, this.#options));
      if (answer.kind === 'absent') return null;
      if (answer.kind === 'whole') return new MemoryFile(answer.bytes);
      if (answer.kind === 'unplaced')
        throw new FileFault('host', `${url}: the server does not tell the length of the file (Content-Range)`);
      length = answer.total;
    }
    const kept = cached ?? (await this.#cache.fileFor(name, url, length, null));
    const file = new RemoteFile(
      url,
      length,
      this.#network,
      traffic,
      this.#interrupts,
      this.#options,
      kept,
      this.#speed,
    );
    await file.bringEnd();
    return file;
  }

  /** A journal grows while it is read, and is scanned as a whole in any case. */
  async #openJournal(): Promise<HostFile | null> {
    const url = this.#urlOf(JOURNAL_ID);
    const limit = wholeLimit(WHOLE_BYTES_MAX);
    const answer = interpret(url, await get(url, null, 'mutable', this.#context.traffic, limit, this.#options));
    return answer.kind === 'whole' ? new MemoryFile(answer.bytes) : null;
  }

  /** What a file is called here, whatever its address is at present. */
  #urlOf(name: string): string {
    return `${this.#transport.url.replace(/[?#].*$/, '').replace(/\/*$/, '')}/${name}`;
  }

  #addressOf(url: string): string {
    const address = this.#state.addresses.get(url.slice(url.lastIndexOf('/') + 1));
    if (address === undefined) throw new FileFault('gone', `${url} is no longer listed`);
    return address;
  }

  async #fetch(url: string, init: RequestInit): Promise<GetResponse> {
    if (this.#transport.isExpiring) await this.#renew();
    const { fetch = globalThis.fetch } = this.#context.options;
    return fetch(this.#addressOf(url), init);
  }

  /** Gets addresses anew; the manifest stays as it is. */
  #renew(): Promise<void> {
    this.#renewal ??= this.#transport
      .read()
      .then(({ addresses }) => {
        this.#state = { ...this.#state, addresses: new Map([...this.#state.addresses, ...addresses]) };
      })
      .finally(() => {
        this.#renewal = null;
      });
    return this.#renewal;
  }

  /** A network that knows where files are. Its caller blocks, so that addresses are renewed when it returns to the event loop. */
  #located(network: BlockingNetwork): BlockingNetwork {
    return {
      isParallel: network.isParallel,
      ask: (url, range, traffic, limit) => {
        if (this.#transport.isExpiring) void this.#renew().catch(() => {});
        return network.ask(this.#addressOf(url), range, traffic, limit);
      },
      close: () => network.close(),
    };
  }
}

/** What a write side does with the directory. */
interface Written {
  current(): RemoteState;
  load(): Promise<RemoteState>;
  accept(state: RemoteState): void;
  keep(name: string, file: HostFile): void;
}

class ObjectWrites extends UploadWrites {
  readonly #transport: ObjectTransport;
  readonly #directory: Written;
  /** What was uploaded is read from here. */
  readonly #uploaded = new Map<string, Draft>();
  #loading: Promise<void> | null = null;
  #refusal: FileFault | null = null;
  #isTaken = false;
  #term = 0;

  constructor(transport: ObjectTransport, scratch: () => HostFile, directory: Written) {
    super(scratch);
    this.#transport = transport;
    this.#directory = directory;
  }

  get term(): number {
    return this.#isTaken ? this.#term : 0;
  }

  override rename(from: string, to: string): void {
    if (this.#uploaded.has(to)) this.remove(from);
    else super.rename(from, to);
  }

  /**
   * There is no lock: the manifest is read anew, and replaced only while it is the one that was read. While the outcome of a rename waits to
   * be taken it is not read again: the caller comes back with what it began on.
   */
  take(): boolean {
    const refusal = this.#refusal;
    this.#refusal = null;
    if (refusal !== null) throw refusal;
    if (!this.#isTaken && this.hasOutcome) this.#begin();
    if (!this.#isTaken) this.#loading ??= this.#load();
    return this.#isTaken;
  }

  claim(): boolean {
    return this.take();
  }

  release(): void {
    this.#isTaken = false;
  }

  override close(): void {
    super.close();
    for (const file of this.#uploaded.values()) file.free();
    this.#uploaded.clear();
  }

  protected async granted(): Promise<void> {
    await this.#loading;
  }

  protected async put(path: string, file: Draft): Promise<Uploaded> {
    if (path === MANIFEST) return this.#replace(manifestOf(file));
    await this.#transport.upload(path, file);
    return () => {
      this.#uploaded.set(path, file);
      this.#directory.keep(path, file);
      return true;
    };
  }

  async #load(): Promise<void> {
    try {
      this.#directory.accept(await this.#directory.load());
      this.#begin();
    } catch (error) {
      this.#refusal = asFault(error);
    } finally {
      this.#loading = null;
    }
  }

  #begin(): void {
    this.#isTaken = true;
    this.#term++;
  }

  async #replace(manifest: string): Promise<Uploaded> {
    if (!(await this.#transport.replace(manifest, this.#directory.current())))
      throw new FileFault('moved', `${this.#transport.url} was changed by another writer`);
    const next = await this.#directory.load();
    return () => {
      // Another writer may have been faster than the read: its manifest is not replaced unread.
      this.#directory.accept(next.manifest === manifest ? next : { ...next, manifest, version: null });
      return false;
    };
  }
}

/** The bytes of a file, to be sent with one request. */
export function blobOf(file: HostFile, start = 0, end = file.length): Blob {
  return new Blob([...piecesOf(file, start, end)]);
}
