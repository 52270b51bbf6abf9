import { SAMPLE_ROWS } from './column_widths.ts';
import type { ColumnLayout } from './columns.ts';
import { Drawing, type IsFound } from './drawing.ts';
import { InPlace } from './edit/in_place.ts';
import { takeKey } from './grid_keys.ts';
import { GridPointer } from './grid_pointer.ts';
import { GridViewport } from './grid_viewport.ts';
import { renderHeader } from './header.ts';
import type { CellEditing, ColumnOrder, GridRows } from './rows.ts';
import { type Cell, type Selection, type Size, select, selectAll } from './selection.ts';
import type { ScrollPlace } from './viewport.ts';

const SETTLE_AFTER_MS = 160;

export interface GridEvents {
  /** The active cell changed, or its content was asked for (Enter, double press). */
  readonly onActive: (cell: Cell | undefined) => void;
  readonly onOpen: (cell: Cell) => void;
  readonly onSelection: (selection: Selection | undefined) => void;
  /** Absent where the cells have no menu. */
  readonly onMenu?: ((x: number, y: number) => void) | undefined;
  /** Absent where the rows come in no other order. */
  readonly onSort?: ((column: number) => void) | undefined;
  /** An edit was attempted where it is refused; without a reason nothing is shown. */
  readonly onRefused?: (reason: string) => void;
}

/** Where a person was in a grid. */
export interface GridPlace {
  readonly columns: ColumnLayout;
  readonly place: ScrollPlace;
  readonly scrollLeft: number;
  readonly selected: Selection | undefined;
  /** Keys go to the grid that is made in its place. */
  readonly hasFocus: boolean;
}

/**
 * The virtual grid of one result: about sixty row elements, recycled while any number of rows scrolls by. It draws from
 * `GridRows`, which may grow at any time (`rowsChanged`).
 */
export class ResultGrid {
  readonly element: HTMLDivElement;
  readonly #header: HTMLDivElement;
  readonly #observer: ResizeObserver;
  readonly #events: GridEvents;
  readonly #pages: GridRows;
  readonly #order: readonly ColumnOrder[];
  readonly #sight: GridViewport;
  readonly #drawing: Drawing;
  readonly #inPlace: InPlace;
  #rows = 0;
  #selected: Selection | undefined;
  #frame = 0;
  #settleTimer = 0;
  #isSized = false;
  /** Rows came since the columns were made wide enough. */
  #hasGrown = false;
  #isFound: IsFound | undefined;

