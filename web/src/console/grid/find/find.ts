/** Looking for a text in the cells of a result. Pure; the page calls `step` until it has looked through all rows. */
import type { Column } from '../../../lib/index.ts';
import type { GridRows } from '../rows.ts';
import type { Cell } from '../selection.ts';

/** Limit of matches. */
export const FOUND_MAX = 10_000;
/** Rows between two looks at the clock. */
const STRIDE = 256;

/** Of bytes their text would be as long as they are: what is shown of them is looked at. */
const BYTES = new Set<Column['kind']>(['binary', 'bit', 'geometry', 'vector']);

/** The places of a text, whatever its case, from the first row on. Rows that come later are looked through by later steps. */
export class Find {
  /** In the order in which they are read. */
  readonly found: Cell[] = [];
  readonly #rows: GridRows;
  readonly #sought: string;
  #nextRow = 0;

  constructor(rows: GridRows, sought: string) {
    this.#rows = rows;
    this.#sought = sought.toLowerCase();
  }

  /** There are more places than are kept. */
  get isClipped(): boolean {
    return this.found.length >= FOUND_MAX;
  }

  get isDone(): boolean {
    return this.isClipped || this.#nextRow >= this.#rows.rowCount;
  }

  /** Looks through rows until `isOver` says that it is enough for now. */
  step(isOver: () => boolean): void {
    while (!this.isDone) {
      const end = Math.min(this.#nextRow + STRIDE, this.#rows.rowCount);
      for (; this.#nextRow < end && !this.isClipped; this.#nextRow += 1) this.#lookAt(this.#nextRow);
      if (isOver()) return;
    }
  }

  readonly isAt = (row: number, column: number): boolean => {
    const described = this.#rows.columns[column];
    if (described === undefined) return false;
    const text = BYTES.has(described.kind) ? this.#rows.view(row, column)?.text : this.#rows.text(row, column);
    return text?.toLowerCase().includes(this.#sought) === true;
  };

  /** The first place at `cell` or after it, the last one at it or before; -1 when there is none. */
  indexFrom(cell: Cell, step: 1 | -1): number {
    const isAfter = (one: Cell) => one.row > cell.row || (one.row === cell.row && one.column >= cell.column);
    const first = this.found.findIndex(isAfter);
    if (step === 1) return first;
    const at = first < 0 ? this.found.length : first;
    const here = this.found[at];
    return here?.row === cell.row && here.column === cell.column ? at : at - 1;
  }

  /** The next place from a cell, or the one before, and around at the end; -1 when there is none. */
  indexBeyond(cell: Cell, step: 1 | -1): number {
    let index = this.indexFrom(cell, step);
    const here = this.found[index];
    if (here?.row === cell.row && here.column === cell.column) index += step;
    const last = this.found.length - 1;
    if (index < 0 || index > last) return step === 1 && last >= 0 ? 0 : last;
    return index;
  }

  #lookAt(row: number): void {
    for (let column = 0; column < this.#rows.columns.length; column += 1) {
      if (this.isAt(row, column)) this.found.push({ row, column });
    }
  }
}
