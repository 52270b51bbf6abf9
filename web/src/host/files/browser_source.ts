import type { Storage, StorageQuota, WireFile } from '../../protocol/index.ts';
import type { OpenLocalFile } from '../local_files.ts';
import { databaseShell, emptyDatabase } from './empty_database.ts';
import type { FileFault, HostFile } from './file.ts';
import { openOpfsFile, opfsFault } from './opfs.ts';
import { OpfsDirectory } from './opfs_directory.ts';
import { isMarked, OpfsDropped } from './opfs_dropped.ts';
import { PickedFile } from './picked.ts';
import { openPortable } from './portable_source.ts';
import {
  checkDatabaseName,
  type DroppedDatabases,
  HostFailure,
  hostFailure,
  type OpenContext,
  type OpenedSource,
  type OpenSource,
  ownStorage,
  readOnlyStorage,
  type SourceDatabase,
  treeSource,
} from './source.ts';
import { openUrl } from './url_source.ts';
import { hasStore, walkDatabases } from './walk.ts';
import { xhrNetwork } from './xhr.ts';

/** Opens what a browser can open. Runs in a worker: sync access handles and FileReaderSync exist there only. */
export const openBrowserSource: OpenSource = async (source, context) => {
  switch (source.kind) {
    case 'url':
      return openUrl(source.url, context.canSuspend ? null : xhrNetwork, context);
    case 'opfs':
      return openOpfs(source.path, source.create, context);
    case 'directory':
      return openDirectory(source.handle, context);
    case 'files':
      return openPicked(source.files);
    default:
      return openPortable(source, context);
  }
};

/** A file for LOAD DATA LOCAL. */
export const openBrowserFile: OpenLocalFile = (file, name) => {
  if (file instanceof Blob) return new PickedFile(file, name);
  throw hostFailure('unsupported', `${name}: paths are of Node only`);
};

async function openOpfs(path: string, create: boolean, context: OpenContext): Promise<OpenedSource> {
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
    throw hostFailure('not_a_database', `${what}: ${sentence(error)}. { opfs, create: true } makes one there`);
  }
  if (create && (await databasesIn(directory)).length === 0) await writeFiles(directory, emptyDatabase());
  return openOwn(directory, names, context);
}

/** A directory handle may be one of OPFS too, whose files have sync access handles. */
async function openDirectory(handle: FileSystemDirectoryHandle, context: OpenContext): Promise<OpenedSource> {
  const root = await opfsRoot().catch(() => null);
  const names = (await root?.resolve(handle).catch(() => null)) ?? null;
  if (names !== null) return openOwn(handle, names, context);
  const files = new Map<string, HostFile>();
  for (const { path, handle: file } of await walkDatabases(handle, context.onProgress)) {
    files.set(path, new PickedFile(await file.getFile()));
    context.onProgress({ what: 'opening', filesDone: files.size, bytesDone: 0 });
  }
  return treeSource(files, handle.name, readOnlyStorage('directory', true));
}

async function opfsRoot(): Promise<FileSystemDirectoryHandle> {
  const instead = '{ memory: {}, create: true } makes a database that lives as long as the page';
  if (!isSecureContext) {
    const what = 'Browsers give storage to pages that come by HTTPS or from localhost alone, and this one does not';
    throw hostFailure('unsupported', `${what}. ${instead}`);
  }
  try {
    return await navigator.storage.getDirectory();
  } catch (error) {
    const what = 'This browser gives the page no storage of its own, as in some private windows';
    throw hostFailure('unsupported', `${what}: ${sentence(error)}. ${instead}`);
  }
}

/**
 * Databases in the origin-private file system.
 *
 * @param names of the directories down to `directory`.
 */