  /** @param order the columns by which the rows are in order, the first one first */
  constructor(
    pages: GridRows & Partial<CellEditing>,
    label: string,
    order: readonly ColumnOrder[],
    events: GridEvents,
  ) {
    this.#pages = pages;
    this.#order = order;
    this.#events = events;
    this.element = document.createElement('div');
    this.#header = document.createElement('div');
    const body = document.createElement('div');
    this.#sight = new GridViewport(this.element, body, pages);
    this.#drawing = new Drawing(body, pages, this.#sight);
    this.#inPlace = new InPlace(body, pages, this.#sight, {
      change: selection => this.#change(selection),
      draw: () => this.#draw(),
      focus: () => this.focus(),
      onRefused: events.onRefused,
    });
    this.element.className = 'grid';
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'grid');
    this.element.setAttribute('aria-label', label);
    this.element.setAttribute('aria-readonly', String(!this.#inPlace.isPossible));
    this.element.setAttribute('aria-multiselectable', 'true');
    this.element.setAttribute('aria-colcount', String(pages.columns.length + 1));
    this.#header.className = 'grid-head';
    this.#header.setAttribute('role', 'row');
    this.#header.setAttribute('aria-rowindex', '1');
    body.className = 'grid-body';
    body.setAttribute('role', 'rowgroup');
    this.element.append(this.#header, body);
    this.#listen(body);
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(this.element);
    this.rowsChanged();
  }

  destroy(): void {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#settleTimer);
    this.element.remove();
  }

  get selection(): Selection | undefined {
    return this.#selected;
  }

  /** More rows came. */
  rowsChanged(): void {
    const rows = this.#pages.rowCount;
    if (rows === this.#rows && this.#isSized) return;
    const first = this.#rows === 0;
    this.#rows = rows;
    this.element.setAttribute('aria-rowcount', String(rows + 1));
    this.#sight.setRows(rows);
    const sizes = first && (rows > 0 || !this.#isSized);
    if (sizes) {
      this.#isSized = true;
      this.#sight.widths.begin();
      this.#placeColumns();
    }
    this.#hasGrown = !sizes || rows > SAMPLE_ROWS;
    // The rows on the screen stay; the scroll bar moves to its place when the growing has come to rest.
    this.#settleSoon();
    this.#draw();
  }

  /** Values or marks are others. */
  redraw(): void {
    this.rowsChanged();
    this.#draw();
  }

  /** What `restore` of another grid over the same columns takes. */
  keep(): GridPlace {
    const { columns, place, scrollLeft } = this.#sight;
    const hasFocus = this.element.contains(document.activeElement);
    return { columns, place, scrollLeft, selected: this.#selected, hasFocus };
  }

  restore({ columns, place, scrollLeft, selected, hasFocus }: GridPlace): void {
    if (columns.widths.length === this.#pages.columns.length) {
      this.#sight.widths.layout = columns;
      this.#placeColumns();
    }
    this.#measure();
    this.#sight.restore(place);
    this.#drawNow();
    this.#sight.scrollLeft = scrollLeft;
    if (selected !== undefined && selected.focus.row < this.#rows && selected.anchor.row < this.#rows)
      this.#change(selected, false);
    if (hasFocus) this.focus();
  }

  /** The active cell, or the first that is seen. */
  get position(): Cell {
    return this.#selected?.focus ?? { row: this.#sight.firstWholeRow, column: 0 };
  }

  /** Shows a cell and makes it the active one. The keyboard stays where it is. */
  show(cell: Cell): void {
    // It may be in a row that the grid has not heard of yet.
    this.rowsChanged();
    this.#change(select(cell));
  }

  goTo(cell: Cell): void {
    this.show(cell);
    this.focus();
  }

  /** Marks the cells that were looked for. */
  highlight(isFound: IsFound | undefined): void {
    this.#isFound = isFound;
    this.#draw();
  }

  /** Opens the field over a cell; `typed` begins it. */
  edit(cell: Cell, typed?: string): void {
    this.#inPlace.open(cell, typed);
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
  }

  selectEverything(): void {
    if (this.#rows > 0) this.#change(selectAll(this.#size), false);
  }

  /** Makes a column as wide as what is on the screen needs. */
  fitColumn(index: number): void {
    const { first, end } = this.#sight.drawnRows;
    this.#sight.widths.fit(index, first, end);
    this.#placeColumns();
  }

  get #size(): Size {
    return { rows: this.#rows, columns: this.#pages.columns.length };
  }

  #listen(body: HTMLElement): void {
    const grid = this;
    this.element.addEventListener('scroll', this.#onScroll, { passive: true });
    this.element.addEventListener('keydown', this.#onKey);
    new GridPointer({
      element: this.element,
      body,
      sight: this.#sight,
      get size() {
        return grid.#size;
      },
      get selection() {
        return grid.#selected;
      },
      change: (selection, follows) => this.#change(selection, follows),
      selectColumn: column => this.#selectColumn(column),
      isEditor: target => this.#inPlace.contains(target),
      editOrOpen: cell => this.#editOrOpen(cell),
      onMenu: this.#events.onMenu,
    });
  }

  #measure(): void {
    const active = this.#selected?.focus;
    const wasSeen = active !== undefined && this.#sight.isRowWhole(active.row);
    const wasWhole = active !== undefined && this.#sight.isColumnWhole(active.column);
    this.#sight.measure();
    if (this.#sight.isPinnedOtherwise) this.#placeColumns();
    // What came beside the grid must not cover the cell in which the person is, nor what came below it its row.
    if (wasWhole) this.#sight.revealColumn(active.column);
    if (wasSeen && !this.#sight.isHeaderAll) this.#sight.revealRow(active.row);
    this.#draw();
  }

  #setWidth(index: number, width: number): void {
    this.#sight.widths.choose(index, width);
    this.#placeColumns();
  }

  /** The widths are others. */
  #placeColumns(): void {
    this.#sight.placeColumns();
    const { onMenu, onSort } = this.#events;
    renderHeader(this.#header, this.#pages.columns, this.#sight.columns, this.#sight.pinned, this.#order, {
      onResize: (index, width) => this.#setWidth(index, width),
      onFit: index => this.fitColumn(index),
      onSelect: index => this.#selectColumn(index),
      onSort,
      onMenu:
        onMenu &&
        ((index, x, y) => {
          this.#selectColumn(index);
          onMenu(x, y);
        }),
    });
    this.#draw();
  }

  #selectColumn(column: number): void {
    if (this.#rows === 0) return;
    this.#change({ anchor: { row: this.#rows - 1, column }, focus: { row: 0, column } }, false);
    this.focus();
  }

  readonly #onScroll = (): void => {
    this.#sight.follow();
    if (this.#sight.isStuck) this.#settleNow();
    this.#settleSoon();
    this.element.classList.toggle('is-shifted', this.#sight.isShifted);
    this.#drawNow();
  };

  #settleSoon(): void {
    clearTimeout(this.#settleTimer);
    this.#settleTimer = window.setTimeout(() => this.#settleNow(), SETTLE_AFTER_MS);
  }

  #settleNow(): void {
    if (this.#hasGrown && this.#sight.widths.widen()) this.#placeColumns();
    this.#hasGrown = false;
    if (this.#sight.settle()) this.#drawNow();
  }

  #draw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => this.#drawNow());
  }

  #drawNow(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.#sight.isHidden) return;
    const activeId = this.#drawing.draw(this.#selected, this.#isFound);
    this.#inPlace.place();
    if (activeId === undefined) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', activeId);
  }

  #change(selection: Selection, follows = true): void {
    this.#selected = selection;
    if (follows) this.#reveal(selection.focus);
    this.#events.onSelection(selection);
    this.#events.onActive(selection.focus);
    this.#draw();
  }

  #reveal({ row, column }: Cell): void {
    if (!this.#sight.isRowWhole(row)) {
      this.#sight.revealRow(row);
      this.#drawNow();
    }
    this.#sight.revealColumn(column);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const isTaken = takeKey(event, {
      size: this.#size,
      selection: this.#selected,
      position: this.position,
      pageRows: this.#sight.pageRows,
      isEditable: this.#inPlace.isPossible,
      change: (selection, follows) => this.#change(selection, follows),
      open: this.#events.onOpen,
      canEdit: cell => this.#inPlace.refusal(cell) === undefined,
      edit: (cell, typed) => this.edit(cell, typed),
      widen: (column, byPx) => this.#setWidth(column, (this.#sight.columns.widths[column] ?? 0) + byPx),
      scrollToStart: () => {
        this.#sight.scrollLeft = 0;
      },
    });
    if (!isTaken) return;
    event.preventDefault();
    event.stopPropagation();
  };

  #editOrOpen(cell: Cell): void {
    const refusal = this.#inPlace.refusal(cell);
    if (refusal === undefined) {
      this.edit(cell);
      return;
    }
    if (refusal !== '') this.#events.onRefused?.(refusal);
    this.#events.onOpen(cell);
  }
}
