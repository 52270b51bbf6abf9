/** New databases in OPFS: a tab that is closed while it writes one leaves a whole database, or what the next one begins anew. */
import { COPY_MARK } from '../../../protocol/index.ts';
import { emptyDatabase } from '../empty_database.ts';
import { openOpfsFile } from './opfs.ts';
import { NAMES_FILE, WORKSHOP } from './opfs_names.ts';

/** A file that the browser can give another name; TypeScript's library does not describe it yet. */
type Movable = FileSystemFileHandle & { move?(parent: FileSystemDirectoryHandle, name: string): Promise<void> };

const MANIFEST = '.dolt/noms/manifest';

/** Whether a database's directory has a manifest, by its name or as a file of the workshop: without one it has no database. */
export async function hasManifest(root: FileSystemDirectoryHandle): Promise<boolean> {
  const manifest = await fileAt(root, MANIFEST);
  // Earlier versions made it before they wrote to it.
  if (manifest !== null && (await sizeOf(manifest)) > 0) return true;
  const log = await fileAt(root, `${WORKSHOP}/${NAMES_FILE}`);
  return log !== null && (await (await log.getFile()).text()).includes(`\t${MANIFEST}\n`);
}

/**
 * Whether `.dolt` holds a part of a new database or of a copy and nothing else: the tab that wrote it was closed before the manifest.
 */
export async function isLeft(root: FileSystemDirectoryHandle): Promise<boolean> {
  const dolt = await root.getDirectoryHandle('.dolt').catch(() => null);
  if (dolt === null || (await hasManifest(root))) return false;
  return (await fileAt(root, COPY_MARK)) !== null || (await isPart(dolt, '.dolt/', emptyDatabase()));
}

/** The files of a tab that is gone may be open for a moment. */
const TRIES = 40;
const PAUSE_MS = 50;

/** Removes what a tab has left that was closed while it made or copied a database. */
export async function removeLeft(root: FileSystemDirectoryHandle): Promise<void> {
  if (!(await isLeft(root))) return;
  for (let tried = 1; ; tried++) {
    try {
      return await root.removeEntry('.dolt', { recursive: true });
    } catch (error) {
      const isOpen = error instanceof DOMException && error.name === 'NoModificationAllowedError';
      if (!isOpen || tried === TRIES) throw error;
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
  }
}

async function isPart(
  directory: FileSystemDirectoryHandle,
  prefix: string,
  whole: Readonly<Record<string, Uint8Array>>,
): Promise<boolean> {
  for await (const [name, entry] of directory.entries()) {
    const path = prefix + name;
    if (path === WORKSHOP) continue;
    if (entry.kind === 'directory') {
      if (!(await isPart(entry as FileSystemDirectoryHandle, `${path}/`, whole))) return false;
      continue;
    }
    const bytes = new Uint8Array(await (await (entry as FileSystemFileHandle).getFile()).arrayBuffer());
    const expected = whole[path] ?? new Uint8Array();
    if (bytes.length > expected.length || bytes.some((byte, at) => byte !== expected[at])) return false;
  }
  return true;
}

/** Writes the files of a new database. The manifest comes last, and gets its name when it is written. */
export async function writeNew(
  root: FileSystemDirectoryHandle,
  contents: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  for (const [path, bytes] of Object.entries(contents)) if (path !== MANIFEST) await writeFile(root, path, bytes);
  const manifest = contents[MANIFEST];
  if (manifest === undefined) return;
  const aside: Movable = await writeFile(root, `${WORKSHOP}/manifest`, manifest);
  const parent = await directoryAt(root, MANIFEST);
  if (aside.move === undefined) await writeFile(root, MANIFEST, manifest);
  else await aside.move(parent, 'manifest');
}

async function writeFile(
  root: FileSystemDirectoryHandle,
  path: string,
  bytes: Uint8Array,
): Promise<FileSystemFileHandle> {
  const directory = await directoryAt(root, path);
  const handle = await directory.getFileHandle(path.slice(path.lastIndexOf('/') + 1), { create: true });
  const file = await openOpfsFile(handle);
  try {
    file.write(0, bytes);
    file.truncate(bytes.length);
    file.flush();
  } finally {
    file.close();
  }
  return handle;
}

/** The directory of a file, which is made. */
async function directoryAt(root: FileSystemDirectoryHandle, path: string): Promise<FileSystemDirectoryHandle> {
  let directory = root;
  for (const name of path.split('/').slice(0, -1)) {
    directory = await directory.getDirectoryHandle(name, { create: true });
  }
  return directory;
}

async function fileAt(root: FileSystemDirectoryHandle, path: string): Promise<FileSystemFileHandle | null> {
  const names = path.split('/');
  const name = names.pop() ?? '';
  let directory: FileSystemDirectoryHandle | null = root;
  for (const part of names) directory = (await directory?.getDirectoryHandle(part).catch(() => null)) ?? null;
  return (await directory?.getFileHandle(name).catch(() => null)) ?? null;
}

/** A file that cannot be opened is being written by another tab. */
function sizeOf(file: FileSystemFileHandle): Promise<number> {
  return file.getFile().then(
    ({ size }) => size,
    () => Number.POSITIVE_INFINITY,
  );
}
