import type { ColumnKind } from '../../protocol/index.ts';
import { SqlError, VarveError } from '../errors.ts';
import { KINDS_OF_BYTES } from '../stream.ts';
import type { JsonValue, Param, Queries, Statement } from '../types.ts';
import { quoteName } from '../versions.ts';
import { usableNames } from './column_names.ts';
import { CsvReader } from './csv_reader.ts';
import { rowsDecoder } from './encodings.ts';
import { JsonReader } from './json_reader.ts';
import { pieces } from './text_input.ts';
import type { ImportResult, ImportRowsOptions, TextInput } from './transfer_types.ts';
import { dateOf, numberOf, type WrittenForms } from './written_forms.ts';

/** Values of one INSERT: enough rows to make its overhead small, few enough to be cancelled soon. */
const STATEMENT_VALUES = 8192;
/** Rows from which the types of a new table's columns are taken. */
const SAMPLE_ROWS = 1000;

/** Conflicts with others, interruptions, columns without a default, transactions that only read: no row is to blame. */
const ERRORS_OF_NO_ROW: ReadonlySet<number> = new Set([1213, 1317, 1364, 1792]);

/** Rows with the names of their columns. */
interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Param[])[];
}

/**
 * Puts the rows of a text into a table.
 *
 * @param session of its own: a transaction runs in it.
 */
export async function importRows(
  session: Queries,
  input: TextInput,
  options: ImportRowsOptions,
): Promise<ImportResult> {
  const { signal, onProgress, table, commitRows } = options;
  const inserter = new Inserter(session, options);
  let bytes = 0;
  let uncommitted = 0;
  await session.query('START TRANSACTION');
  try {
    for await (const { rows, textBytes } of rowsOf(input, options)) {
      signal?.throwIfAborted();
      bytes += textBytes;
      if (rows !== null) {
        await inserter.add(rows);
        uncommitted += rows.rows.length;
      }
      if (commitRows !== undefined && uncommitted >= commitRows) {
        await inserter.flush();
        await session.query('COMMIT');
        await session.query('START TRANSACTION');
        uncommitted = 0;
      }
      onProgress?.({ table, rows: inserter.rows, bytes });
    }
    await inserter.flush();
    signal?.throwIfAborted();
    await session.query('COMMIT');
    onProgress?.({ table, rows: inserter.rows, bytes });
    return { rows: inserter.rows, bytes };
  } catch (error) {
    await inserter.settled();
    await session.query('ROLLBACK').catch(() => {});
    await inserter.unmake().catch(() => {});
    throw error;
  } finally {
    await inserter.close();
  }
}

interface Conversion {
  readonly column: number;
  readonly convert: Convert;
}

/** Null for a text that is not written as was said. */
type Convert = (text: string) => Param;

/** Collects rows and inserts many at a time, through one prepared statement as long as their number stays the same. */
class Inserter {
  rows = 0;
  readonly #session: Queries;
  readonly #options: ImportRowsOptions;
  #columns: readonly string[] = [];
  /** What makes values of texts, for each of `#columns` that needs it; null before the table is known. */
  #conversions: readonly Conversion[] | null = null;
  /** Values of rows that wait, one after the other: an array of each row would be most of what is collected as garbage. */
  #waiting: Param[] = [];
  #valuesMax = 1;
  #statement: Statement | null = null;
  #statementRows = 0;
  #isTableMade = false;
  /** The INSERT that the engine is at, one at a time: meanwhile the rows behind it are read. */
  #underWay: Promise<void> = Promise.resolve();

  constructor(session: Queries, options: ImportRowsOptions) {
    this.#session = session;
    this.#options = options;
  }

