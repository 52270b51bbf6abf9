import type {
  Completions,
  Durability,
  PieceProgress,
  RegionMode,
  StatementSpan,
  WireParam,
  WireRows,
  WireScript,
} from '../protocol/index.ts';
import type { EngineSummary, Step } from './engine.ts';
import { type Engine, type EngineOptions, EngineWait, type Flush, type Prepared, type ReadCounters } from './engine.ts';
import type { HostDirectory } from './files/file.ts';
import { HostFailure, hostFailure } from './files/source.ts';
import type { HostImports } from './imports.ts';
import { after, type Later } from './later.ts';
import type { LocalFiles } from './local_files.ts';
import { PageBuffers } from './page_buffers.ts';
import type { Siblings } from './siblings.ts';
import { type CoreGlue, FAULTING, type Faulting, STEP, unsigned, WAIT, type WasmExports } from './wasm_exports.ts';
import { readFailure } from './wire_failure.ts';
import { paramsBytesMax, writeParams, writeText } from './wire_params.ts';
import { readCompletions, readCounters, readPieceProgress, readSummary } from './wire_summary.ts';

/** No allocation of the engine is longer. */
const INPUT_BYTES_MAX = 2 ** 31 - 1;

/** Numbers of the modes in rust/wasm/src/exports.rs. */
const MODES: Record<RegionMode, number> = { mmap: 0, pread: 1, 'mmap-index': 2 };

/** In the order of their numbers. */
const FLUSHES: readonly Flush[] = ['due', 'wanted', 'all'];

/** How long a commit may wait for its flush. */
const FLUSH_WINDOW_MS: Record<Durability, number> = { full: 0, relaxed: 100 };

/** The wasm module of this thread; all engines of the thread live in it. */
export interface Core {
  readonly exports: WasmExports;
  readonly glue: CoreGlue;
  readonly imports: HostImports;
}

type FaultingCall = (...numbers: number[]) => Later<number>;

/** One engine of the module. Once a directory suspends, its calls answer later. */
export class WasmEngine implements Engine {
  readonly #core: Core;
  readonly #engine: number;
  #siblings: Siblings | null = null;
  readonly #pages = new PageBuffers();
  #calls: Record<Faulting, FaultingCall>;
  #memory = new DataView(new ArrayBuffer(0));

  constructor(core: Core, { budgetBytes, mode, durability }: EngineOptions) {
    this.#core = core;
    this.#calls = core.exports;
    this.#engine = this.#checked(core.exports.engine_open(budgetBytes, MODES[mode], FLUSH_WINDOW_MS[durability]));
  }

