/**
 * The package's interface over deterministic data, for tests and for work on the console without an engine. It answers
 * the few statements that the console itself sends, `SELECT … FROM table [LIMIT n]`, and fails as the engine fails.
 */
import {
  type Batch,
  type Column,
  type Completions,
  type Database,
  type Param,
  type Prefetched,
  type Result,
  type ResultStream,
  type ResultSummary,
  type Row,
  type ScriptResult,
  type Session,
  SqlError,
  type Statement,
  type StatementOptions,
  type Stats,
  type Value,
  type Verification,
} from '../../lib/index.ts';
import { splitStatements } from '../sql/lexer.ts';
import { type FakeAnswer, fakeAnswer } from './fake_answers.ts';
import { lazyBatch } from './fake_batch.ts';
import { fakeVersions } from './fake_versions.ts';

const BATCH_ROWS = 1024;

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      // One signal may outlive many statements.
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

interface Finish {
  readonly resolve: (summary: ResultSummary) => void;
  readonly reject: (error: unknown) => void;
}

class FakeStream implements ResultStream {
  readonly columns: Promise<readonly Column[]>;
  readonly summary: Promise<ResultSummary>;
  readonly #answer: FakeAnswer;
  readonly #signal: AbortSignal | undefined;
  readonly #started = performance.now();
  readonly #finish: Finish;
  #isCancelled = false;

  constructor(sql: string, signal: AbortSignal | undefined) {
    this.#answer = fakeAnswer(sql);
    this.#signal = signal;
    let finish: Finish | undefined;
    this.summary = new Promise((resolve, reject) => {
      finish = { resolve, reject };
    });
    this.summary.catch(() => undefined);
    if (finish === undefined) throw new Error('a promise runs its function at once');
    this.#finish = finish;
    const { error, columns } = this.#answer;
    this.columns = pause(3, signal).then(() => {
      if (error !== undefined) throw error;
      return columns;
    });
    this.columns.catch(this.#finish.reject);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Batch> {
    const { columns, rowCount, at, delayMs } = this.#answer;
    await this.columns;
    const firstRowMs = performance.now() - this.#started;
    for (let start = 0; start < rowCount && !this.#isCancelled; start += BATCH_ROWS) {
      if (delayMs > 0 || start % (BATCH_ROWS * 16) === 0) {
        try {
          await pause(delayMs, this.#signal);
        } catch (error) {
          this.#finish.reject(error);
          throw error;
        }
      }
      const count = Math.min(BATCH_ROWS, rowCount - start);
      yield lazyBatch(columns, count, (row, column) => at(start + row, column));
    }
    this.#finish.resolve(this.#summaryAfter(firstRowMs));
  }

  #summaryAfter(firstRowMs: number): ResultSummary {
    const { columns, rowCount, warnings } = this.#answer;
    const totalMs = performance.now() - this.#started;
    const pagesFaulted = Math.ceil(rowCount / 900);
    return {
      hasRows: columns.length > 0,
      rowCount,
      affectedRows: columns.length > 0 ? 0 : 3,
      lastInsertId: 0,
      warnings,
      info: '',
      stats: {
        firstRowMs,
        totalMs,
        busyMs: totalMs * 0.8,
        pagesFaulted,
        bytesRead: pagesFaulted * 65_536,
        requests: 0,
        bytesFetched: 0,
        bytesFromCache: 0,
        rounds: 0,
      },
    };
  }

  async *rows(): AsyncGenerator<Row> {
    for await (const batch of this) yield* batch.rows();
  }

  async cancel(): Promise<void> {
    this.#isCancelled = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cancel();
  }
}

class FakeSession implements Session {
  stream<R extends object>(sql: string, _params: readonly Param[] = [], options: StatementOptions = {}) {
    return new FakeStream(sql, options.signal) as ResultStream<object> as ResultStream<R>;
  }