  async add({ columns, rows }: Rows): Promise<void> {
    if (columns.join('\0') !== this.#columns.join('\0')) {
      await this.flush();
      await this.#forget();
      this.#columns = columns;
      const rowsMax = Math.max(1, Math.floor(STATEMENT_VALUES / Math.max(1, columns.length)));
      this.#valuesMax = rowsMax * columns.length;
      this.#conversions = null;
    }
    for (const row of rows) {
      for (const value of row) this.#waiting.push(value);
      if (this.#waiting.length >= this.#valuesMax) await this.#send();
    }
  }

  /** Inserts what waits. */
  async flush(): Promise<void> {
    await this.#send();
    await this.#underWay;
  }

  /** Waits for the INSERT under way, whatever becomes of it. */
  async settled(): Promise<void> {
    await this.#underWay.catch(() => {});
  }

  async close(): Promise<void> {
    await this.#forget();
  }

  /** Takes the table away that was made for rows of which none were committed. */
  async unmake(): Promise<void> {
    if (!this.#isTableMade || this.#options.commitRows !== undefined) return;
    await this.#forget();
    await this.#session.query(`DROP TABLE ${quoteName(this.#options.table)}`);
  }

  async #send(): Promise<void> {
    const values = this.#waiting;
    this.#waiting = [];
    await this.#underWay;
    if (values.length === 0) return;
    this.#underWay = this.#insert(values);
    // Whoever waits for it next is told.
    this.#underWay.catch(() => {});
  }

  async #insert(values: Param[]): Promise<void> {
    const rows = values.length / this.#columns.length;
    if (this.#options.create && !this.#isTableMade) {
      await this.#session.query(createTable(this.#options, this.#columns, values));
      this.#isTableMade = true;
      // Definitions end the transaction that they are made in.
      await this.#session.query('START TRANSACTION');
    }
    this.#conversions ??= await this.#findConversions();
    for (const conversion of this.#conversions) this.#convert(values, conversion);
    if (this.#statement === null || this.#statementRows !== rows) {
      await this.#forget();
      this.#statement = await this.#session.prepare(this.#sql(rows));
      this.#statementRows = rows;
    }
    const { signal } = this.#options;
    try {
      await this.#statement.query(values, { ...(signal && { signal }) });
    } catch (error) {
      throw error instanceof SqlError && !ERRORS_OF_NO_ROW.has(error.errno) ? await this.#placed(error, values) : error;
    }
    this.rows += rows;
  }

  /**
   * The error with the row of the file that it is about, and what that has. A statement that failed has left nothing: its rows are tried
   * again by halves, in the transaction that is rolled back for the error.
   */
  async #placed(error: SqlError, values: readonly Param[]): Promise<SqlError> {
    const width = this.#columns.length;
    let [first, end] = [0, values.length / width];
    let found = error;
    while (end - first > 1) {
      const middle = (first + end) >> 1;
      try {
        await this.#session.query(this.#sql(middle - first), values.slice(first * width, middle * width));
        first = middle;
      } catch (inHalf) {
        if (!(inHalf instanceof SqlError)) return error;
        [end, found] = [middle, inHalf];
      }
    }
    const row = this.#rowOf(first);
    const fields = values
      .slice(first * width, (first + 1) * width)
      .map(value => (value === null ? null : String(value)));
    const { errno, sqlstate, message, hint } = found;
    return new SqlError(errno, sqlstate, `Row ${row} of the file: ${message}: ${beginOf(fields)}`, undefined, hint);
  }

