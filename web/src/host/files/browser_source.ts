import type { OpenProgress, WireFile } from '../../protocol/index.ts';
import type { HostFile } from './file.ts';
import { openOpfsFile } from './opfs.ts';
import { PickedFile } from './picked.ts';
import { openPortable } from './portable_source.ts';
import { hostFailure, type OpenedSource, type OpenSource, treeSource } from './source.ts';
import { openUrl } from './url_source.ts';
import { walkDatabases } from './walk.ts';
import { xhrNetwork } from './xhr.ts';

/** Safari allows about 250 sync access handles to a worker; past this many, files are read the way picked ones are. */
const SYNC_HANDLES_MAX = 200;

type OnProgress = (progress: OpenProgress) => void;

/** Opens what a browser can open. Runs in a worker: sync access handles and FileReaderSync exist there only. */
export const openBrowserSource: OpenSource = async (source, canSuspend, onProgress) => {
  switch (source.kind) {
    case 'url':
      return openUrl(source.url, canSuspend ? null : xhrNetwork, onProgress);
    case 'opfs':
      return openOpfs(source.path, onProgress);
    case 'directory':
      return openDirectory(source.handle, onProgress);
    case 'files':
      return openPicked(source.files);
    default:
      return openPortable(source, onProgress);
  }
};

async function openOpfs(path: string, onProgress: OnProgress): Promise<OpenedSource> {
  let directory = await opfsRoot();
  const names = path.split('/').filter(name => name !== '' && name !== '.');
  try {
    for (const name of names) directory = await directory.getDirectoryHandle(name);
  } catch (error) {
    throw hostFailure('not_a_database', `There is no directory ${path} in this site's storage: ${messageOf(error)}`);
  }
  return openHandles(directory, names.at(-1) ?? '', 'opfs', onProgress);
}

/** A directory handle may be one of OPFS too, whose files have sync access handles. */
async function openDirectory(handle: FileSystemDirectoryHandle, onProgress: OnProgress): Promise<OpenedSource> {
  const root = await opfsRoot().catch(() => null);
  const isOpfs = root !== null && (await root.resolve(handle)) !== null;
  return openHandles(handle, handle.name, isOpfs ? 'opfs' : 'directory', onProgress);
}

async function opfsRoot(): Promise<FileSystemDirectoryHandle> {
  try {
    return await navigator.storage.getDirectory();
  } catch (error) {
    throw hostFailure('unsupported', `This browser gives the page no storage of its own: ${messageOf(error)}`);
  }
}

async function openHandles(
  directory: FileSystemDirectoryHandle,
  name: string,
  kind: 'opfs' | 'directory',
  onProgress: OnProgress,
): Promise<OpenedSource> {
  const walked = await walkDatabases(directory, onProgress);
  const hasSyncHandles = kind === 'opfs' && walked.length <= SYNC_HANDLES_MAX;
  const files = new Map<string, HostFile>();
  const closeAll = (): void => {
    for (const file of files.values()) file.close();
  };
  try {
    for (const { path, handle } of walked) {
      files.set(path, hasSyncHandles ? await openOpfsFile(handle) : new PickedFile(await handle.getFile()));
      onProgress({ what: 'opening', filesDone: files.size, bytesDone: 0 });
    }
    return treeSource(files, name, { kind, readOnly: true, remote: false, persistent: true });
  } catch (error) {
    closeAll();
    if (error instanceof DOMException && error.name === 'NoModificationAllowedError') {
      throw hostFailure('locked', 'The files of this database are open in another tab');
    }
    throw error;
  }
}

function openPicked(picked: readonly WireFile[]): OpenedSource {
  const files = picked.map(({ path, file }) => [path.replace(/^\/+/, ''), new PickedFile(file)] as const);
  return treeSource(new Map(files), '', { kind: 'files', readOnly: true, remote: false, persistent: true });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
