/** The file of the page cache on disk. */
import { closeSync, mkdirSync, openSync, statfsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PageCache } from '../../host/files/remote/page_cache.ts';
import { DiskFile } from './disk_file.ts';

const FILE = 'pages-1';
const LIMIT_BYTES = 1024 * 1024 * 1024;

/**
 * Opens the cache in the user's folder for caches.
 *
 * @throws Error where it cannot be made.
 */
export async function openDiskCache(limitBytes: number | undefined): Promise<PageCache> {
  const folder = cacheFolder(process.platform, process.env, homedir());
  // Cached bytes of a private database are readable by its user only.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, FILE);
  closeSync(openSync(path, 'a', 0o600));
  const { bavail, bsize } = statfsSync(folder);
  return new PageCache(new DiskFile(path, 'r+', () => {}), limitBytes ?? Math.min(LIMIT_BYTES, (bavail * bsize) / 5));
}

/** Where programs of the platform keep what they can fetch again. */
export function cacheFolder(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env;
  // The specification has relative paths ignored.
  if (xdg?.startsWith('/')) return join(xdg, 'varve');
  if (platform === 'darwin') return join(home, 'Library/Caches/varve');
  if (platform === 'win32') return join(local || join(home, 'AppData/Local'), 'varve/Cache');
  return join(home, '.cache/varve');
}
