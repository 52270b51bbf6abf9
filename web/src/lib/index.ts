/** The npm package's entry in browsers. Importing it touches nothing: no worker, no global, no network. */
import {
  browserSink,
  type Database,
  type OpenOptions,
  openThrough,
  type Source,
  workerTransport,
} from '../client/index.ts';
import { ownWorker } from './own_worker.ts';

export * from '../client/public.ts';

/**
 * Opens a database in a worker of its own.
 *
 * @throws VarveError when the source cannot be read or holds no database; the signal's reason when it is aborted.
 */
export function open(source: Source, options: OpenOptions = {}): Promise<Database> {
  const connect = () => workerTransport(options.worker ?? ownWorker());
  return openThrough(connect, source, options, {
    acceptsPaths: false,
    baseUrl: globalThis.location?.href,
    lockTimeoutMs: 30_000,
    sink: browserSink,
  });
}
