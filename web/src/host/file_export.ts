/** The files of open databases, for copies and zip archives. */
import { JOURNAL_ID, type ListedFile } from '../protocol/index.ts';
import { databaseShell } from './files/empty_database.ts';
import { type HostDirectory, type HostFile, readBytes } from './files/file.ts';
import { MemoryFile } from './files/memory.ts';
import { hostFailure, type SourceDatabase } from './files/source.ts';

/**
 * What is no part of a database: locks, temporary files, statistics, files that wait for their names, and the journal's optional index,
 * which native Dolt empties and writes anew while the journal is copied.
 */
const LEFT_OUT = /^(.*\/)?(LOCK(\.varve)?|journal\.idx)$|^\.dolt\/(temptf|tmp|stats|varve)(\/|$)/;

/** Where the store of a database is; that of a remote is at the top. */
const STORE = '.dolt/noms/';

/** Of the list of a lazy clone, in which the URL comes first. */
const LIST_BYTES_MAX = 4096;

interface Exported {
  /** As it is in a database's directory. */
  readonly path: string;
  readonly open: () => HostFile | null;
}

/** The files of databases by path, which begins with the name of the database. Remotes become databases. */
export class FileExport {
  readonly #databases: readonly SourceDatabase[];

  constructor(databases: readonly SourceDatabase[]) {
    this.#databases = databases;
  }

  /** The manifests come last: without them the other files are no database, should the copy end early. */
  list(): ListedFile[] {
    const files: ListedFile[] = [];
    for (const { name, directory } of this.#databases) {
      refuseLazy(name, directory);
      for (const { path, open } of filesOf(directory)) {
        const file = open();
        if (file === null) continue;
        files.push({ path: `${name}/${path}`, length: file.length });
        file.release?.();
      }
    }
    const isManifest = ({ path }: ListedFile): number => Number(path.endsWith('/manifest'));
    return files.sort((some, other) => isManifest(some) - isManifest(other));
  }

  /** Fewer bytes than were asked for where a journal lost its free room since it was listed: native Dolt cuts that off. */
  async read(path: string, offset: number, length: number): Promise<ArrayBuffer> {
    const slash = path.indexOf('/');
    const directory = this.#databases.find(({ name }) => name === path.slice(0, slash))?.directory;
    const found = directory && filesOf(directory).find(file => file.path === path.slice(slash + 1));
    const file = found?.open() ?? null;
    if (file === null) throw hostFailure('unreadable', `${path} is gone: the database was collected meanwhile`);
    try {
      const left = path.endsWith(`/${JOURNAL_ID}`) ? Math.max(0, file.length - offset) : length;
      return (await readBytes(file, offset, Math.min(length, left))).buffer;
    } finally {
      file.release?.();
    }
  }
}

/** Of a lazy clone the files alone are no database. @throws HostFailure */
function refuseLazy(name: string, directory: HostDirectory): void {
  if (textOf(directory, `${STORE}manifest`, 1) !== 'L') return;
  const url = /^url (.*)$/m.exec(textOf(directory, '.dolt/varve_lazy', LIST_BYTES_MAX))?.[1] ?? 'a remote';
  throw hostFailure(
    'incomplete',
    `${name} is a lazy clone: what was not needed yet is only at ${url}. Fetch it before the files are copied, with database.completeClone(), \`varve complete\` or CALL varve_complete()`,
  );
}

function textOf(directory: HostDirectory, path: string, bytesMax: number): string {
  const file = directory.open(path);
  if (file === null) return '';
  try {
    const bytes = new Uint8Array(Math.min(file.length, bytesMax));
    file.read(0, bytes);
    return new TextDecoder().decode(bytes);
  } finally {
    file.release?.();
  }
}

function filesOf(directory: HostDirectory): Exported[] {
  const paths = (directory.paths?.() ?? walked(directory)).filter(path => !LEFT_OUT.test(path));
  const asThere = (path: string): Exported => ({ path, open: () => directory.open(path) });
  if (paths.some(path => path.startsWith(STORE))) return paths.filter(path => path.startsWith('.dolt/')).map(asThere);
  const made = Object.entries(databaseShell()).map(([path, bytes]) => ({ path, open: () => new MemoryFile(bytes) }));
  return [...made, ...paths.map(path => ({ ...asThere(path), path: STORE + path }))];
}

/** A database's directory may hold anything else beside `.dolt`; a remote is at the top. */
function walked(directory: HostDirectory): string[] {
  const paths: string[] = [];
  const walk = (folder: string): void => {
    for (const name of directory.list(folder) ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (LEFT_OUT.test(path)) continue;
      const file = directory.open(path);
      if (file === null) walk(path);
      else paths.push(path);
      file?.release?.();
    }
  };
  walk((directory.list('.dolt') ?? []).length > 0 ? '.dolt' : '');
  return paths;
}
