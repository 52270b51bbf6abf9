/** Live queries: evaluated again when the root hash of a table that they read changes. */
import type { Analysis, RowQuery } from '../protocol/index.ts';
import { changedRows, rootHash } from './changed_rows.ts';
import type { EngineSession } from './session.ts';
import type { Queries, Result } from './types.ts';
import type { Change, LiveChangesCallback, LiveOptions, LiveQuery } from './versions/version_types.ts';
import { quoteName, quoteText } from './versions/versions.ts';
import type { Connection } from './wire/connection.ts';

/**
 * A query that is asked again when the root hash of a table that it reads has changed.
 *
 * What it reads is taken from its names: tables that are named in it, be it in a string. A view or a name such as `dolt_log` may read
 * anything, as may a name of another database, or any name where names lead to other branches (`dolt_nonlocal_tables`), and lets it
 * depend on everything. That may be a table too many, never one too few.
 * Where the rows of the result are rows of one table, those that are others are told by the difference of the trees.
 */
export class LiveEvaluation implements LiveQuery {
  readonly #connection: Connection;
  readonly #session: EngineSession;
  readonly #sql: string;
  readonly #callback: LiveChangesCallback;
  readonly #options: LiveOptions;
  #analysis: Analysis | null = null;
  #hash: string | null = null;
  /** The root that was there when the callback was last called. */
  #root: string | null = null;
  #running: Promise<void> = Promise.resolve();
  #isQueued = false;
  #hasStarted = false;
  #isClosed = false;

  /** @param session of its own, on the same branch; it is closed with the query. */
  constructor(
    connection: Connection,
    session: EngineSession,
    sql: string,
    callback: LiveChangesCallback,
    options: LiveOptions,
  ) {
    this.#connection = connection;
    this.#session = session;
    this.#sql = sql;
    this.#callback = callback;
    this.#options = options;
    connection.moved.add(this.#onMoved);
    options.signal?.addEventListener('abort', this.#onAbort);
  }

  get [Symbol.toStringTag](): string {
    return 'LiveQuery';
  }

  /** The first evaluation: its error is the caller's. */
  async start(): Promise<void> {
    const { signal } = this.#options;
    try {
      signal?.throwIfAborted();
      await this.#evaluate(true);
      this.#hasStarted = true;
      signal?.throwIfAborted();
    } catch (error) {
      await this.close();
      throw signal?.aborted ? signal.reason : error;
    }
  }

  refresh(): Promise<void> {
    return this.#enqueue(true);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#connection.moved.delete(this.#onMoved);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    await this.#session.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly #onAbort = (): void => {
    this.close().catch(() => {});
  };

  readonly #onMoved = (): void => {
    // However many commits come while one evaluation runs, one more is enough.
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#enqueue(false).catch(() => {});
  };

  #enqueue(isForced: boolean): Promise<void> {
    this.#running = this.#running.then(async () => {
      if (!isForced) this.#isQueued = false;
      if (this.#isClosed) return;
      try {
        await this.#evaluate(isForced);
      } catch (error) {
        if (this.#isClosed) return;
        // Of the end of the engine, or of the database, it tells once.
        if (!this.#connection.isOpen) await this.close();
        this.#options.onError?.(error);
      }
    });
    return this.#running;
  }

  async #evaluate(isForced: boolean): Promise<void> {
    this.#analysis ??= await this.#session.analyze(this.#sql);
    const { rowQuery, names } = this.#analysis;
    if (rowQuery === null) return this.#ask(isForced, names, null);
    // What is compared and what is asked for are of the same moment.
    await this.#session.query('START TRANSACTION');
    try {
      await this.#ask(isForced, names, rowQuery);
    } finally {
      await this.#session.query('ROLLBACK').catch(() => {});
    }
  }

  /** @param query null when its rows are not rows of one table */
  async #ask(isForced: boolean, names: readonly string[], query: RowQuery | null): Promise<void> {
    const hash = await hashOfWhatIsRead(this.#session, new Set(names));
    if (!isForced && hash !== null && hash === this.#hash) return;
    const root = query === null || hash === null ? null : await rootHash(this.#session);
    const changes = isForced || query === null || root === null ? null : await this.#changes(query);
    const isTold = changes?.length !== 0;
    const isWhole = isTold && (changes === null || this.#options.whole !== false);
    const result = isWhole ? await this.#session.query(this.#sql, this.#options.params ?? []) : null;
    this.#hash = hash;
    this.#root = root;
    if (isTold && !this.#isClosed) this.#call(result, changes);
  }

  /** What the callback throws the first time is the caller's; later, without `onError`, it is uncaught as that of any listener. */
  #call(result: Result | null, changes: readonly Change[] | null): void {
    try {
      this.#callback(result, changes);
    } catch (error) {
      if (!this.#hasStarted) throw error;
      const { onError } = this.#options;
      if (onError !== undefined) onError(error);
      else {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Null when they are not known. */
  async #changes(query: RowQuery): Promise<readonly Change[] | null> {
    if (this.#root === null) return null;
    return changedRows(this.#session, query, this.#options.params ?? [], this.#root).catch(() => null);
  }
}

/** Null when it may read anything. */
async function hashOfWhatIsRead(queries: Queries, names: ReadonlySet<string>): Promise<string | null> {
  if ([...names].some(word => word.startsWith('dolt_') || word.includes('/'))) return null;
  const others = await queries.query('SHOW DATABASES');
  const here = 'SELECT DATABASE() AS name, (SELECT COUNT(*) FROM dolt_nonlocal_tables) AS nonlocal';
  const [place] = (await queries.query(here)).rows;
  // Tables of other branches have no hash here.
  if (Number(place?.nonlocal) > 0) return null;
  const current = place?.name;
  for (const name of others.batches.flatMap(batch => batch.column(0).values().map(String))) {
    if (name !== current && names.has(name.toLowerCase())) return null;
  }
  const { batches } = await queries.query('SHOW FULL TABLES');
  const [tables, types] = [0, 1].map(index => batches.flatMap(batch => batch.column(index).values().map(String)));
  const read = (tables ?? []).map((name, index) => ({ name, isView: types?.[index] === 'VIEW' }));
  const named = read.filter(({ name }) => names.has(name.toLowerCase()));
  if (named.some(({ isView }) => isView)) return null;
  if (named.length === 0) return '';
  const hashes = named.map(({ name }) => `dolt_hashof_table(${quoteText(name)}) AS ${quoteName(name)}`);
  const { rows } = await queries.query(`SELECT ${hashes.join(', ')}`);
  return JSON.stringify(rows[0]);
}
