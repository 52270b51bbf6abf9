import type { GridViewport } from './grid_viewport.ts';
import { type Cell, extend, isInside, rectangle, type Selection, type Size, select, selectRows } from './selection.ts';

/** What a pointer does with a grid. */
export interface PointedGrid {
  readonly element: HTMLElement;
  /** The rows, without the header. */
  readonly body: HTMLElement;
  readonly sight: GridViewport;
  readonly size: Size;
  readonly selection: Selection | undefined;
  /** @param follows whether the active cell is brought into sight */
  readonly change: (selection: Selection, follows: boolean) => void;
  readonly selectColumn: (column: number) => void;
  /** Of the field that is open over a cell. */
  readonly isEditor: (target: EventTarget | null) => boolean;
  /** Edits a cell, or shows it where it cannot be written. */
  readonly editOrOpen: (cell: Cell) => void;
  /** Absent where the cells have no menu. */
  readonly onMenu: ((x: number, y: number) => void) | undefined;
}

/** Mouse, pen and finger on a grid: they select cells and rows, edit, and ask for the menu. */
export class GridPointer {
  readonly #grid: PointedGrid;
  #dragFrom: 'cells' | 'rows' | undefined;

  constructor(grid: PointedGrid) {
    this.#grid = grid;
    const { element } = grid;
    element.addEventListener('pointerdown', this.#onDown);
    element.addEventListener('pointermove', this.#onMove);
    element.addEventListener('pointerup', this.#onUp);
    element.addEventListener('dblclick', this.#onDoublePress);
    element.addEventListener('contextmenu', this.#onContextMenu);
  }

  readonly #onDown = (event: PointerEvent): void => {
    const grid = this.#grid;
    const { selection } = grid;
    if (grid.isEditor(event.target)) return;
    const cell = grid.sight.cellAt(event);
    if (!(event.target instanceof Node && grid.body.contains(event.target)) || cell === undefined) return;
    if (event.button === 2) this.#pressForMenu(cell);
    if (event.button !== 0) return;
    if (cell.column < 0) {
      const from = event.shiftKey && selection !== undefined ? selection.anchor.row : cell.row;
      grid.change(selectRows(from, cell.row, grid.size), false);
      this.#dragFrom = 'rows';
    } else if (event.shiftKey && selection !== undefined) {
      grid.change(extend(selection, cell), true);
      this.#dragFrom = 'cells';
    } else {
      grid.change(select(cell), true);
      this.#dragFrom = event.pointerType === 'touch' ? undefined : 'cells';
    }
    if (event.pointerType !== 'touch') grid.element.setPointerCapture(event.pointerId);
  };

  #pressForMenu(cell: Cell): void {
    const { selection } = this.#grid;
    const area = selection === undefined ? undefined : rectangle(selection);
    const isOutside = area === undefined || !isInside(area, cell.row, cell.column);
    if (cell.column >= 0 && isOutside) this.#grid.change(select(cell), true);
  }

  readonly #onMove = (event: PointerEvent): void => {
    const grid = this.#grid;
    const { selection } = grid;
    if (this.#dragFrom === undefined || selection === undefined || event.buttons !== 1) return;
    const cell = grid.sight.cellAt(event);
    if (cell === undefined) return;
    const { focus, anchor } = selection;
    if (this.#dragFrom === 'rows') {
      if (cell.row !== focus.row) grid.change(selectRows(anchor.row, cell.row, grid.size), true);
      return;
    }
    const to = { row: cell.row, column: Math.max(0, cell.column) };
    if (to.row !== focus.row || to.column !== focus.column) grid.change(extend(selection, to), true);
  };

  readonly #onUp = (): void => {
    this.#dragFrom = undefined;
  };

  readonly #onDoublePress = (event: MouseEvent): void => {
    const grid = this.#grid;
    const cell = grid.sight.cellAt(event);
    // The pointer was captured, so the event's target says nothing of where the press was.
    if (grid.sight.isOverHeader(event) || cell === undefined || cell.column < 0 || grid.isEditor(event.target)) return;
    grid.editOrOpen(cell);
  };

  readonly #onContextMenu = (event: MouseEvent): void => {
    const grid = this.#grid;
    if (grid.onMenu === undefined || grid.isEditor(event.target)) return;
    event.preventDefault();
    const column = grid.sight.columnAt(event);
    if (grid.sight.isOverHeader(event) && column >= 0) grid.selectColumn(column);
    const { x, y } = this.#menuPoint(event);
    grid.onMenu(x, y);
  };

  /** Where the pointer is; the active cell where the menu was asked for by a key. */
  #menuPoint(event: MouseEvent): { readonly x: number; readonly y: number } {
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
    const active = this.#grid.element.getAttribute('aria-activedescendant');
    const cell = active === null ? null : document.getElementById(active);
    if (event.button === 2 || isTouch || cell === null) return { x: event.clientX, y: event.clientY };
    const { left, bottom } = cell.getBoundingClientRect();
    return { x: left, y: bottom };
  }
}
