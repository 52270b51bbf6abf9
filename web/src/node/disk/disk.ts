/** Database directories on disk. */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseShell, emptyDatabase } from '../../host/files/empty_database.ts';
import type { DirectoryWrites, HostDirectory, HostFile } from '../../host/files/file.ts';
import { NOTHING, openPortable } from '../../host/files/portable_source.ts';
import {
  checkDatabaseName,
  type DroppedDatabases,
  HostFailure,
  hostFailure,
  inAnyCase,
  inTheWay,
  missingStore,
  nameOfEarlier,
  type OpenContext,
  type OpenedSource,
  ownStorage,
  readOnlyStorage,
  type SourceDatabase,
} from '../../host/files/source.ts';
import { DROPPED } from '../../host/files/tree.ts';
import type { Storage } from '../../protocol/index.ts';
import { flushDirectory } from './aside.ts';
import { createTogether } from './create_together.ts';
import { databasesIn, isDatabase, isLeft, isUnfinished, MANIFEST, markText, UNFINISHED_MARK } from './databases_in.ts';
import { DiskFile, diskFault } from './disk_file.ts';
import { DiskLease } from './disk_lease.ts';
import { reasonNotToLock } from './file_lock.ts';

/** A database directory on the disk; files are opened when the engine asks and closed with the directory. */
export class DiskDirectory implements HostDirectory {
  readonly suspends = false;
  readonly isRemote = false;
  readonly writes?: DirectoryWrites;
  readonly #path: string;
  readonly #files = new Set<DiskFile>();

