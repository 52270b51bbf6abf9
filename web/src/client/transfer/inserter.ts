import { SqlError, VarveError } from '../errors.ts';
import type { Param, Queries, Statement } from '../types.ts';
import { quoteName } from '../versions.ts';
import { type Convert, conversionTo, formsOf } from './conversions.ts';
import { createTable } from './new_table.ts';
import type { ImportRowsOptions } from './transfer_types.ts';

/** Values of one INSERT: enough rows to make its overhead small, few enough to be cancelled soon. */
const STATEMENT_VALUES = 8192;

/** Conflicts with others, interruptions, columns without a default, transactions that only read: no row is to blame. */
const ERRORS_OF_NO_ROW: ReadonlySet<number> = new Set([1213, 1317, 1364, 1792]);

/** Rows with the names of their columns. */
export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Param[])[];
}

interface Conversion {
  readonly column: number;
  readonly convert: Convert;
}

/** Collects rows and inserts many at a time, through one prepared statement as long as their number stays the same. */
export class Inserter {
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

const BEGIN_CHARS = 60;

/** How a row begins, so that it is found in the file. */
export function beginOf(fields: readonly (string | null)[]): string {
  const text = fields.map(field => field ?? '').join(', ');
  return text.length > BEGIN_CHARS ? `${text.slice(0, BEGIN_CHARS)}…` : text;
}
