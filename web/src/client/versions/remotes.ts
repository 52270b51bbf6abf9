/** Fetch, pull and push, through the procedures of SQL. */
import type { Stats } from '../../protocol/index.ts';
import { SqlError } from '../errors.ts';
import type { Queries, Row, StatementOptions } from '../types.ts';
import type {
  CloneOptions,
  CompleteOptions,
  FetchOptions,
  FetchResult,
  LazyClone,
  PullOptions,
  PullResult,
  PushedRef,
  PushOptions,
  PushResult,
  Remote,
  RemoteProgress,
  TrackingUpdate,
} from './remote_types.ts';
import { call, isTrue, keepingConflicts, tableConflicts, text } from './versions.ts';

/** What a database gives to these. */
export interface Watched extends Queries {
  stats(): Promise<Stats>;
}

/** Interval of progress reports. */
const PROGRESS_MS = 250;

export async function remotes(queries: Queries, options?: StatementOptions): Promise<Remote[]> {
  const { rows } = await queries.query('SELECT name, url FROM dolt_remotes ORDER BY name', [], options);
  return rows.map(({ name, url }) => ({ name: text(name), url: text(url) }));
}

export async function fetch(database: Watched, options: FetchOptions = {}): Promise<FetchResult> {
  const { remote, refs = [], prune, user, onProgress, ...statement } = options;
  const args = [...withUser(user), ...(prune ? ['--prune'] : [])];
  if (remote !== undefined || refs.length > 0) args.push(await remoteOf(database, remote), ...refs);
  const before = await trackingBranches(database);
  await telling(database, onProgress, () => call(database, 'dolt_fetch', args, statement));
  const after = await trackingBranches(database);
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const updates = names
    .map((name): TrackingUpdate => ({ name, from: before.get(name) ?? null, to: after.get(name) ?? null }))
    .filter(({ from, to }) => from !== to);
  return { outcome: updates.length === 0 ? 'up_to_date' : 'fetched', updates };
}

export async function pull(database: Watched, options: PullOptions = {}): Promise<PullResult> {
  const { remote, branch, fastForward, squash, user, onProgress, ...statement } = options;
  const args = withUser(user);
  if (remote !== undefined || branch !== undefined) args.push(await remoteOf(database, remote));
  if (branch !== undefined) args.push(branch);
  if (fastForward !== undefined) args.push(fastForward === 'no' ? '--no-ff' : '--ff-only');
  if (squash) args.push('--squash');
  const work = async (): Promise<Row> => (await call(database, 'dolt_pull', args, statement)).rows[0] ?? {};
  const row = await keepingConflicts(database, () => telling(database, onProgress, work));
  const hasConflicts = isTrue(row.conflicts);
  const message = text(row.message);
  const isUpToDate = /up.to.date|is ahead of b already/i.test(message);
  return {
    outcome: hasConflicts ? 'conflicts' : isUpToDate ? 'up_to_date' : 'merged',
    isFastForward: isTrue(row.fast_forward),
    message,
    conflicts: hasConflicts ? await tableConflicts(database) : [],
  };
}

export async function push(database: Watched, options: PushOptions = {}): Promise<PushResult> {
  const { remote, refs = [], all, force, setUpstream, user, onProgress, ...statement } = options;
  const args = withUser(user);
  if (all) args.push('--all');
  if (force) args.push('--force');
  if (setUpstream) args.push('--set-upstream');
  if (remote !== undefined || refs.length > 0) args.push(await remoteOf(database, remote), ...refs);
  try {
    const { rows } = await telling(database, onProgress, () => call(database, 'dolt_push', args, statement));
    const message = text(rows[0]?.message);
    const pushed = pushedRefs(message);
    return { outcome: pushed.length === 0 ? 'up_to_date' : 'pushed', reason: null, refs: pushed, message };
  } catch (error) {
    if (!(error instanceof SqlError) || !error.message.includes('(non-fast-forward)')) throw error;
    const { message } = error;
    return { outcome: 'rejected', reason: 'non_fast_forward', refs: pushedRefs(message), message };
  }
}

/** Arguments of `dolt_clone` before the address. */
export function cloneArguments({ branch, singleBranch, depth, lazy, remote, user }: CloneOptions): string[] {
  const args = withUser(user);
  if (lazy) args.push('--lazy');
  if (branch !== undefined) args.push('--branch', branch);
  if (singleBranch) args.push('--single-branch');
  if (depth !== undefined) args.push('--depth', String(depth));
  if (remote !== undefined) args.push('--remote', remote);
  return args;
}

/** Where the rest of a lazy clone is; null of a database that has all of its rows. */
export async function lazyClone(queries: Queries, options?: StatementOptions): Promise<LazyClone | null> {
  const [row] = (await call(queries, 'varve_lazy', [], options)).rows;
  return row === undefined ? null : { url: text(row.url), remoteBytes: Number(row.remote_bytes) };
}

export async function completeClone(database: Watched, options: CompleteOptions = {}): Promise<void> {
  const { onProgress, ...statement } = options;
  await telling(database, onProgress, () => call(database, 'varve_complete', [], statement));
}

/** Tells how far a copy is while `work` runs. */
export async function telling<T>(
  database: Watched,
  onProgress: ((progress: RemoteProgress) => void) | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (onProgress === undefined) return work();
  let isOver = false;
  const tell = async (): Promise<void> => {
    const { counters, requests, bytesFetched } = await database.stats();
    const { copied_chunks: chunks = 0, copied_bytes: bytes = 0, copied_bytes_total: bytesTotal = 0 } = counters;
    if (!isOver) onProgress({ chunks, bytes, bytesTotal, requests, bytesFetched });
  };
  const timer = setInterval(() => void tell().catch(() => {}), PROGRESS_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await tell().catch(() => {});
    isOver = true;
  }
}

function withUser(user: string | undefined): string[] {
  return user === undefined ? [] : ['--user', user];
}

/** The remote that is meant: the one that the current branch follows, the only one, or `origin`. */
async function remoteOf(queries: Queries, name: string | undefined): Promise<string> {
  if (name !== undefined) return name;
  const sql = 'SELECT remote FROM dolt_branches WHERE name = active_branch()';
  const followed = text((await queries.query(sql)).rows[0]?.remote);
  if (followed !== '') return followed;
  const [only, ...others] = await remotes(queries);
  return others.length === 0 ? (only?.name ?? 'origin') : 'origin';
}

/** Hashes by `origin/main`. */
async function trackingBranches(queries: Queries): Promise<Map<string, string>> {
  const { rows } = await queries.query('SELECT name, hash FROM dolt_remote_branches');
  return new Map(rows.map(({ name, hash }) => [text(name).replace(/^remotes\//, ''), text(hash)]));
}

const OUTCOMES = { '* [new branch]': 'pushed', '- [deleted]': 'deleted', '! [rejected]': 'rejected' } as const;

/** What the lines of native Dolt's message say. */
function pushedRefs(message: string): PushedRef[] {
  const refs: PushedRef[] = [];
  for (const line of message.split('\n')) {
    const found = /^ ([*!-] \[[^\]]*\]) +(?:(.+) -> )?(.+?)(?: \(non-fast-forward\))?$/.exec(line);
    const outcome = OUTCOMES[found?.[1] as keyof typeof OUTCOMES];
    if (found === null || outcome === undefined) continue;
    const [, , from = '', to = ''] = found;
    refs.push({ from, to, outcome });
  }
  return refs;
}
