/** Import of CSV: pieces of bytes go to the worker, which parses them. */
import type { PieceProgress, WireRows } from '../../../protocol/index.ts';
import { VarveError } from '../../errors.ts';
import type { PieceOutcome } from '../script/import_sql.ts';
import { linesIn, PIECE_BYTES, PieceBuffer } from '../script/piece_buffer.ts';
import { insertSql } from '../table/insert_sql.ts';
import type { NewTable } from '../table/new_table.ts';
import { refusingDecoder } from '../text/encodings.ts';
import type { ImportRowsOptions } from '../transfer_types.ts';
import { CsvHead } from './csv_head.ts';

/** Adds the rows of a piece, for each of which the INSERT has its parameters. Rejects when the signal has ended it. */
export type InsertRows = (sql: string, rows: WireRows, signal?: AbortSignal) => Promise<PieceOutcome>;

/** Pieces of a text that is committed every so many rows. */
const COMMITTED_PIECE_BYTES = 1 << 16;

/** A row that is longer is none: a quote in it is not closed, and all that follows would be held. */
const ROW_BYTES_MAX = 1 << 28;

const EMPTY = 'The text is empty: the columns of the table cannot be derived';

/** Comma-separated values on their way into a table: the engine finds lines and fields, here is looked at the first ones. */
export class CsvRows {
  /** Rows that were added. */
  rows = 0;
  /** The row that the error is about, from 1, titles among them; undefined for one that is about none. */
  refusedRow: number | undefined;
  readonly #insertRows: InsertRows;
  readonly #options: ImportRowsOptions;
  readonly #table: NewTable;
  readonly #waiting: PieceBuffer;
  readonly #head: CsvHead;
  #sql: string | null = null;
  #leftOut: readonly boolean[] | undefined;
  #fillsShortLines = false;
  /** Rows of the text that were read, titles among them. */
  #read = 0;
  /** Ends of lines before what is waiting. */
  #lines: number;
  /** The piece that the engine is at, one at a time: meanwhile the next one is read. */
  #underWay: Promise<void> = Promise.resolve();

  constructor(insertRows: InsertRows, table: NewTable, options: ImportRowsOptions) {
    this.#insertRows = insertRows;
    this.#options = options;
    this.#table = table;
    this.#waiting = new PieceBuffer(options.commitRows === undefined ? PIECE_BYTES : COMMITTED_PIECE_BYTES);
    this.#head = new CsvHead(options);
    this.#lines = options.skipLines ?? 0;
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
      const hasRows = this.#head.end();
      if (!hasRows && !this.#options.create) return;
      // Titles alone make a table without rows.
      await this.#begin();
      if (!hasRows) return;
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
    this.#fillsShortLines = this.#head.fillsShortLines;
    if (columns.length === 0) throw new VarveError('unreadable', fields.length === 0 ? EMPTY : 'map skips all columns');
    if (columns.length < fields.length) this.#leftOut = fields.map(name => name === null);
    await this.#table.make(columns, values);
    this.#sql = insertSql(this.#options, columns, 1, this.#table.computed);
  }

  /** Whether the last piece is on its way. */
  async #send(isEnd: boolean): Promise<boolean> {
    await this.#underWay;
    const { bytes, isLast } = this.#waiting.take(isEnd);
    this.#underWay = this.#insert(bytes, isLast);
    // The next reader gets the error.
    this.#underWay.catch(() => {});
    return isLast;
  }

  async #insert(bytes: Uint8Array, isLast: boolean): Promise<void> {
    let rest = bytes;
    for (;;) {
      const { progress, error } = await this.#add(rest, isLast);
      const passed = error === null ? progress.doneBytes : await this.#passOver(error, progress, rest);
      rest = rest.subarray(passed);
      if (error === null) break;
    }
    this.#waiting.giveBack(rest);
  }

  /** Adds the rows of a piece: all of them, or none and an error. */
  async #add(bytes: Uint8Array, isLast: boolean): Promise<PieceOutcome> {
    const { separator = ',', escape: quoteEscape = '', columns, dates, decimal, nulls, signal } = this.#options;
    const hasTitles = columns === undefined && this.#read === 0;
    const how = {
      hasTitles,
      separator,
      hasEscapes: quoteEscape !== '',
      dates,
      decimal,
      nulls,
      leftOut: this.#leftOut,
      fillsShortLines: this.#fillsShortLines,
    };
    const rows: WireRows = { bytes, isLast, ...how, rowsBefore: this.#read };
    const outcome = await this.#insertRows(this.#sql ?? '', rows, signal);
    const { progress, error } = outcome;
    if (error !== null) {
      if (error instanceof VarveError && error.code === 'unreadable') this.#refuseStrayBytes(bytes, isLast);
      return outcome;
    }
    if (progress.doneBytes === 0 && bytes.length >= ROW_BYTES_MAX) {
      const what = 'does not end within 256 MiB: is a quote not closed?';
      throw new VarveError('unreadable', `Row ${this.#read + 1} of the file ${what}`);
    }
    this.rows += progress.rows - (hasTitles && progress.rows > 0 ? 1 : 0);
    this.#count(bytes.subarray(0, progress.doneBytes), progress.rows);
    return outcome;
  }

  /**
   * Tells a row that is not taken, and adds those before it, which the statement that failed has taken back: so each row is read twice at
   * most. Errors that are about no row are thrown again.
   *
   * @returns how many bytes are done with
   */
  async #passOver(error: unknown, { start, end, rows }: PieceProgress, bytes: Uint8Array): Promise<number> {
    const { onError } = this.#options;
    if (end > 0) this.refusedRow = this.#read + rows;
    if (onError === undefined || end === 0) throw error;
    if (start > 0) {
      const before = await this.#add(bytes.subarray(0, start), true);
      if (before.error !== null) throw before.error;
    }
    const refused = bytes.subarray(start, end);
    const text = new TextDecoder().decode(refused).replace(/[\r\n]+$/, '');
    onError(error, { row: this.#read + 1, line: this.#lines + 1, text });
    this.refusedRow = undefined;
    this.#count(refused, 1);
    return end;
  }

  /** Counts what is done with. */
  #count(bytes: Uint8Array, rows: number): void {
    this.#read += rows;
    this.#lines += linesIn(bytes);
  }

  /** Invalid bytes are reported with their line. */
  #refuseStrayBytes(bytes: Uint8Array, isLast: boolean): void {
    const decoder = refusingDecoder(this.#lines);
    decoder.decode(bytes);
    if (isLast) decoder.end();
  }
}
