import type { BatchColumn, Column } from '../../lib/index.ts';
import type { CellView } from './cells.ts';
import type { CellChange, GridRows, RowMark } from './rows.ts';

/** Some of the columns of other rows. */
export class SomeColumns implements GridRows {
  readonly columns: readonly Column[];
  readonly mark: ((row: number) => RowMark | undefined) | undefined;
  readonly #rows: GridRows;
  readonly #chosen: readonly number[];

  constructor(rows: GridRows, chosen: readonly number[]) {
    this.#rows = rows;
    this.#chosen = chosen;
    this.columns = chosen.map(column => rows.columns[column] as Column);
    this.mark = rows.mark;
  }

  get rowCount(): number {
    return this.#rows.rowCount;
  }

  view(row: number, column: number): CellView | undefined {
    return this.#rows.view(row, this.#chosen[column] ?? -1);
  }

  text(row: number, column: number): string | null | undefined {
    return this.#rows.text(row, this.#chosen[column] ?? -1);
  }

  change(row: number, column: number): CellChange | undefined {
    return this.#rows.change?.(row, this.#chosen[column] ?? -1);
  }

  locate(row: number, column: number): { readonly values: BatchColumn; readonly index: number } | undefined {
    return this.#rows.locate(row, this.#chosen[column] ?? -1);
  }
}
