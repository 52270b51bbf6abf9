/** Databases in the browser's own storage, one directory each. */

/** The directory of the storage that holds them, so that other things of the site stay apart. */
const SHELF = 'databases';

/** Where a database of this name is, for `{ opfs }`. */
export function storedPath(name: string): string {
  return `${SHELF}/${name}`;
}

/** Their names. Empty where the browser gives the page no storage. */
export async function listStored(): Promise<readonly string[]> {
  try {
    const shelf = await openShelf(false);
    const names: string[] = [];
    for await (const [name, entry] of shelf.entries()) if (entry.kind === 'directory') names.push(name);
    return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  } catch {
    return [];
  }
}

/** What its files have in bytes; undefined where that cannot be told. */
export async function storedBytes(name: string): Promise<number | undefined> {
  try {
    return await bytesIn(await (await openShelf(false)).getDirectoryHandle(name));
  } catch {
    return undefined;
  }
}

async function bytesIn(directory: FileSystemDirectoryHandle): Promise<number> {
  let bytes = 0;
  for await (const entry of directory.values()) {
    bytes += entry.kind === 'file' ? (await entry.getFile()).size : await bytesIn(entry);
  }
  return bytes;
}

/** @throws DOMException when a tab has it open. */
export async function deleteStored(name: string): Promise<void> {
  await (await openShelf(false)).removeEntry(name, { recursive: true });
}

/** Whether the browser gives the page storage; some private windows do not. */
export async function canStore(): Promise<boolean> {
  return openShelf(true).then(
    () => true,
    () => false,
  );
}

/** What is wrong with a name for a database, or nothing. */
export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return 'Enter a name';
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_ -]*$/u.test(name)) return 'Letters, digits, spaces, - and _ only';
  if (name.length > 64) return 'At most 64 characters';
  return taken.includes(name) ? `A database named ${name} already exists in this browser` : undefined;
}

async function openShelf(create: boolean): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(SHELF, { create });
}