  /** By which number people know a row of those that wait: titles are one, too. */
  #rowOf(waiting: number): number {
    const titles = this.#options.format === 'csv' && this.#options.columns === undefined ? 1 : 0;
    return titles + this.rows + waiting + 1;
  }

  async #findConversions(): Promise<Conversion[]> {
    const { columns } = await this.#session.query(
      `SELECT ${this.#columns.map(quoteName).join(', ')} FROM ${quoteName(this.#options.table)} LIMIT 0`,
    );
    const forms = formsOf(this.#options);
    return columns.flatMap(({ kind }, column) => {
      const convert = conversionTo(kind, forms);
      return convert === undefined ? [] : [{ column, convert }];
    });
  }

  /** @param values of rows, one after the other */
  #convert(values: Param[], { column, convert }: Conversion): void {
    const width = this.#columns.length;
    for (let at = column; at < values.length; at += width) {
      const value = values[at];
      if (typeof value !== 'string') continue;
      const converted = convert(value);
      if (converted === null) {
        const row = this.#rowOf((at - column) / width);
        throw new VarveError(
          'unreadable',
          `Row ${row} of the file has ${JSON.stringify(value)} for ${this.#columns[column]}, which is written in another way than was said`,
        );
      }
      values[at] = converted;
    }
  }

  #sql(rows: number): string {
    const verb = { error: 'INSERT', replace: 'REPLACE', ignore: 'INSERT IGNORE' }[this.#options.duplicates ?? 'error'];
    const names = this.#columns.map(quoteName).join(', ');
    const values = `(${this.#columns.map(() => '?').join(', ')})`;
    return `${verb} INTO ${quoteName(this.#options.table)} (${names}) VALUES ${new Array(rows).fill(values).join(', ')}`;
  }

  async #forget(): Promise<void> {
    await this.#statement?.close();
    this.#statement = null;
  }
}

async function* rowsOf(
  input: TextInput,
  options: ImportRowsOptions,
): AsyncIterableIterator<{ readonly rows: Rows | null; readonly textBytes: number }> {
  const take = options.format === 'csv' ? csvRows(options) : jsonRows(options);
  for await (const { text, bytes } of pieces(input, rowsDecoder(options.encoding))) {
    for (const rows of take(text, false)) yield { rows, textBytes: 0 };
    yield { rows: null, textBytes: bytes };
  }
  for (const rows of take('', true)) yield { rows, textBytes: 0 };
}

type Take = (piece: string, isLast: boolean) => Iterable<Rows>;

function csvRows(options: ImportRowsOptions): Take {
  const reader = new CsvReader(options.separator);
  let columns = options.columns;
  let line = 0;
  return (piece, isLast) => {
    const lines = reader.read(piece, isLast);
    if (columns === undefined) {
      const names = lines.shift();
      if (names === undefined) return [];
      columns = options.create ? usableNames(names) : names.map(name => name ?? '');
      line++;
    }
    const rows = lines.map(fields => {
      line++;
      if (fields.length === columns?.length) return fields;
      throw new VarveError(
        'unreadable',
        `Row ${line} of the file has ${counted(fields.length, 'field')}, where there are ${counted(columns?.length ?? 0, 'column')}: ${beginOf(fields)}`,
      );
    });
    return rows.length === 0 ? [] : [{ columns, rows }];
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const BEGIN_CHARS = 60;

/** How a row begins, so that it is found in the file. */
function beginOf(fields: readonly (string | null)[]): string {
  const text = fields.map(field => field ?? '').join(', ');
  return text.length > BEGIN_CHARS ? `${text.slice(0, BEGIN_CHARS)}…` : text;
}

function jsonRows(options: ImportRowsOptions): Take {
  const reader = new JsonReader(options.format === 'jsonl');
  return function* (piece, isLast) {
    let run: { columns: readonly string[]; rows: Param[][] } | null = null;
    for (const object of reader.read(piece, isLast)) {
      // Rows with the same members go into one statement.
      const columns: readonly string[] = options.columns ?? Object.keys(object);
      if (run === null || !isSame(run.columns, columns)) {
        if (run !== null) yield run;
        run = { columns, rows: [] };
      }
      run.rows.push(columns.map(name => jsonParam(object[name])));
    }
    if (run !== null) yield run;
  };
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, index) => name === others[index]);
}

/** Only texts of CSV are written in one way or another. */
function formsOf({ format, dates, decimal }: ImportRowsOptions): WrittenForms {
  return format === 'csv' ? { dates, decimal } : {};
}

