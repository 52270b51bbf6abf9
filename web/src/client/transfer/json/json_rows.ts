/** Import of JSON and JSON lines as batches of INSERT parameters. */
import { SqlError, VarveError } from '../../errors.ts';
import type { Param, Queries, Statement } from '../../types.ts';
import { quoteName } from '../../versions/versions.ts';
import { insertSql } from '../table/insert_sql.ts';
import { type NewTable, SAMPLE_ROWS } from '../table/new_table.ts';
import type { ImportRowsOptions } from '../transfer_types.ts';
import { memberOf, membersOf, valuesOf, withColumns } from './json_head.ts';
import { type JsonObject, JsonReader } from './json_reader.ts';
import { documentText } from './json_text.ts';
import { type Conversion, conversionTo } from './json_values.ts';

/** Values of one INSERT: enough rows to make its overhead small, few enough to be cancelled soon. */
const STATEMENT_VALUES = 8192;

/** Conflicts with others, interruptions, columns without a default, transactions that only read: no row is to blame. */
const ERRORS_OF_NO_ROW: ReadonlySet<number> = new Set([1213, 1317, 1364, 1792]);

/** A row that was not taken, and those before it that were. */
interface Refused {
  readonly error: SqlError;
  /** Of the file, from 1; undefined where it was not found. */
  readonly row: number | undefined;
  readonly added: number;
}

/** JSON objects on their way into a table: many at a time, through one prepared statement as long as their number stays the same. */
export class JsonRows {
  /** Rows that were added. */
  rows = 0;
  /** The same with those that wait. */
  taken = 0;
  /** The row that the error is about, from 1; undefined where it is about none. */
  refusedRow: number | undefined;
  readonly #session: Queries;
  readonly #options: ImportRowsOptions;
  readonly #table: NewTable;
  readonly #reader: JsonReader;
  /** Those that say what a new table is to be, until it is made. */
  #first: JsonObject[] | null;
  /** The columns of the table that was made. */
  #made: { readonly columns: readonly string[]; readonly names: ReadonlySet<string> } | null = null;
  #columns: readonly string[] = [];
  /** To what those hold; null before the table is known. */
  #conversions: readonly Conversion[] | null = null;
  /** Values of rows that wait, one after the other: an array of each row would be most of what is collected as garbage. */
  #waiting: Param[] = [];
  /** What they are values of: an object without members is a row, too, though it has no value. */
  #waitingObjects: JsonObject[] = [];
  /** That were not added. */
  #refused = 0;
  #rowsMax = 1;
  #statement: Statement | null = null;
  #statementRows = 0;
  /** The INSERT that the engine is at, one at a time: meanwhile the rows behind it are read. */
  #underWay: Promise<void> = Promise.resolve();

  constructor(session: Queries, table: NewTable, options: ImportRowsOptions) {
    this.#session = session;
    this.#options = options;
    this.#table = table;
    this.#reader = new JsonReader(options.format === 'jsonl');
    this.#first = options.create ? [] : null;
  }

