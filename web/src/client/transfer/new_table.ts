/** The table that an import makes for its rows. */
import { SqlError, VarveError } from '../errors.ts';
import type { Param, Queries } from '../types.ts';
import { quoteName } from '../versions.ts';
import { columnType, TEXT } from './column_type.ts';
import type { ImportRowsOptions, PlannedColumn } from './transfer_types.ts';

/** Rows from which the types of the columns are taken. */
export const SAMPLE_ROWS = 1000;

/** Makes the table where that is wanted, and takes it away again where nothing came into it. */
export class NewTable {
  readonly #session: Queries;
  readonly #options: ImportRowsOptions;
  #isMade = false;

  constructor(session: Queries, options: ImportRowsOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** @param values of the first rows, one after the other */
  async make(columns: readonly string[], values: readonly Param[]): Promise<void> {
    if (!this.#options.create || this.#isMade) return;
    await this.#session.query(createTable(this.#options, columns, values));
    this.#isMade = true;
    // Definitions end the transaction that they are made in.
    await this.#session.query('START TRANSACTION');
  }

  /** To be called when the transaction was rolled back, with why. Gives what is to be told: that the table is still there, too. */
  async unmake(reason: unknown): Promise<unknown> {
    if (!this.#isMade || this.#options.commitRows !== undefined) return reason;
    const { table } = this.#options;
    return this.#session.query(`DROP TABLE ${quoteName(table)}`).then(
      () => reason,
      // The disk is full, say.
      () => withNote(reason, `The new table ${table} is there, without rows: drop it before the next try`),
    );
  }
}

function withNote(error: unknown, note: string): unknown {
  if (error instanceof VarveError) return new VarveError(error.code, `${error.message}. ${note}`);
  if (!(error instanceof SqlError)) return error;
  return new SqlError(error.errno, error.sqlstate, `${error.message}. ${note}`, error.position, error.hint);
}

function createTable(options: ImportRowsOptions, columns: readonly string[], values: readonly Param[]): string {
  const { table, primaryKey } = options;
  const key = primaryKey ?? columns.slice(0, 1);
  const unknown = key.find(name => !columns.includes(name));
  if (unknown !== undefined) throw new VarveError('usage', `There is no column ${unknown} to be the key`);
  const lines = planColumns(options, columns, values).map(
    ({ name, type }) => `${quoteName(name)} ${type}${key.includes(name) ? ' NOT NULL' : ''}`,
  );
  if (key.length > 0) lines.push(`PRIMARY KEY (${key.map(quoteName).join(', ')})`);
  return `CREATE TABLE ${quoteName(table)} (${lines.join(', ')})`;
}

/**
 * What the columns of a table for these rows are.
 *
 * @param values of the first rows, one after the other
 * @param rowsBefore in the file, before those
 */
export function planColumns(
  options: ImportRowsOptions,
  columns: readonly string[],
  values: readonly Param[],
  rowsBefore = 0,
): readonly PlannedColumn[] {
  const key = options.primaryKey ?? columns.slice(0, 1);
  const sample = values.slice(0, SAMPLE_ROWS * columns.length);
  return columns.map((name, index) => {
    const ofColumn = sample.filter((_, at) => at % columns.length === index);
    const isKey = key.includes(name);
    const chosen = options.types?.[name];
    if (chosen !== undefined) return { name, type: chosen };
    const { type, strays } = columnType(ofColumn, options, rowsBefore);
    return { name, type: isKey && type === TEXT ? 'varchar(255)' : type, ...(strays && { strays }) };
  });
}
