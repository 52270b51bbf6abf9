/** Databases in OPFS: open, create, list, drop. */
import { messageOf, type Storage, type StorageQuota } from '../../../protocol/index.ts';
import { databaseShell, emptyDatabase } from '../empty_database.ts';
import type { FileFault, HostFile } from '../file.ts';
import { NOTHING, openPortable } from '../portable_source.ts';
import {
  checkDatabaseName,
  type DroppedDatabases,
  HostFailure,
  hostFailure,
  type OpenContext,
  type OpenedSource,
  ownStorage,
  type SourceDatabase,
  treeSource,
} from '../source.ts';
import { hasStore, walkDatabases } from '../walk.ts';
import { openOpfsFile, opfsFault } from './opfs.ts';
import { OpfsDirectory } from './opfs_directory.ts';
import { isMarked, OpfsDropped } from './opfs_dropped.ts';
import { hasManifest, removeLeft, writeNew } from './opfs_new.ts';

/** Opens a path in the storage of the site, the origin-private file system. */
export async function openOpfs(path: string, create: boolean, context: OpenContext): Promise<OpenedSource> {
  let directory = await opfsRoot();
  const names = path.split('/').filter(name => name !== '' && name !== '.');
  try {
    for (const name of names) directory = await directory.getDirectoryHandle(name, { create });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError')
      throw spaceFailure(path, opfsFault(error));
    if (error instanceof TypeError) {
      throw hostFailure('usage', `${path} cannot be a path in this site's storage: ${sentence(error)}`);
    }
    const what = `There is no database ${path} in this site's storage`;
    throw hostFailure('not_a_database', `${what}: ${sentence(error)}. Use { opfs, create: true } to create it`);
  }
  if (create) {
    // Another tab may be at it.
    await navigator.locks.request(`varve-new:${names.join('/')}`, () => createWhereNoneIs(directory, path));
  }
  return openOwn(directory, names, context);
}

/** The place in which a database of this path is made, with one in memory that is there until then. */
export async function openOpfsAround(path: string, context: OpenContext): Promise<OpenedSource> {
  const names = path
    .split('/')
    .filter(name => name !== '' && name !== '.')
    .slice(0, -1);
  let directory = await opfsRoot();
  for (const name of names) directory = await directory.getDirectoryHandle(name, { create: true });
  const own = new OwnDatabases(directory, names, new OpfsDropped(directory, names), context);
  const { databases } = await openPortable(NOTHING, context);
  const storage = ownStorage('opfs', context.readOnly);
  return { storage, databases, traffic: null, ...own.changes(), close: () => own.close() };
}

async function createWhereNoneIs(directory: FileSystemDirectoryHandle, path: string): Promise<void> {
  if ((await databasesIn(directory)).length > 0) return;
  await removeLeft(directory);
  const dolt = await directory.getDirectoryHandle('.dolt').catch(() => null);
  // Bytes of a database whose manifest was lost are not written over.
  if (dolt !== null && (await hasStore(dolt))) throw hostFailure('usage', `${path} has a .dolt directory already`);
  await writeFiles(directory, emptyDatabase());
}

/** The directories down to a handle, if it is one of this storage. */
export async function namesInOpfs(handle: FileSystemDirectoryHandle): Promise<readonly string[] | null> {
  const root = await opfsRoot().catch(() => null);
  return (await root?.resolve(handle).catch(() => null)) ?? null;
}

async function opfsRoot(): Promise<FileSystemDirectoryHandle> {
  const instead = '{ memory: {}, create: true } creates a database in memory';
  if (!isSecureContext) {
    const what = 'Browsers give storage only to pages served by HTTPS or from localhost';
    throw hostFailure('unsupported', `${what}. ${instead}`);
  }
  try {
    return await navigator.storage.getDirectory();
  } catch (error) {
    const what = 'This browser gives pages no storage, as in some private windows';
    throw hostFailure('unsupported', `${what}: ${sentence(error)}. ${instead}`);
  }
}

/**
 * Opens the databases in a directory of this storage.
 *
 * @param names of the directories down to `directory`.
 */