  async query<R extends object>(
    sql: string,
    params: readonly Param[] = [],
    options: StatementOptions = {},
  ): Promise<Result<R>> {
    const stream = this.stream<R>(sql, params, options);
    const batches: Batch[] = [];
    const columns = await stream.columns;
    for await (const batch of stream) batches.push(batch);
    const summary = await stream.summary;
    const result = {
      columns,
      batches,
      rows: batches.flatMap(batch => [...batch.rows()]),
      rowArrays: (): Value[][] => batches.flatMap(batch => [...batch.rowArrays()]),
    };
    return { ...summary, ...result, rows: result.rows as object[] as R[], results: [result] };
  }

  sql<R extends object>(text: TemplateStringsArray, ...params: readonly Param[]): Promise<Result<R>> {
    return this.query(text.join('?'), params);
  }

  prepare<R extends object>(): Promise<Statement<R>> {
    return Promise.reject(new SqlError(1235, '42000', 'The fake database prepares nothing'));
  }

  async *run(script: string, options: StatementOptions = {}): AsyncGenerator<ScriptResult> {
    for (const { from, to, end } of splitStatements(script)) {
      const sql = script.slice(from, to);
      yield { ...(await this.query(sql, [], options)), sql, start: from, end };
    }
  }

  async complete(sql: string, at: number): Promise<Completions> {
    const word = /\w*$/.exec(sql.slice(0, at))?.[0] ?? '';
    const items = [{ label: 'DOLT_HASHOF', kind: 'function' as const, detail: 'hash of a revision' }];
    return { from: at - word.length, items };
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

export class FakeDatabase extends FakeSession implements Database {
  readonly name = 'shop';
  readonly databases = ['shop'];
  readonly unreadable = [];
  readonly storage = {
    kind: 'archive',
    readOnly: false,
    remote: false,
    persistent: false,
    readOnlyReason: null,
    quota: null,
    warnings: [],
    cache: null,
    notRevalidated: null,
  } as const;
  readonly closed = new Promise<null>(() => undefined);

  readonly log = fakeVersions.log;
  readonly branches = fakeVersions.branches;
  readonly at = fakeVersions.at;
  readonly diff = fakeVersions.diff;
  readonly commit = fakeVersions.commit;
  readonly merge = fakeVersions.merge;
  readonly abortMerge = fakeVersions.abortMerge;
  readonly conflicts = fakeVersions.conflicts;
  readonly resolve = fakeVersions.resolve;
  readonly resolveRows = fakeVersions.resolveRows;
  readonly remotes = fakeVersions.remotes;
  readonly addRemote = fakeVersions.addRemote;
  readonly removeRemote = fakeVersions.removeRemote;
  readonly fetch = fakeVersions.fetch;
  readonly pull = fakeVersions.pull;
  readonly push = fakeVersions.push;
  readonly transaction = fakeVersions.transaction;
  readonly live = fakeVersions.live;
  readonly dump = fakeVersions.dump;
  readonly exportRows = fakeVersions.exportRows;
  readonly importRows = fakeVersions.importRows;
  readonly importSql = fakeVersions.importSql;
  readonly zip = fakeVersions.zip;
  readonly copyTo = fakeVersions.copyTo;

  async session(): Promise<Session> {
    return new FakeSession();
  }

  async split(script: string) {
    return splitStatements(script).map(({ from, to, end }) => ({ sql: script.slice(from, to), start: from, end }));
  }

  async verify(): Promise<Verification> {
    const none = {
      refs: 0,
      commits: 0,
      reachableCommits: 0,
      chunks: 0,
      reachableChunks: 0,
      chunksElsewhere: 0,
      kinds: {},
    };
    return { isWhole: true, problems: [], problemCount: 0, ...none };
  }

  async lazyClone(): Promise<null> {
    return null;
  }

  async completeClone(): Promise<void> {}

  async prefetch(): Promise<Prefetched> {
    return { chunks: 0, bytesFetched: 0 };
  }

  async releaseMemory(): Promise<number> {
    return 0;
  }

  async stats(): Promise<Stats> {
    return {
      memoryBytes: 48 * 1024 * 1024,
      requests: 0,
      bytesFetched: 0,
      bytesFromCache: 0,
      rounds: 0,
      cache: null,
      counters: { region_resident_bytes: 21 * 1024 * 1024, region_faults: 340 },
    };
  }
}
