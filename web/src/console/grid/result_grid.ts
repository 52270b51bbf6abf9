import type { Column } from '../../lib/index.ts';
import { geometryText } from '../sql/geometry.ts';
import { type AfterEdit, CellEditor } from './cell_editor.ts';
import { isRightAligned } from './cells.ts';
import { ColumnWidths, SAMPLE_ROWS } from './column_widths.ts';
import { COLUMN_MIN_PX, type ColumnLayout, columnWindow, totalWidth } from './columns.ts';
import { renderHeader } from './header.ts';
import { bytesOfHex } from './hex.ts';
import {
  gapBefore,
  isAtRest,
  isSamePinned,
  NONE_PINNED,
  type Pinned,
  pinnedColumns,
  revealBeside,
  seenColumnAt,
  seenLeft,
} from './pinned.ts';
import { type ColumnRange, type PooledRow, RowPool } from './row_pool.ts';
import type { CellEditing, ColumnOrder, GridRows } from './rows.ts';
import {
  type Cell,
  extend,
  isInside,
  moveBy,
  type Rectangle,
  rectangle,
  type Selection,
  select,
  selectAll,
  selectRows,
} from './selection.ts';
import {
  clamp,
  type Extent,
  follow,
  isStuck,
  ROW_HEIGHT_PX,
  reveal,
  rowTop,
  rowWindow,
  type ScrollPlace,
  scrollHeight,
  settle,
} from './viewport.ts';

const SETTLE_AFTER_MS = 160;
const RESIZE_STEP_PX = 16;
/** What a field of several lines with a complaint takes; where there is less below a cell, it opens upwards. */
const EDITOR_ROOM_PX = 140;
export const HEADER_HEIGHT_PX = 40;

export interface GridEvents {
  /** The active cell changed, or its content was asked for (Enter, double press). */
  readonly onActive: (cell: Cell | undefined) => void;
  readonly onOpen: (cell: Cell) => void;
  readonly onSelection: (selection: Selection | undefined) => void;
  /** Absent where the cells have no menu. */
  readonly onMenu?: ((x: number, y: number) => void) | undefined;
  /** Somebody wanted to write where it cannot be; nothing is said when the reason is none of the cell's. */
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
 * `GridRows`, which may grow at any time (`rowsChanged`). Values reach the page only as text nodes.
 */
export class ResultGrid {
  readonly element: HTMLDivElement;
  private readonly header: HTMLDivElement;
  private readonly body: HTMLDivElement;
  private readonly pool: RowPool;
  private readonly observer: ResizeObserver;
  private readonly events: GridEvents;
  private readonly pages: GridRows;
  private readonly order: readonly ColumnOrder[];
  /** Of rows that can be edited in place. */
  private readonly editing: CellEditing | undefined;
  private editor: CellEditor | undefined;
  private readonly widths: ColumnWidths;
  private gutterPx = 0;
  /** The columns that stay in sight. */
  private pinned: Pinned = NONE_PINNED;
  private rows = 0;
  private width = 0;
  private height = 0;
  private place: ScrollPlace = { scrollTop: 0, virtualTop: 0 };
  private selected: Selection | undefined;
  private frame = 0;
  private settleTimer = 0;
  private dragFrom: 'cells' | 'rows' | undefined;
  private isSized = false;
  /** Rows came since the columns were made wide enough. */
  private hasGrown = false;
  private isFound: ((row: number, column: number) => boolean) | undefined;

  /** @param order the columns by which the rows are in order, the first one first */
  constructor(
    pages: GridRows & Partial<CellEditing>,
    label: string,
    order: readonly ColumnOrder[],
    events: GridEvents,
  ) {
    this.pages = pages;
    this.order = order;
    if (isEditable(pages)) this.editing = pages;
    this.events = events;
    this.widths = new ColumnWidths(pages);
    this.element = document.createElement('div');
    this.element.className = 'grid';
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'grid');
    this.element.setAttribute('aria-label', label);
    this.element.setAttribute('aria-readonly', String(this.editing === undefined));
    this.element.setAttribute('aria-multiselectable', 'true');
    this.element.setAttribute('aria-colcount', String(pages.columns.length + 1));
    this.header = document.createElement('div');
    this.header.className = 'grid-head';
    this.header.setAttribute('role', 'row');
    this.header.setAttribute('aria-rowindex', '1');
    this.body = document.createElement('div');
    this.body.className = 'grid-body';
    this.body.setAttribute('role', 'rowgroup');
    this.element.append(this.header, this.body);
    this.pool = new RowPool(this.body);

