/** The functions that the engine imports: files, clock, random numbers, waits. */
import { bitsOf, DIRECTORY_TRAIT, REFUSAL, WISH } from '../../protocol/index.ts';
import {
  type ByteRange,
  type DirectoryWrites,
  FileFault,
  type FileWrites,
  type HostDirectory,
  type HostFile,
} from '../files/file.ts';
import { fetchAsset } from '../files/remote/xhr.ts';
import { MemoryScratchStore, Scratch } from '../files/scratch.ts';
import type { LocalFiles } from '../local_files.ts';
import type { Siblings } from '../siblings.ts';
import { Deferred } from './deferred.ts';
import { Regexes } from './regexes.ts';
import { type RemoteFigure, unsigned, type Wish } from './wasm_exports.ts';
import { zoneOffsetSeconds } from './zones.ts';

/** The answer of a call that has no number to give. */
function refused(why: keyof typeof REFUSAL): number {
  return -1 - REFUSAL[why];
}

const OK = 0;
const UNKNOWN_ZONE = -(2 ** 31);

/** Functions and operators of regular expressions. */
const MENTIONS_REGEX = /regexp|rlike/i;

/** So far apart the two clocks of the platform are of one opinion. */
const CLOCKS_APART_MS = 1000;

/**
 * What the engine calls: files by number, clock, randomness. One per thread, since the wasm module is one per thread.
 * Messages of faults and directory listings are left for the engine to take with `text`.
 */
export class HostImports {
  readonly #directories: (HostDirectory | null)[] = [];
  readonly #siblingsOf = new WeakMap<HostDirectory, Siblings>();
  readonly #files: (HostFile | null)[] = [];
  /** Directories in which the engine may have the right to write. */
  readonly #taken = new Set<number>();
  #memory: WebAssembly.Memory | null = null;
  #text: Uint8Array = new Uint8Array();
  #originMs = performance.timeOrigin;
  /** The last words of a panicking engine. */
  panicMessage: string | null = null;
  /** Reads a file that is beside the engine, at once. */
  readAsset: (address: URL) => Uint8Array = fetchAsset;
  /** Where the module of regular expressions is: beside the engine, which says so when it is connected. */
  regexModule: URL | null = null;
  readonly regexes = new Regexes(
    () => {
      if (this.regexModule === null) throw new Error('the engine does not say where its module is');
      return this.readAsset(this.regexModule);
    },
    () => this.wish() !== WISH.end,
  );
  readonly deferred = new Deferred(address => this.readAsset(address));
  /** Whether files beside the engine come from the network, so that it is better not to block for them. */
  fetchesAssets = true;
  /** Where temporary files lie; in memory until the thread has something better. */
  scratch = new Scratch(new MemoryScratchStore());
  /** Those of the statement that begins now. */
  localFiles: LocalFiles | null = null;
  /** What the statement that the engine works on is to do: asked within calls. */
  wish: () => Wish = () => WISH.goOn;
  /** What its session has cost of the network: a figure by its number. */
  remoteFigure: RemoteFigure = () => 0;

  /** The exports of the core that calls. */
  set core(exports: { readonly memory: WebAssembly.Memory }) {
    this.#memory = exports.memory;
    this.deferred.core = exports;
  }

