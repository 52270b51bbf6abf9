/** The platform of a host in Node: disk, network, remotes. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { HostFile } from '../host/files/file.ts';
import { MemoryFile } from '../host/files/memory.ts';
import { openPortable } from '../host/files/portable_source.ts';
import { openUrl } from '../host/files/remote/url_source.ts';
import {
  hostFailure,
  type OpenContext,
  type OpenedSource,
  type OpenSource,
  readOnlyStorage,
  treeSource,
} from '../host/files/source.ts';
import type { HostPlatform } from '../host/host.ts';
import type { OpenLocalFile } from '../host/local_files.ts';
import { WasmEngine } from '../host/wasm/wasm_engine.ts';
import type { WireFile } from '../protocol/index.ts';
import { loadCore, scratch } from './core.ts';
import { openAround, openPath } from './disk/disk.ts';
import { openDiskCache } from './disk/disk_cache.ts';
import { DiskFile, diskFault } from './disk/disk_file.ts';
import { nodeFetch } from './network/http_get.ts';
import { ThreadNetwork } from './network/network.ts';
import { environmentCredentials } from './remotes/environment_credentials.ts';

/** What Node gives a host, in the main thread or in another. */
export const nodePlatform: Omit<HostPlatform, 'reply'> = {
  openSource,
  startEngine: async options => new WasmEngine(await loadCore(), options, loadCore),
  openLocal,
  remotes: {
    open: async (request, context) => {
      const { openNodeRemote } = await import('./remotes/node_remotes.ts');
      return openNodeRemote(request, context);
    },
    network: () => new ThreadNetwork(),
    openCache: openDiskCache,
    scratch: () => scratch.open(),
    credentials: request => environmentCredentials(request),
  },
  canSuspend: false,
  fetch: nodeFetch,
  pause: () => new Promise(resolve => setImmediate(resolve)),
  onReleased: collectGarbage,
};

/** The memory of an instance goes with its objects, which V8 collects as it allocates: an idle process does not. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  setImmediate(collect);
}

async function openSource(...[source, context]: Parameters<OpenSource>): Promise<OpenedSource> {
  switch (source.kind) {
    case 'path':
      return source.cloning ? openAround(source.path, context) : openPath(source.path, source.create, context);
    case 'url':
      return openAddress(source.url, context);
    case 'files':
      return openFiles(source.files);
    default:
      return openPortable(source, context);
  }
}

async function openAddress(url: string, context: OpenContext): Promise<OpenedSource> {
  const network = new ThreadNetwork(context.networkTimeoutMs);
  try {
    const source = await openUrl(url, network, { ...context, readOnly: true }, openDiskCache);
    return source.storage.kind === 'archive' ? { ...source, storage: readOnlyStorage('archive', false) } : source;
  } catch (error) {
    network.close();
    throw error;
  }
}

/** Node has no blocking way to read a File: they are taken into memory. */
async function openFiles(files: readonly WireFile[]): Promise<OpenedSource> {
  const read = async ({ path, file }: WireFile) =>
    [path.replace(/^\/+/, ''), new MemoryFile(new Uint8Array(await file.arrayBuffer()))] as const;
  const known = new Map(await Promise.all(files.map(read)));
  return treeSource(known, '', readOnlyStorage('files', false));
}

/** A file for LOAD DATA LOCAL. A Blob is taken into memory, for Node has no blocking way to read one. */
async function openLocal(...[file, name]: Parameters<OpenLocalFile>): Promise<HostFile> {
  if (file instanceof Blob) return new MemoryFile(new Uint8Array(await file.arrayBuffer()));
  try {
    return new DiskFile(file.path, 'r', () => {});
  } catch (error) {
    throw hostFailure('unreadable', `${name}: ${diskFault(error).message}`);
  }
}
