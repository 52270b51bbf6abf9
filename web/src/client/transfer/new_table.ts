/** The table that an import makes for its rows. */
import { SqlError, VarveError } from '../errors.ts';
import type { Param, Queries } from '../types.ts';
import { quoteName } from '../versions.ts';
import { keyOf, RowPlan } from './row_plan.ts';
import type { ImportRowsOptions } from './transfer_types.ts';

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
  const { table } = options;
  const key = keyOf(options, columns);
  const unknown = key.find(name => !columns.includes(name));
  if (unknown !== undefined) throw new VarveError('usage', `There is no column ${unknown} to be the key`);
  const plan = new RowPlan(options, 0);
  plan.addColumns(columns);
  for (let at = 0; at < values.length && plan.rows < SAMPLE_ROWS; at += columns.length) {
    plan.addRow(index => values[at + index] ?? null);
  }
  const lines = plan.columns.map(
    ({ name, type }) => `${quoteName(name)} ${type}${key.includes(name) ? ' NOT NULL' : ''}`,
  );
  if (key.length > 0) lines.push(`PRIMARY KEY (${key.map(quoteName).join(', ')})`);
  return `CREATE TABLE ${quoteName(table)} (${lines.join(', ')})`;
}
