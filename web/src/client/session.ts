/** Sessions and prepared statements of the client. */
import type { Analysis, Completions, PieceProgress, WireRows, WireScript } from '../protocol/index.ts';
import { checkArgument, checkedStatement } from './checked.ts';
import { errorOf, VarveError } from './errors.ts';
import { ALL_PAGES, StatementOfScript, wholeResult } from './result.ts';
import type { InsertRows } from './transfer/csv/csv_rows.ts';
import type { PieceOutcome, RunScript } from './transfer/script/import_sql.ts';
import type {
  Param,
  Queries,
  Result,
  ResultStream,
  Row,
  ScriptResult,
  Session,
  Statement,
  StatementOptions,
  StreamOptions,
} from './types.ts';
import type { Connection } from './wire/connection.ts';
import { wireParams, wireStatement } from './wire/params.ts';
import { StatementStream } from './wire/stream.ts';

/** What a session of the engine can be asked; a database has one of its own. */
export class SessionQueries implements Queries {
  protected readonly connection: Connection;
  protected readonly sessionNumber: number;

  constructor(connection: Connection, sessionNumber: number) {
    this.connection = connection;
    this.sessionNumber = sessionNumber;
  }

  /**
   * All classes whose objects a page gets have such a name. What proxies objects to see them change (Vue's `ref` and `reactive`) leaves
   * those alone that say to be something; behind a proxy they would have no private fields.
   */
  get [Symbol.toStringTag](): string {
    return 'Session';
  }

  async query<R extends object = Row>(
    sql: string,
    params: readonly Param[] = [],
    options: StatementOptions = {},
  ): Promise<Result<R>> {
    return wholeResult(this.start(sql, params, { ...checkedStatement('query', options), bufferedPages: ALL_PAGES }));
  }

  async sql<R extends object = Row>(text: TemplateStringsArray, ...params: readonly Param[]): Promise<Result<R>> {
    // Called with parentheses it would get a text that has its values in it already.
    if (!Array.isArray(text?.raw))
      throw new VarveError('usage', 'sql is a tag, without parentheses: of a text, query(text, params)');
    return this.query<R>(text.join('?'), params);
  }

  stream<R extends object = Row>(
    sql: string,
    params: readonly Param[] = [],
    options: StreamOptions = {},
  ): ResultStream<R> {
    return this.start(sql, params, checkedStatement('stream', options));
  }

  prepare<R extends object = Row>(sql: string): Promise<Statement<R>> {
    return prepareIn<R>(this.connection, this.sessionNumber, sql);
  }

  async *run(script: string, options: StatementOptions = {}): AsyncIterableIterator<ScriptResult> {
    const pieces = { ...checkedStatement('run', options), bufferedPages: ALL_PAGES };
    const { statements } = await this.connection.ask({ kind: 'split', sql: wireStatement(script) }, 'statements');
    for (const span of statements) {
      const stream = this.start<Row>(span.sql, [], pieces);
      yield new StatementOfScript(await wholeResult(stream), span);
    }
  }

  async complete(sql: string, at: number): Promise<Completions> {
    checkArgument('complete', 'sql', sql, 'text');
    checkArgument('complete', 'at', at, 'whole');
    const session = this.sessionNumber;
    return (await this.connection.ask({ kind: 'complete', session, sql, at }, 'completions')).completions;
  }

  protected start<R extends object>(sql: string, params: readonly Param[], options: StreamOptions): StatementStream<R> {
    const call = { session: this.sessionNumber, statement: wireStatement(sql), ...wireParams(params) };
    return new StatementStream(this.connection, call, options);
  }
}

const NO_PROGRESS: PieceProgress = { start: 0, end: 0, doneBytes: 0, rows: 0 };

export class EngineSession extends SessionQueries implements Session {
  /** Receives the texts of statements, for callers that need the names in them. */
  texts: Set<string> | null = null;
  #isClosed = false;
  /** Statements that have not ended. */
  #running = 0;
  readonly #prepared = new Set<Statement<object>>();

  /** Runs a statement with which the session begins anew, where another one is. */
  async begin(sql: string, beside: number): Promise<void> {
    const call = { session: this.sessionNumber, beside, statement: sql, params: [] };
    await this.#counted(new StatementStream(this.connection, call, {})).summary;
  }

  /** What the engine reads in a text. */
  async analyze(sql: string): Promise<Analysis> {
    const session = this.sessionNumber;
    return (await this.connection.ask({ kind: 'analyze', session, sql }, 'analysis')).analysis;
  }

