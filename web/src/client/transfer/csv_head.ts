import { usableNames } from './column_names.ts';
import { type CsvField, CsvReader } from './csv_reader.ts';
import { refusingDecoder } from './encodings.ts';
import { SAMPLE_ROWS } from './new_table.ts';
import type { ImportRowsOptions } from './transfer_types.ts';

/** How a text begins: the names of its columns, and rows that say what a new table is to be. */
export class CsvHead {
  readonly #options: ImportRowsOptions;
  readonly #reader: CsvReader;
  readonly #decoder = refusingDecoder();
  readonly #rows: CsvField[][] = [];
  /** Rows before those of the values. */
  readonly #titles: number;

  constructor(options: ImportRowsOptions) {
    this.#options = options;
    this.#reader = new CsvReader(options.separator);
    this.#titles = options.columns === undefined ? 1 : 0;
  }

  get columns(): readonly string[] {
    const { columns, create } = this.#options;
    if (columns !== undefined) return columns;
    const titles = this.#rows[0] ?? [];
    return create ? usableNames(titles) : titles.map(title => title ?? '');
  }

  /** Of the first rows, one after the other, as far as they have as many fields as there are columns. */
  get values(): readonly CsvField[] {
    const { length } = this.columns;
    const rows = this.#rows.slice(this.#titles, this.#titles + SAMPLE_ROWS);
    const wrong = rows.findIndex(row => row.length !== length);
    return (wrong < 0 ? rows : rows.slice(0, wrong)).flat();
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
