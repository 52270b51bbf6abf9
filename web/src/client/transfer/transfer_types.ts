/** The public types of import and export. */

import type { Warning } from '../../protocol/index.ts';
import type { Param } from '../types.ts';
import type { CsvEscape } from './csv/csv_escapes.ts';
import type { DateOrder, DecimalMark } from './table/written_forms.ts';

/** Told while rows come or go. */
export interface TransferProgress {
  readonly table: string;
  /** Rows of all tables so far. */
  readonly rows: number;
  /** Of the text that was read or written. */
  readonly bytes: number;
}

interface TransferOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: TransferProgress) => void;
}

export type RowFormat = 'csv' | 'json' | 'jsonl';

export interface DumpOptions extends TransferOptions {
  /** All by default. */
  readonly tables?: readonly string[] | undefined;
  readonly schemaOnly?: boolean | undefined;
  /** Begins with CREATE DATABASE and USE of this name. */
  readonly createDatabase?: string | undefined;
}

export interface ExportRowsOptions extends TransferOptions {
  readonly format: RowFormat;
  /** The delimiter of CSV, one character, `,` by default. */
  readonly separator?: string | undefined;
  /**
   * Of CSV: puts `'` before texts that begin with `=`, `+`, `-`, `@`, tab or carriage return, which spreadsheets run as formulas. Numbers
   * stay as they are. An import keeps the `'`: leave this out of files that come back. Default false.
   */
  readonly guardFormulas?: boolean | undefined;
  /** A table, or … */
  readonly table?: string | undefined;
  /** … a query. */
  readonly query?: string | undefined;
}

/** Text or bytes of it, whole or in pieces. Bytes may be compressed by gzip. */
export type TextInput = string | Uint8Array | Blob | AsyncIterable<Uint8Array | string>;

interface ImportOptions extends TransferOptions {
  /**
   * How bytes are text: a label of the Encoding Standard, such as `windows-1252`. By default what the text's mark (BOM) says; of a script
   * what its statements say, such as `SET NAMES latin1`; or UTF-8. Nothing is replaced: bytes that are none in it are an error `unreadable`,
   * which names the line.
   */
  readonly encoding?: string;
}

export interface ImportRowsOptions extends ImportOptions {
  readonly table: string;
  readonly format: RowFormat;
  /** The delimiter of CSV, one character. By default what the first rows say: `,`, `;`, tab or `|`. */
  readonly separator?: string | undefined;
  /**
   * Lines of CSV before the titles, or before the rows where `columns` names them. By default a first line `sep=;` of Excel, and lines that begin
   * with `#`, but for the last one where it names the columns.
   */
  readonly skipLines?: number | undefined;
  /**
   * What makes data of a quote within a field of CSV, of itself, and of what ends a field. A backslash does in what INTO OUTFILE of MySQL
   * writes, where `\N` is NULL; `''` says that quotes are doubled and a backslash is data (RFC 4180). By default a backslash where more of the first
   * rows have the same number of fields so.
   */
  readonly escape?: CsvEscape | undefined;
  /**
   * How CSV has dates that do not begin with their year, such as `10.02.2024` or `2/10/2024 3:04 PM`: `dmy` or `mdy`. They become values of
   * DATE and DATETIME columns, which a table that is made has for them. What is written in neither way is an error `unreadable`. By
   * default they are text.
   */
  readonly dates?: DateOrder | undefined;
  /**
   * The decimal separator in CSV; the other of `,` and `.` may stand between thousands: with `,` a `1.234,50`
   * is a number. By default numbers have a point, and nothing between thousands.
   */
  readonly decimal?: DecimalMark | undefined;
  /**
   * Texts such as `n/a` that are NULL in columns of numbers, dates and times; elsewhere they are texts. By default a field with nothing in
   * it, not even quotes, is NULL.
   */
  readonly nulls?: readonly string[] | undefined;
  /**
   * Columns for the fields of each line. By default the first line of CSV names them; members of JSON objects name
   * themselves, and what an object leaves out is NULL where the column can be, as exports write NULL. Columns that the table
   * computes may be among them, and make their values themselves.
   */
  readonly columns?: readonly string[] | undefined;
  /**
   * Columns for titles of CSV or members of JSON that are called otherwise: `{ Name: 'full_name', Notes: null }`, where null leaves them out. What
   * is not among them keeps its name. All other options, and `planRows`, speak of the names that these become. Titles that are empty or come twice are
   * called as in a table that is made.
   */
  readonly map?: Readonly<Record<string, string | null>> | undefined;
  /**
   * What to do with rows whose key is there. Default `error`. `replace` takes the new row, with defaults in columns that the text has not;
   * `update` leaves those as they are.
   */
  readonly duplicates?: 'error' | 'replace' | 'update' | 'ignore' | undefined;
  /** Takes the rows away that are there, before the first new one. When the import fails they are there again. */
  readonly emptied?: boolean | undefined;
  /**
   * Makes the table, with columns whose types fit the first rows, or `allRows`: numbers and times where all values are, and come back with
   * all their digits, else texts. Titles alone make a table without rows. Titles of a CSV file that are empty or come twice get a number
   * (`column_3`, `name_2`).
   */
  readonly create?: boolean | undefined;
  /**
   * Of a table that is made: none when the list is empty. By default the first column, unless rows that were looked at have the same value
   * in it, or none.
   */
  readonly primaryKey?: readonly string[] | undefined;
  /** Of a table that is made, instead of a key among its columns: one more of this name before them, which numbers the rows from 1. */
  readonly numbered?: string | undefined;
  /**
   * Looks at all rows for the columns of a table that is made: by default at the first 1,000, and a later row that does not fit them is an
   * error. Lines of CSV may have different numbers of fields then: those beyond the titles get columns (`column_4`), and those that a line lacks
   * are NULL, as `missing` of the plan tells. The input is read twice, so it cannot be an iterable.
   */
  readonly allRows?: boolean | undefined;
  /** Of a table that is made: its columns, as `planRows` told them of the same input. */
  readonly plan?: readonly PlannedColumn[] | undefined;
  /** Of a table that is made: types of columns that are not to be what their rows say. */
  readonly types?: Readonly<Record<string, string>> | undefined;
  /**
   * Leaves out a row that the table does not take, or that has more or fewer fields than there are columns, tells it here, and goes on: what
   * this throws ends the import. By default the first such row ends it.
   */
  readonly onError?: ((error: unknown, row: RefusedRow) => void) | undefined;
  /** Rows of one transaction: what was committed stays when a later row fails. Default: all rows. */
  readonly commitRows?: number | undefined;
}

