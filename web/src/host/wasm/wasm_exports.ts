import type { WISH } from '../../protocol/index.ts';
import type { TransactionEffect } from '../engine.ts';

/** What the session at work has cost of the network: a figure by its number. */
export type RemoteFigure = (number: number) => number;

/** What the engine is told when it asks, within a call, what its statement is to do. */
export type Wish = (typeof WISH)[keyof typeof WISH];

/**
 * The raw exports of the engine (rust/wasm/src/exports.rs). Handles are numbers from 0; -1 means that the output holds a
 * failure, -2 that the call has to be made again. Arguments of variable size are written to the input first.
 */
export interface WasmExports {
  readonly memory: WebAssembly.Memory;
  /** Makes room for so many bytes of arguments and gives their address, or 0 where there is no memory. See `unsigned`. */
  reserve_input(length: number): number;
  /** See `unsigned`. */
  output_address(): number;
  output_length(): number;

  /** Commits are flushed within the window; 0 flushes each at once. */
  engine_open(budgetBytes: number, mode: number, flushWindowMs: number, acceptsLoss: number): number;
  engine_close(engine: number): void;
  /** What: one of FLUSH. Output: when there is more to do, a double of milliseconds since 1970, or 0. */
  engine_flush(engine: number, what: number): number;
  /** Output: the two counters that every statement is measured by, as doubles. */
  engine_read_counters(engine: number): void;
  /** Output: lines of a name, a tab and a number. */
  engine_counters(engine: number): void;
  session_close(session: number): void;
  statement_close(statement: number): void;
  cursor_close(cursor: number): void;

  /** Input: the name. */
  database_attach(engine: number, directory: number, nameLength: number): number;
  session_open(engine: number): number;
  /** Output: the state of a session, a u32 stamp first: as of a summary, another one when the state may be. */
  session_image(session: number, bytesMax: number): number;
  /** Input: the image of a session of another instance, which keeps its connection id or gets another one. */
  session_restore(engine: number, imageLength: number, keepsId: number): number;
  /** Output: what sessions share; the first byte says whether all that was acknowledged is settled. */
  engine_image(engine: number): number;
  /** Input: the image of an engine of another instance. */
  engine_restore(engine: number, imageLength: number): number;
  /** Connects the imports that the calls of this instance reach. */
  connectHost(host: object): void;
  /** The session begins anew, where the other one is. */
  session_reset(session: number, beside: number): number;
  /** Input: SQL. Output: u32 number of parameters. */
  statement_prepare(session: number, sqlLength: number): number;
  /** Input: parameters. */
  cursor_open(statement: number, paramsLength: number): number;
  /** Input: ROWS, then texts that mean NULL, a byte for each field of a line or none, a piece of a text of rows. Gives a cursor. */
  rows_open(statement: number, rowsLength: number): number;
  /** Input: a piece of a script. Gives a cursor. */
  script_open(session: number, scriptLength: number, isLast: number): number;
  /** Output: u32 start and end of a script's statement that ran last, u32 bytes that are done with, u64 rows. */
  piece_progress(cursor: number): number;
  /** Output: the header; gives the number of columns. */
  cursor_header(cursor: number): number;
  /** One of STEP; output: a page, the header of a procedure's next result, or the summary. */
  cursor_next(cursor: number, fuel: number): number;
  /** Input: parameters. Runs to the first page, which is the output; gives the number of its rows. */
  row_find(statement: number, paramsLength: number): number;
  /** Input: SQL. Output: completions. */
  session_complete(session: number, sqlLength: number, at: number): number;
  /** Input: SQL. Output: see rust/wasm/src/analysis.rs. */
  session_analyze(session: number, sqlLength: number): number;
}

/** An address in linear memory: JavaScript gets and gives those of the upper half of 4 GiB as negative numbers. */
export function unsigned(address: number): number {
  return address >>> 0;
}

/** Exports that may read files: in a source that suspends they are called through `WebAssembly.promising`. */
export const FAULTING = [
  'engine_flush',
  'database_attach',
  'session_open',
  'session_reset',
  'statement_prepare',
  'cursor_open',
  'rows_open',
  'cursor_next',
  'row_find',
  'session_complete',
] as const;
export type Faulting = (typeof FAULTING)[number];

/** What a statement does to its transaction: as in rust/parse/src/outline.rs. */
const EFFECTS: readonly TransactionEffect[] = ['other', 'stays', 'rolls_back'];

/** What the engine says that a statement does to the transaction in which it runs. */
export function effectOf(glue: CoreGlue, sql: string): TransactionEffect {
  return EFFECTS[glue.transactionEffect(sql)] ?? 'other';
}

/** The generated module (`#core`), as far as the host uses it. */
export interface CoreGlue {
  /** Hands the imports' implementation over and installs the panic hook. */
  connectHost(host: object): void;
  /** Pairs of UTF-16 offsets: start and end of every statement. */
  splitStatements(script: string): Uint32Array;
  /** The number of one of EFFECTS. */
  transactionEffect(sql: string): number;
  version(): string;
}
