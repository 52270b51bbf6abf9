/** What later statements need of a database on a network, fetched into its cache on disk. */
import type { Stats } from '../protocol/index.ts';
import { VarveError } from './errors.ts';
import type { Queries, StatementOptions } from './types.ts';

export interface PrefetchOptions extends StatementOptions {
  /** Names of tables; all by default. */
  readonly tables?: readonly string[] | undefined;
  /** A branch, tag or commit; by default the branch that the database opens on, with what is not committed there. */
  readonly ref?: string | undefined;
  /** Earlier commits as well. */
  readonly history?: boolean | undefined;
  readonly onProgress?: ((progress: PrefetchProgress) => void) | undefined;
}

/** Chunks that were read, of those that are known so far. */
export interface PrefetchProgress {
  readonly chunks: number;
  readonly chunksKnown: number;
}

/** What `prefetch` has read. */
export interface Prefetched {
  readonly chunks: number;
  /** Bytes from the network; the others were in memory or in the cache. */
  readonly bytesFetched: number;
}

/** @throws VarveError `usage` where nothing can be kept: the database is local, or there is no cache. */
export async function prefetch(
  queries: Queries,
  stats: () => Promise<Stats>,
  options: PrefetchOptions,
): Promise<Prefetched> {
  const { tables = [], ref = '', history = false, onProgress, ...statement } = options;
  const before = await stats();
  checkCache(before);
  const marks = ['?', '?', ...tables.map(() => '?')].join(', ');
  const values = [ref, history ? 'history' : '', ...tables];
  const lines = queries.stream<{ report: string }>(`CALL varve_prefetch(${marks})`, values, statement);
  let chunks = 0;
  for await (const { report } of lines.rows()) {
    const [, read, known] = JSON.parse(report) as readonly string[];
    chunks = Number(read);
    onProgress?.({ chunks, chunksKnown: Number(known) });
  }
  const after = await stats();
  checkCache(after);
  return { chunks, bytesFetched: after.bytesFetched - before.bytesFetched };
}

function checkCache({ cache }: Stats): void {
  if (cache === null)
    throw new VarveError('usage', 'prefetch: this database is local, only remote databases can be prefetched');
  if (cache.reason !== null) throw new VarveError('usage', `prefetch: there is no cache: ${cache.reason}`);
}