/** A row of a file that is not added. */
export interface RefusedRow {
  /** Of the file, titles and all, from 1. */
  readonly row: number;
  /** On which it begins, from 1; undefined in JSON. */
  readonly line: number | undefined;
  /** As the file has it. */
  readonly text: string;
}

/** What an import of the rows would be given; with `allRows` the input may be an iterable here, for it is read once. */
export type PlanRowsOptions = Omit<ImportRowsOptions, 'plan'>;

/** A column of the table that an import makes. */
export interface PlannedColumn {
  readonly name: string;
  readonly type: string;
  /** Its values in the first rows. */
  readonly examples: readonly Param[];
  /** Of a column of texts: what keeps it from being one of numbers or dates. */
  readonly strays?: StrayValues;
  /** Of a column of the primary key: what keeps it from being one, where the rows that were looked at have such a thing. */
  readonly unfit?: UnfitKey;
  /** Of a look at all rows of CSV: lines that end before its field, where it is NULL. */
  readonly missing?: MissingFields;
}

/** Lines of CSV with fewer fields than others. */
export interface MissingFields {
  readonly count: number;
  /** The first one, of the file, titles and all. */
  readonly row: number;
}

/** The first row whose key another row has, or that has none. */
export interface UnfitKey {
  /** Of the column, in this row; NULL where the key has that. */
  readonly value: Param;
  /** Of the file, titles and all. */
  readonly row: number;
}

/** A few texts among numbers or dates. */
export interface StrayValues {
  /** Each once, as they come. */
  readonly texts: readonly string[];
  /** How often they are there. */
  readonly count: number;
  /** Of the file, titles and all: where the first one is. */
  readonly row: number;
  /** What the column would be without them. */
  readonly type: string;
}

export interface ImportSqlOptions extends ImportOptions {
  /**
   * Goes on after an error and tells it here, with the statement and the line on which that begins, from 1. By default the first error ends
   * the import. `file` is that of a line `source`, where the statement is in one.
   */
  readonly onError?: ((error: unknown, sql: string, line: number, file?: string) => void) | undefined;
  /**
   * Gives the text of a file that a line `source FILE` (or `\. FILE`) of the script names; `from` are the files that named it, outermost
   * first, and empty in the script itself. Without it such lines are left out, and among the warnings.
   */
  readonly source?: ((file: string, from: readonly string[]) => TextInput | Promise<TextInput>) | undefined;
}

export interface ImportResult {
  readonly rows: number;
  readonly bytes: number;
}

export interface ImportSqlResult extends ImportResult {
  /**
   * What statements of a script have altered, such as values that IGNORE makes fit, and what was left out: stored functions, views of what is
   * not there, commands of the mysql client. Notes that a table exists, or does not, are not among them.
   */
  readonly warnings: ImportWarnings;
}

export interface ImportWarnings {
  readonly count: number;
  /** The first ones, and of what was left out up to 1,000. */
  readonly first: readonly ImportWarning[];
}

export interface ImportWarning extends Warning {
  /** On which the statement begins, from 1. */
  readonly line: number;
  /** That a line `source` names, where the statement is in one. */
  readonly file?: string;
}

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly bytes: number; readonly totalBytes: number }) => void) | undefined;
}

/** `directory` gets a directory of the database's name; the others become the database's own directory. */
export type CopyTarget =
  | { readonly directory: FileSystemDirectoryHandle }
  | { readonly opfs: string }
  /** Node only. */
  | { readonly path: string };

/** Databases as text. Everything streams: a piece is made when it is asked for. */
export interface Transfers {
  /** A script that makes the tables again and fills them, as `dolt dump` and `mysqldump` write it. */
  dump(options?: DumpOptions): AsyncIterableIterator<string>;
  exportRows(options: ExportRowsOptions): AsyncIterableIterator<string>;
  /**
   * Puts rows into a table: all of them, or none unless `commitRows` says otherwise. In columns of bytes a text `0x…` is the
   * bytes of these digits, as `exportRows` writes them.
   */
  importRows(input: TextInput, options: ImportRowsOptions): Promise<ImportResult>;
  /** Runs a script of any size, such as a dump, with `varve_beyond_dolt` set: MySQL's say more than Dolt reads. */
  importSql(input: TextInput, options?: ImportSqlOptions): Promise<ImportSqlResult>;
  /** The files of all databases as a zip archive, which native Dolt reads when it is unpacked, and `open` as it is. */
  zip(options?: CopyOptions): AsyncIterableIterator<Uint8Array>;
  /**
   * Copies the files of all databases, with all of their history: from anywhere into the page's own storage, where they can
   * be changed, and from there into a picked directory.
   *
   * @throws VarveError `usage` when the target has a database already.
   */
  copyTo(target: CopyTarget, options?: CopyOptions): Promise<void>;
}
