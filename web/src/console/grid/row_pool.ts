import type { CellView } from './cells.ts';
import type { RowMark } from './rows.ts';
import { ROW_HEIGHT_PX } from './viewport.ts';

export interface CellPlace {
  /** Of a cell that stays in sight: where it comes to rest. */
  readonly left: number;
  /** Room between it and the cell before it that stays in sight, too. */
  readonly gap: number;
  readonly width: number;
  /** Of a cell that stays in sight when others are scrolled; `last` is the one at the edge. */
  readonly pin: 'inner' | 'last' | undefined;
  readonly isRight: boolean;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly isFound: boolean;
}

/** Columns that are drawn: those that stay in sight, and from `first` to `end`. */
export interface ColumnRange {
  readonly pinned: readonly number[];
  readonly first: number;
  readonly end: number;
}

let pools = 0;

/**
 * Row elements by row number. A row that stays on the screen keeps its element; one that scrolled away gives its element
 * to the next that comes. Nothing is written to the DOM that is there already.
 */
export class RowPool {
  readonly #parent: HTMLElement;
  readonly #id: string;
  readonly #live = new Map<number, PooledRow>();
  readonly #spare: PooledRow[] = [];
  #columns: ColumnRange = { pinned: [], first: 0, end: 0 };

  constructor(parent: HTMLElement) {
    this.#parent = parent;
    pools += 1;
    this.#id = `grid${pools}`;
  }

  cellId(row: number, column: number): string {
    return `${this.#id}-${row}-${column}`;
  }

  /** Starts a drawing of rows `first` to `end`: elements of other rows become spare. */
  begin(first: number, end: number, columns: ColumnRange): void {
    this.#columns = columns;
    for (const [row, element] of this.#live) {
      if (row >= first && row < end) continue;
      this.#live.delete(row);
      this.#spare.push(element);
    }
  }

  /** @param key what the row is called by, where cells of it may be seen without */
  row(row: number, top: number, mark: RowMark | undefined, key: string): PooledRow {
    let found = this.#live.get(row);
    if (found === undefined) {
      found = this.#spare.pop();
      if (found === undefined) {
        found = new PooledRow();
        this.#parent.append(found.element);
      }
      this.#live.set(row, found);
    }
    found.show(row, mark, key);
    found.moveTo(top, this.#columns, this.#id);
    return found;
  }

  end(): void {
    for (const row of this.#spare) row.hide();
  }
}

export class PooledRow {
  readonly element = document.createElement('div');
  readonly #number = document.createElement('div');
  readonly #cells = new Map<number, PooledCell>();
  readonly #spare: PooledCell[] = [];
  #top = Number.NaN;
  #isShown = true;
  #rowNumber = -1;
  #tone: string | undefined;
  #key = '';
  #idPrefix = '';

  constructor() {
    this.element.className = 'grid-row';
    this.element.setAttribute('role', 'row');
    this.element.style.height = `${ROW_HEIGHT_PX}px`;
    this.#number.className = 'grid-number';
    this.#number.setAttribute('role', 'rowheader');
    this.#number.setAttribute('aria-colindex', '1');
    this.element.append(this.#number);
  }

  show(row: number, mark: RowMark | undefined, key: string): void {
    if (!this.#isShown) this.element.hidden = false;
    this.#isShown = true;
    if (row === this.#rowNumber && mark?.tone === this.#tone && key === this.#key) return;
    this.#rowNumber = row;
    this.#tone = mark?.tone;
    this.#key = key;
    this.element.setAttribute('aria-rowindex', String(row + 2));
    this.element.className = `grid-row ${mark?.tone ?? ''}${row % 2 === 1 ? ' odd' : ''}`;
    this.#number.textContent = mark?.sign ?? String(row + 1);
    const called = [mark?.meaning ?? (key === '' ? '' : String(row + 1)), key].filter(part => part !== '').join(', ');
    if (called !== '') this.#number.setAttribute('aria-label', called);
    else this.#number.removeAttribute('aria-label');
  }

  hide(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.element.hidden = true;
    for (const cell of this.#cells.values()) cell.giveUpId();
  }

  moveTo(top: number, columns: ColumnRange, id: string): void {
    if (top !== this.#top) this.element.style.transform = `translateY(${top}px)`;
    this.#top = top;
    this.#idPrefix = id;
    for (const [column, cell] of this.#cells) {
      if (columns.pinned.includes(column) || (column >= columns.first && column < columns.end)) continue;
      this.#cells.delete(column);
      this.#spare.push(cell);
    }
  }

  /** Hides the cells that no column took over. */
  finish(): void {
    for (const cell of this.#spare) cell.setShown(false);
  }

  markNumber(isSelected: boolean): void {
    this.#number.classList.toggle('selected', isSelected);
  }

  cell(column: number, view: CellView, place: CellPlace): void {
    let cell = this.#cells.get(column);
    if (cell === undefined) {
      cell = this.#spare.pop();
      if (cell === undefined) {
        cell = new PooledCell();
        this.element.append(cell.element);
      }
      cell.setShown(true);
      this.#cells.set(column, cell);
    }
    cell.draw(column, `${this.#idPrefix}-${this.#rowNumber}-${column}`, view, place);
  }
}

class PooledCell {
  readonly element = document.createElement('div');
  readonly #text = document.createTextNode('');
  #isShown = true;
  #className = '';
  #column = -1;
  #left = -1;
  #gap = 0;
  #width = -1;
  #problem: string | undefined;

  constructor() {
    this.element.setAttribute('role', 'gridcell');
    this.element.append(this.#text);
  }

  setShown(isShown: boolean): void {
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    this.element.hidden = !isShown;
    if (!isShown) this.giveUpId();
  }

  /** Another cell may stand in this one's place by now: what points at the place means that one. */
  giveUpId(): void {
    this.element.removeAttribute('id');
  }

  draw(column: number, id: string, view: CellView, place: CellPlace): void {
    if (this.#text.data !== view.text) this.#text.data = view.text;
    if (this.element.id !== id) this.element.id = id;
    if (column !== this.#column) this.element.setAttribute('aria-colindex', String(column + 2));
    if (place.left !== this.#left) this.element.style.left = `calc(var(--gutter) + ${place.left}px)`;
    if (place.gap !== this.#gap) this.element.style.marginLeft = `${place.gap}px`;
    if (column !== this.#column) this.element.style.order = String(column);
    if (place.width !== this.#width) this.element.style.width = `${place.width}px`;
    this.#column = column;
    this.#left = place.left;
    this.#gap = place.gap;
    this.#width = place.width;
    if (view.problem !== this.#problem) this.element.title = view.problem ?? '';
    this.#problem = view.problem;
    let className = `grid-cell ${view.look}`;
    if (view.state !== undefined) className += ` ${view.state}`;
    if (place.pin !== undefined) className += place.pin === 'last' ? ' pinned pinned-last' : ' pinned';
    if (place.isRight) className += ' right';
    if (place.isFound) className += ' found';
    if (place.isSelected) className += ' selected';
    if (place.isActive) className += ' active';
    if (className === this.#className) return;
    this.#className = className;
    this.element.className = className;
    if (place.isSelected) this.element.setAttribute('aria-selected', 'true');
    else this.element.removeAttribute('aria-selected');
    if (view.state === 'wrong') this.element.setAttribute('aria-invalid', 'true');
    else this.element.removeAttribute('aria-invalid');
  }
}
