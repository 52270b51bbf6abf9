/** A picked folder as a remote. */
import { messageOf } from '../../protocol/index.ts';
import { findFolder, folderName } from '../../protocol/remote_folders.ts';
import { FileFault } from '../files/file.ts';
import { HandleDirectory } from './handle_remote.ts';
import type { OpenedRemote, RemoteContext, RemoteRequest } from './remote_types.ts';

/** A handle whose permission can be asked for. Browsers without it give handles of their own storage alone, which need none. */
type Guarded = FileSystemDirectoryHandle & {
  queryPermission?(asked: { mode: 'read' | 'readwrite' }): Promise<PermissionState>;
};

/** Opens `directory://ID/NAME`: a folder that a person picked, whose handle IndexedDB keeps. */
export async function openFolderRemote({ url, create }: RemoteRequest, context: RemoteContext): Promise<OpenedRemote> {
  const name = folderName(url);
  if (name === null) throw new FileFault('host', `${url} names no folder: choose one, which gets an address then`);
  const handle: Guarded | null = await findFolder(url).catch(error => {
    throw new FileFault(
      'host',
      `The folder ${name} cannot be found, for IndexedDB cannot be read: ${messageOf(error)}`,
    );
  });
  if (handle === null) {
    throw new FileFault(
      'gone',
      `The folder ${name} was chosen in another browser, or the data of this site was cleared: choose it again, and add it as a remote`,
    );
  }
  const permission = await handle.queryPermission?.({ mode: create ? 'readwrite' : 'read' });
  if (permission !== undefined && permission !== 'granted') {
    const what = create ? 'written to' : 'read';
    throw new FileFault(
      'denied',
      `The folder ${name} may not be ${what}: browsers want a permission again after a reload. Allow it (in the console by Fetch, Pull or Push under Remotes, in a page by allowRemoteFolder() on a click), then try again`,
    );
  }
  const directory = new HandleDirectory(handle, url, `the folder ${name}`, context);
  await directory.start();
  return { directory, close: () => directory.close() };
}