  async add(text: string, isLast = false): Promise<void> {
    for (const object of this.#reader.read(text, isLast)) {
      if (this.#first === null) await this.#take(object);
      else if (this.#first.push(object) === SAMPLE_ROWS) await this.#begin();
    }
  }

  async end(): Promise<void> {
    await this.add('', true);
    await this.#begin();
    await this.flush();
    await this.#forget();
  }

  async stop(): Promise<void> {
    await this.#underWay.catch(() => {});
    await this.#forget();
  }

  /** Inserts what waits. */
  async flush(): Promise<void> {
    await this.#send();
    await this.#underWay;
  }

  /** Makes the table where there is to be one, and goes on with what it was made for. */
  async #begin(): Promise<void> {
    const first = this.#first ?? [];
    this.#first = null;
    if (first.length === 0) {
      if (!this.#options.create || this.#made !== null) return;
      throw new VarveError('unreadable', 'The text has no objects: the columns of the table cannot be derived');
    }
    const rows = first.map(object => withColumns(object, this.#options.map));
    const columns = membersOf(rows, this.#options);
    await this.#table.make(columns, valuesOf(rows, columns));
    this.#made = { columns, names: new Set(columns) };
    for (const object of first) await this.#take(object);
  }

  async #take(object: JsonObject): Promise<void> {
    const row = withColumns(object, this.#options.map);
    const members = this.#written(this.#options.columns ?? this.#withNulls(Object.keys(row)));
    const made = this.#made;
    const columns = made !== null && members.every(name => made.names.has(name)) ? made.columns : members;
    // Rows with the same members go into one statement.
    if (!isSame(columns, this.#columns)) await this.#turnTo(columns);
    this.taken++;
    for (const name of columns) this.#waiting.push(memberOf(row, name));
    if (this.#waitingObjects.push(object) >= this.#rowsMax) await this.#send();
  }

  #withNulls(members: string[]): readonly string[] {
    const { nullable } = this.#table;
    if (nullable.length === 0) return members;
    const named = new Set(members.map(name => name.toLowerCase()));
    return [...members, ...nullable.filter(name => !named.has(name.toLowerCase()))];
  }

  /** Columns that the table computes make themselves. */
  #written(members: readonly string[]): readonly string[] {
    const { computed } = this.#table;
    return computed.size === 0 ? members : members.filter(name => !computed.has(name.toLowerCase()));
  }

  async #turnTo(columns: readonly string[]): Promise<void> {
    await this.flush();
    await this.#forget();
    this.#columns = columns;
    this.#rowsMax = Math.max(1, Math.floor(STATEMENT_VALUES / Math.max(1, columns.length)));
    this.#conversions = null;
  }

  async #send(): Promise<void> {
    const [values, objects] = [this.#waiting, this.#waitingObjects];
    this.#waiting = [];
    this.#waitingObjects = [];
    await this.#underWay;
    if (objects.length === 0) return;
    this.#underWay = this.#insert(values, objects);
    // The next reader gets the error.
    this.#underWay.catch(() => {});
  }

  async #insert(values: Param[], objects: readonly JsonObject[]): Promise<void> {
    this.#conversions ??= await this.#findConversions();
    for (const [column, convert] of this.#conversions.entries()) {
      for (let at = column; at < values.length; at += this.#columns.length) values[at] = convert(values[at]);
    }
    for (let first = 0; first < objects.length; ) first += await this.#insertFrom(first, values, objects);
  }

  /** Adds rows up to one that is not taken, or all of them: how many are done with. */
  async #insertFrom(first: number, values: readonly Param[], objects: readonly JsonObject[]): Promise<number> {
    const rows = objects.length - first;
    const rest = first === 0 ? values : values.slice(first * this.#columns.length);
    if (this.#statement === null || this.#statementRows !== rows) {
      await this.#forget();
      this.#statement = await this.#session.prepare(insertSql(this.#options, this.#columns, rows));
      this.#statementRows = rows;
    }
    const { signal, onError } = this.#options;
    try {
      await this.#statement.query(rest, { ...(signal && { signal }) });
    } catch (error) {
      if (!(error instanceof SqlError) || ERRORS_OF_NO_ROW.has(error.errno)) throw error;
      const refused = await this.#placed(error, rest, rows);
      if (onError === undefined || refused.row === undefined) {
        this.refusedRow = refused.row;
        throw refused.error;
      }
      this.rows += refused.added;
      this.#refused++;
      const text = documentText(objects[first + refused.added]);
      onError(refused.error, { row: refused.row, line: undefined, text });
      return refused.added + 1;
    }
    this.rows += rows;
    return rows;
  }

  /**
   * The error with the row of the file that it is about, and what that has. A statement that failed has left nothing: its rows are tried
   * again by halves, so that those before the row are added.
   */
  async #placed(error: SqlError, values: readonly Param[], rows: number): Promise<Refused> {
    const width = this.#columns.length;
    let [first, end] = [0, rows];
    let found = error;
    while (end - first > 1) {
      const middle = (first + end) >> 1;
      try {
        const sql = insertSql(this.#options, this.#columns, middle - first);
        await this.#session.query(sql, values.slice(first * width, middle * width));
        first = middle;
      } catch (inHalf) {
        if (!(inHalf instanceof SqlError)) return { error, row: undefined, added: first };
        [end, found] = [middle, inHalf];
      }
    }
    const row = this.rows + this.#refused + first + 1;
    const { errno, sqlstate, message, hint } = found;
    const beginning = beginOf(values.slice(first * width, (first + 1) * width));
    const told = new SqlError(errno, sqlstate, `Row ${row} of the file: ${message}: ${beginning}`, undefined, hint);
    return { error: told, row, added: first };
  }

  async #findConversions(): Promise<Conversion[]> {
    if (this.#columns.length === 0) return [];
    const { nulls = [], table } = this.#options;
    const { columns } = await this.#session.query(
      `SELECT ${this.#columns.map(quoteName).join(', ')} FROM ${quoteName(table)} LIMIT 0`,
    );
    return columns.map(({ kind }) => conversionTo(kind, nulls));
  }

  async #forget(): Promise<void> {
    await this.#statement?.close();
    this.#statement = null;
  }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, index) => name === others[index]);
}

const BEGIN_CHARS = 60;

/** How a row begins, so that it is found in the file. */
function beginOf(values: readonly Param[]): string {
  const text = values.map(value => (value === null || value === undefined ? '' : String(value))).join(', ');
  return text.length > BEGIN_CHARS ? `${text.slice(0, BEGIN_CHARS)}…` : text;
}
