import type { PieceProgress, WireRows } from '../../protocol/index.ts';
import { VarveError } from '../errors.ts';
import { CsvHead } from './csv_head.ts';
import { refusingDecoder } from './encodings.ts';
import { insertSql } from './insert_sql.ts';
import type { NewTable } from './new_table.ts';
import { linesIn, PIECE_BYTES, PieceBuffer } from './piece_buffer.ts';
import type { ImportRowsOptions } from './transfer_types.ts';

/** Adds the rows of a piece, for each of which the INSERT has its parameters. */
export type InsertRows = (sql: string, rows: WireRows, signal?: AbortSignal) => Promise<PieceProgress>;

/** Pieces of a text that is committed every so many rows. */
const COMMITTED_PIECE_BYTES = 1 << 16;

/** A row that is longer is none: a quote in it is not closed, and all that follows would be held. */
const ROW_BYTES_MAX = 1 << 28;

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
    const { columns, values } = this.#head;
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
    const { separator = ',', columns, dates, decimal, nulls, signal } = this.#options;
    const hasTitles = columns === undefined && this.#read === 0;
    const rows: WireRows = { bytes, isLast, hasTitles, separator, dates, decimal, nulls, rowsBefore: this.#read };
    const done = await this.#insertRows(this.#sql ?? '', rows, signal).catch(error => {
      if (error instanceof VarveError && error.code === 'unreadable') this.#refuseStrayBytes(bytes, isLast);
      throw error;
    });
    if (done.doneBytes === 0 && bytes.length >= ROW_BYTES_MAX) {
      const what = 'does not end within 256 MiB: is a quote not closed?';
      throw new VarveError('unreadable', `Row ${this.#read + 1} of the file ${what}`);
    }
    this.#read += done.rows;
    this.rows += done.rows - (hasTitles && done.rows > 0 ? 1 : 0);
    this.#lines += linesIn(bytes.subarray(0, done.doneBytes));
    this.#waiting.giveBack(bytes.subarray(done.doneBytes));
  }

  /** Bytes that are no text are told with their line. */
  #refuseStrayBytes(bytes: Uint8Array, isLast: boolean): void {
    const decoder = refusingDecoder(this.#lines);
    decoder.decode(bytes);
    if (isLast) decoder.end();
  }
}
