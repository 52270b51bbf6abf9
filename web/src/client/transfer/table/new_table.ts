/** The table that an import makes for its rows, or the one that is there. */
import { SqlError, VarveError } from '../../errors.ts';
import { generatedColumnsOf } from '../../generated_columns.ts';
import type { Param, Queries, Row } from '../../types.ts';
import { quoteName } from '../../versions/versions.ts';
import type { ImportRowsOptions } from '../transfer_types.ts';
import { keyOf, RowPlan } from './row_plan.ts';

/** Rows from which the types of the columns are taken. */
export const SAMPLE_ROWS = 1000;

/** Keys that are there already, and NULL: no other type would take the row. */
const ERRORS_OF_ANY_COLUMNS: ReadonlySet<number> = new Set([1048, 1062]);

/** MySQL's tables have no more. */
export const COLUMNS_MAX = 4096;

/** Makes the table where that is wanted, in the transaction of its first rows. */
export class NewTable {
  readonly #session: Queries;
  readonly #options: ImportRowsOptions;
  #isMade = false;
  /** Columns that the table computes, in small letters: a file may have them, as an export does. */
  computed: ReadonlySet<string> = new Set();
  /** Columns that may be NULL and are something else by default: what an object of JSON leaves out is NULL, for so exports write it. */
  nullable: readonly string[] = [];

  constructor(session: Queries, options: ImportRowsOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** Looks at a table that is there. */
  async look(): Promise<void> {
    const { table, create, signal, format } = this.#options;
    if (create) return;
    const name = quoteName(table);
    const computed = await generatedColumnsOf(this.#session, name, { ...(signal && { signal }) });
    this.computed = new Set(Array.from(computed, column => column.toLowerCase()));
    if (format === 'csv') return;
    const { rows } = await this.#session.query(`SHOW COLUMNS FROM ${name}`);
    const isNullable = (row: Row): boolean => row.Null === 'YES' && (row.Default !== null || row.Extra !== '');
    const columns = rows.filter(isNullable).map(row => String(row.Field));
    this.nullable = columns.filter(column => !computed.has(column));
  }

  /** @param values of the first rows, one after the other */
  async make(columns: readonly string[], values: readonly Param[]): Promise<void> {
    if (!this.#options.create || this.#isMade) return;
    const definition = definitionOf(this.#options, columns, values);
    // The table and its rows are one transaction: an import that is killed leaves neither.
    await this.#session.query('SET SESSION varve_transactional_create = 1');
    await this.#session.query(createTable(this.#options.table, definition)).catch(async (error: unknown) => {
      if (!(error instanceof SqlError) || !(await this.#isLeft(definition))) throw error;
    });
    await this.#session.query('SET SESSION varve_transactional_create = 0');
    this.#isMade = true;
  }

  /** Whether the table is the one that a killed import of an earlier version has left: without rows, and as this one would make it. */
  async #isLeft(definition: Definition): Promise<boolean> {
    const { table } = this.#options;
    const columns = await this.#session.query(
      'SELECT column_name, column_type, column_key FROM information_schema.columns ' +
        'WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position',
      [table],
    );
    const told = columns.rowArrays().map(([name, type, key]) => `${name} ${type} ${key === 'PRI'}`);
    const wanted = definition.columns.map(
      ({ name, type }) => `${name} ${type.toLowerCase()} ${definition.key.includes(name)}`,
    );
    if (told.join('\n') !== wanted.join('\n')) return false;
    return (await this.#session.query(`SELECT 1 FROM ${quoteName(table)} LIMIT 1`)).rowCount === 0;
  }

  /** What is to be told of an import that failed, after the rollback: why, and what helps. @param row that it is about */
  explain(reason: unknown, row: number | undefined): unknown {
    return this.#isMade ? this.#withHint(reason, row) : reason;
  }

  /** What helps where a row does not fit that did not say what the columns are. */
  #withHint(error: unknown, row = 0): unknown {
    if (!(error instanceof SqlError) || error.hint !== undefined || ERRORS_OF_ANY_COLUMNS.has(error.errno))
      return error;
    const { plan = [], allRows } = this.#options;
    if (plan.length > 0 || allRows || row <= SAMPLE_ROWS) return error;
    const { errno, sqlstate, message, position } = error;
    const hint = `The columns fit the first ${SAMPLE_ROWS.toLocaleString('en')} rows: allRows looks at all of them, and types says what one is to be`;
    return new SqlError(errno, sqlstate, message, position, hint);
  }
}

interface Definition {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly key: readonly string[];
  /** The column that numbers the rows. */
  readonly numbered: string | undefined;
}

function definitionOf(options: ImportRowsOptions, columns: readonly string[], values: readonly Param[]): Definition {
  const { numbered } = options;
  if (columns.length > COLUMNS_MAX) {
    const most = COLUMNS_MAX.toLocaleString('en');
    const what = `The rows have ${columns.length.toLocaleString('en')} columns, and a table has ${most} at most`;
    throw new VarveError('usage', `${what}: leave some out, with null in map, or turn them into rows`);
  }
  const wanted = keyOf(options, columns);
  const unknown = wanted.find(name => !columns.includes(name));
  if (unknown !== undefined) throw new VarveError('usage', `There is no column ${unknown} to be the key`);
  const plan = new RowPlan(options, 0);
  plan.addColumns(columns);
  for (let at = 0; at < values.length && plan.rows < SAMPLE_ROWS; at += columns.length) {
    plan.addRow(index => values[at + index] ?? null);
  }
  const key = plan.isKeyLeft ? [] : wanted;
  if (numbered === undefined) return { columns: plan.columns, key, numbered };
  if (columns.some(name => name.toLowerCase() === numbered.toLowerCase())) {
    throw new VarveError('usage', `The rows have a column ${numbered}, which cannot number them as well`);
  }
  return { columns: [{ name: numbered, type: 'int' }, ...plan.columns], key: [numbered], numbered };
}

function createTable(table: string, { columns, key, numbered }: Definition): string {
  const lines = columns.map(({ name, type }) => {
    const more = name === numbered ? ' NOT NULL AUTO_INCREMENT' : key.includes(name) ? ' NOT NULL' : '';
    return `${quoteName(name)} ${type}${more}`;
  });
  if (key.length > 0) lines.push(`PRIMARY KEY (${key.map(quoteName).join(', ')})`);
  return `CREATE TABLE ${quoteName(table)} (${lines.join(', ')})`;
}
