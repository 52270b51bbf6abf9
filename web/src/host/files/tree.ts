/** A read-only directory of open files. */
import type { HostDirectory, HostFile } from './file.ts';

/** A directory of files that are all known and open. */
export class TreeDirectory implements HostDirectory {
  readonly suspends = false;
  readonly isRemote = false;
  readonly #files: ReadonlyMap<string, HostFile>;
  readonly #prefix: string;

  /** @param prefix of the paths in `files` that belong to this directory: empty, or with `/` at its end. */
  constructor(files: ReadonlyMap<string, HostFile>, prefix: string) {
    this.#files = files;
    this.#prefix = prefix;
  }

  open(path: string): HostFile | null {
    return this.#files.get(this.#prefix + path) ?? null;
  }

  list(path: string): string[] {
    return namesIn(this.#files.keys(), this.#prefix + path);
  }
}

/** Names of files and directories that lie in a directory, by the paths of all files. */
export function namesIn(paths: Iterable<string>, directory: string): string[] {
  const start = directory === '' || directory.endsWith('/') ? directory : `${directory}/`;
  const names = new Set<string>();
  for (const path of paths) {
    if (!path.startsWith(start)) continue;
    const slash = path.indexOf('/', start.length);
    names.add(path.slice(start.length, slash < 0 ? undefined : slash));
  }
  return [...names];
}

/** A database among the files of a source. */
export interface DatabaseRoot {
  readonly name: string;
  /** Of its paths: empty, or with `/` at its end. */
  readonly prefix: string;
}

/** Of Dolt's server: databases that were dropped and can still be brought back. */
export const DROPPED = '.dolt_dropped_databases';
/** Marks a directory in which a clone is under way or was given up, or a database that is on its way to those that were dropped. */
export const UNFINISHED = '.dolt_safe_to_ignore';

/**
 * Finds the databases in a list of paths: every directory with `.dolt/noms`, outside other databases; where there is
 * none, every directory with a `manifest`, which is a Dolt `file://` remote.
 *
 * @param rootName name of a database that is at the top, where paths have no directory to take it from.
 */
export function databaseRoots(paths: Iterable<string>, rootName: string): DatabaseRoot[] {
  const databases = new Set<string>();
  const remotes = new Set<string>();
  const unfinished = new Set<string>();
  for (const path of paths) {
    const dolt = `/${path}`.indexOf('/.dolt/');
    if (`/${path}`.includes(`/${DROPPED}/`)) continue;
    if (dolt >= 0 && path.startsWith('.dolt/noms/', dolt)) databases.add(path.slice(0, dolt));
    else if (dolt < 0 && isNamed(path, 'manifest')) remotes.add(path.slice(0, -'manifest'.length));
    else if (isNamed(path, UNFINISHED)) unfinished.add(path.slice(0, -UNFINISHED.length));
  }
  // The remote's old generation has a manifest of its own, one directory further down.
  const tops = [...remotes].filter(prefix => ![...remotes].some(other => other !== prefix && prefix.startsWith(other)));
  const prefixes = databases.size > 0 ? [...databases] : tops;
  return prefixes
    .filter(prefix => !unfinished.has(prefix))
    .sort()
    .map(prefix => ({ prefix, name: baseName(prefix.slice(0, -1)) || rootName || 'database' }));
}

function isNamed(path: string, name: string): boolean {
  return path === name || path.endsWith(`/${name}`);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
