/** The files of a remote that a lazy clone reads: from the cache on disk, and the remote where something is not there. */
import { type ByteRange, FileFault, type HostDirectory, type HostFile } from '../files/file.ts';
import { Interrupts } from '../files/interrupts.ts';
import { subtractRanges } from '../files/remote/ranges.ts';
import { type CachedFile, RemoteCache } from '../files/remote/remote_cache.ts';
import { REMOTE_PAGE_BYTES } from '../files/remote/remote_file.ts';
import { asFault, type Traffic } from '../files/source.ts';
import type { OpenedRemote, RemoteContext, RemoteRequest } from './remote_types.ts';

type Connect = (request: RemoteRequest, context: RemoteContext) => Promise<OpenedRemote>;

interface PinnedList {
  readonly url: string;
  readonly user: string | null;
  /** Lengths by path. */
  readonly lengths: ReadonlyMap<string, number>;
}

/**
 * Opens the files that a list names. Where the engine can be suspended, the remote is asked for nothing before something is not in the cache;
 * elsewhere it is opened now, and where that fails what is in the cache can be read.
 */
export async function openPinned(text: string, context: RemoteContext, connect: Connect): Promise<OpenedRemote> {
  const list = parseList(text);
  const isLocal = /^(file|opfs):/i.test(list.url);
  const directory = new PinnedDirectory(list, context.canSuspend && !isLocal, context.traffic, () =>
    connect({ url: list.url, user: list.user, create: false }, context),
  );
  if (directory.suspends) await directory.useCache(context);
  else if (!(await directory.tryToConnect()) && !isLocal) await directory.useCache(context);
  return {
    directory,
    interrupt: () => directory.interrupt(),
    close: () => directory.close(),
  };
}

/** docs/format/store.md, section 7.6; the engine has looked at it before. */
function parseList(text: string): PinnedList {
  let [url, user]: [string, string | null] = ['', null];
  const lengths = new Map<string, number>();
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    const rest = line.slice(space + 1);
    if (line.startsWith('url ')) url = rest;
    else if (line.startsWith('user ')) user = rest;
    else if (line.startsWith('file ')) {
      const [path = '', , bytes] = rest.split(' ');
      lengths.set(path, Number(bytes));
    }
  }
  return { url, user, lengths };
}

class PinnedDirectory implements HostDirectory {
  readonly suspends: boolean;
  readonly isRemote = true;
  readonly #list: PinnedList;
  readonly #traffic: Traffic;
  readonly #connect: () => Promise<OpenedRemote>;
  readonly #files = new Map<string, PinnedFile>();
  readonly #interrupts = new Interrupts();
  #cache: RemoteCache | null = null;
  #remote: OpenedRemote | null = null;
  #connecting: Promise<OpenedRemote> | null = null;
  #failure: unknown = null;
  #isClosed = false;

  constructor(list: PinnedList, suspends: boolean, traffic: Traffic, connect: () => Promise<OpenedRemote>) {
    this.#list = list;
    this.suspends = suspends;
    this.#traffic = traffic;
    this.#connect = connect;
  }

  async useCache({ openCache, cacheBytes }: RemoteContext): Promise<void> {
    const { url, lengths } = this.#list;
    this.#cache = await RemoteCache.open(openCache, cacheBytes);
    for (const [path, length] of lengths) {
      this.#fileAt(path)?.useCache(await this.#cache.fileFor(path, url, length, null));
    }
  }

  async tryToConnect(): Promise<boolean> {
    return this.connected().then(
      () => true,
      () => false,
    );
  }

