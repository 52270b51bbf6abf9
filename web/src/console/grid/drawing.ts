import { isRightAligned } from './cells.ts';
import { COLUMN_MIN_PX } from './columns.ts';
import type { GridViewport } from './grid_viewport.ts';
import { gapBefore } from './pinned.ts';
import { type PooledRow, RowPool } from './row_pool.ts';
import type { GridRows } from './rows.ts';
import { type Cell, isInside, type Rectangle, rectangle, type Selection } from './selection.ts';

export type IsFound = (row: number, column: number) => boolean;

/** Draws the rows that are in sight. Values reach the page only as text nodes. */
export class Drawing {
  readonly #pool: RowPool;
  readonly #pages: GridRows;
  readonly #sight: GridViewport;
  #area: Rectangle | undefined;
  #active: Cell | undefined;
  #isFound: IsFound | undefined;

  constructor(body: HTMLElement, pages: GridRows, sight: GridViewport) {
    this.#pool = new RowPool(body);
    this.#pages = pages;
    this.#sight = sight;
  }

  /** Answers the id of the active cell's element, if it is drawn. */
  draw(selected: Selection | undefined, isFound: IsFound | undefined): string | undefined {
    this.#area = selected === undefined ? undefined : rectangle(selected);
    this.#active = selected?.focus;
    this.#isFound = isFound;
    const { first, end } = this.#sight.drawnRows;
    const columns = this.#sight.drawnColumns;
    this.#pool.begin(first, end, columns);
    for (let row = first; row < end; row += 1) {
      const line = this.#pool.row(row, this.#sight.rowTop(row), this.#pages.mark?.(row), this.#keyOf(row));
      line.markNumber(this.#area !== undefined && row >= this.#area.firstRow && row < this.#area.endRow);
      for (const column of columns.pinned) this.#drawCell(line, row, column);
      for (let column = columns.first; column < columns.end; column += 1)
        if (!columns.pinned.includes(column)) this.#drawCell(line, row, column);
      line.finish();
    }
    this.#pool.end();
    const active = this.#active;
    const isDrawn = active !== undefined && active.row >= first && active.row < end;
    return isDrawn ? this.#pool.cellId(active.row, active.column) : undefined;
  }

  /** In words: a screen reader says it with every cell of a row whose beginning is far away. */
  #keyOf(row: number): string {
    if (this.#sight.scrollLeft === 0) return '';
    const nameOf = (column: number) => this.#pages.columns[column]?.name ?? '';
    return this.#sight.pinned.columns.map(at => `${nameOf(at)} ${this.#pages.view(row, at)?.text ?? ''}`).join(', ');
  }

  #drawCell(line: PooledRow, row: number, column: number): void {
    const described = this.#pages.columns[column];
    const view = this.#pages.view(row, column);
    if (described === undefined || view === undefined) return;
    const area = this.#area;
    const active = this.#active;
    const { columns, pinned } = this.#sight;
    const place = pinned.columns.indexOf(column);
    line.cell(column, view, {
      left: (place < 0 ? columns.lefts[column] : pinned.rests[place]) ?? 0,
      gap: place < 0 ? 0 : gapBefore(columns, pinned, place),
      width: columns.widths[column] ?? COLUMN_MIN_PX,
      pin: place < 0 ? undefined : place === pinned.columns.length - 1 ? 'last' : 'inner',
      isRight: isRightAligned(described),
      isSelected: area !== undefined && isInside(area, row, column),
      isActive: active?.row === row && active.column === column,
      isFound: this.#isFound?.(row, column) === true,
    });
  }
}