  /** Its number; the same one when it comes again. @param siblings makes and removes databases beside this one. */
  addDirectory(directory: HostDirectory, siblings: Siblings): number {
    this.#siblingsOf.set(directory, siblings);
    const known = this.#directories.indexOf(directory);
    return known < 0 ? place(this.#directories, directory) : known;
  }

  /** Those of a source: of the databases that it had, and of those that were made beside them. */
  removeDirectories(siblings: Siblings): void {
    for (const [number, directory] of this.#directories.entries()) {
      if (directory !== null && this.#siblingsOf.get(directory) === siblings) this.#directories[number] = null;
    }
  }

  /** The engine has died: closes its files, as they are, and gives back the right to write where it had it. */
  abandon(): void {
    for (const file of this.#files.keys()) this.close(file);
    for (const directory of this.#taken) this.releaseLock(directory);
  }

  /**
   * The modules to load before a statement begins. Where its text does not tell (a view, a trigger, a CHECK, a script), the thread
   * blocks for them at their first use.
   */
  loadingFor(sql: string): Promise<void> | null {
    if (!this.fetchesAssets) return null;
    return this.deferred.loadingFor(sql) ?? this.#loadingRegexes(sql);
  }

  #loadingRegexes(sql: string): Promise<void> | null {
    const { module } = this.regexes;
    const address = this.regexModule;
    if (!module.isPending || address === null || !MENTIONS_REGEX.test(sql)) return null;
    return module.load(() => WebAssembly.compileStreaming(fetch(address)));
  }

  /** Bits of DIRECTORY_TRAIT. */
  readonly traits = (directory: number): number => {
    const found = this.#directory(directory);
    const { suspends, isRemote, writes } = found;
    const asserts = this.#siblingsOf.get(found)?.remotes.assertsWorkingSet(found) ?? false;
    return bitsOf(DIRECTORY_TRAIT, {
      suspends,
      isRemote,
      isWritable: writes !== undefined,
      assertsWorkingSet: asserts,
    });
  };

  readonly open = (directory: number, path: number, pathLength: number): number => {
    try {
      return this.#placed(this.#directory(directory).open(this.#string(path, pathLength)));
    } catch (error) {
      return this.#fault(error);
    }
  };

  readonly openLater = async (directory: number, path: number, pathLength: number): Promise<number> => {
    try {
      const found = this.#directory(directory);
      const name = this.#string(path, pathLength);
      return this.#placed(await (found.openLater?.(name) ?? found.open(name)));
    } catch (error) {
      return this.#fault(error);
    }
  };

  /** Length of the listing, one name a line, to be taken with `text`. */
  readonly list = (directory: number, path: number, pathLength: number): number => {
    try {
      const names = this.#directory(directory).list(this.#string(path, pathLength));
      if (names === null) return refused('absent');
      this.#say(names.join('\n'));
      return this.#text.length;
    } catch (error) {
      return this.#fault(error);
    }
  };

  readonly length = (file: number): number => this.#file(file).length;

  readonly pageBytes = (file: number): number => this.#file(file).pageBytes;

  readonly read = (file: number, offset: number, dest: number, length: number): number => {
    try {
      this.#file(file).read(offset, this.#bytes(dest, length));
      return OK;
    } catch (error) {
      return this.#fault(error);
    }
  };

  /** A number where the bytes are here: the engine's stack is then not suspended. */
  readonly readLater = (file: number, offset: number, dest: number, length: number): number | Promise<number> => {
    try {
      const found = this.#file(file);
      const memory = (): Uint8Array => this.#bytes(dest, length);
      const reading =
        found.readLater === undefined ? found.read(offset, memory()) : found.readLater(offset, length, memory);
      return reading === undefined
        ? OK
        : reading.then(
            () => OK,
            error => this.#fault(error),
          );
    } catch (error) {
      return this.#fault(error);
    }
  };

  /** `ranges` points at pairs of doubles: start and end. */
  readonly willNeed = (file: number, ranges: number, count: number): void => {
    const found = this.#file(file);
    if (found.willNeed === undefined) return;
    const view = new DataView(this.#buffer());
    const wanted: ByteRange[] = [];
    for (let at = unsigned(ranges); wanted.length < count; at += 16) {
      wanted.push({ start: view.getFloat64(at, true), end: view.getFloat64(at + 8, true) });
    }
    found.willNeed(wanted);
  };

  /** The bytes of this range are wrong. */
  readonly renew = (file: number, start: number, end: number): void => this.#files[file]?.renew?.({ start, end });

  readonly temporary = (): number => this.#placed(this.scratch.open());

  readonly openLocal = (name: number, length: number): number => {
    try {
      return this.#placed(this.localFiles?.take(this.#string(name, length)) ?? null);
    } catch (error) {
      return this.#fault(error);
    }
  };

  readonly close = (file: number): void => {
    this.#files[file]?.release?.();
    this.#files[file] = null;
  };

  readonly write = (file: number, offset: number, bytes: number, length: number): number =>
    this.#done(() => this.#fileWrites(file).write(offset, this.#bytes(bytes, length)));

  readonly truncate = (file: number, length: number): number =>
    this.#done(() => this.#fileWrites(file).truncate(length));

  readonly flush = (file: number): number => this.#done(() => this.#fileWrites(file).flush());

  readonly create = (directory: number, path: number, pathLength: number): number => {
    try {
      return this.#placed(this.#directoryWrites(directory).create(this.#string(path, pathLength)));
    } catch (error) {
      return this.#fault(error);
    }
  };

  readonly rename = (directory: number, from: number, fromLength: number, to: number, toLength: number): number =>
    this.#done(() =>
      this.#directoryWrites(directory).rename(this.#string(from, fromLength), this.#string(to, toLength)),
    );

  readonly remove = (directory: number, path: number, pathLength: number): number =>
    this.#done(() => this.#directoryWrites(directory).remove(this.#string(path, pathLength)));

  /** Asked at the start of every statement. */
  readonly news = (directory: number): number => this.#directories[directory]?.writes?.news ?? -1;

  /** The directory of a new database beside another. */
  readonly createDatabase = (beside: number, name: number, nameLength: number): number => {
    try {
      return this.addDirectory(this.#siblings(beside).create(this.#string(name, nameLength)), this.#siblings(beside));
    } catch (error) {
      return this.#fault(error);
    }
  };

  readonly removeDatabase = (beside: number, name: number, nameLength: number, forGood: number): number =>
    this.#done(() => this.#siblings(beside).remove(this.#string(name, nameLength), forGood !== 0));

  /** Names of databases that were removed and can be brought back, one a line, to be taken with `text`. */
  readonly removedDatabases = (beside: number): number =>
    this.#done(() => this.#say(this.#siblings(beside).removed().join('\n')));

  /** The directory of one of them; its own name is left for `text`. */
  readonly restoreDatabase = (beside: number, name: number, nameLength: number): number => {
    try {
      const restored = this.#siblings(beside).restore(this.#string(name, nameLength));
      if (restored === null) return refused('absent');
      this.#say(restored.name);
      return this.addDirectory(restored.directory, this.#siblings(beside));
    } catch (error) {
      return this.#fault(error);
    }
  };

  readonly purgeDatabases = (beside: number): number => this.#done(() => this.#siblings(beside).purge());

  /** The directory of a remote. An empty user is none; `create` makes a remote that is not there. */
  readonly openRemote = (
    beside: number,
    url: number,
    urlLength: number,
    user: number,
    userLength: number,
    create: number,
  ): number => {
    try {
      const siblings = this.#siblings(beside);
      const name = this.#string(user, userLength);
      const directory = siblings.remotes.open({
        url: this.#string(url, urlLength),
        user: name === '' ? null : name,
        create: create !== 0,
      });
      return this.addDirectory(directory, siblings);
    } catch (error) {
      return this.#fault(error);
    }
  };

  /** The directory of the files that a lazy clone lists. */
  readonly openPinned = (beside: number, list: number, length: number): number => {
    try {
      const siblings = this.#siblings(beside);
      const pinned = this.#string(list, length);
      return this.addDirectory(
        siblings.remotes.open({ url: urlIn(pinned), user: null, create: false, pinned }),
        siblings,
      );
    } catch (error) {
      return this.#fault(error);
    }
  };

  /** The engine is done with a remote. */
  readonly closeRemote = (directory: number): void => {
    const found = this.#directories[directory];
    if (!found) return;
    this.releaseLock(directory);
    this.#directories[directory] = null;
    this.#siblingsOf.get(found)?.remotes.release(found);
  };

  readonly takeLock = (directory: number): number => {
    try {
      const writes = this.#directoryWrites(directory);
      // Taken, and found to be lost at once: it has been asked for again.
      if (!writes.take() || writes.term === 0) return refused('wait');
      this.#taken.add(directory);
      return writes.term ?? 0;
    } catch (error) {
      return this.#fault(error);
    }
  };

  readonly claimLock = (directory: number): number => {
    try {
      return this.#directoryWrites(directory).claim() ? 0 : refused('wait');
    } catch (error) {
      return this.#fault(error);
    }
  };

  /** Before anything is written: whether the lock is still the one that was taken. */
  readonly lockTerm = (directory: number): number => this.#directories[directory]?.writes?.term ?? 0;

  readonly releaseLock = (directory: number): void => {
    this.#taken.delete(directory);
    this.#directories[directory]?.writes?.release();
  };

  readonly textLength = (): number => this.#text.length;

  readonly text = (dest: number): void => {
    this.#bytes(dest, this.#text.length).set(this.#text);
  };

  /**
   * Milliseconds since 1970, with as much of a fraction as the platform tells. The clock that tells it stands still while the machine
   * sleeps, and is not set when the other one is.
   */
  readonly now = (): number => {
    const fine = this.#originMs + performance.now();
    const coarse = Date.now();
    if (Math.abs(coarse - fine) < CLOCKS_APART_MS) return fine;
    this.#originMs += coarse - fine;
    return coarse;
  };

  /** Forgets what the clock said before, for another clock that takes its place. */
  resetClock(): void {
    this.#originMs = performance.timeOrigin;
  }

  readonly random = (dest: number, length: number): void => {
    // A copy: random bytes cannot be written into memory that might be shared.
    this.#bytes(dest, length).set(crypto.getRandomValues(new Uint8Array(length)));
  };

  readonly zoneOffset = (zone: number, length: number, epochSeconds: number): number =>
    zoneOffsetSeconds(this.#string(zone, length), epochSeconds) ?? UNKNOWN_ZONE;

  /** Its number, with the names of its groups to be taken with `text`; below 0 why there is none. */
  readonly compileRegex = (pattern: number, length: number, flags: number): number =>
    this.#regexAnswer(() => this.regexes.compile(this.#bytes(pattern, length), flags));

  readonly regexBytes = (regex: number): number => this.regexes.bytesOf(regex);

  readonly beginRegex = (regex: number, text: number, length: number, steps: number, stackBytes: number): number =>
    this.#regexAnswer(() => this.regexes.begin(regex, this.#bytes(text, length), unsigned(steps), stackBytes));

  /** The number of matches, with places to be taken with `text`. */
  readonly findRegex = (regex: number, start: number, limit: number, wanted: number): number =>
    this.#regexAnswer(() => this.regexes.find(regex, start, limit, wanted));

  readonly regexStepsLeft = (): number => this.regexes.stepsLeft();

  readonly closeRegex = (regex: number): void => this.regexes.close(regex);

  /** Length of the weights of further collations, to be taken with `text`; -1 where they cannot be had. */
  readonly loadCollations = (address: URL): number => {
    try {
      this.#text = this.readAsset(address);
      return this.#text.length;
    } catch {
      return -1;
    }
  };

  readonly panic = (message: number, length: number): void => {
    this.panicMessage = this.#string(message, length);
  };

  /** Leaves words for the engine to take with `text`. */
  #say(words: string): void {
    this.#text = new TextEncoder().encode(words);
  }

  #directory(directory: number): HostDirectory {
    const found = this.#directories[directory];
    if (!found) throw new FileFault('gone', 'The directory is closed');
    return found;
  }

  #file(file: number): HostFile {
    const found = this.#files[file];
    if (!found) throw new FileFault('gone', 'The file is closed');
    return found;
  }

  #siblings(directory: number): Siblings {
    const siblings = this.#siblingsOf.get(this.#directory(directory));
    if (siblings === undefined) throw new FileFault('read_only', 'No database can be made here');
    return siblings;
  }

  #fileWrites(file: number): FileWrites {
    const { writes } = this.#file(file);
    if (writes === undefined) throw new FileFault('read_only', 'The file can only be read');
    return writes;
  }

  #directoryWrites(directory: number): DirectoryWrites {
    const { writes } = this.#directory(directory);
    if (writes === undefined) throw new FileFault('read_only', 'The database can only be read');
    return writes;
  }

