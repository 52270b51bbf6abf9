/**
 * Folders that a person picked as remotes. A URL cannot hold a `FileSystemDirectoryHandle`: IndexedDB keeps it, under the URL
 * `directory://ID/NAME`, where the page and its workers find it.
 */
import { JOURNAL_ID } from './store_files.ts';

export const FOLDER_SCHEME = 'directory';

const DATABASE = 'varve-remotes';
const STORE = 'folders';
const ID_BYTES = 8;

interface KeptFolder {
  readonly url: string;
  readonly handle: FileSystemDirectoryHandle;
}

/** The name of the folder that a URL stands for; null for a URL of another scheme. */
export function folderName(url: string): string | null {
  const found = /^directory:\/\/[^/]*\/([^/?#]*)/i.exec(url);
  if (found === null) return null;
  try {
    return decodeURIComponent(found[1] ?? '');
  } catch {
    return found[1] ?? '';
  }
}

/**
 * Keeps a handle.
 *
 * @returns its URL: the same one for the same folder.
 */
export async function keepFolder(handle: FileSystemDirectoryHandle): Promise<string> {
  for (const kept of await inStore<KeptFolder[]>('readonly', store => store.getAll())) {
    if (await kept.handle.isSameEntry(handle)) return kept.url;
  }
  const id = Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), byte => byte.toString(16).padStart(2, '0'));
  const url = `${FOLDER_SCHEME}://${id.join('')}/${encodeURIComponent(handle.name)}`;
  await inStore('readwrite', store => store.put({ url, handle } satisfies KeptFolder));
  return url;
}

/** The handle that was kept under a URL; null where there is none. */
export async function findFolder(url: string): Promise<FileSystemDirectoryHandle | null> {
  const kept = await inStore<KeptFolder | undefined>('readonly', store => store.get(url));
  return kept?.handle ?? null;
}

/** Whether a folder holds a database, which is no remote. */
export async function holdsDatabase(handle: FileSystemDirectoryHandle): Promise<boolean> {
  const isThere = (found: Promise<unknown>): Promise<boolean> =>
    found.then(
      () => true,
      (error: unknown) => {
        if (error instanceof DOMException && (error.name === 'NotFoundError' || error.name === 'TypeMismatchError'))
          return false;
        throw error;
      },
    );
  return (await isThere(handle.getDirectoryHandle('.dolt'))) || (await isThere(handle.getFileHandle(JOURNAL_ID)));
}

function openStore(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'url' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB is not available'));
  });
}

async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await openStore();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result as T);
      transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB gave up'));
    });
  } finally {
    database.close();
  }
}