  attach(name: string, directory: HostDirectory, siblings: Siblings): Later<void> {
    if (directory.suspends) this.#calls = promising(this.#core.exports);
    const number = this.#core.imports.addDirectory(directory, siblings);
    this.#siblings = siblings;
    const length = this.#writeText(name);
    return after(this.#calls.database_attach(this.#engine, number, length), answer => void this.#checked(answer));
  }

  openSession(place = ''): Later<number> {
    const length = this.#writeText(place);
    return after(this.#calls.session_open(this.#engine, length), answer => this.#checked(answer));
  }

  placeOf(session: number): string {
    this.#checked(this.#core.exports.session_place(session));
    return new TextDecoder().decode(this.#output());
  }

  closeSession(session: number): void {
    this.#core.exports.session_close(session);
  }

  resetSession(session: number, beside: number): Later<void> {
    return after(this.#calls.session_reset(session, beside), answer => void this.#checked(answer));
  }

  prepare(session: number, sql: string): Later<Prepared> {
    return after(this.#calls.statement_prepare(session, this.#writeText(sql)), answer => ({
      statement: this.#checked(answer),
      parameters: this.memory().getUint32(this.answerAt(), true),
    }));
  }

  closeStatement(statement: number): void {
    this.#core.exports.statement_close(statement);
  }

  execute(statement: number, params: readonly WireParam[], files?: LocalFiles): Later<number> {
    this.#core.imports.localFiles = files ?? null;
    return after(this.#calls.cursor_open(statement, this.#writeParams(params)), answer => this.#checked(answer));
  }

  insertRows(statement: number, rows: WireRows): Later<number> {
    const { bytes, separator, rowsBefore, nulls = [], leftOut = [] } = rows;
    const nullBytes = new TextEncoder().encode(nulls.map(text => `${text}\0`).join(''));
    this.#writeBytes(nullBytes, Uint8Array.from(leftOut, Number), bytes);
    const opened = this.#calls.rows_open(
      statement,
      nullBytes.length,
      leftOut.length,
      bytes.length,
      separator.codePointAt(0) ?? 0,
      traitsOf(rows),
      rowsBefore,
    );
    return after(opened, answer => this.#checked(answer));
  }

  script(session: number, { bytes, isLast }: WireScript): number {
    const { exports } = this.#core;
    this.#writeBytes(bytes);
    return this.#checked(exports.script_open(session, bytes.length, isLast ? 1 : 0));
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
      switch (this.#checked(answer)) {
        case STEP.done:
          return { kind: 'done', summary: this.#summary() };
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
  }

  /**
   * Runs a prepared statement to its first page and gives the number of rows; the page lies in `memory()` at `answerAt()`
   * until the next call. For lookups inside the worker.
   */
  find(statement: number, params: readonly WireParam[]): Later<number> {
    return after(this.#calls.row_find(statement, this.#writeParams(params)), answer => this.#checked(answer));
  }

  /** Where the last answer lies in `memory()`: to be read before the next call. */
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
    return after(this.#calls.session_complete(session, this.#writeText(sql), at), answer => {
      this.#checked(answer);
      return readCompletions(this.#output());
    });
  }

  flush(what: Flush): number | null {
    this.#checked(this.#core.exports.engine_flush(this.#engine, FLUSHES.indexOf(what)));
    return this.#outputView().getFloat64(0, true) || null;
  }

  counters(): Record<string, number> {
    this.#core.exports.engine_counters(this.#engine);
    return readCounters(this.#output());
  }

  readCounters(): ReadCounters {
    this.#core.exports.engine_read_counters(this.#engine);
    const view = this.#outputView();
    return { pagesFaulted: view.getFloat64(0, true), bytesRead: view.getFloat64(8, true) };
  }

  memoryBytes(): number {
    return this.#core.exports.memory.buffer.byteLength;
  }

  close(): void {
    this.#core.exports.engine_close(this.#engine);
    if (this.#siblings !== null) this.#core.imports.removeDirectories(this.#siblings);
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
  #writeBytes(...parts: readonly Uint8Array[]): void {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const at = this.#reserved(length);
    const input = new Uint8Array(this.memory().buffer, at, length);
    let written = 0;
    for (const part of parts) {
      input.set(part, written);
      written += part.length;
    }
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

  #summary(): EngineSummary {
    return readSummary(this.memory(), this.answerAt(), this.#core.exports.output_length());
  }

  /** The page in a buffer that can be transferred: its only copy on its way out. */
  #batch(): Step {
    const page = this.#output();
    const rowCount = this.memory().getUint32(page.byteOffset + 4, true);
    return { kind: 'batch', rowCount, page: this.#pages.copy(page) };
  }

  /** A buffer of its own, which can be transferred. */
  #outputCopy(): ArrayBuffer {
    const { exports } = this.#core;
    const start = this.answerAt();
    return (exports.memory.buffer as ArrayBuffer).slice(start, start + exports.output_length());
  }
}

/** The bits that `rows_open` takes. */
function traitsOf({ isLast, hasTitles, dates, decimal }: WireRows): number {
  const traits = [isLast, hasTitles, dates === 'dmy', dates === 'mdy', decimal === ',', decimal === '.'];
  return traits.reduce((bits, has, bit) => bits | (has ? 1 << bit : 0), 0);
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
