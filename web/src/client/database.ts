/** `open`, `clone` and the `Database` that they return: the public API on the page's side. */
import type {
  Durability,
  OpenedDatabase,
  StatementSpan,
  Stats,
  Storage,
  UnreadableDatabase,
  WireOpenOptions,
} from '../protocol/index.ts';
import {
  CLONE,
  COMMIT,
  COMPLETE,
  COPY,
  checkArgument,
  checkedInput,
  checkedStatement,
  checkOptions,
  checkTarget,
  DIFF,
  DUMP,
  EXPORT_ROWS,
  FETCH,
  IMPORT_ROWS,
  IMPORT_SQL,
  LIVE,
  LOG,
  MERGE,
  OPEN,
  PREFETCH,
  PULL,
  PUSH,
  TRANSACTION,
  VERIFY,
} from './checked.ts';
import { VarveError } from './errors.ts';
import { LiveEvaluation } from './live.ts';
import type { Prefetched, PrefetchOptions } from './prefetch.ts';
import { EngineSession, SessionQueries } from './session.ts';
import { wireSource } from './source.ts';
import type { FileSink } from './transfer/export/directory_sink.ts';
import { copyFiles, dumpSql, exportRows, importRows, importSql, zipFiles } from './transfer/on_demand.ts';
import type {
  CopyOptions,
  CopyTarget,
  DumpOptions,
  ExportRowsOptions,
  ImportResult,
  ImportRowsOptions,
  ImportSqlOptions,
  ImportSqlResult,
  TextInput,
} from './transfer/transfer_types.ts';
import type { Database, OpenOptions, Row, Source, StatementOptions } from './types.ts';
import type {
  CloneOptions,
  CloneTarget,
  CompleteOptions,
  FetchOptions,
  FetchResult,
  LazyClone,
  PullOptions,
  PullResult,
  PushOptions,
  PushResult,
  Remote,
} from './versions/remote_types.ts';
import * as remotes from './versions/remotes.ts';
import { checkResolutions, resolveRows } from './versions/resolutions.ts';
import { type Verification, type VerifyOptions, verify } from './versions/verify.ts';
import type {
  Branch,
  Change,
  Commit,
  CommitOptions,
  Conflict,
  DiffOptions,
  LiveCallback,
  LiveChangesCallback,
  LiveOptions,
  LiveQuery,
  LogOptions,
  MergeOptions,
  MergeResult,
  Resolution,
  Transaction,
  TransactionOptions,
  View,
} from './versions/version_types.ts';
import * as versions from './versions/versions.ts';
import { Connection } from './wire/connection.ts';
import type { Transport } from './wire/transport.ts';

const BUDGET_BYTES = 128 * 1024 * 1024;

/** What differs between browsers and Node. */
export interface Environment {
  readonly acceptsPaths: boolean;
  readonly baseUrl: string | undefined;
  /** Of `OpenOptions.lockTimeoutMs`, where it says nothing. */
  readonly lockTimeoutMs: number;
  /** Opens what files are copied to. */
  readonly sink: (target: CopyTarget) => Promise<FileSink>;
}

/**
 * Opens a source behind a transport.
 *
 * @throws VarveError, SqlError, or the signal's reason; the transport is terminated then.
 */
