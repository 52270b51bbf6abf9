import type { PieceProgress, WireRows } from '../../protocol/index.ts';
import { VarveError } from '../errors.ts';
import { CsvHead } from './csv_head.ts';
import { refusingDecoder } from './encodings.ts';
import { insertSql } from './insert_sql.ts';
import type { NewTable } from './new_table.ts';
import { linesIn, PIECE_BYTES, PieceBuffer } from './piece_buffer.ts';
import { rowOf, rowSpan } from './refused_row.ts';
import type { ImportRowsOptions } from './transfer_types.ts';

/** Adds the rows of a piece, for each of which the INSERT has its parameters. */
export type InsertRows = (sql: string, rows: WireRows, signal?: AbortSignal) => Promise<PieceProgress>;

/** Pieces of a text that is committed every so many rows. */
const COMMITTED_PIECE_BYTES = 1 << 16;

/** A row that is longer is none: a quote in it is not closed, and all that follows would be held. */
const ROW_BYTES_MAX = 1 << 28;

/** What was read of a piece. */
interface Read {
  readonly bytes: number;
  /** Its last row was not added. */
  readonly isRefused: boolean;
}

const isOfQuotes = (error: unknown): boolean => error instanceof VarveError && / a quoted field /.test(error.message);

/** Comma-separated values on their way into a table: the engine finds lines and fields, here is looked at the first ones. */
export class CsvRows {
  /** Rows that were added. */
  rows = 0;
  readonly #insertRows: InsertRows;
  readonly #options: ImportRowsOptions;
  readonly #table: NewTable;
  readonly #waiting: PieceBuffer;
  readonly #head: CsvHead;
  #sql: string | null = null;
  #leftOut: readonly boolean[] | undefined;
  /** Rows of the text that were read, titles among them. */
  #read = 0;
  /** Ends of lines before what is waiting. */
  #lines = 0;
  /** The piece that the engine is at, one at a time: meanwhile the next one is read. */
  #underWay: Promise<void> = Promise.resolve();

  constructor(insertRows: InsertRows, table: NewTable, options: ImportRowsOptions) {
    this.#insertRows = insertRows;
    this.#options = options;
    this.#table = table;
    this.#waiting = new PieceBuffer(options.commitRows === undefined ? PIECE_BYTES : COMMITTED_PIECE_BYTES);
    this.#head = new CsvHead(options);
  }

  async add(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(bytes);
    if (this.#sql === null) {
      if (!this.#head.read(bytes)) return;
      await this.#begin();
    }
    while (this.#waiting.isFull) await this.#send(false);
  }

  async end(): Promise<void> {
    if (this.#sql === null) {
      if (!this.#head.end()) return;
      await this.#begin();
    }
    while (!(await this.#send(true))) {
      // Until the last piece is on its way.
    }
    await this.#underWay;
  }

  get taken(): number {
    return this.rows;
  }

  flush(): Promise<void> {
    return this.#underWay;
  }

  async stop(): Promise<void> {
    await this.#underWay.catch(() => {});
  }

  async #begin(): Promise<void> {
    const { fields, values } = this.#head;
    const columns = fields.filter(name => name !== null);
    if (columns.length < fields.length) this.#leftOut = fields.map(name => name === null);
    await this.#table.make(columns, values);
    this.#sql = insertSql(this.#options, columns, 1, this.#table.computed);
  }

  /** Whether the last piece is on its way. */
  async #send(isEnd: boolean): Promise<boolean> {
    await this.#underWay;
    const { bytes, isLast } = this.#waiting.take(isEnd);
    this.#underWay = this.#insert(bytes, isLast);
    // Whoever waits for it next is told.
    this.#underWay.catch(() => {});
    return isLast;
  }

  async #insert(bytes: Uint8Array, isLast: boolean): Promise<void> {
    let rest = bytes;
    for (;;) {
      const read = await this.#add(rest, isLast).catch(error => this.#passOver(error, rest));
      rest = rest.subarray(read.bytes);
      if (!read.isRefused) break;
    }
    this.#waiting.giveBack(rest);
  }

  /** Adds the rows of a piece: all of them, or none. */
  async #add(bytes: Uint8Array, isLast: boolean): Promise<Read> {
    const { separator = ',', columns, dates, decimal, nulls, signal } = this.#options;
    const hasTitles = columns === undefined && this.#read === 0;
    const how = { hasTitles, separator, dates, decimal, nulls, leftOut: this.#leftOut };
    const rows: WireRows = { bytes, isLast, ...how, rowsBefore: this.#read };
    const done = await this.#insertRows(this.#sql ?? '', rows, signal).catch(error => {
      if (error instanceof VarveError && error.code === 'unreadable') this.#refuseStrayBytes(bytes, isLast);
      throw error;
    });
    if (done.doneBytes === 0 && bytes.length >= ROW_BYTES_MAX) {
      const what = 'does not end within 256 MiB: is a quote not closed?';
      throw new VarveError('unreadable', `Row ${this.#read + 1} of the file ${what}`);
    }
    this.rows += done.rows - (hasTitles && done.rows > 0 ? 1 : 0);
    return this.#pass(bytes, done.doneBytes, done.rows, false);
  }

  /**
   * Tells a row that is not taken, and adds those before it, which the statement that failed has taken back: so each row is read twice at
   * most. Other errors are thrown again.
   */
  async #passOver(error: unknown, bytes: Uint8Array): Promise<Read> {
    const { onError, separator = ',' } = this.#options;
    const row = rowOf(error);
    const span = row === undefined ? undefined : rowSpan(bytes, row - this.#read, separator);
    // A quote that is not closed takes all that follows with it.
    if (onError === undefined || row === undefined || span === undefined || isOfQuotes(error)) throw error;
    if (span.start > 0) await this.#add(bytes.subarray(0, span.start), true);
    const text = new TextDecoder().decode(bytes.subarray(span.start, span.end)).replace(/[\r\n]+$/, '');
    onError(error, { row, line: this.#lines + 1, text });
    return { ...this.#pass(bytes.subarray(span.start), span.end - span.start, 1, true), bytes: span.end };
  }

  /** Counts what is done with. */
  #pass(bytes: Uint8Array, doneBytes: number, rows: number, isRefused: boolean): Read {
    this.#read += rows;
    this.#lines += linesIn(bytes.subarray(0, doneBytes));
    return { bytes: doneBytes, isRefused };
  }

  /** Bytes that are no text are told with their line. */
  #refuseStrayBytes(bytes: Uint8Array, isLast: boolean): void {
    const decoder = refusingDecoder(this.#lines);
    decoder.decode(bytes);
    if (isLast) decoder.end();
  }
}