export async function openOwn(
  directory: FileSystemDirectoryHandle,
  names: readonly string[],
  context: OpenContext,
): Promise<OpenedSource> {
  const storage: Storage = { ...ownStorage('opfs', context.readOnly), quota: await quotaNow() };
  const dropped = new OpfsDropped(directory, names);
  if (!context.readOnly) await dropped.finish();
  const found = await databasesIn(directory);
  if (found.length === 0) return openOwnRemote(directory, names.at(-1) ?? '', context);
  const own = new OwnDatabases(directory, names, dropped, context);
  try {
    const databases = await own.open(found);
    return { storage, databases, traffic: null, ...(!context.readOnly && own.changes()), close: () => own.close() };
  } catch (error) {
    own.closeFiles();
    throw openingFailure(error, names);
  }
}

/** A database that was found, and the directories down to it from where it was looked for. */
interface FoundDatabase {
  readonly handle: FileSystemDirectoryHandle;
  readonly below: readonly string[];
}

/** The databases in one directory that are open; more can be made beside them, and each can go. */
class OwnDatabases {
  readonly #directory: FileSystemDirectoryHandle;
  readonly #names: readonly string[];
  readonly #dropped: OpfsDropped;
  readonly #context: OpenContext;
  readonly #opened: { name: string; directory: OpfsDirectory }[] = [];
  /** The name of the database that is in the directory itself. */
  #top: string | undefined;
  #removing: Promise<void> = Promise.resolve();

  constructor(
    directory: FileSystemDirectoryHandle,
    names: readonly string[],
    dropped: OpfsDropped,
    context: OpenContext,
  ) {
    this.#directory = directory;
    this.#names = names;
    this.#dropped = dropped;
    this.#context = context;
  }

  async open(found: readonly FoundDatabase[]): Promise<SourceDatabase[]> {
    const databases: SourceDatabase[] = [];
    for (const { handle, below } of found) databases.push(await this.#open(handle, below));
    this.#top = found.some(({ below }) => below.length === 0) ? this.#names.at(-1) : undefined;
    return databases;
  }

  /** What a source can do with databases that can be written. */
  changes(): Pick<OpenedSource, 'create' | 'remove' | 'dropped'> {
    return {
      create: name => this.#create(name),
      remove: (name, forGood) => this.#remove(name, forGood),
      dropped: this.#droppedDatabases(),
    };
  }

  closeFiles(): void {
    for (const database of this.#opened) database.directory.close();
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map(({ directory }) => directory.abandonCleared()));
    this.closeFiles();
    await this.#removing;
  }

  async #open(root: FileSystemDirectoryHandle, below: readonly string[]): Promise<SourceDatabase> {
    const path = [...this.#names, ...below];
    const database = {
      name: path.at(-1) ?? 'database',
      directory: await OpfsDirectory.open(root, path.join('/'), this.#context),
    };
    this.#opened.push(database);
    this.#context.onProgress({ what: 'opening', filesDone: this.#opened.length, bytesDone: 0 });
    return this.#context.readOnly ? { ...database, directory: onlyRead(database.directory) } : database;
  }

  async #create(name: string): Promise<SourceDatabase> {
    checkDatabaseName(name);
    await this.#removing;
    // Beside a database that is at the top, as Dolt's server has it: in its own directory.
    const root = await this.#directory.getDirectoryHandle(name, { create: true });
    await removeLeft(root);
    await writeFiles(root, databaseShell());
    await (await root.getDirectoryHandle('.dolt')).getDirectoryHandle('noms', { create: true });
    return this.#open(root, [name]);
  }

  #remove(name: string, forGood: boolean): void {
    const index = this.#opened.findIndex(database => database.name === name);
    if (index < 0) throw hostFailure('usage', `${name} is none of the databases in ${this.#names.join('/')}`);
    this.#opened[index]?.directory.close();
    this.#opened.splice(index, 1);
    if (forGood) {
      this.#removing = this.#removing
        .then(() => this.#directory.removeEntry(name, { recursive: true }))
        .catch(() => {});
      return;
    }
    // The database that was opened goes without what is beside it; one of its name that is made then is in it.
    const isTop = name === this.#top;
    if (isTop) this.#top = undefined;
    // Files that another tab has open are moved once it closes them.
    this.#removing = this.#removing.then(() => this.#dropped.drop(name, isTop)).catch(() => {});
  }

  #droppedDatabases(): DroppedDatabases {
    return {
      list: async () => {
        await this.#removing;
        return this.#dropped.list();
      },
      restore: async name => {
        await this.#removing;
        const own = await this.#dropped.restore(name);
        return own === null ? null : this.#open(await this.#directory.getDirectoryHandle(own), [own]);
      },
      purge: async () => {
        await this.#removing;
        await this.#dropped.purge();
      },
    };
  }
}

