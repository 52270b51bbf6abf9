/** The engine over its WebAssembly exports: sessions, statements, pages. */
import {
  type Analysis,
  type Completions,
  type Durability,
  type Failure,
  FLUSH,
  messageOf,
  type OddParam,
  PAGE_HEADER_ROWS,
  type PieceProgress,
  READS_BYTES_READ,
  READS_PAGES_FAULTED,
  REGION_MODE,
  type SessionImage,
  type SessionState,
  STEP,
  type StatementSpan,
  WAIT,
  type WireParam,
  type WireRows,
  type WireScript,
} from '../../protocol/index.ts';
import { CarriedSession, type CarriedStatement, IMAGE_BYTES_MAX, Numbered } from '../carried.ts';
import type { AttachWarning, EngineSummary, Step } from '../engine.ts';
import {
  type Engine,
  type EngineOptions,
  EngineWait,
  type Flush,
  type Prepared,
  type ReadCounters,
} from '../engine.ts';
import type { HostDirectory } from '../files/file.ts';
import { HostFailure, hostFailure } from '../files/source.ts';
import { after, type Later } from '../later.ts';
import type { LocalFiles } from '../local_files.ts';
import { LOST_BESIDE, LOST_STATE, LOST_TRANSACTION, type Loss, lossOf } from '../loss.ts';
import { refuseOdd } from '../odd_params.ts';
import type { Siblings } from '../siblings.ts';
import { type Core, CoreGone } from './core.ts';
import { PageBuffers } from './page_buffers.ts';
import { FAULTING, type Faulting, type RemoteFigure, unsigned, type WasmExports, type Wish } from './wasm_exports.ts';
import { readFailure } from './wire_failure.ts';
import { readWarning } from './wire_loss.ts';
import { paramsBytesMax, writeParams, writeText } from './wire_params.ts';
import { rowsParts } from './wire_rows.ts';
import {
  readAnalysis,
  readCompletions,
  readCounters,
  readPieceProgress,
  readStamp,
  readSummary,
} from './wire_summary.ts';

/** No allocation of the engine is longer. */
const INPUT_BYTES_MAX = 2 ** 31 - 1;

/** How long a commit may wait for its flush. */
const FLUSH_WINDOW_MS: Record<Durability, number> = { full: 0, relaxed: 100 };

type FaultingCall = (...numbers: number[]) => Later<number>;

/**
 * One engine of an instance of the module. Once a directory suspends, its calls answer later. Numbers of sessions and statements stay
 * the same when it moves to another instance.
 */
export class WasmEngine implements Engine {
  readonly #startCore: () => Promise<Core>;
  readonly #options: EngineOptions;
  #core: Core;
  #engine: number;
  #siblings: Siblings | null = null;
  readonly #pages = new PageBuffers();
  #promising: Record<Faulting, FaultingCall> | null = null;
  #memory = new DataView(new ArrayBuffer(0));
  readonly #sessions = new Numbered<CarriedSession>();
  readonly #statements = new Numbered<CarriedStatement>();
  /** Whose cursors there are. */
  readonly #cursors = new Map<number, CarriedSession>();
  /** What sessions share, as the instance told it last. */
  #image: Uint8Array | null = null;
  /** Databases that could not be attached when the source was opened. */
  readonly #refused = new Set<string>();

  /** @param startCore gives the instance in which it goes on when it has to leave this one. */
  constructor(core: Core, options: EngineOptions, startCore: () => Promise<Core> = noOtherCore) {
    this.#core = core;
    this.#options = options;
    this.#startCore = startCore;
    this.#engine = this.#openEngine();
  }