  #done(work: () => void): number {
    try {
      work();
      return OK;
    } catch (error) {
      return this.#fault(error);
    }
  }

  #placed(file: HostFile | null): number {
    return file === null ? refused('absent') : place(this.#files, file);
  }

  #fault(error: unknown): number {
    const fault = error instanceof FileFault ? error : new FileFault('host', String(error));
    this.#say(fault.message);
    return refused(fault.kind);
  }

  #regexAnswer(work: () => number): number {
    const answer = work();
    this.#text = this.regexes.said;
    return answer;
  }

  #buffer(): ArrayBuffer {
    if (this.#memory === null) throw new Error('the engine has no memory yet');
    return this.#memory.buffer as ArrayBuffer;
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#buffer(), unsigned(at), length);
  }

  #string(at: number, length: number): string {
    return new TextDecoder().decode(this.#bytes(at, length));
  }
}

/** The URL in the list of a lazy clone (docs/format/store.md, section 7.6). */
function urlIn(list: string): string {
  return /^url (.*)$/m.exec(list)?.[1] ?? '';
}

/** Puts a thing into the first free place and gives its number. */
function place<T>(places: (T | null)[], thing: T): number {
  const free = places.indexOf(null);
  if (free < 0) return places.push(thing) - 1;
  places[free] = thing;
  return free;
}