function conversionTo(kind: ColumnKind, { dates, decimal }: WrittenForms): Convert | undefined {
  switch (kind) {
    case 'date':
    case 'datetime':
      return dates && (text => dateOf(text, dates));
    case 'int':
    case 'decimal':
    case 'float':
      return decimal && (text => numberOf(text, decimal));
    default:
      return KINDS_OF_BYTES.has(kind) ? bytesOf : undefined;
  }
}

/** Bytes are exported as `0x…`, for there are none in CSV and JSON; in columns of bytes that is what such a text means. */
function bytesOf(text: string): string | Uint8Array {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) return text;
  const bytes = new Uint8Array(text.length / 2 - 1);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(2 * at + 2, 2 * at + 4), 16);
  return bytes;
}

/** Objects and arrays become JSON text when they are bound. */
function jsonParam(value: JsonValue | bigint | undefined): Param {
  return value === undefined ? null : value;
}

/** @param values of the first rows, one after the other */
function createTable(options: ImportRowsOptions, columns: readonly string[], values: readonly Param[]): string {
  const { table, primaryKey } = options;
  const key = primaryKey ?? columns.slice(0, 1);
  const unknown = key.find(name => !columns.includes(name));
  if (unknown !== undefined) throw new VarveError('usage', `There is no column ${unknown} to be the key`);
  const sample = values.slice(0, SAMPLE_ROWS * columns.length);
  const lines = columns.map((name, index) => {
    const ofColumn = sample.filter((value, at) => at % columns.length === index && value !== null);
    const type = typeOf(plain(ofColumn, formsOf(options)));
    const isKey = key.includes(name);
    return `${quoteName(name)} ${isKey && type === 'longtext' ? 'varchar(255)' : type}${isKey ? ' NOT NULL' : ''}`;
  });
  if (key.length > 0) lines.push(`PRIMARY KEY (${key.map(quoteName).join(', ')})`);
  return `CREATE TABLE ${quoteName(table)} (${lines.join(', ')})`;
}

/** The values of a column as SQL writes them, where all of them are dates, or numbers, written as was said. */
function plain(values: readonly Param[], { dates, decimal }: WrittenForms): readonly Param[] {
  const all = (convert: Convert): readonly Param[] | undefined => {
    const converted = values.map(value => (typeof value === 'string' ? convert(value) : null));
    return converted.includes(null) ? undefined : converted;
  };
  return (dates && all(text => dateOf(text, dates))) ?? (decimal && all(text => numberOf(text, decimal))) ?? values;
}

/** The narrowest type that holds all values; later rows that do not fit are errors of theirs. */
function typeOf(known: readonly Param[]): string {
  const all = (test: (value: Param) => boolean): boolean => known.length > 0 && known.every(test);
  const matches = (pattern: RegExp) => (value: Param) => pattern.test(String(value));
  if (all(value => typeof value === 'boolean')) return 'tinyint(1)';
  if (all(value => typeof value === 'object')) return 'json';
  if (all(matches(/^-?(0|[1-9]\d{0,8})$/))) return 'int';
  if (all(matches(/^-?(0|[1-9]\d{0,17})$/))) return 'bigint';
  // A double keeps fifteen digits of what was written.
  if (all(matches(/^-?(0|[1-9]\d*)(\.\d+)?$/)) && known.some(matches(/\d[\d.]{15}/)))
    return decimalOf(known.map(String));
  if (all(matches(/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i))) return 'double';
  if (all(matches(/^\d{4}-\d\d-\d\d$/))) return 'date';
  if (all(matches(/^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/))) return 'datetime(6)';
  return 'longtext';
}

/** MySQL's DECIMAL has at most 65 digits, 30 of them behind the point; numbers with more stay text. */
function decimalOf(numbers: readonly string[]): string {
  const parts = numbers.map(number => number.replace('-', '').split('.'));
  const [before, behind] = [0, 1].map(part => Math.max(...parts.map(number => number[part]?.length ?? 0))) as [
    number,
    number,
  ];
  return behind > 30 || before + behind > 65 ? 'longtext' : `decimal(${before + behind},${behind})`;
}