  /** Ends the use of the session without closing it: its number, for another, or null where something of it goes on. */
  release(): number | null {
    if (this.#running > 0 || this.#prepared.size > 0 || this.#isClosed || !this.connection.isOpen) return null;
    this.#isClosed = true;
    return this.sessionNumber;
  }

  override async prepare<R extends object = Row>(sql: string): Promise<Statement<R>> {
    this.#checkOpen();
    this.#note(sql);
    this.#running++;
    const statement = await prepareIn<R>(this.connection, this.sessionNumber, sql, () =>
      this.#prepared.delete(statement),
    ).finally(() => {
      this.#running--;
    });
    this.#prepared.add(statement);
    if (this.#isClosed) await statement.close();
    this.#checkOpen();
    return statement;
  }

  /** Statements that were prepared in it are closed as well. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    for (const statement of [...this.#prepared]) void statement.close();
    this.leave();
  }

  /** Closes the session but for what goes on in it: statements that a transaction has prepared, or that still run. */
  leave(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.connection.tell({ kind: 'close_session', session: this.sessionNumber });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Runs a piece of a script. When it is aborted, what the piece has done so far is done. */
  readonly runScript: RunScript = (bytes, isLast, signal) => this.#runPiece({ bytes, isLast }, undefined, signal);

  /** Adds the rows of a piece by an INSERT of parameters: all of them, or none. */
  readonly insertRows: InsertRows = (sql, rows, signal) => this.#runPiece(sql, rows, signal);

  /** COMMIT, which may take long behind many rows. It is cancelled, or it has committed: a signal leaves no doubt which. */
  readonly commit = async (signal?: AbortSignal): Promise<void> => {
    const { error } = await this.#runPiece('COMMIT', undefined, signal);
    if (error !== null) throw error;
  };

  #runPiece(statement: string | WireScript, rows?: WireRows, signal?: AbortSignal): Promise<PieceOutcome> {
    return new Promise((resolve, reject) => {
      const end = (progress = NO_PROGRESS, error: unknown = null): void => {
        signal?.removeEventListener('abort', onAbort);
        // What was done when the signal came is done.
        if (signal?.aborted && error !== null) reject(signal.reason);
        else resolve({ progress, error });
      };
      const session = this.sessionNumber;
      const request = { kind: 'execute', session, statement, params: [], credits: 1, timeoutMs: null } as const;
      const id = this.connection.send(rows === undefined ? request : { ...request, rows }, reply => {
        if (reply.kind === 'failed') end(reply.piece, errorOf(reply.failure));
        else if (reply.kind !== 'rows' || reply.summary === undefined) return false;
        else end(reply.piece);
        return true;
      });
      const onAbort = (): void => this.connection.tell({ kind: 'cancel', id });
      signal?.addEventListener('abort', onAbort);
    });
  }

  protected override start<R extends object>(
    sql: string,
    params: readonly Param[],
    options: StreamOptions,
  ): StatementStream<R> {
    this.#checkOpen();
    this.#note(sql);
    return this.#counted(super.start<R>(sql, params, options));
  }

  #note(sql: string): void {
    this.texts?.add(sql);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new VarveError('closed', 'The session is closed');
  }

  #counted<S extends StatementStream<object>>(stream: S): S {
    this.#running++;
    const end = (): void => {
      this.#running--;
    };
    stream.summary.then(end, end);
    return stream;
  }
}

/** A prepared statement as its host knows it. */
interface PreparedThere {
  readonly connection: Connection;
  readonly session: number;
  readonly statement: number;
  readonly onClosed: () => void;
}

async function prepareIn<R extends object>(
  connection: Connection,
  session: number,
  sql: string,
  onClosed: () => void = () => {},
): Promise<PreparedStatement<R>> {
  const request = { kind: 'prepare', session, sql: wireStatement(sql) } as const;
  const { statement, parameters } = await connection.ask(request, 'prepared');
  return new PreparedStatement<R>({ connection, session, statement, onClosed }, sql, parameters);
}

class PreparedStatement<R extends object> implements Statement<R> {
  readonly sql: string;
  readonly parameterCount: number;
  readonly #there: PreparedThere;
  #isClosed = false;

  constructor(there: PreparedThere, sql: string, parameterCount: number) {
    this.#there = there;
    this.sql = sql;
    this.parameterCount = parameterCount;
  }

  get [Symbol.toStringTag](): string {
    return 'Statement';
  }

  async query(params: readonly Param[] = [], options: StatementOptions = {}): Promise<Result<R>> {
    return wholeResult(this.#start(params, { ...checkedStatement('query', options), bufferedPages: ALL_PAGES }));
  }

  stream(params: readonly Param[] = [], options: StreamOptions = {}): ResultStream<R> {
    return this.#start(params, checkedStatement('stream', options));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { connection, statement, onClosed } = this.#there;
    connection.tell({ kind: 'close_statement', statement });
    onClosed();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #start(params: readonly Param[], options: StreamOptions): StatementStream<R> {
    if (this.#isClosed) throw new VarveError('closed', 'The statement is closed');
    const { connection, session, statement } = this.#there;
    return new StatementStream(connection, { session, statement, ...wireParams(params) }, options);
  }
}
