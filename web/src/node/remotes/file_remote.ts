/** `file://` remotes. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostFailure } from '../../host/files/source.ts';
import type { OpenedRemote, RemoteContext, RemoteRequest } from '../../host/remotes/remote_types.ts';
import { JOURNAL_ID } from '../../protocol/index.ts';
import { DiskDirectory, diskFailure } from '../disk/disk.ts';

/** Opens a `file://` remote: a directory on the disk with the files of its store, and the lock that native Dolt takes. */
export async function openFileRemote({ url, create }: RemoteRequest, context: RemoteContext): Promise<OpenedRemote> {
  const path = pathOf(url);
  try {
    if (create) mkdirSync(path, { recursive: true });
    if (existsSync(path) && !statSync(path).isDirectory())
      throw hostFailure('not_a_database', `${url} is a file: a remote is a directory`);
  } catch (error) {
    throw diskFailure(error);
  }
  if (existsSync(join(path, JOURNAL_ID)))
    throw hostFailure(
      'not_a_database',
      `${url} contains a database, so it cannot be a remote: choose a directory without a journal`,
    );
  const { lockTimeoutMs } = context;
  const directory = new DiskDirectory(path, existsSync(path) ? { lockTimeoutMs, onMoved() {} } : null, 'LOCK');
  return { directory, close: () => directory.close() };
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw hostFailure('usage', `${url} is not the address of a directory: ${(error as Error).message}`);
  }
}
