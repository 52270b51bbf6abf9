/** What a person hands over (a drop, a picker, an address) as a source for `open`. */
import type { Source } from '../../lib/index.ts';

export interface NamedSource {
  readonly source: Source;
  readonly label: string;
  /** Can be opened again by itself: an address or a directory handle. */
  readonly recent?: { readonly url: string } | { readonly handle: FileSystemDirectoryHandle };
}

const SPREADSHEET = /\.(xlsx?|xlsm|ods|numbers)$/i;
const ARCHIVE = /\.(zip|tar\.gz|tgz)$/i;

/** Any picker or drop that holds no database. */
export class NothingToOpen extends Error {
  override readonly name = 'NothingToOpen';
}

export function sourceOfUrl(text: string): NamedSource {
  const url = new URL(text.trim(), location.href);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new NothingToOpen('Only http and https addresses');
  const last = url.pathname
    .split('/')
    .filter(part => part !== '')
    .at(-1);
  return { source: url, label: last ?? url.host, recent: { url: url.href } };
}

function sourceOfHandle(handle: FileSystemDirectoryHandle): NamedSource {
  return { source: { directory: handle }, label: handle.name, recent: { handle } };
}

/** Files of `<input webkitdirectory>`, or one archive. */
export function sourceOfFiles(files: readonly File[]): NamedSource {
  const [only] = files;
  if (only === undefined) throw new NothingToOpen('No files');
  if (files.length === 1 && ARCHIVE.test(only.name)) return sourceOfArchive(only);
  const top = only.webkitRelativePath.split('/')[0];
  if (top === undefined || top === '') {
    if (SPREADSHEET.test(only.name)) {
      throw new NothingToOpen(`${only.name} is a spreadsheet. Save it as CSV to import it`);
    }
    throw new NothingToOpen(
      `${only.name} cannot be opened. Expected a database directory (with .dolt), a .zip or .tar.gz of one, or a .sql, .csv or .json file`,
    );
  }
  return { source: { files }, label: top };
}

function sourceOfArchive(archive: File): NamedSource {
  return { source: { archive, name: archive.name }, label: archive.name.replace(ARCHIVE, '') };
}

export function canPickDirectory(): boolean {
  return 'showDirectoryPicker' in window;
}

/** Undefined when the person closed the picker. */
export async function pickDirectory(): Promise<NamedSource | undefined> {
  const handle = await picked({ id: 'varve' });
  return handle === undefined ? undefined : sourceOfHandle(handle);
}

/** A folder that is pushed to or cloned from. Undefined when the person closed the picker. */
export function pickRemoteFolder(mode: 'read' | 'readwrite'): Promise<FileSystemDirectoryHandle | undefined> {
  return picked({ id: 'varve-remote', mode });
}

async function picked(options: DirectoryPickerOptions): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await window.showDirectoryPicker(options);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

/** What was dropped: a directory (by handle where the browser has them), an archive, or loose files. */
export async function sourceOfDrop(transfer: DataTransfer): Promise<NamedSource> {
  // The items are gone after the first wait, so everything is taken from them at once.
  const items = Array.from(transfer.items).filter(item => item.kind === 'file');
  const files = Array.from(transfer.files);
  const entries = items.map(item => item.webkitGetAsEntry());
  const handles = items.map(item => ('getAsFileSystemHandle' in item ? item.getAsFileSystemHandle() : null));
  if (files.length === 1 && files[0] !== undefined && ARCHIVE.test(files[0].name)) return sourceOfArchive(files[0]);
  const handle = await handles[0];
  if (handle?.kind === 'directory') return sourceOfHandle(handle as FileSystemDirectoryHandle);
  const directory = entries.find(entry => entry?.isDirectory);
  if (directory === undefined || directory === null) return sourceOfFiles(files);
  return { source: { files: await filesBelow(directory as FileSystemDirectoryEntry) }, label: directory.name };
}

interface PathFile {
  readonly path: string;
  readonly file: File;
}

async function filesBelow(directory: FileSystemDirectoryEntry): Promise<PathFile[]> {
  const found: PathFile[] = [];
  const waiting = [directory];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await entriesOf(next)) {
      if (entry.isDirectory) waiting.push(entry as FileSystemDirectoryEntry);
      else found.push({ path: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry as FileSystemFileEntry) });
    }
  }
  return found;
}

async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  // A reader gives a hundred entries at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