/** A Dolt remote in OPFS: its files, without a database around them. */
async function openOwnRemote(
  directory: FileSystemDirectoryHandle,
  name: string,
  context: OpenContext,
): Promise<OpenedSource> {
  const files = new Map<string, HostFile>();
  try {
    for (const { path, handle } of await walkDatabases(directory, context.onProgress)) {
      files.set(path, await openOpfsFile(handle));
    }
    const readOnlyReason = 'A remote is written by pushing to it';
    return treeSource(files, name, { ...ownStorage('opfs', true), readOnlyReason });
  } catch (error) {
    for (const file of files.values()) file.close();
    throw openingFailure(error, [name]);
  }
}

function openingFailure(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof DOMException)) return error;
  const path = names.join('/') || 'the storage of this site';
  if (error.name === 'NoModificationAllowedError') {
    return hostFailure(
      'locked',
      `Files of ${path} are open already, in this tab or another, by a path that is another one, and this browser lets only one have a file: ` +
        'open the database by the same path as the other does, then both share it, or close the other first',
    );
  }
  if (error.name === 'AbortError') {
    return hostFailure(
      'locked',
      `${path} could not be opened: another program took its lock away meanwhile (${sentence(error)}). Open it again`,
    );
  }
  const fault = opfsFault(error);
  return hostFailure(
    fault.kind === 'no_space' ? 'no_space' : 'unreadable',
    `${path} could not be opened: ${fault.message}`,
  );
}

function onlyRead(directory: OpfsDirectory): SourceDatabase['directory'] {
  const { suspends, isRemote } = directory;
  return { suspends, isRemote, open: path => directory.open(path), list: path => directory.list(path) };
}

/** The databases at the top of a directory and in its immediate subdirectories. */
async function databasesIn(directory: FileSystemDirectoryHandle): Promise<FoundDatabase[]> {
  const found: FoundDatabase[] = [];
  if (await isDatabase(directory)) found.push({ handle: directory, below: [] });
  for await (const [name, entry] of directory.entries()) {
    if (entry.kind !== 'directory' || name.startsWith('.')) continue;
    const handle = entry as FileSystemDirectoryHandle;
    if (await isDatabase(handle)) found.push({ handle, below: [name] });
  }
  return found;
}

async function isDatabase(directory: FileSystemDirectoryHandle): Promise<boolean> {
  const dolt = await directory.getDirectoryHandle('.dolt').catch(() => null);
  return dolt !== null && (await hasStore(dolt)) && (await hasManifest(directory)) && !(await isMarked(directory));
}

async function writeFiles(root: FileSystemDirectoryHandle, contents: Record<string, Uint8Array>): Promise<void> {
  try {
    await writeNew(root, contents);
  } catch (error) {
    if (error instanceof HostFailure) throw error;
    const fault = opfsFault(error);
    if (fault.kind === 'no_space') throw spaceFailure('the new database', fault);
    throw hostFailure('unreadable', `The new database could not be written: ${sentence(fault)}`);
  }
}

function spaceFailure(what: string, fault: FileFault): HostFailure {
  return hostFailure('no_space', `There is no room for ${what} in this site's storage. ${fault.message}`);
}

/** What the browser says, to stand in a sentence. */
function sentence(error: unknown): string {
  return messageOf(error).replace(/\.\s*$/, '');
}

async function quotaNow(): Promise<StorageQuota | null> {
  try {
    const { usage = 0, quota = 0 } = await navigator.storage.estimate();
    return { usageBytes: usage, quotaBytes: quota, isPersisted: await navigator.storage.persisted() };
  } catch {
    return null;
  }
}
