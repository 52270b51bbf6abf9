import type { BatchColumn, Column } from '../../lib/index.ts';
import type { CellView } from './cells.ts';

/** What a grid shows: rows of a result, or lines of a diff. It may grow at any time. */
export interface GridRows {
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Undefined when the row is not there. */
  view(row: number, column: number): CellView | undefined;
  /** The value as MySQL's text protocol writes it, null for NULL, undefined when the row is not there. */
  text(row: number, column: number): string | null | undefined;
  /** The column of the batch that holds `row`, and the row's index in it. */
  locate(row: number, column: number): { readonly values: BatchColumn; readonly index: number } | undefined;
  /** Both values of a cell that was changed. */
  readonly change?: ((row: number, column: number) => CellChange | undefined) | undefined;
  /** What is in the gutter instead of the row's number, and the class of the row. */
  readonly mark?: ((row: number) => RowMark | undefined) | undefined;
}

export interface CellChange {
  readonly before: string | null;
  readonly after: string | null;
}

/** What a grid asks of rows that can be edited in place. */
export interface CellEditing {
  /** Why a cell cannot be written, nothing when the reason is none of the cell's; undefined when it can. */
  refusal(row: number, column: number): string | undefined;
  /** What is wrong with a value for a column; undefined when it fits. */
  problem(column: number, text: string | null): string | undefined;
  /** The words that are allowed, when there are only so many. */
  choices(column: number): readonly string[];
  isNullable(column: number): boolean;
  set(row: number, column: number, value: string | null): void;
}

/** The rows are in the order of a column. */
export interface ColumnOrder {
  readonly column: number;
  readonly isDescending: boolean;
}

export interface RowMark {
  readonly sign: string;
  /** What a screen reader says. */
  readonly meaning: string;
  readonly tone: string;
}
