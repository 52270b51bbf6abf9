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
    const start = this.#prefix + (path === '' || path.endsWith('/') ? path : `${path}/`);
    const names = new Set<string>();
    for (const known of this.#files.keys()) {
      if (!known.startsWith(start)) continue;
      const slash = known.indexOf('/', start.length);
      names.add(known.slice(start.length, slash < 0 ? undefined : slash));
    }
    return [...names];
  }
}

/** A database among the files of a source. */
export interface DatabaseRoot {
  readonly name: string;
  /** Of its paths: empty, or with `/` at its end. */
  readonly prefix: string;
}

/**
 * Finds the databases in a list of paths: every directory that contains `.dolt`, outside other databases; where there is
 * none, every directory with a `manifest`, which is a Dolt `file://` remote.
 *
 * @param rootName name of a database that lies at the top, where paths have no directory to take it from.
 */
export function databaseRoots(paths: Iterable<string>, rootName: string): DatabaseRoot[] {
  const databases = new Set<string>();
  const remotes = new Set<string>();
  for (const path of paths) {
    const dolt = `/${path}`.indexOf('/.dolt/');
    if (dolt >= 0) databases.add(path.slice(0, dolt));
    else if (path === 'manifest' || path.endsWith('/manifest')) remotes.add(path.slice(0, -'manifest'.length));
  }
  // The remote's old generation has a manifest of its own, one directory further down.
  const tops = [...remotes].filter(prefix => ![...remotes].some(other => other !== prefix && prefix.startsWith(other)));
  const prefixes = databases.size > 0 ? [...databases] : tops;
  return prefixes.sort().map(prefix => ({ prefix, name: baseName(prefix.slice(0, -1)) || rootName || 'database' }));
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
