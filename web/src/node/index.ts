/** The npm package's entry in Node. Importing it touches nothing: the engine is loaded by the first `open`. */
import {
  type CloneOptions,
  type CloneTarget,
  cloneThrough,
  type Database,
  type Environment,
  type OpenOptions,
  openThrough,
  type Source,
  type Transport,
} from '../client/index.ts';
import { inlineHost } from '../host/inline.ts';
import { diskSink } from './disk/disk_sink.ts';
import { nodePlatform } from './platform.ts';
import { threadTransport } from './transport.ts';

export * from '../client/public.ts';

/**
 * Opens a database: a path, or any other source. Local ones run in this thread, in slices of a few milliseconds; an
 * address on the network gets a thread of its own.
 *
 * @throws VarveError when the source cannot be read or holds no database; the signal's reason when it is aborted.
 */
export function open(source: Source, options: OpenOptions = {}): Promise<Database> {
  return openThrough(() => connect(source), source, options, ENVIRONMENT);
}

/**
 * Makes a database in a directory with what a remote has, and opens it.
 *
 * @param url `file://`, `s3://`, or `http(s)://` of a Dolt service or of files.
 * @throws as `open`, and SqlError when the remote has no such branch; nothing stays of a clone that failed.
 */
export function clone(url: string | URL, target: CloneTarget, options: CloneOptions = {}): Promise<Database> {
  return cloneThrough(() => inlineHost(nodePlatform), url, target, options, ENVIRONMENT);
}

const ENVIRONMENT: Environment = {
  acceptsPaths: true,
  baseUrl: undefined,
  lockTimeoutMs: 10_000,
  sink: diskSink,
};

function connect(source: Source): Transport {
  return isAddress(source) ? threadTransport() : inlineHost(nodePlatform);
}

function isAddress(source: Source): boolean {
  if (typeof source === 'string') return /^https?:/i.test(source);
  if (source instanceof URL) return source.protocol !== 'file:';
  return 'url' in source && isAddress(String(source.url));
}
