import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpack } from '../host/files/archive.ts';
import { FileFault, type HostDirectory, type HostFile, LOCAL_PAGE_BYTES } from '../host/files/file.ts';
import { hostFailure, type OpenedSource, treeSource } from '../host/files/source.ts';
import type { OpenProgress, Storage } from '../protocol/index.ts';

/** A file on the disk of the machine. */
class DiskFile implements HostFile {
  readonly pageBytes = LOCAL_PAGE_BYTES;
  readonly length: number;
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.length = fstatSync(descriptor).size;
  }

  read(offset: number, dest: Uint8Array): void {
    for (let done = 0; done < dest.length; ) {
      const bytes = readSync(this.#descriptor, dest, done, dest.length - done, offset + done);
      if (bytes === 0) throw new FileFault('host', `read ${done} of ${dest.length} bytes at offset ${offset}`);
      done += bytes;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** A database directory on the disk; files are opened when the engine asks and closed with the directory. */
class DiskDirectory implements HostDirectory {
  readonly suspends = false;
  readonly isRemote = false;
  readonly #path: string;
  readonly #files: DiskFile[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  open(path: string): HostFile | null {
    const found = join(this.#path, path);
    try {
      if (!statSync(found).isFile()) return null;
      const file = new DiskFile(openSync(found, 'r'));
      this.#files.push(file);
      return file;
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

  close(): void {
    for (const file of this.#files) file.close();
    this.#files.length = 0;
  }
}

function isAbsence(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Opens a path: a database directory, a directory of them, a Dolt `file://` remote, or an archive of any of these. */
export async function openPath(path: string, onProgress: (progress: OpenProgress) => void): Promise<OpenedSource> {
  const found = resolve(path.startsWith('file:') ? fileURLToPath(path) : path);
  if (!existsSync(found)) throw hostFailure('not_a_database', `${found} does not exist`);
  if (!statSync(found).isDirectory()) return openArchiveFile(found, onProgress);
  const roots = databasesIn(found);
  if (roots.length === 0) throw hostFailure('not_a_database', `There is no Dolt database in ${found}`);
  const databases = roots.map(root => ({ name: basename(root), directory: new DiskDirectory(root) }));
  const storage: Storage = { kind: 'path', readOnly: true, remote: false, persistent: true };
  return {
    storage,
    databases,
    traffic: null,
    close() {
      for (const { directory } of databases) directory.close();
    },
  };
}

/** The directory itself first: a data directory of Dolt's server may be a database and hold others. */
function databasesIn(directory: string): string[] {
  const isDatabase = (path: string): boolean =>
    existsSync(join(path, '.dolt/noms')) && !existsSync(join(path, '.dolt_safe_to_ignore'));
  const below = readdirSync(directory, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== '.dolt')
    .map(entry => join(directory, entry.name))
    .filter(isDatabase)
    .sort();
  if (isDatabase(directory)) return [directory, ...below];
  if (below.length > 0) return below;
  return existsSync(join(directory, 'manifest')) ? [directory] : [];
}

async function openArchiveFile(path: string, onProgress: (progress: OpenProgress) => void): Promise<OpenedSource> {
  const files = await unpack(readFileSync(path), onProgress);
  const name = basename(path).replace(/\.(zip|tar|tgz|tar\.gz)$/i, '');
  return treeSource(files, name, { kind: 'archive', readOnly: true, remote: false, persistent: false });
}
