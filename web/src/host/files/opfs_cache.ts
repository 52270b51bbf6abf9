import { openOpfsFile } from './opfs.ts';
import { PageCache } from './page_cache.ts';

const DIRECTORY = '.varve-cache';
const FILE = 'pages-1';
const LIMIT_BYTES = 1024 * 1024 * 1024;

/**
 * Opens the cache of this origin.
 *
 * @throws Error where there is no such storage, or another tab has the file in a browser where one tab alone can have it.
 */
export async function openOpfsCache(limitBytes: number | undefined): Promise<PageCache> {
  const root = await navigator.storage.getDirectory();
  const directory = await root.getDirectoryHandle(DIRECTORY, { create: true });
  const file = await openOpfsFile(await directory.getFileHandle(FILE, { create: true }));
  return new PageCache(file, limitBytes ?? (await defaultLimit()));
}

async function defaultLimit(): Promise<number> {
  const { quota = 5 * LIMIT_BYTES } = await navigator.storage.estimate();
  return Math.min(LIMIT_BYTES, quota / 5);
}
