/** How wide the columns of a grid are: what their rows need, unless a person chose. */
import {
  autoWidth,
  COLUMN_MAX_PX,
  COLUMN_MIN_PX,
  type ColumnLayout,
  layout,
  leastChars,
  resize,
  shortType,
  spread,
} from './columns.ts';
import type { GridRows } from './rows.ts';
import { textMetrics } from './text_metrics.ts';

/** Rows that decide how wide the columns start. */
export const SAMPLE_ROWS = 100;
/** Of all rows, when they are there; fewer where there are many columns. */
const SPREAD_ROWS = 300;
const SPREAD_CELLS = 12_000;

export class ColumnWidths {
  layout: ColumnLayout;
  readonly #rows: GridRows;
  /** Columns whose width a person chose. */
  readonly #chosen = new Set<number>();

  constructor(rows: GridRows) {
    this.#rows = rows;
    this.layout = layout(rows.columns.map(() => COLUMN_MIN_PX));
  }

  /** As wide as the first rows need. */
  begin(): void {
    const first = range(0, Math.min(this.#rows.rowCount, SAMPLE_ROWS));
    this.layout = layout(this.#rows.columns.map((_, index) => this.#needed(index, first)));
  }

  /**
   * Rows further down may need more room than the first ones did. Nothing gets narrower, nor what a person has set. False where
   * everything stays.
   */
  widen(): boolean {
    const { widths } = this.layout;
    const rows = spread(this.#rows.rowCount, Math.min(SPREAD_ROWS, Math.ceil(SPREAD_CELLS / (widths.length + 1))));
    const wider = widths.map((width, index) =>
      this.#chosen.has(index) ? width : Math.max(width, this.#needed(index, rows)),
    );
    if (wider.every((width, index) => width === widths[index])) return false;
    this.layout = layout(wider);
    return true;
  }

  choose(index: number, widthPx: number): void {
    this.#chosen.add(index);
    this.layout = resize(this.layout, index, widthPx);
  }

  /** As wide as some rows need it. */
  fit(index: number, first: number, end: number): void {
    this.choose(index, this.#needed(index, range(first, end), COLUMN_MAX_PX / 2));
  }

  #needed(index: number, rows: Iterable<number>, mostPx?: number): number {
    const column = this.#rows.columns[index];
    if (column === undefined) return COLUMN_MIN_PX;
    let chars = leastChars(column.type);
    for (const row of rows) chars = Math.max(chars, this.#rows.view(row, index)?.text.length ?? 0);
    const metrics = textMetrics();
    const auto = autoWidth(column.name.length, shortType(column.type).length, chars, metrics);
    return mostPx === undefined ? auto : Math.ceil(Math.min(mostPx, Math.max(auto, chars * metrics.cellCharPx + 21)));
  }
}

function range(first: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}
