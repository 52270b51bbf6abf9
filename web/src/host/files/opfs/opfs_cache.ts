/** The file of the page cache in OPFS. */
import { PageCache } from '../remote/page_cache.ts';
import { openOpfsFile } from './opfs.ts';

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
  const file = await openOpfsFile(await directory.getFileHandle(FILE, { create: true })).catch(error => {
    if (!(error instanceof DOMException && error.name === 'NoModificationAllowedError')) throw error;
    throw new Error('Another tab has the cache, and this browser lets one tab at a time have a file open');
  });
  return new PageCache(file, limitBytes ?? (await defaultLimit()), undefined, () => isThere(root));
}

/** In Chromium an open handle outlives its file, when the site's data is cleared. */
async function isThere(root: FileSystemDirectoryHandle): Promise<boolean> {
  try {
    await (await root.getDirectoryHandle(DIRECTORY)).getFileHandle(FILE);
    return true;
  } catch (error) {
    return !(error instanceof DOMException && error.name === 'NotFoundError');
  }
}

async function defaultLimit(): Promise<number> {
  const { quota = 5 * LIMIT_BYTES } = await navigator.storage.estimate();
  return Math.min(LIMIT_BYTES, quota / 5);
}
