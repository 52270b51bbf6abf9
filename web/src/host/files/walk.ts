/** Walk over a picked directory. */
import type { OpenProgress } from '../../protocol/index.ts';

export interface WalkedFile {
  readonly path: string;
  readonly handle: FileSystemFileHandle;
}

/** Directories that hold nothing a reader needs: temporary files, and statistics (a database of their own). */
const SKIPPED = new Set(['temptf', 'stats']);

/**
 * Lists the files of the databases in a directory: of `.dolt` when it has one and of the `.dolt` of its immediate
 * subdirectories; where there is none, of the directory itself if it is a Dolt remote. Nothing else is walked: the
 * picked directory may be a home directory.
 */
export async function walkDatabases(
  root: FileSystemDirectoryHandle,
  onProgress: (progress: OpenProgress) => void,
): Promise<WalkedFile[]> {
  const files: WalkedFile[] = [];
  const report = (): void => onProgress({ what: 'listing', filesDone: files.length, bytesDone: 0 });
  const walk = async (directory: FileSystemDirectoryHandle, prefix: string): Promise<void> => {
    for await (const [name, entry] of directory.entries()) {
      if (entry.kind === 'file') files.push({ path: prefix + name, handle: entry as FileSystemFileHandle });
      else if (!SKIPPED.has(name)) await walk(entry as FileSystemDirectoryHandle, `${prefix}${name}/`);
    }
    report();
  };
  let isRemote = false;
  for await (const [name, entry] of root.entries()) {
    if (entry.kind === 'file') {
      isRemote ||= name === 'manifest';
      continue;
    }
    const directory = entry as FileSystemDirectoryHandle;
    if (name === '.dolt') {
      if (await hasStore(directory)) await walk(directory, '.dolt/');
    } else {
      const dolt = await directory.getDirectoryHandle('.dolt').catch(() => null);
      if (dolt !== null && (await hasStore(dolt))) await walk(dolt, `${name}/.dolt/`);
    }
  }
  if (files.length === 0 && isRemote) await walk(root, '');
  return files;
}

/** A `.dolt` without `noms` holds the state of a server, not a database. */
export async function hasStore(dolt: FileSystemDirectoryHandle): Promise<boolean> {
  return dolt.getDirectoryHandle('noms').then(
    () => true,
    () => false,
  );
}
