/** A picked folder as a remote: on the page's side, which alone can ask for permission. */
import { messageOf } from '../../protocol/index.ts';
import { findFolder, folderName, holdsDatabase, keepFolder } from '../../protocol/remote_folders.ts';
import { VarveError } from '../errors.ts';

/**
 * Makes a folder a remote: keeps its handle in IndexedDB, so that it can be used after a reload.
 *
 * @param handle of `showDirectoryPicker({ mode: 'readwrite' })`; of a folder that is empty, or that was pushed to before.
 * @returns its URL, for `addRemote` and `clone`: `directory://ID/NAME`, the same one for the same folder. It means nothing in other browsers.
 * @throws VarveError `not_a_database` for a folder that holds a database; `unsupported` where the browser keeps no handles.
 */
export async function remoteFolder(handle: FileSystemDirectoryHandle): Promise<string> {
  if (await holdsDatabase(handle)) {
    throw new VarveError(
      'not_a_database',
      `The folder ${handle.name} contains a database. Choose an empty folder, or one that was pushed to before`,
    );
  }
  try {
    return await keepFolder(handle);
  } catch (error) {
    throw new VarveError(
      'unsupported',
      `This browser does not remember the folder ${handle.name}: ${messageOf(error)}`,
    );
  }
}

/** The name of the folder that a remote's URL stands for; null for any other URL. */
export function remoteFolderName(url: string): string | null {
  return folderName(url);
}

/**
 * Asks for permission to use the folder of a remote, which browsers want again after a reload. Call it in the handler of a click: elsewhere
 * browsers do not ask. Any other URL needs none.
 *
 * @param mode `read` is enough for `clone`, `fetch` and `pull`.
 * @returns whether it may be used.
 * @throws VarveError `gone` when this browser knows no such folder.
 */
export async function allowRemoteFolder(url: string, mode: 'read' | 'readwrite' = 'readwrite'): Promise<boolean> {
  const name = folderName(url);
  if (name === null) return true;
  const handle = await findFolder(url).catch(() => null);
  if (handle === null) {
    throw new VarveError(
      'gone',
      `The folder ${name} was chosen in another browser, or the data of this site was cleared: choose it again`,
    );
  }
  // Browsers without it give handles of their own storage alone, which need no permission.
  if (!('queryPermission' in handle) || (await handle.queryPermission({ mode })) === 'granted') return true;
  try {
    return (await handle.requestPermission({ mode })) === 'granted';
  } catch (error) {
    // Outside a handler of a click.
    if (error instanceof DOMException && (error.name === 'SecurityError' || error.name === 'NotAllowedError'))
      return false;
    throw error;
  }
}