  /** The remote. One that could not be opened is tried again the next time. */
  connected(): Promise<OpenedRemote> {
    if (this.#remote !== null) return Promise.resolve(this.#remote);
    this.#connecting ??= this.#connect()
      .then(async remote => {
        this.#remote = remote;
        if (this.#isClosed) await remote.close();
        // Where nothing can be waited for later, all of them are opened now.
        else if (!this.suspends) await this.#findAll();
        return remote;
      })
      .catch(error => {
        this.#failure = error;
        throw error;
      })
      .finally(() => {
        this.#connecting = null;
      });
    return this.#connecting;
  }

  open(path: string): HostFile | null {
    return this.#fileAt(path);
  }

  list(path: string): string[] {
    return path === '' || path === '.' ? [...this.#list.lengths.keys()] : [];
  }

  interrupt(): void {
    this.#interrupts.all();
    this.#remote?.interrupt?.();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cache?.close();
    await this.#remote?.close();
  }

  /** One that is not there does not keep the others away. */
  async #findAll(): Promise<void> {
    const finding = [...this.#list.lengths.keys()].map(path => this.#fileAt(path)?.find());
    const failed = (await Promise.allSettled(finding)).find(outcome => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #fileAt(path: string): PinnedFile | null {
    const length = this.#list.lengths.get(path);
    if (length === undefined) return null;
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const file = new PinnedFile(path, length, this.#traffic, {
      connected: () => this.#interrupts.orElse(this.connected()),
      unconnected: () => {
        void this.tryToConnect();
        return asFault(this.#failure ?? new Error('it is not open yet'));
      },
    });
    this.#files.set(path, file);
    return file;
  }
}

/** What a file knows of its remote. */
interface Connection {
  connected(): Promise<OpenedRemote>;
  /** Why there is none. */
  unconnected(): FileFault;
}

class PinnedFile implements HostFile {
  readonly pageBytes = REMOTE_PAGE_BYTES;
  readonly length: number;
  readonly #path: string;
  readonly #traffic: Traffic;
  readonly #connection: Connection;
  #cached: CachedFile | null = null;
  /** In the remote, once it is open. */
  #file: HostFile | null = null;
  /** Announced before the remote was open. */
  #wanted: ByteRange[] = [];

  constructor(path: string, length: number, traffic: Traffic, connection: Connection) {
    this.#path = path;
    this.length = length;
    this.#traffic = traffic;
    this.#connection = connection;
  }

  useCache(cached: CachedFile | null): void {
    this.#cached = cached;
  }

  read(offset: number, dest: Uint8Array): void {
    if (this.#file === null && this.#readCached(offset, dest)) return;
    if (this.#file === null) throw this.#connection.unconnected();
    this.#file.read(offset, dest);
  }

  readLater(offset: number, length: number, dest: () => Uint8Array): Promise<void> | undefined {
    if (this.#file !== null) return readOf(this.#file, offset, length, dest);
    if (this.#readCached(offset, dest())) return undefined;
    return this.find().then(file => readOf(file, offset, length, dest));
  }

  willNeed(ranges: readonly ByteRange[]): void {
    if (this.#file === null) this.#wanted.push(...ranges.filter(range => this.#lacks(range)));
    else this.#file.willNeed?.(ranges);
  }

  renew(range: ByteRange): void {
    if (this.#file === null) this.#cached?.drop(range);
    else this.#file.renew?.(range);
  }

  /** The file in the remote. @throws FileFault where it is not the one that was cloned. */
  async find(): Promise<HostFile> {
    if (this.#file !== null) return this.#file;
    const { directory } = await this.#connection.connected();
    const file = (await directory.openLater?.(this.#path)) ?? directory.open(this.#path);
    if (file === null) throw new FileFault('gone', `${this.#path} no longer exists`);
    if (file.length !== this.length) {
      throw new FileFault('host', `it has ${file.length} bytes and not the ${this.length} that were cloned`);
    }
    this.#file = file;
    if (this.#wanted.length > 0) file.willNeed?.(this.#wanted);
    this.#wanted = [];
    return file;
  }

  release(): void {}

  close(): void {}

  #lacks(range: ByteRange): boolean {
    return this.#cached === null || subtractRanges(range, this.#cached.parts(range)).length > 0;
  }

  #readCached(offset: number, dest: Uint8Array): boolean {
    const range = { start: offset, end: offset + dest.length };
    if (this.#lacks(range)) return false;
    let filled = 0;
    this.#cached?.read(range, (start, bytes) => {
      const part = bytes.subarray(Math.max(0, offset - start), Math.max(0, range.end - start));
      dest.set(part, Math.max(0, start - offset));
      filled += part.length;
    });
    if (filled < dest.length) return false;
    this.#traffic.cachedBytes += filled;
    return true;
  }
}

function readOf(file: HostFile, offset: number, length: number, dest: () => Uint8Array): Promise<void> | undefined {
  if (file.readLater !== undefined) return file.readLater(offset, length, dest);
  file.read(offset, dest());
  return undefined;
}