  /**
   * @param writing who hears that something was written, and how long the lock is waited for; null to write nothing.
   * @param lock the file that native Dolt locks, in the directory.
   */
  constructor(path: string, writing: Writing | null, lock = LOCK) {
    this.#path = path;
    if (writing !== null) this.writes = new DiskWrites(path, lock, writing, (file, mode) => this.#open(file, mode));
  }

  open(path: string): HostFile | null {
    const found = join(this.#path, path);
    try {
      if (!statSync(found).isFile()) return null;
      return this.#open(found, this.writes === undefined ? 'r' : 'r+');
    } catch (error) {
      if (isAbsence(error)) return null;
      throw error;
    }
  }

  list(path: string): string[] {
    try {
      return readdirSync(join(this.#path, path));
    } catch (error) {
      if (isAbsence(error)) return [];
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const file of [...this.#files]) file.close();
    await (this.writes as DiskWrites | undefined)?.close();
  }

  #open(path: string, mode: 'r' | 'r+' | 'w+'): DiskFile {
    const file = new DiskFile(path, mode, closed => this.#files.delete(closed));
    this.#files.add(file);
    return file;
  }
}

/** The file that native Dolt locks, of a database. */
const LOCK = '.dolt/noms/LOCK';

type Writing = Pick<OpenContext, 'lockTimeoutMs' | 'onMoved'>;

class DiskWrites implements DirectoryWrites {
  /** Any process may write, native Dolt for one, and none of them tells. */
  readonly news = null;
  readonly #lease: DiskLease;
  readonly #path: string;
  readonly #writing: Writing;
  readonly #open: (path: string, mode: 'w+') => HostFile;
  /** Files that were made since the last rename. */
  readonly #created = new Set<string>();
  #isUnfinished: boolean;

  constructor(path: string, lock: string, writing: Writing, open: (path: string, mode: 'w+') => HostFile) {
    this.#path = path;
    this.#writing = writing;
    this.#open = open;
    this.#lease = new DiskLease(join(path, lock), writing.lockTimeoutMs);
    this.#isUnfinished = existsSync(join(path, UNFINISHED_MARK));
  }

  create(path: string): HostFile {
    return this.#try(() => {
      const found = join(this.#path, path);
      const made = mkdirSync(dirname(found), { recursive: true });
      for (let at = dirname(found); made !== undefined && at.length >= made.length; at = dirname(at))
        flushDirectory(dirname(at));
      this.#created.add(found);
      return this.#open(found, 'w+');
    });
  }

  rename(from: string, to: string): void {
    this.#try(() => {
      const [source, target] = [join(this.#path, from), join(this.#path, to)];
      // New files have their names on the disk before a manifest that lists them has its own.
      this.#created.delete(source);
      for (const directory of new Set([...this.#created].map(dirname))) flushDirectory(directory);
      this.#created.clear();
      renameSync(source, target);
      flushDirectory(dirname(target));
      // With its first manifest a database is whole.
      if (to === MANIFEST && this.#isUnfinished) this.#finish(dirname(target));
    });
  }

  /** Makes the new files last, and takes the mark of an unfinished database away. */
  #finish(store: string): void {
    this.#isUnfinished = false;
    flushDirectory(dirname(store));
    rmSync(join(this.#path, UNFINISHED_MARK), { force: true });
    flushDirectory(this.#path);
  }

  remove(path: string): void {
    this.#try(() => {
      this.#created.delete(join(this.#path, path));
      rmSync(join(this.#path, path), { force: true });
    });
  }

  take(): boolean {
    return this.#lease.take();
  }

  get term(): number {
    return this.#lease.term;
  }

  claim(): boolean {
    return this.#lease.claim();
  }

  release(): void {
    this.#lease.release();
    this.#writing.onMoved();
  }

  prepare(): Promise<void> {
    return this.#lease.granted;
  }

  close(): Promise<void> {
    return this.#lease.close();
  }

  #try<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw diskFault(error);
    }
  }
}

function isAbsence(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/**
 * Opens a path: a database directory, a directory of them, a Dolt `file://` remote, or an archive of any of these.
 *
 * @param create whether to make a database when there is none.
 */
export async function openPath(path: string, create: boolean, context: OpenContext): Promise<OpenedSource> {
  const found = resolve(path.startsWith('file:') ? fileURLToPath(path) : path);
  if (create && !existsSync(found)) mkdirSync(found, { recursive: true });
  if (!existsSync(found)) throw hostFailure('not_a_database', `${found} does not exist`);
  if (!statSync(found).isDirectory()) return openArchiveFile(found, context);
  if (create && isLeft(found)) rmSync(join(found, '.dolt'), { recursive: true });
  let roots = databasesIn(found);
  if (roots.length === 0) checkReadable(join(found, '.dolt'));
  if (create && roots.length === 0) {
    if (existsSync(join(found, '.dolt'))) throw hostFailure('usage', `${found} has a .dolt directory already`);
    writeFiles(found, emptyDatabase());
    roots = [found];
  }
  if (roots.length === 0) throw hostFailure('not_a_database', `There is no Dolt database in ${found}`);
  return sourceOf(found, roots, await storageOf(roots, context.readOnly), context);
}

/** The place in which a database of this path is made, with one in memory that is there until then. */
export async function openAround(path: string, context: OpenContext): Promise<OpenedSource> {
  const around = dirname(resolve(path));
  try {
    mkdirSync(around, { recursive: true });
  } catch (error) {
    throw diskFailure(error);
  }
  const source = sourceOf(around, [], await storageOf([], context.readOnly), context);
  return { ...source, databases: (await openPortable(NOTHING, context)).databases };
}

function sourceOf(found: string, roots: readonly string[], storage: Storage, context: OpenContext): OpenedSource {
  /** Directories that were there before their databases. */
  const kept = new Set<string>();
  const opened: { root: string; name: string; directory: DiskDirectory }[] = [];
  const open = (root: string): SourceDatabase => {
    const database = {
      root,
      name: basename(root),
      directory: new DiskDirectory(root, storage.readOnly ? null : context),
    };
    opened.push(database);
    return database;
  };
  const newDatabase = async (name: string): Promise<SourceDatabase> => {
    checkDatabaseName(name);
    const root = join(found, name);
    // What is there without a manifest and with the mark was left by a process that was killed.
    if (isUnfinished(root)) rmSync(root, { recursive: true });
    if (existsSync(join(root, '.dolt'))) throw hostFailure('usage', `${root} has a .dolt directory already`);
    // Until the engine has written the first manifest the directory is not a database.
    if (existsSync(root)) kept.add(root);
    if (existsSync(root)) writeFiles(root, { ...databaseShell(), [LOCK]: new Uint8Array() });
    else writeFiles(found, shellOf(name), name);
    return open(root);
  };
  const remove = (name: string, forGood: boolean): void => {
    const index = opened.findIndex(database => database.name === name);
    const removed = opened[index];
    if (removed === undefined) throw hostFailure('usage', `${name} is none of the databases in ${found}`);
    opened.splice(index, 1);
    void removed.directory.close();
    if (forGood) {
      const isKept = kept.has(removed.root);
      rmSync(isKept ? join(removed.root, '.dolt') : removed.root, { recursive: true });
      if (isKept) rmSync(join(removed.root, UNFINISHED_MARK), { force: true });
      return;
    }
    const dropped = join(found, DROPPED, name);
    if (existsSync(dropped)) renameSync(dropped, join(found, DROPPED, nameOfEarlier(name)));
    // The database that was opened goes without what is beside it; one of its name that is made then is in it.
    const isTop = removed.root === found;
    mkdirSync(isTop ? dropped : dirname(dropped), { recursive: true });
    if (isTop) renameSync(join(found, '.dolt'), join(dropped, '.dolt'));
    else renameSync(join(found, name), dropped);
    flushDirectory(dirname(dropped));
    flushDirectory(found);
  };
  const dropped: DroppedDatabases = {
    async list() {
      return existsSync(join(found, DROPPED)) ? readdirSync(join(found, DROPPED)) : [];
    },
    async restore(name) {
      const own = inAnyCase(name, await dropped.list());
      if (own === undefined) return null;
      if (inAnyCase(own, readdirSync(found)) !== undefined) throw inTheWay(own);
      if (!existsSync(join(found, DROPPED, own, '.dolt/noms'))) throw missingStore();
      renameSync(join(found, DROPPED, own), join(found, own));
      flushDirectory(found);
      flushDirectory(join(found, DROPPED));
      return open(join(found, own));
    },
    async purge() {
      for (const name of await dropped.list()) rmSync(join(found, DROPPED, name), { recursive: true });
    },
  };
  return {
    storage,
    databases: roots.map(open),
    traffic: null,
    ...(!storage.readOnly && { create: newDatabase, remove, dropped }),
    async close() {
      await Promise.all(opened.map(({ directory }) => directory.close()));
    },
  };
}

/** The files of a new database below its name, without a store, with the mark that it is not finished. */
function shellOf(name: string): Record<string, Uint8Array> {
  const nothing = new Uint8Array();
  const files: Record<string, Uint8Array> = {
    [`${name}/${UNFINISHED_MARK}`]: markText(),
    [`${name}/${LOCK}`]: nothing,
  };
  for (const [path, bytes] of Object.entries(databaseShell())) files[`${name}/${path}`] = bytes;
  return files;
}

/** What may not be looked at must not be taken for nothing. */
function checkReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (!isAbsence(error)) throw hostFailure('unreadable', `${path} cannot be read: ${(error as Error).message}`);
  }
}

async function storageOf(roots: readonly string[], readOnly: boolean): Promise<Storage> {
  const storage = ownStorage('path', readOnly);
  const refuse = (readOnlyReason: string): Storage => ({ ...storage, readOnly: true, readOnlyReason });
  if (readOnly) return storage;
  if (!roots.every(isDatabase)) return refuse('A remote is written by pushing to it');
  try {
    for (const root of roots) accessSync(join(root, '.dolt/noms'), constants.W_OK);
    for (const root of roots) {
      const reason = await reasonNotToLock(join(root, LOCK));
      if (reason !== null) return refuse(`Nothing can be written: ${reason}`);
    }
    return storage;
  } catch (error) {
    return refuse(`The files may not be written: ${(error as Error).message}`);
  }
}

/** Writes the files of a new database as one step: a kill, or a crash of the machine, leaves all of them or none. */
function writeFiles(root: string, contents: Record<string, Uint8Array>, name = '.dolt'): void {
  try {
    createTogether(root, name, contents);
  } catch (error) {
    throw diskFailure(error);
  }
}

export function diskFailure(error: unknown): HostFailure {
  if (error instanceof HostFailure) return error;
  const fault = diskFault(error);
  return hostFailure(
    fault.kind === 'no_space' || fault.kind === 'read_only' ? fault.kind : 'unreadable',
    fault.message,
  );
}

async function openArchiveFile(path: string, context: OpenContext): Promise<OpenedSource> {
  const archive = { kind: 'archive', name: basename(path), content: readFileSync(path) } as const;
  // A caller that names a file would take changes in memory for changes of the file.
  return {
    ...(await openPortable(archive, { ...context, readOnly: true })),
    storage: readOnlyStorage('archive', false),
  };
}