  #openEngine(): number {
    const { budgetBytes, mode, durability, acceptLoss } = this.#options;
    const { exports } = this.#core;
    const windowMs = FLUSH_WINDOW_MS[durability];
    const engine = this.#checked(exports.engine_open(budgetBytes, REGION_MODE[mode], windowMs, acceptLoss ? 1 : 0));
    this.#core.enter(this, budgetBytes);
    return engine;
  }

  get #calls(): Record<Faulting, FaultingCall> {
    if (this.#siblings?.remotes.suspends) this.#promising ??= promising(this.#core.exports);
    const { exports } = this.#core;
    return this.#promising ?? exports;
  }

  attach(name: string, directory: HostDirectory, siblings: Siblings): Later<AttachWarning | null> {
    if (directory.suspends) this.#promising ??= promising(this.#core.exports);
    const number = this.#core.imports.addDirectory(directory, siblings);
    this.#siblings = siblings;
    const length = this.#writeText(name);
    // One that has to wait is attached again.
    this.#refused.add(name);
    return after(this.#calls.database_attach(this.#engine, number, length), answer => {
      this.#checked(answer);
      this.#refused.delete(name);
      return readWarning(name, this.#output());
    });
  }

  openSession(image?: SessionImage): Later<number> {
    const opened = image === undefined ? this.#calls.session_open(this.#engine) : this.#restored(image);
    return after(opened, answer => {
      const session = new CarriedSession(this.#checked(answer));
      this.#remember(session);
      return this.#sessions.add(session);
    });
  }

  #restored({ session, engine }: SessionImage): number {
    const { exports } = this.#core;
    this.#writeBytes(engine);
    this.#checked(exports.engine_restore(this.#engine, engine.length));
    this.#writeBytes(session);
    return exports.session_restore(this.#engine, session.length, 0);
  }

  stateOf(session: number): SessionState | undefined {
    return this.#sessions.get(session)?.tell(this.#image);
  }

  closeSession(session: number): void {
    const known = this.#sessions.get(session);
    if (known === undefined) return;
    this.#core.exports.session_close(known.number);
    this.#sessions.delete(session);
  }

  resetSession(session: number, beside: number): Later<void> {
    const [known, other] = [this.#session(session), this.#session(beside)];
    return after(this.#calls.session_reset(known.number, other.number), answer => {
      this.#checked(answer);
      this.#remember(known);
    });
  }

  watch(wish: () => Wish, figure: RemoteFigure = () => 0): void {
    this.#core.imports.wish = wish;
    this.#core.imports.remoteFigure = figure;
  }

  prepare(session: number, sql: string): Later<Prepared> {
    const loading = this.#core.imports.loadingFor(sql);
    if (loading !== null) throw new EngineWait(loading);
    const { number } = this.#session(session);
    return after(this.#calls.statement_prepare(number, this.#writeText(sql)), answer => {
      const statement = this.#checked(answer);
      const parameters = this.memory().getUint32(this.answerAt(), true);
      return { statement: this.#statements.add({ number: statement, session, sql }), parameters };
    });
  }

  closeStatement(statement: number): void {
    const known = this.#statements.get(statement);
    if (known === undefined) return;
    this.#core.exports.statement_close(known.number);
    this.#statements.delete(statement);
  }

  execute(statement: number, params: readonly WireParam[], files?: LocalFiles): Later<number> {
    const { number, session } = this.#statement(statement);
    this.#core.imports.localFiles = files ?? null;
    return after(this.#calls.cursor_open(number, this.#writeParams(params)), answer => this.#opened(answer, session));
  }

  insertRows(statement: number, rows: WireRows): Later<number> {
    const { number, session } = this.#statement(statement);
    return after(this.#calls.rows_open(number, this.#writeBytes(...rowsParts(rows))), answer =>
      this.#opened(answer, session),
    );
  }

  script(session: number, { bytes, isLast }: WireScript): number {
    const { number } = this.#session(session);
    const { exports } = this.#core;
    this.#writeBytes(bytes);
    return this.#opened(exports.script_open(number, bytes.length, isLast ? 1 : 0), session);
  }

  pieceProgress(cursor: number): PieceProgress {
    this.#checked(this.#core.exports.piece_progress(cursor));
    return readPieceProgress(this.#output());
  }

  header(cursor: number): ArrayBuffer | null {
    return this.#checked(this.#core.exports.cursor_header(cursor)) === 0 ? null : this.#outputCopy();
  }

  next(cursor: number, fuel: number): Later<Step> {
    return after(this.#calls.cursor_next(cursor, fuel), answer => {
      switch (this.#checkedOf(answer, this.#cursors.get(cursor))) {
        case STEP.done:
          return { kind: 'done', summary: this.#summary(cursor) };
        case STEP.result:
          return { kind: 'result', header: this.#outputCopy() };
        case STEP.batch:
          return this.#batch();
        case STEP.sleep:
          return { kind: 'sleep', milliseconds: this.#outputView().getUint32(0, true) };
        default:
          return { kind: 'yield' };
      }
    });
  }

  takeBack(buffers: readonly ArrayBuffer[]): void {
    this.#pages.giveBack(buffers);
  }

  closeCursor(cursor: number): void {
    this.#core.exports.cursor_close(cursor);
    this.#cursors.delete(cursor);
  }

  /**
   * Runs a prepared statement to its first page and gives the number of rows; the page is in `memory()` at `answerAt()`
   * until the next call. For lookups inside the worker.
   */
  find(statement: number, params: readonly WireParam[]): Later<number> {
    const { number } = this.#statement(statement);
    return after(this.#calls.row_find(number, this.#writeParams(params)), answer => this.#checked(answer));
  }

  /** Where the last answer is in `memory()`: to be read before the next call. */
  answerAt(): number {
    return unsigned(this.#core.exports.output_address());
  }

  /** All of linear memory. */
  memory(): DataView {
    // Growing detaches the buffer. Asking for the present one costs more than a lookup's parameters, a view most of it.
    if (this.#memory.buffer.byteLength === 0) this.#memory = new DataView(this.#core.exports.memory.buffer);
    return this.#memory;
  }

  split(script: string): StatementSpan[] {
    const offsets = this.#core.glue.splitStatements(script);
    const spans: StatementSpan[] = [];
    for (let index = 0; index + 1 < offsets.length; index += 2) {
      const start = offsets[index] as number;
      const end = offsets[index + 1] as number;
      spans.push({ sql: script.slice(start, end), start, end });
    }
    return spans;
  }

  complete(session: number, sql: string, at: number): Later<Completions> {
    const { number } = this.#session(session);
    return after(this.#calls.session_complete(number, this.#writeText(sql), at), answer => {
      this.#checked(answer);
      return readCompletions(this.#output());
    });
  }

  analyze(session: number, sql: string): Analysis {
    const { number } = this.#session(session);
    this.#checked(this.#core.exports.session_analyze(number, this.#writeText(sql)));
    return readAnalysis(this.#output(), sql);
  }

  checkPlaces(statement: number, params: readonly OddParam[]): void {
    const { session, sql } = this.#statement(statement);
    refuseOdd(this.analyze(session, sql).placeholders, params);
  }

  flush(what: Flush): Later<number | null> {
    return after(this.#calls.engine_flush(this.#engine, FLUSH[what]), answer => {
      this.#checked(answer);
      return this.#outputView().getFloat64(0, true) || null;
    });
  }

  counters(): Record<string, number> {
    this.#core.exports.engine_counters(this.#engine);
    return readCounters(this.#output());
  }

  readCounters(): ReadCounters {
    this.#core.exports.engine_read_counters(this.#engine);
    const view = this.#outputView();
    return {
      pagesFaulted: view.getFloat64(READS_PAGES_FAULTED, true),
      bytesRead: view.getFloat64(READS_BYTES_READ, true),
    };
  }

  memoryBytes(): number {
    return this.#core.memoryBytes;
  }

  get isTooLarge(): boolean {
    return this.#core.isTooLarge;
  }

  get canMove(): boolean {
    return this.#cursors.size === 0 && !this.#carried().some(session => session.isBound);
  }

  async move(prepare: () => Promise<void>): Promise<boolean> {
    if (!this.canMove) return false;
    // A failed commit is reported by the next commit: until then it stays pending.
    const wanted = this.flush('wanted');
    if (wanted instanceof Promise) await wanted;
    this.#checked(this.#core.exports.engine_image(this.#engine));
    if (this.#output()[0] !== 1) return false;
    const all = this.flush('all');
    if (all instanceof Promise) await all;
    for (const session of this.#carried()) this.#remember(session, true);
    this.#core.exports.engine_close(this.#engine);
    if (this.#siblings !== null) this.#core.imports.removeDirectories(this.#siblings);
    this.#core.retire();
    await this.#goOn(prepare).catch(error => {
      throw new CoreGone(`The engine could not restart: ${messageOf(error)}`);
    });
    return true;
  }

  lose(error: unknown): Loss {
    if (error instanceof CoreGone) return { reason: error.message, failure: LOST_BESIDE };
    const loss = lossOf(error, this.#core.imports.panicMessage);
    this.#core.die(loss.reason);
    return loss;
  }

  *lostTransactions(): Iterable<[number, Failure]> {
    for (const [number, session] of this.#sessions.entries()) {
      if (session.isInTransaction) yield [number, LOST_TRANSACTION];
      else if (session.isTooLarge) yield [number, LOST_STATE];
    }
  }

  async restart(prepare: () => Promise<void>): Promise<void> {
    await this.#goOn(prepare);
  }

  close(): void {
    try {
      this.#core.exports.engine_close(this.#engine);
      if (this.#siblings !== null) this.#core.imports.removeDirectories(this.#siblings);
    } finally {
      this.#core.leave(this);
    }
  }

  /** Goes on in another instance, with everything that is carried. */
  async #goOn(prepare: () => Promise<void>): Promise<void> {
    this.#core.leave(this);
    this.#memory = new DataView(new ArrayBuffer(0));
    this.#promising = null;
    this.#cursors.clear();
    this.#pages.forget();
    this.#core = await this.#startCore();
    this.#engine = this.#openEngine();
    const patiently = async <T>(call: () => Later<T>): Promise<T> => {
      for (;;) {
        try {
          return await call();
        } catch (error) {
          if (!(error instanceof EngineWait)) throw error;
          await prepare();
        }
      }
    };
    const siblings = this.#siblings;
    if (siblings !== null) {
      for (const { name, directory } of siblings.databases) {
        if (!this.#refused.has(name)) await patiently(() => this.attach(name, directory, siblings));
      }
    }
    if (this.#image !== null) {
      this.#writeBytes(this.#image);
      this.#checked(this.#core.exports.engine_restore(this.#engine, this.#image.length));
    }
    for (const session of this.#carried()) {
      const { image } = session;
      const { exports } = this.#core;
      if (image === null) {
        session.movedTo(this.#checked(await this.#calls.session_open(this.#engine)));
      } else {
        this.#writeBytes(image);
        session.movedTo(this.#checked(exports.session_restore(this.#engine, image.length, 1)));
      }
    }
    for (const [, statement] of this.#statements.entries()) {
      const session = this.#sessions.get(statement.session);
      const prepared = async (): Promise<number> => {
        const length = this.#writeText(statement.sql);
        return this.#checked(await this.#calls.statement_prepare(session?.number ?? -1, length));
      };
      // Where it can be read no more, its number stands for nothing.
      statement.number = await patiently(prepared).catch(error => {
        if (error instanceof HostFailure) return -1;
        throw error;
      });
    }
    this.#core.settled();
  }

  #carried(): CarriedSession[] {
    return [...this.#sessions.entries()].map(([, session]) => session);
  }

  #session(session: number): CarriedSession {
    const known = this.#sessions.get(session);
    if (known === undefined) throw hostFailure('usage', 'this session is closed');
    return known;
  }

  #statement(statement: number): CarriedStatement {
    const known = this.#statements.get(statement);
    if (known === undefined) throw hostFailure('usage', 'this statement is closed');
    return known;
  }

  #opened(answer: number, session: number): number {
    const known = this.#sessions.get(session);
    const cursor = this.#checkedOf(answer, known);
    if (known !== undefined) this.#cursors.set(cursor, known);
    return cursor;
  }

  /** As `#checked`, of a statement of a session: what a statement has changed before it failed is remembered. */
  #checkedOf(answer: number, session: CarriedSession | undefined): number {
    if (answer >= 0 || answer === WAIT) return this.#checked(answer);
    const failure = new HostFailure(readFailure(this.#output()));
    if (session !== undefined) this.#remember(session);
    throw failure;
  }

  /** Takes the state of a session out of the instance; one that moves at once whatever its size. */
  #remember(session: CarriedSession, isMoving = false): void {
    const { exports } = this.#core;
    this.#checked(exports.session_image(session.number, isMoving ? -1 : IMAGE_BYTES_MAX));
    session.take(this.#output());
    this.#checked(exports.engine_image(this.#engine));
    this.#image = this.#output().slice();
  }

  #checked(answer: number): number {
    if (answer === WAIT) throw new EngineWait();
    if (answer < 0) throw new HostFailure(readFailure(this.#output()));
    return answer;
  }

  #writeText(text: string): number {
    const at = this.#reserved(3 * text.length);
    return writeText(text, this.memory(), at);
  }

  /** One part behind the other. */
  #writeBytes(...parts: readonly Uint8Array[]): number {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const at = this.#reserved(length);
    const input = new Uint8Array(this.memory().buffer, at, length);
    let written = 0;
    for (const part of parts) {
      input.set(part, written);
      written += part.length;
    }
    return length;
  }

  #writeParams(params: readonly WireParam[]): number {
    if (params.length === 0) return 0;
    const at = this.#reserved(paramsBytesMax(params));
    return writeParams(params, this.memory(), at);
  }

  /** Room for arguments, and where it begins in `memory()`. */
  #reserved(bytes: number): number {
    const at = bytes > INPUT_BYTES_MAX ? 0 : unsigned(this.#core.exports.reserve_input(bytes));
    if (at > 0) return at;
    const megabytes = Math.ceil(bytes / 2 ** 20);
    throw hostFailure('unsupported', `The engine has no memory for a statement and values of up to ${megabytes} MiB`);
  }

  #output(): Uint8Array {
    const { exports } = this.#core;
    return new Uint8Array(exports.memory.buffer, this.answerAt(), exports.output_length());
  }

  #outputView(): DataView {
    const { exports } = this.#core;
    return new DataView(exports.memory.buffer, this.answerAt(), exports.output_length());
  }

  #summary(cursor: number): EngineSummary {
    const at = this.answerAt();
    const summary = readSummary(this.memory(), at, this.#core.exports.output_length());
    const session = this.#cursors.get(cursor);
    if (session?.hears(readStamp(this.memory(), at))) this.#remember(session);
    return summary;
  }

  /** The page in a buffer that can be transferred: its only copy on its way out. */
  #batch(): Step {
    const page = this.#output();
    const rowCount = this.memory().getUint32(page.byteOffset + PAGE_HEADER_ROWS, true);
    return { kind: 'batch', rowCount, page: this.#pages.copy(page) };
  }

  /** A buffer of its own, which can be transferred. */
  #outputCopy(): ArrayBuffer {
    const { exports } = this.#core;
    const start = this.answerAt();
    return (exports.memory.buffer as ArrayBuffer).slice(start, start + exports.output_length());
  }
}

function noOtherCore(): Promise<Core> {
  return Promise.reject(new Error('there is no other instance of the engine'));
}

/** JavaScript Promise Integration, which TypeScript's library does not describe yet. */
interface PromiseIntegration {
  readonly Suspending?: unknown;
  readonly promising?: (call: unknown) => (...numbers: number[]) => Promise<number>;
}

export function canSuspend(): boolean {
  const { Suspending, promising } = WebAssembly as PromiseIntegration;
  return typeof Suspending === 'function' && typeof promising === 'function';
}

function promising(exports: WasmExports): Record<Faulting, FaultingCall> {
  const { promising: wrap } = WebAssembly as PromiseIntegration;
  if (wrap === undefined) throw new TypeError('the stack of the engine cannot be suspended here');
  return Object.fromEntries(FAULTING.map(name => [name, wrap(exports[name])])) as Record<Faulting, FaultingCall>;
}
