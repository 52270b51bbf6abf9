/** The header row and first rows of CSV, for the columns of a new table. */
import { columnsOfFields } from '../table/column_map.ts';
import { SAMPLE_ROWS } from '../table/new_table.ts';
import type { SniffedOptions } from '../table/sniffed.ts';
import { refusingDecoder } from '../text/encodings.ts';
import { type CsvField, CsvReader } from './csv_reader.ts';

/** How a text begins: the names of its columns, and rows that say what a new table is to be. */
export class CsvHead {
  readonly #options: SniffedOptions;
  readonly #reader: CsvReader;
  readonly #decoder = refusingDecoder();
  readonly #rows: CsvField[][] = [];
  /** Rows before those of the values. */
  readonly #titles: number;

  constructor(options: SniffedOptions) {
    this.#options = options;
    this.#reader = new CsvReader(options.separator, options.escape);
    this.#titles = options.columns === undefined ? 1 : 0;
  }

  /** The column of each field; null for those that are left out. */
  get fields(): readonly (string | null)[] {
    const titles = this.#rows[0] ?? [];
    const fields = columnsOfFields(titles, this.#options);
    const { create, plan = [] } = this.#options;
    // A plan of all rows has columns beyond the titles, where a line has more fields.
    const more = create ? plan.length - fields.filter(name => name !== null).length : 0;
    return more > 0 ? columnsOfFields(titles, this.#options, fields.length + more) : fields;
  }

  /** What a line lacks is NULL. */
  get fillsShortLines(): boolean {
    return (this.#options.create && this.#options.plan?.some(({ missing }) => missing !== undefined)) ?? false;
  }

  /** Of the first rows, one after the other, as far as they have as many fields as there are columns. */
  get values(): readonly CsvField[] {
    const { fields, fillsShortLines } = this;
    const rows = this.#rows.slice(this.#titles, this.#titles + SAMPLE_ROWS);
    const wrong = fillsShortLines ? -1 : rows.findIndex(row => row.length !== fields.length);
    const wanted = Array.from(fields.keys()).filter(index => fields[index] !== null);
    return (wrong < 0 ? rows : rows.slice(0, wrong)).flatMap(row => wanted.map(index => row[index] ?? null));
  }

  #take(text: string, isLast: boolean): boolean {
    for (const row of this.#reader.read(text, isLast)) this.#rows.push(row);
    return this.#rows.length >= this.#titles + (this.#options.create ? SAMPLE_ROWS : 1);
  }

  /** Takes more of the text, and tells whether that was enough. */
  read(bytes: Uint8Array): boolean {
    return this.#take(this.#decoder.decode(bytes), false);
  }

  /** The text is over: whether it has rows. */
  end(): boolean {
    this.#take(this.#decoder.end(), true);
    return this.#rows.length > this.#titles;
  }
}