    this.element.addEventListener('scroll', this.onScroll, { passive: true });
    this.element.addEventListener('keydown', this.onKey);
    this.element.addEventListener('pointerdown', this.onPointerDown);
    this.element.addEventListener('pointermove', this.onPointerMove);
    this.element.addEventListener('pointerup', this.onPointerUp);
    this.element.addEventListener('dblclick', this.onDoublePress);
    this.element.addEventListener('contextmenu', this.onContextMenu);
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.element);
    this.rowsChanged();
  }

  destroy(): void {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.settleTimer);
    this.element.remove();
  }

  get selection(): Selection | undefined {
    return this.selected;
  }

  /** More rows came. */
  rowsChanged(): void {
    const rows = this.pages.rowCount;
    if (rows === this.rows && this.isSized) return;
    const first = this.rows === 0;
    this.rows = rows;
    this.element.setAttribute('aria-rowcount', String(rows + 1));
    const sizes = first && (rows > 0 || !this.isSized);
    if (sizes) {
      this.isSized = true;
      this.widths.begin();
      this.placeColumns();
    }
    this.hasGrown = !sizes || rows > SAMPLE_ROWS;
    this.sizeGutter();
    this.body.style.height = `${scrollHeight(rows)}px`;
    // The rows on the screen stay; the scroll bar moves to its place when the growing has come to rest.
    this.settleSoon();
    this.draw();
  }

  /** Values or marks are others. */
  redraw(): void {
    this.rowsChanged();
    this.draw();
  }

  /** What `restore` of another grid over the same columns takes. */
  keep(): GridPlace {
    const { columns, place, selected } = this;
    const hasFocus = this.element.contains(document.activeElement);
    return { columns, place, scrollLeft: this.element.scrollLeft, selected, hasFocus };
  }

  restore({ columns, place, scrollLeft, selected, hasFocus }: GridPlace): void {
    if (columns.widths.length === this.pages.columns.length) {
      this.widths.layout = columns;
      this.placeColumns();
    }
    this.measure();
    this.moveTo(settle(place, this.extent));
    this.element.scrollLeft = scrollLeft;
    if (selected !== undefined && selected.focus.row < this.rows && selected.anchor.row < this.rows)
      this.change(selected, false);
    if (hasFocus) this.focus();
  }

  /** The active cell, or the first that is seen. */
  get position(): Cell {
    return this.selected?.focus ?? { row: this.firstVisible(), column: 0 };
  }

  /** Shows a cell and makes it the active one. The keyboard stays where it is. */
  show(cell: Cell): void {
    // It may be in a row that the grid has not heard of yet.
    this.rowsChanged();
    this.change(select(cell));
  }

  goTo(cell: Cell): void {
    this.show(cell);
    this.focus();
  }

  /** Marks the cells that were looked for. */
  highlight(isFound: ((row: number, column: number) => boolean) | undefined): void {
    this.isFound = isFound;
    this.draw();
  }

  /** Opens the field over a cell; `typed` begins it. */
  edit(cell: Cell, typed?: string): void {
    const { editing } = this;
    const column = this.pages.columns[cell.column];
    this.editor?.finish();
    if (column === undefined || editing === undefined) return;
    const refusal = editing.refusal(cell.row, cell.column);
    if (refusal !== undefined) {
      this.events.onRefused?.(refusal);
      return;
    }
    this.change(select(cell));
    const before = typedForm(column, this.pages.text(cell.row, cell.column) ?? null);
    const made = new CellEditor(cell, column, before, typed, editing, {
      onTake: (value, then) => {
        this.closeEditor(then === 'stay');
        if (value !== before) editing.set(cell.row, cell.column, value);
        this.goOn(cell, then);
      },
      onGiveUp: () => this.closeEditor(false),
    });
    this.editor = made;
    this.body.append(made.element);
    this.placeEditor();
    made.focus(typed === undefined);
  }

  private closeEditor(isFocusElsewhere: boolean): void {
    const { editor } = this;
    if (editor === undefined) return;
    this.editor = undefined;
    editor.element.remove();
    if (!isFocusElsewhere) this.focus();
    this.draw();
  }

  /** Enter goes down, Tab edits the next column. */
  private goOn({ row, column }: Cell, then: AfterEdit): void {
    if (then === 'down' && row + 1 < this.rows) this.change(select({ row: row + 1, column }));
    if (then !== 'right' && then !== 'left') return;
    const step = then === 'right' ? 1 : -1;
    let next = column + step;
    while (next >= 0 && next < this.pages.columns.length && this.editing?.refusal(row, next) !== undefined)
      next += step;
    if (next >= 0 && next < this.pages.columns.length) this.edit({ row, column: next });
  }

  private placeEditor(): void {
    if (this.editor === undefined) return;
    const { row, column } = this.editor.cell;
    this.editor.moveTo({
      left: seenLeft(this.columns, this.pinned, column, this.element.scrollLeft) + this.element.scrollLeft,
      top: Math.round(rowTop(row, this.place)),
      width: this.columns.widths[column] ?? COLUMN_MIN_PX,
    });
    const leftPx = this.height - HEADER_HEIGHT_PX - (row * ROW_HEIGHT_PX - this.place.virtualTop);
    this.editor.element.classList.toggle('above', leftPx < EDITOR_ROOM_PX && row * ROW_HEIGHT_PX > EDITOR_ROOM_PX);
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
  }

  selectEverything(): void {
    if (this.rows > 0) this.change(selectAll({ rows: this.rows, columns: this.pages.columns.length }), false);
  }

  /** Makes every column as wide as what is on the screen needs. */
  fitColumn(index: number): void {
    const { first, end } = rowWindow(this.place, this.extent);
    this.widths.fit(index, first, end);
    this.placeColumns();
  }

  private get extent(): Extent {
    return { rows: this.rows, heightPx: Math.max(0, this.height - HEADER_HEIGHT_PX) };
  }

  private get pageRows(): number {
    return Math.max(1, Math.floor(this.extent.heightPx / ROW_HEIGHT_PX) - 1);
  }

  private measure(): void {
    const active = this.selected?.focus;
    const wasSeen = active !== undefined && reveal(this.place, active.row, this.extent) === this.place;
    const wasWhole = active !== undefined && this.scrollFor(active.column) === this.element.scrollLeft;
    this.width = this.element.clientWidth;
    this.height = this.element.clientHeight;
    if (!isSamePinned(this.pinnedNow(), this.pinned)) this.placeColumns();
    // Nor what came beside it the cell.
    if (wasWhole) this.element.scrollLeft = this.scrollFor(active.column);
    // What came below the grid must not cover the row in which the person is.
    if (wasSeen && this.height > HEADER_HEIGHT_PX) this.moveTo(reveal(this.place, active.row, this.extent));
    this.draw();
  }

  private setWidth(index: number, width: number): void {
    this.widths.choose(index, width);
    this.placeColumns();
  }

  private sizeGutter(): void {
    const digits = Math.max(3, String(this.rows).length);
    this.gutterPx = digits * 7 + 18;
    this.element.style.setProperty('--gutter', `${this.gutterPx}px`);
    this.body.style.width = `${totalWidth(this.columns) + this.gutterPx}px`;
  }

  private get columns(): ColumnLayout {
    return this.widths.layout;
  }

  private pinnedNow(): Pinned {
    return pinnedColumns(this.pages.columns, this.columns, this.width - this.gutterPx);
  }

  /** The widths are others. */
  private placeColumns(): void {
    this.sizeGutter();
    this.pinned = this.pinnedNow();
    const { onMenu } = this.events;
    renderHeader(this.header, this.pages.columns, this.columns, this.pinned, this.order, {
      onResize: (index, width) => this.setWidth(index, width),
      onFit: index => this.fitColumn(index),
      onSelect: index => this.selectColumn(index),
      onMenu:
        onMenu &&
        ((index, x, y) => {
          this.selectColumn(index);
          onMenu(x, y);
        }),
    });
    this.draw();
  }

  private selectColumn(column: number): void {
    if (this.rows === 0) return;
    this.change({ anchor: { row: this.rows - 1, column }, focus: { row: 0, column } }, false);
    this.focus();
  }

  private readonly onScroll = (): void => {
    const { scrollTop } = this.element;
    if (scrollTop !== this.place.scrollTop) this.place = follow(this.place, scrollTop, this.extent);
    if (isStuck(this.place, this.extent)) this.settleNow();
    this.settleSoon();
    this.element.classList.toggle('is-shifted', isAtRest(this.columns, this.pinned, this.element.scrollLeft));
    this.drawNow();
  };

  private settleSoon(): void {
    clearTimeout(this.settleTimer);
    this.settleTimer = window.setTimeout(() => this.settleNow(), SETTLE_AFTER_MS);
  }

  private settleNow(): void {
    if (this.hasGrown && this.widths.widen()) this.placeColumns();
    this.hasGrown = false;
    const settled = settle(this.place, this.extent);
    // Browsers keep fractions of device pixels, so less than one is no difference.
    if (Math.abs(settled.scrollTop - this.place.scrollTop) < 1) return;
    this.moveTo(settled);
  }

  private moveTo(place: ScrollPlace): void {
    this.place = place;
    this.element.scrollTop = place.scrollTop;
    // The browser may round; what it says is what the next scroll event is compared with.
    this.place = { scrollTop: this.element.scrollTop, virtualTop: place.virtualTop };
    this.drawNow();
  }

  private draw(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => this.drawNow());
  }

  private drawNow(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (this.height === 0) return;
    const { first, end } = rowWindow(this.place, this.extent);
    const seen = columnWindow(this.columns, this.element.scrollLeft, this.width - this.gutterPx);
    const columns = { ...seen, pinned: this.pinned.columns };
    const area = this.selected === undefined ? undefined : rectangle(this.selected);
    this.pool.begin(first, end, columns);
    for (let row = first; row < end; row += 1) this.drawRow(row, columns, area);
    this.pool.end();
    this.placeEditor();
    const active = this.selected?.focus;
    const shown = active !== undefined && active.row >= first && active.row < end;
    if (shown) this.element.setAttribute('aria-activedescendant', this.pool.cellId(active.row, active.column));
    else this.element.removeAttribute('aria-activedescendant');
  }

  private drawRow(row: number, columns: ColumnRange, area: Rectangle | undefined): void {
    const top = Math.round(rowTop(row, this.place));
    const line = this.pool.row(row, top, this.pages.mark?.(row), this.keyOf(row));
    line.markNumber(area !== undefined && row >= area.firstRow && row < area.endRow);
    for (const column of columns.pinned) this.drawCell(line, row, column, area);
    for (let column = columns.first; column < columns.end; column += 1)
      if (!columns.pinned.includes(column)) this.drawCell(line, row, column, area);
    line.finish();
  }

  /** In words: a screen reader says it with every cell of a row whose beginning is far away. */
  private keyOf(row: number): string {
    if (this.element.scrollLeft === 0) return '';
    const nameOf = (column: number) => this.pages.columns[column]?.name ?? '';
    return this.pinned.columns.map(at => `${nameOf(at)} ${this.pages.view(row, at)?.text ?? ''}`).join(', ');
  }

  private drawCell(line: PooledRow, row: number, column: number, area: Rectangle | undefined): void {
    const described = this.pages.columns[column];
    const view = this.pages.view(row, column);
    if (described === undefined || view === undefined) return;
    const active = this.selected?.focus;
    const place = this.pinned.columns.indexOf(column);
    line.cell(column, view, {
      left: (place < 0 ? this.columns.lefts[column] : this.pinned.rests[place]) ?? 0,
      gap: place < 0 ? 0 : gapBefore(this.columns, this.pinned, place),
      width: this.columns.widths[column] ?? COLUMN_MIN_PX,
      pin: place < 0 ? undefined : place === this.pinned.columns.length - 1 ? 'last' : 'inner',
      isRight: isRightAligned(described),
      isSelected: area !== undefined && isInside(area, row, column),
      isActive: active?.row === row && active.column === column,
      isFound: this.isFound?.(row, column) === true,
    });
  }

  private change(selection: Selection, follows = true): void {
    this.selected = selection;
    if (follows) this.revealCell(selection.focus);
    this.events.onSelection(selection);
    this.events.onActive(selection.focus);
    this.draw();
  }

  private revealCell({ row, column }: Cell): void {
    const place = reveal(this.place, row, this.extent);
    if (place !== this.place) this.moveTo(place);
    this.element.scrollLeft = this.scrollFor(column);
  }

  /** Where the grid is scrolled to for a column to be whole. */
  private scrollFor(column: number): number {
    const seen = this.width - this.gutterPx;
    return revealBeside(this.columns, this.pinned, column, this.element.scrollLeft, seen);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const size = { rows: this.rows, columns: this.pages.columns.length };
    if (size.rows === 0 || size.columns === 0) return;
    const jump = event.ctrlKey || event.metaKey;
    if (jump && event.key.toLowerCase() === 'a') {
      this.selectEverything();
    } else if (event.key === 'Enter' && !jump && this.selected !== undefined) {
      this.events.onOpen(this.selected.focus);
    } else if (event.key === 'F2' && this.selected !== undefined && this.editing !== undefined) {
      this.edit(this.selected.focus);
    } else if (this.isTyping(event) && this.selected !== undefined) {
      this.edit(this.selected.focus, event.key);
    } else if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      this.resizeActive(event.key === 'ArrowRight' ? RESIZE_STEP_PX : -RESIZE_STEP_PX);
    } else if (event.key === 'Escape' && this.selected !== undefined) {
      this.change(select(this.selected.focus), false);
    } else {
      const from = this.position;
      const to = moveBy(from, { key: event.key, jump }, size, this.pageRows);
      if (to === undefined || event.altKey) return;
      // What stays in sight is there already: the beginning of the row is not.
      if (to.column === 0 && (event.key === 'Home' || from.column > 0)) this.element.scrollLeft = 0;
      // The first arrow shows where the keyboard is; from then on arrows move.
      const isFirstArrow = this.selected === undefined && !jump && event.key.startsWith('Arrow');
      if (this.selected === undefined || !event.shiftKey) this.change(select(isFirstArrow ? from : to));
      else this.change(extend(this.selected, to));
    }
    event.preventDefault();
    event.stopPropagation();
  };

  /** A character where one can be written. Elsewhere the keys of the page keep their meaning. */
  private isTyping(event: KeyboardEvent): boolean {
    if (Array.from(event.key).length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey)
      return false;
    const active = this.selected?.focus;
    return (
      active !== undefined &&
      this.editing?.refusal(active.row, active.column) === undefined &&
      this.editing !== undefined
    );
  }

  private resizeActive(step: number): void {
    const column = this.selected?.focus.column ?? 0;
    this.setWidth(column, (this.columns.widths[column] ?? COLUMN_MIN_PX) + step);
  }

  private firstVisible(): number {
    return Math.ceil(this.place.virtualTop / ROW_HEIGHT_PX);
  }

  /** The cell under a pointer, the nearest one when it is outside; `column` is -1 over the row numbers. */
  private cellAt(event: MouseEvent): Cell | undefined {
    if (this.rows === 0) return undefined;
    const box = this.element.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top - HEADER_HEIGHT_PX;
    const row = clamp(Math.floor((this.place.virtualTop + y) / ROW_HEIGHT_PX), 0, this.rows - 1);
    return { row, column: x < this.gutterPx ? -1 : this.columnAt(x) };
  }

  /** The column at a distance from the grid's left edge. */
  private columnAt(x: number): number {
    return seenColumnAt(this.columns, this.pinned, this.element.scrollLeft, x - this.gutterPx);
  }

  private readonly onPointerDown = (event: PointerEvent): void => {
    if (this.editor?.contains(event.target)) return;
    const inBody = event.target instanceof Node && this.body.contains(event.target);
    const cell = this.cellAt(event);
    if (!inBody || cell === undefined) return;
    const size = { rows: this.rows, columns: this.pages.columns.length };
    if (event.button === 2) {
      this.pressForMenu(cell);
      return;
    }
    if (event.button !== 0) return;
    if (cell.column < 0) {
      const from = event.shiftKey && this.selected !== undefined ? this.selected.anchor.row : cell.row;
      this.change(selectRows(from, cell.row, size), false);
      this.dragFrom = 'rows';
    } else if (event.shiftKey && this.selected !== undefined) {
      this.change(extend(this.selected, cell));
      this.dragFrom = 'cells';
    } else {
      this.change(select(cell));
      this.dragFrom = event.pointerType === 'touch' ? undefined : 'cells';
    }
    if (event.pointerType !== 'touch') this.element.setPointerCapture(event.pointerId);
  };

  private pressForMenu(cell: Cell): void {
    const area = this.selected === undefined ? undefined : rectangle(this.selected);
    if (cell.column >= 0 && (area === undefined || !isInside(area, cell.row, cell.column))) this.change(select(cell));
  }

  private readonly onPointerMove = (event: PointerEvent): void => {
    if (this.dragFrom === undefined || this.selected === undefined || event.buttons !== 1) return;
    const cell = this.cellAt(event);
    if (cell === undefined) return;
    const size = { rows: this.rows, columns: this.pages.columns.length };
    const { focus, anchor } = this.selected;
    if (this.dragFrom === 'rows') {
      if (cell.row !== focus.row) this.change(selectRows(anchor.row, cell.row, size), true);
      return;
    }
    const to = { row: cell.row, column: Math.max(0, cell.column) };
    if (to.row !== focus.row || to.column !== focus.column) this.change(extend(this.selected, to));
  };

  private readonly onPointerUp = (): void => {
    this.dragFrom = undefined;
  };

  private readonly onDoublePress = (event: MouseEvent): void => {
    // The pointer was captured, so the event's target says nothing of where the press was.
    const isInHeader = event.clientY - this.element.getBoundingClientRect().top < HEADER_HEIGHT_PX;
    const cell = this.cellAt(event);
    if (isInHeader || cell === undefined || cell.column < 0 || this.editor?.contains(event.target)) return;
    const refusal = this.editing === undefined ? '' : this.editing.refusal(cell.row, cell.column);
    if (refusal === undefined) {
      this.edit(cell);
      return;
    }
    if (refusal !== '') this.events.onRefused?.(refusal);
    this.events.onOpen(cell);
  };

  private readonly onContextMenu = (event: MouseEvent): void => {
    const { onMenu } = this.events;
    if (onMenu === undefined || this.editor?.contains(event.target)) return;
    event.preventDefault();
    const box = this.element.getBoundingClientRect();
    const x = event.clientX - box.left;
    if (event.clientY - box.top < HEADER_HEIGHT_PX && x >= this.gutterPx) this.selectColumn(this.columnAt(x));
    const { x: menuX, y: menuY } = this.menuPoint(event);
    onMenu(menuX, menuY);
  };

  /** Where the pointer is; the active cell where the menu was asked for by a key. */
  private menuPoint(event: MouseEvent): { readonly x: number; readonly y: number } {
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
    const active = this.element.getAttribute('aria-activedescendant');
    const cell = active === null ? null : document.getElementById(active);
    if (event.button === 2 || isTouch || cell === null) return { x: event.clientX, y: event.clientY };
    const { left, bottom } = cell.getBoundingClientRect();
    return { x: left, y: bottom };
  }
}

function isEditable(rows: GridRows & Partial<CellEditing>): rows is GridRows & CellEditing {
  return rows.refusal !== undefined && rows.set !== undefined;
}

/** The text of a value as it is typed: a geometry's bytes say nothing. */
function typedForm({ kind }: Column, text: string | null): string | null {
  if (kind !== 'geometry' || text === null || !/^0x/i.test(text)) return text;
  return geometryText(bytesOfHex(text.slice(2))) ?? text;
}
