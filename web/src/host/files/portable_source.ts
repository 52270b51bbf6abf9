/** Sources that work in every environment: memory, archives, URLs. */
import type { Storage, WireSource } from '../../protocol/index.ts';
import { unpack } from './archive/archive.ts';
import { databaseShell, emptyDatabase } from './empty_database.ts';
import type { HostDirectory, HostFile } from './file.ts';
import { GrowingFile, MemoryFile } from './memory.ts';
import { MemoryDirectory, type MemoryTree } from './memory_directory.ts';
import {
  checkDatabaseName,
  type DroppedDatabases,
  hostFailure,
  inAnyCase,
  inTheWay,
  nameOfEarlier,
  type OpenContext,
  type OpenedSource,
  ownStorage,
  readOnlyStorage,
  treeSource,
} from './source.ts';
import { baseName, DROPPED, databaseRoots, namesIn, TreeDirectory } from './tree.ts';

/** A database in memory beside which a clone is created; it gets no statements of its own. */
export const NOTHING: WireSource = { kind: 'empty', name: 'varve-clone' };

/** Sources that need nothing of the platform. */
export async function openPortable(source: WireSource, context: OpenContext): Promise<OpenedSource> {
  const storage = ownStorage('memory', context.readOnly);
  switch (source.kind) {
    case 'archive': {
      const files = await unpack(source.content, context.onProgress, source.name, {
        signal: context.signal,
      });
      const name = baseName(source.name).replace(/(\.(tar\.gz|tgz|tar|zip))$/i, '');
      if (![...files.keys()].some(path => path.includes('.dolt/noms/'))) return remoteSource(files, name);
      return memorySource(files, { storage: ownStorage('archive', context.readOnly), rootName: name }, context);
    }
    case 'memory':
      return memorySource(
        new Map(Object.entries(source.files)),
        { storage, ...(source.create && { newName: 'database' }) },
        context,
      );
    case 'empty':
      return memorySource(new Map(), { storage, newName: source.name }, context);
    default:
      throw hostFailure('unsupported', `A source of kind ${source.kind} cannot be opened in this environment`);
  }
}

/** A Dolt `file://` remote, which is written by pushing to it only. */
function remoteSource(given: ReadonlyMap<string, Uint8Array>, name: string): OpenedSource {
  const files = new Map(Array.from(given, ([path, bytes]) => [path, new MemoryFile(bytes)] as const));
  return treeSource(files, name, readOnlyStorage('archive', false));
}

interface MemoryOptions {
  readonly storage: Storage;
  /** Of a database that is at the top. */
  readonly rootName?: string;
  /** Of a database to make when there is none. */
  readonly newName?: string;
}

/** Databases in memory, which can be written. */
async function memorySource(
  given: ReadonlyMap<string, Uint8Array>,
  { storage, rootName = '', newName }: MemoryOptions,
  context: OpenContext,
): Promise<OpenedSource> {
  const onWritten = (): void => context.onMoved();
  const files: MemoryTree = new Map(Array.from(given, ([path, bytes]) => [path, new GrowingFile(bytes)]));
  const directory = (prefix: string): HostDirectory =>
    storage.readOnly ? new TreeDirectory(files, prefix) : new MemoryDirectory(files, prefix, onWritten);
  const make = (name: string, contents: Record<string, Uint8Array>) => {
    checkDatabaseName(name);
    const prefix = `${name}/`;
    for (const [path, bytes] of Object.entries(contents)) files.set(prefix + path, new GrowingFile(bytes));
    return { name, directory: directory(prefix) };
  };
  const create = async (name: string) => make(name, databaseShell());
  const roots = databaseRoots(files.keys(), rootName);
  const databases = roots.map(({ name, prefix }) => ({ name, directory: directory(prefix) }));
  const move = (from: string, to: string): void => {
    for (const path of [...files.keys()].filter(path => path.startsWith(from))) {
      files.set(to + path.slice(from.length), files.get(path) as HostFile);
      files.delete(path);
    }
  };
  const remove = (name: string, forGood: boolean): void => {
    if (forGood) {
      for (const path of [...files.keys()]) if (path.startsWith(`${name}/`)) files.delete(path);
      return;
    }
    move(`${DROPPED}/${name}/`, `${DROPPED}/${nameOfEarlier(name)}/`);
    // The database at the top goes without what is beside it.
    const isTop = !namesIn(files.keys(), '').includes(name);
    move(isTop ? '.dolt/' : `${name}/`, `${DROPPED}/${name}/${isTop ? '.dolt/' : ''}`);
  };
  const dropped: DroppedDatabases = {
    list: async () => namesIn(files.keys(), DROPPED),
    async restore(name) {
      const own = inAnyCase(name, namesIn(files.keys(), DROPPED));
      if (own === undefined) return null;
      if (inAnyCase(own, namesIn(files.keys(), '')) !== undefined) throw inTheWay(own);
      move(`${DROPPED}/${own}/`, `${own}/`);
      return { name: own, directory: directory(`${own}/`) };
    },
    async purge() {
      for (const path of [...files.keys()]) if (path.startsWith(`${DROPPED}/`)) files.delete(path);
    },
  };
  if (databases.length === 0 && newName === undefined) {
    throw hostFailure('not_a_database', 'There is no Dolt database here: no .dolt directory and no manifest was found');
  }
  if (databases.length === 0 && newName !== undefined) databases.push(make(newName, emptyDatabase()));
  return { storage, databases, traffic: null, ...(!storage.readOnly && { create, remove, dropped }), close() {} };
}
