/** The table that an import makes for its rows. */
import { VarveError } from '../errors.ts';
import type { Param, Queries } from '../types.ts';
import { quoteName } from '../versions.ts';
import type { ImportRowsOptions } from './transfer_types.ts';
import { dateOf, numberOf, type WrittenForms } from './written_forms.ts';

/** Rows from which the types of the columns are taken. */
export const SAMPLE_ROWS = 1000;

/** Null for a text that is not written as was said. */
type Convert = (text: string) => string | null;

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

  /** To be called when the transaction was rolled back. */
  async unmake(): Promise<void> {
    if (!this.#isMade || this.#options.commitRows !== undefined) return;
    await this.#session.query(`DROP TABLE ${quoteName(this.#options.table)}`);
  }
}

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

/** Only texts of CSV are written in one way or another. */
function formsOf({ format, dates, decimal }: ImportRowsOptions): WrittenForms {
  return format === 'csv' ? { dates, decimal } : {};
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
