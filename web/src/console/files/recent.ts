/** Databases that were opened before and can be opened again: addresses, and directory handles, which IndexedDB keeps. */

export interface Recent {
  readonly key: string;
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
  readonly url?: string;
  readonly handle?: FileSystemDirectoryHandle;
}

const STORE = 'recent';
const KEPT = 8;

function openStore(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('varve-console', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB is not available'));
  });
}

async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openStore();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB gave up'));
    });
  } finally {
    database.close();
  }
}

/** Newest first. Empty where the browser keeps nothing. */
export async function listRecent(): Promise<readonly Recent[]> {
  try {
    const all = await inStore<Recent[]>('readonly', store => store.getAll());
    return all.sort((a, b) => b.openedAt - a.openedAt);
  } catch {
    return [];
  }
}

export async function rememberRecent(
  label: string,
  where: { readonly url: string } | { readonly handle: FileSystemDirectoryHandle },
): Promise<void> {
  const known = await listRecent();
  const key = 'url' in where ? where.url : await handleKey(where.handle, known);
  try {
    await inStore('readwrite', store => store.put({ key, label, openedAt: Date.now(), ...where }));
    for (const old of known.filter(recent => recent.key !== key).slice(KEPT - 1)) await forgetRecent(old.key);
  } catch {
    // Private windows of some browsers refuse handles; the list is a convenience.
  }
}

async function handleKey(handle: FileSystemDirectoryHandle, known: readonly Recent[]): Promise<string> {
  for (const recent of known) {
    if (recent.handle !== undefined && (await recent.handle.isSameEntry(handle))) return recent.key;
  }
  return `directory:${handle.name}:${Date.now()}`;
}

export async function forgetRecent(key: string): Promise<void> {
  await inStore('readwrite', store => store.delete(key)).catch(() => undefined);
}

/** A kept handle needs the person's leave again in a new visit. */
export async function mayRead(handle: FileSystemDirectoryHandle): Promise<boolean> {
  if ((await handle.queryPermission({ mode: 'read' })) === 'granted') return true;
  return (await handle.requestPermission({ mode: 'read' })) === 'granted';
}