async function openOwn(
  directory: FileSystemDirectoryHandle,
  names: readonly string[],
  context: OpenContext,
): Promise<OpenedSource> {
  const storage: Storage = { ...ownStorage('opfs', context.readOnly), quota: await quotaNow() };
  if (!context.readOnly) await new OpfsDropped(directory, names).finish();
  const found = await databasesIn(directory);
  if (found.length === 0) return openOwnRemote(directory, names.at(-1) ?? '', context);
  const opened: { name: string; directory: OpfsDirectory }[] = [];
  const closeAll = (): void => {
    for (const database of opened) database.directory.close();
  };
  const open = async (root: FileSystemDirectoryHandle, path: readonly string[]): Promise<SourceDatabase> => {
    const database = {
      name: path.at(-1) ?? 'database',
      directory: await OpfsDirectory.open(root, path.join('/'), context),
    };
    opened.push(database);
    context.onProgress({ what: 'opening', filesDone: opened.length, bytesDone: 0 });
    return context.readOnly ? { ...database, directory: onlyRead(database.directory) } : database;
  };
  try {
    const databases: SourceDatabase[] = [];
    for (const { handle, below } of found) databases.push(await open(handle, [...names, ...below]));
    let removing: Promise<void> = Promise.resolve();
    const aside = new OpfsDropped(directory, names);
    const create = async (name: string): Promise<SourceDatabase> => {
      checkDatabaseName(name);
      await removing;
      // Beside a database that lies at the top, as Dolt's server has it: in its own directory.
      const root = await directory.getDirectoryHandle(name, { create: true });
      await writeFiles(root, databaseShell());
      await (await root.getDirectoryHandle('.dolt')).getDirectoryHandle('noms', { create: true });
      return open(root, [...names, name]);
    };
    // The database that was opened goes without what lies beside it; one of its name that is made then lies in it.
    let top = found.some(({ below }) => below.length === 0) ? names.at(-1) : undefined;
    const remove = (name: string): void => {
      const index = opened.findIndex(database => database.name === name);
      if (index < 0) throw hostFailure('usage', `${name} is none of the databases in ${names.join('/')}`);
      opened[index]?.directory.close();
      opened.splice(index, 1);
      const isTop = name === top;
      if (isTop) top = undefined;
      // Files that another tab has open are put aside when nobody has.
      removing = removing.then(() => aside.drop(name, isTop)).catch(() => {});
    };
    const dropped: DroppedDatabases = {
      async list() {
        await removing;
        return aside.list();
      },
      async restore(name) {
        await removing;
        const own = await aside.restore(name);
        return own === null ? null : open(await directory.getDirectoryHandle(own), [...names, own]);
      },
      async purge() {
        await removing;
        await aside.purge();
      },
    };
    const close = async (): Promise<void> => {
      closeAll();
      await removing;
    };
    return { storage, databases, traffic: null, ...(!context.readOnly && { create, remove, dropped }), close };
  } catch (error) {
    closeAll();
    throw openingFailure(error, names);
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
async function databasesIn(directory: FileSystemDirectoryHandle) {
  const found: { readonly handle: FileSystemDirectoryHandle; readonly below: readonly string[] }[] = [];
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
  return dolt !== null && (await hasStore(dolt)) && !(await isMarked(directory));
}

/** Writes the files of a new database, the manifest last: without it there is none. */
async function writeFiles(root: FileSystemDirectoryHandle, contents: Record<string, Uint8Array>): Promise<void> {
  try {
    const files = Object.entries(contents);
    for (const [path, bytes] of files.sort(
      ([a], [b]) => Number(a.endsWith('manifest')) - Number(b.endsWith('manifest')),
    )) {
      const names = path.split('/');
      const name = names.pop() ?? '';
      let directory = root;
      for (const part of names) directory = await directory.getDirectoryHandle(part, { create: true });
      const file = await openOpfsFile(await directory.getFileHandle(name, { create: true }));
      try {
        file.write(0, bytes);
        file.truncate(bytes.length);
        file.flush();
      } finally {
        file.close();
      }
    }
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

function openPicked(picked: readonly WireFile[]): OpenedSource {
  const files = picked.map(({ path, file }) => [path.replace(/^\/+/, ''), new PickedFile(file)] as const);
  return treeSource(new Map(files), '', readOnlyStorage('files', true));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
