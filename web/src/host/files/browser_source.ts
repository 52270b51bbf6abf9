/** Sources of browsers: OPFS, picked directories and files, URLs, archives, memory. */
import type { WireFile } from '../../protocol/index.ts';
import type { OpenLocalFile } from '../local_files.ts';
import type { HostFile } from './file.ts';
import { openOpfsCache } from './opfs/opfs_cache.ts';
import { namesInOpfs, openOpfs, openOpfsAround, openOwn } from './opfs/opfs_source.ts';
import { PickedFile } from './picked.ts';
import { openPortable } from './portable_source.ts';
import { openUrl } from './remote/url_source.ts';
import { xhrNetwork } from './remote/xhr.ts';
import {
  hostFailure,
  type OpenContext,
  type OpenedSource,
  type OpenSource,
  readOnlyStorage,
  treeSource,
} from './source.ts';
import { walkDatabases } from './walk.ts';

/** Opens what a browser can open. Runs in a worker: sync access handles and FileReaderSync exist there only. */
export const openBrowserSource: OpenSource = async (source, context) => {
  switch (source.kind) {
    case 'url':
      return openUrl(source.url, context.canSuspend ? null : xhrNetwork, context, openOpfsCache);
    case 'opfs':
      return source.cloning ? openOpfsAround(source.path, context) : openOpfs(source.path, source.create, context);
    case 'directory':
      return openDirectory(source.handle, context);
    case 'files':
      return openPicked(source.files);
    default:
      return openPortable(source, context);
  }
};

/** A file for LOAD DATA LOCAL. */
export const openBrowserFile: OpenLocalFile = (file, name) => {
  if (file instanceof Blob) return new PickedFile(file, name);
  throw hostFailure('unsupported', `${name}: paths are of Node only`);
};

/** A directory handle may be one of OPFS too, whose files have sync access handles. */
async function openDirectory(handle: FileSystemDirectoryHandle, context: OpenContext): Promise<OpenedSource> {
  const names = await namesInOpfs(handle);
  if (names !== null) return openOwn(handle, names, context);
  const files = new Map<string, HostFile>();
  for (const { path, handle: file } of await walkDatabases(handle, context.onProgress)) {
    files.set(path, new PickedFile(await file.getFile()));
    context.onProgress({ what: 'opening', filesDone: files.size, bytesDone: 0 });
  }
  return treeSource(files, handle.name, readOnlyStorage('directory', true));
}

function openPicked(picked: readonly WireFile[]): OpenedSource {
  const files = picked.map(({ path, file }) => [path.replace(/^\/+/, ''), new PickedFile(file)] as const);
  return treeSource(new Map(files), '', readOnlyStorage('files', true));
}
