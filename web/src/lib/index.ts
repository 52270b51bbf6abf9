/** The npm package's entry in browsers. Importing it touches nothing: no worker, no global, no network. */
import {
  browserSink,
  type CloneOptions,
  type CloneTarget,
  cloneThrough,
  type Database,
  type Environment,
  type OpenOptions,
  openThrough,
  type Source,
  workerTransport,
} from '../client/index.ts';
import { ownWorker } from './own_worker.ts';

export * from '../client/public.ts';
export { allowRemoteFolder, remoteFolder, remoteFolderName } from '../client/versions/remote_folders.ts';

/**
 * Opens a database in a worker of its own.
 *
 * @throws VarveError when the source cannot be read or holds no database; the signal's reason when it is aborted.
 */
export function open(source: Source, options: OpenOptions = {}): Promise<Database> {
  const connect = () => workerTransport(options.worker ?? ownWorker());
  return openThrough(connect, source, options, environment());
}

/**
 * Makes a database in the storage of the site with what a remote has, and opens it.
 *
 * @param url `http(s)://` of a Dolt service or of files, `s3://`, `opfs://` of this storage, or that of a folder (`remoteFolder`).
 * @throws as `open`, and SqlError when the remote has no such branch; nothing stays of a clone that failed.
 */
export function clone(url: string | URL, target: CloneTarget, options: CloneOptions = {}): Promise<Database> {
  return cloneThrough(() => workerTransport(ownWorker()), url, target, options, environment());
}

function environment(): Environment {
  return { acceptsPaths: false, baseUrl: globalThis.location?.href, lockTimeoutMs: 30_000, sink: browserSink };
}
