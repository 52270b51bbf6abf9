import type { Batch, BatchColumn, Column } from '../../lib/index.ts';
import { type CellView, cellView } from './cells.ts';
import type { GridRows } from './rows.ts';

/**
 * The batches of one result, by row. They stay the bytes that the engine sent; a cell becomes a string only when it is
 * asked for.
 */
export class ResultPages implements GridRows {
  readonly columns: readonly Column[];
  readonly #batches: Batch[] = [];
  /** First row of each batch. */
  readonly #starts: number[] = [];
  #rows = 0;
  #bytes = 0;
  #lastFound = 0;

  constructor(columns: readonly Column[]) {
    this.columns = columns;
  }

  get rowCount(): number {
    return this.#rows;
  }

  get byteLength(): number {
    return this.#bytes;
  }

  push(batch: Batch): void {
    if (batch.rowCount === 0) return;
    this.#batches.push(batch);
    this.#starts.push(this.#rows);
    this.#rows += batch.rowCount;
    this.#bytes += batch.byteLength;
  }

  /** The column of the batch that holds `row`, and the row's index in it. */
  locate(row: number, column: number): { readonly values: BatchColumn; readonly index: number } | undefined {
    const found = this.#find(row);
    const batch = this.#batches[found];
    if (batch === undefined || row < 0 || row >= this.#rows) return undefined;
    return { values: batch.column(column), index: row - (this.#starts[found] ?? 0) };
  }

  view(row: number, column: number): CellView | undefined {
    const cell = this.locate(row, column);
    return cell === undefined ? undefined : cellView(cell.values, cell.index);
  }

  /** The value as MySQL's text protocol writes it, null for NULL, undefined when the row is not there. */
  text(row: number, column: number): string | null | undefined {
    const cell = this.locate(row, column);
    return cell?.values.text(cell.index);
  }

  /** Neighbouring rows are asked for one after the other, so the batch found last is tried first. */
  #find(row: number): number {
    const starts = this.#starts;
    const last = this.#lastFound;
    if (row >= (starts[last] ?? Number.POSITIVE_INFINITY) && row < (starts[last + 1] ?? this.#rows)) return last;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    this.#lastFound = low;
    return low;
  }
}