export async function openThrough(
  connect: () => Transport,
  source: Source,
  options: OpenOptions,
  environment: Environment,
): Promise<Database> {
  checkOptions('open', options, OPEN);
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const wire = wireSource(source, environment.acceptsPaths, environment.baseUrl);
  const wireOptions: WireOpenOptions = {
    mode: options.mode ?? 'mmap',
    budgetBytes: options.budgetBytes ?? BUDGET_BYTES,
    readOnly: options.readOnly ?? false,
    blockingReads: options.blockingReads ?? false,
    durability: options.durability ?? 'full',
    ...(options.networkTimeoutMs !== undefined && { networkTimeoutMs: options.networkTimeoutMs }),
    ...(options.redirects === 'error' && { refusesRedirects: true }),
    ...cacheLimit(options),
    ...(options.credentials !== undefined && { asksCredentials: true }),
    acceptLoss: options.acceptLoss ?? false,
    lockTimeoutMs: lockTimeout(options.lockTimeoutMs ?? environment.lockTimeoutMs),
  };
  const connection = new Connection(connect());
  connection.credentials = options.credentials;
  const onAbort = (): void => connection.end(null);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const reply = await connection.ask({ kind: 'open', source: wire, options: wireOptions }, 'opened', other => {
      if (other.kind === 'opening') onProgress?.(other.progress);
      return false;
    });
    return new OpenDatabase(connection, reply.database, environment, wireOptions.durability);
  } catch (error) {
    connection.end(null);
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * Makes a database with what a remote has, and opens it.
 *
 * @throws as `openThrough`; nothing stays of a clone that failed
 */
export async function cloneThrough(
  connect: () => Transport,
  url: string | URL,
  target: CloneTarget,
  options: CloneOptions,
  environment: Environment,
): Promise<Database> {
  checkArgument('clone', 'url', url instanceof URL ? url.href : url, 'text');
  checkArgument('clone', 'target', target, 'object');
  checkOptions('clone', options, CLONE);
  const path = 'path' in target ? target.path : target.opfs;
  checkArgument('clone', "the target's path", path, 'text');
  const name = path.split(/[\\/]/).findLast(part => part !== '' && part !== '.') ?? '';
  if (name === '') throw new VarveError('usage', `clone: ${JSON.stringify(path)} names no directory`);
  const { signal, timeoutMs, maxBytes, onProgress, credentials } = options;
  const statement = { signal, timeoutMs, maxBytes };
  const open = (source: Source) => openThrough(connect, source, { signal, credentials }, environment);
  const place = { ...target, cloning: true };
  const around = await open(place);
  try {
    const args = [...remotes.cloneArguments(options), String(url), name];
    await remotes.telling(around, onProgress, () => versions.call(around, 'dolt_clone', args, statement));
  } finally {
    await around.close();
  }
  return open(target);
}

function cacheLimit({ cache, cacheBytes }: OpenOptions): Pick<WireOpenOptions, 'cacheBytes'> {
  if (cache === false) return { cacheBytes: 0 };
  return cacheBytes === undefined ? {} : { cacheBytes };
}

function lockTimeout(milliseconds: number): number {
  if (milliseconds > 0) return milliseconds;
  throw new VarveError('usage', `lockTimeoutMs is ${milliseconds}: it has to be more than 0`);
}

function checkFunction(given: unknown, call: string): void {
  if (typeof given !== 'function') throw new VarveError('usage', `A function is missing: ${call}`);
}

class OpenDatabase extends SessionQueries implements Database {
  readonly name: string;
  readonly databases: readonly string[];
  readonly unreadable: readonly UnreadableDatabase[];
  readonly storage: Storage;
  readonly #environment: Environment;
  readonly #durability: Durability;
  #closing: Promise<void> | null = null;
  /** The number of a session that the last transaction left, for the next. */
  #spare: number | null = null;

  constructor(connection: Connection, opened: OpenedDatabase, environment: Environment, durability: Durability) {
    super(connection, opened.session);
    this.#environment = environment;
    this.#durability = durability;
    this.name = opened.name;
    this.databases = opened.databases;
    this.unreadable = opened.unreadable;
    this.storage = opened.storage;
  }

  override get [Symbol.toStringTag](): string {
    return 'Database';
  }

  get closed(): Promise<Error | null> {
    return this.connection.closed;
  }

  async session(): Promise<EngineSession> {
    const { session } = await this.connection.ask({ kind: 'open_session' }, 'session');
    return new EngineSession(this.connection, session);
  }

  log(options?: LogOptions): AsyncIterableIterator<Commit> {
    checkOptions('log', options, LOG);
    return versions.log(this, options);
  }

  async branches(options: StatementOptions = {}): Promise<readonly Branch[]> {
    return versions.branches(this, checkedStatement('branches', options));
  }

  diff<R extends object = Row>(from: string, to: string, options?: DiffOptions): AsyncIterableIterator<Change<R>> {
    checkArgument('diff', 'from', from, 'text');
    checkArgument('diff', 'to', to, 'text');
    checkOptions('diff', options, DIFF);
    return versions.diff(this, from, to, options) as AsyncIterableIterator<Change<R>>;
  }

  async commit(given: CommitOptions | string): Promise<string> {
    const options = typeof given === 'string' ? { message: given } : given;
    checkOptions('commit', options, COMMIT, ['message']);
    return versions.commit(this, options);
  }

  async merge(branch: string, options?: MergeOptions): Promise<MergeResult> {
    checkArgument('merge', 'branch', branch, 'text');
    checkOptions('merge', options, MERGE);
    return versions.merge(this, branch, options);
  }

  async abortMerge(options: StatementOptions = {}): Promise<void> {
    await versions.call(this, 'dolt_merge', ['--abort'], checkedStatement('abortMerge', options));
  }

  conflicts(table: string, options: StatementOptions = {}): AsyncIterableIterator<Conflict> {
    checkArgument('conflicts', 'table', table, 'text');
    return versions.conflicts(this, table, checkedStatement('conflicts', options));
  }

  async resolve(
    take: 'ours' | 'theirs',
    tables: readonly string[] = [],
    options: StatementOptions = {},
  ): Promise<void> {
    checkArgument('resolve', 'take', take, ['ours', 'theirs']);
    checkArgument('resolve', 'tables', tables, 'texts');
    return versions.resolve(this, take, tables, checkedStatement('resolve', options));
  }

  async resolveRows(table: string, resolutions: readonly Resolution[], options: StatementOptions = {}): Promise<void> {
    checkArgument('resolveRows', 'table', table, 'text');
    checkResolutions(resolutions);
    checkedStatement('resolveRows', options);
    return this.#beside(session => resolveRows(session, table, resolutions, options));
  }

  async remotes(options: StatementOptions = {}): Promise<readonly Remote[]> {
    return remotes.remotes(this, checkedStatement('remotes', options));
  }

  async addRemote(name: string, url: string, options: StatementOptions = {}): Promise<void> {
    checkArgument('addRemote', 'name', name, 'text');
    checkArgument('addRemote', 'url', url, 'text');
    await versions.call(this, 'dolt_remote', ['add', name, url], checkedStatement('addRemote', options));
  }

  async removeRemote(name: string, options: StatementOptions = {}): Promise<void> {
    checkArgument('removeRemote', 'name', name, 'text');
    await versions.call(this, 'dolt_remote', ['remove', name], checkedStatement('removeRemote', options));
  }

  async fetch(options?: FetchOptions): Promise<FetchResult> {
    checkOptions('fetch', options, FETCH);
    return remotes.fetch(this, options);
  }

  async pull(options?: PullOptions): Promise<PullResult> {
    checkOptions('pull', options, PULL);
    return remotes.pull(this, options);
  }

  async push(options?: PushOptions): Promise<PushResult> {
    checkOptions('push', options, PUSH);
    return remotes.push(this, options);
  }

  async lazyClone(options: StatementOptions = {}): Promise<LazyClone | null> {
    return remotes.lazyClone(this, checkedStatement('lazyClone', options));
  }

  async completeClone(options?: CompleteOptions): Promise<void> {
    checkOptions('completeClone', options, COMPLETE);
    return remotes.completeClone(this, options);
  }

  async at(ref: string): Promise<View> {
    checkArgument('at', 'ref', ref, 'text');
    const { database } = await this.#place();
    const session = await this.#sessionAt(`${database}/${await versions.pinned(this, ref)}`);
    await session.query('SET varve_read_only = 1');
    return Object.assign(session, { ref });
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    checkFunction(work, 'transaction(async transaction => …)');
    checkOptions('transaction', options, TRANSACTION);
    const { retries = 0, readOnly = false, isolation } = options;
    const spare = this.#spare;
    this.#spare = null;
    const session = spare === null ? await this.session() : new EngineSession(this.connection, spare);
    try {
      for (let tried = 0; ; tried++) {
        try {
          await session.begin(readOnly ? 'START TRANSACTION READ ONLY' : 'START TRANSACTION', this.sessionNumber);
          if (isolation === 'serializable') await versions.keepUnchanged(session, null);
          session.texts = isolation === 'serializable' ? new Set() : null;
          const result = await work(session);
          if (session.texts !== null) await versions.keepUnchanged(session, await namesIn(session, session.texts));
          await session.query('COMMIT');
          return result;
        } catch (error) {
          await session.query('ROLLBACK').catch(() => {});
          if (!versions.isConflict(error) || tried >= retries) throw error;
        }
      }
    } finally {
      if (this.#spare === null) this.#spare = session.release();
      session.leave();
    }
  }

  async live<R extends object = Row>(
    sql: string,
    callback: LiveCallback<R> | LiveChangesCallback<R>,
    options: LiveOptions = {},
  ): Promise<LiveQuery> {
    checkArgument('live', 'sql', sql, 'text');
    checkFunction(callback, 'live(sql, callback)');
    checkOptions('live', options, LIVE);
    const session = await this.#sessionBeside();
    // It would change something whenever something has changed.
    await session.query('SET varve_read_only = 1');
    // Without a result it is called only when `whole` is false, which is what the types of `Versions` say.
    const live = new LiveEvaluation(this.connection, session, sql, callback as LiveChangesCallback, options);
    await live.start();
    return live;
  }

  dump(options?: DumpOptions): AsyncIterableIterator<string> {
    checkOptions('dump', options, DUMP);
    return dumpSql(this, options);
  }

  exportRows(options: ExportRowsOptions): AsyncIterableIterator<string> {
    checkOptions('exportRows', options, EXPORT_ROWS, ['format']);
    return exportRows(this, options);
  }

  async importRows(input: TextInput, options: ImportRowsOptions): Promise<ImportResult> {
    checkOptions('importRows', options, IMPORT_ROWS, ['table', 'format']);
    const text = checkedInput('importRows', input);
    return this.#beside(session => importRows(session, text, options));
  }

  async importSql(input: TextInput, options?: ImportSqlOptions): Promise<ImportSqlResult> {
    checkOptions('importSql', options, IMPORT_SQL);
    const text = checkedInput('importSql', input);
    return this.#beside(async session => {
      await session.query('SET varve_beyond_dolt = 1');
      return importSql(session.runScript, text, options);
    });
  }

  zip(options: CopyOptions = {}): AsyncIterableIterator<Uint8Array> {
    checkOptions('zip', options, COPY);
    return zipFiles(this.connection, options);
  }

  async copyTo(target: CopyTarget, options: CopyOptions = {}): Promise<void> {
    checkTarget(target);
    checkOptions('copyTo', options, COPY);
    const sink = await this.#environment.sink(target);
    await copyFiles(this.connection, sink, 'directory' in target, options);
  }

  /** Database and branch of the session that `query` uses. */
  async #place(): Promise<{ readonly database: string; readonly branch: string }> {
    const { rows } = await this.query('SELECT DATABASE() AS name, active_branch() AS branch');
    const [database = ''] = String(rows[0]?.name ?? '').split('/');
    return { database, branch: String(rows[0]?.branch ?? '') };
  }

  /** Runs `work` in another session with the branch of the own one. */
  async #beside<T>(work: (session: EngineSession) => Promise<T>): Promise<T> {
    // Not `await using`: what it is compiled to names `this` outside of functions, of which bundlers warn.
    const session = await this.#sessionBeside();
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }

  /** Another session with the branch of the own one. */
  async #sessionBeside(): Promise<EngineSession> {
    const { database, branch } = await this.#place();
    if (database === '') return this.session();
    return this.#sessionAt(branch === '' ? database : `${database}/${branch}`);
  }

  async #sessionAt(place: string): Promise<EngineSession> {
    const session = await this.session();
    try {
      await session.query(`USE ${versions.quoteName(place)}`);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async split(script: string): Promise<readonly StatementSpan[]> {
    checkArgument('split', 'script', script, 'text');
    return (await this.connection.ask({ kind: 'split', sql: script }, 'statements')).statements;
  }

  async releaseMemory(): Promise<number> {
    return (await this.connection.ask({ kind: 'release_memory' }, 'released')).bytes;
  }

  async stats(): Promise<Stats> {
    return (await this.connection.ask({ kind: 'stats' }, 'stats')).stats;
  }

  async verify(options: VerifyOptions = {}): Promise<Verification> {
    checkOptions('verify', options, VERIFY);
    const session = await this.session();
    try {
      return await verify(session, options.database ?? this.name, options);
    } finally {
      await session.close();
    }
  }

  async prefetch(options: PrefetchOptions = {}): Promise<Prefetched> {
    checkOptions('prefetch', options, PREFETCH);
    const { prefetch } = await import('./prefetch.ts');
    const session = await this.session();
    try {
      return await prefetch(session, () => this.stats(), options);
    } finally {
      await session.close();
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The host gives its files back before its thread ends: another open of the same files may follow at once. */
  async #close(): Promise<void> {
    const failure = this.connection.isOpen ? await this.#giveBack() : await this.closed;
    // An engine that is gone already has nothing to give back; of what waits to be written, only relaxed commits were acknowledged.
    const isGone = failure instanceof VarveError && failure.code === 'died' && this.#durability === 'full';
    if (failure !== null && !isGone) throw failure;
  }

  /** With what that failed. */
  async #giveBack(): Promise<unknown> {
    const failure = await this.connection.ask({ kind: 'close' }, 'closed').then(
      () => null,
      (error: unknown) => error,
    );
    this.connection.end(null);
    return failure;
  }
}

/** So many different statements are looked at; more may have named anything. */
const TEXTS_MAX = 1000;

/** What the statements of a transaction have named; null for too many. */
async function namesIn(session: EngineSession, texts: ReadonlySet<string>): Promise<ReadonlySet<string> | null> {
  if (texts.size > TEXTS_MAX) return null;
  const analyses = await Promise.all([...texts].map(sql => session.analyze(sql)));
  return new Set(analyses.flatMap(({ names }) => names));
}
