import { ColumnWidths } from './column_widths.ts';
import { type ColumnLayout, columnWindow, totalWidth } from './columns.ts';
import {
  isAtRest,
  isSamePinned,
  NONE_PINNED,
  type Pinned,
  pinnedColumns,
  revealBeside,
  seenColumnAt,
  seenLeft,
} from './pinned.ts';
import type { ColumnRange } from './row_pool.ts';
import type { GridRows } from './rows.ts';
import type { Cell } from './selection.ts';
import {
  clamp,
  type Extent,
  follow,
  isStuck,
  ROW_HEIGHT_PX,
  type RowWindow,
  reveal,
  rowTop,
  rowWindow,
  type ScrollPlace,
  scrollHeight,
  settle,
} from './viewport.ts';

const HEADER_HEIGHT_PX = 40;

/** The viewport of a grid: its box, its scroll bars, the widths of its columns. It draws nothing. */
export class GridViewport {
  readonly widths: ColumnWidths;
  readonly #element: HTMLElement;
  readonly #body: HTMLElement;
  readonly #pages: GridRows;
  #gutterPx = 0;
  /** The columns that stay in sight. */
  #stay: Pinned = NONE_PINNED;
  #rows = 0;
  #width = 0;
  #height = 0;
  #at: ScrollPlace = { scrollTop: 0, virtualTop: 0 };

  /** @param element what is scrolled; `body` is in it and as large as all rows */
  constructor(element: HTMLElement, body: HTMLElement, pages: GridRows) {
    this.#element = element;
    this.#body = body;
    this.#pages = pages;
    this.widths = new ColumnWidths(pages);
  }

  get columns(): ColumnLayout {
    return this.widths.layout;
  }

  get pinned(): Pinned {
    return this.#stay;
  }

  get place(): ScrollPlace {
    return this.#at;
  }

  get scrollLeft(): number {
    return this.#element.scrollLeft;
  }

  set scrollLeft(left: number) {
    this.#element.scrollLeft = left;
  }

  /** Nothing is seen of a grid that is hidden. */
  get isHidden(): boolean {
    return this.#height === 0;
  }

  /** The header leaves no room for rows. */
  get isHeaderAll(): boolean {
    return this.#height <= HEADER_HEIGHT_PX;
  }

  /** Columns have left their places among the others. */
  get isShifted(): boolean {
    return isAtRest(this.columns, this.#stay, this.scrollLeft);
  }

  /** Rows that a page key goes. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.#extent.heightPx / ROW_HEIGHT_PX) - 1);
  }

  get firstWholeRow(): number {
    return Math.ceil(this.#at.virtualTop / ROW_HEIGHT_PX);
  }

  get drawnRows(): RowWindow {
    return rowWindow(this.#at, this.#extent);
  }

  get drawnColumns(): ColumnRange {
    const seen = columnWindow(this.columns, this.scrollLeft, this.#widthLeft);
    return { ...seen, pinned: this.#stay.columns };
  }

  /** The size of the box is another one, perhaps. */
  measure(): void {
    this.#width = this.#element.clientWidth;
    this.#height = this.#element.clientHeight;
  }

  setRows(rows: number): void {
    this.#rows = rows;
    this.#body.style.height = `${scrollHeight(rows)}px`;
    this.#sizeGutter();
  }

  /** Makes room for the columns as wide as they are now. */
  placeColumns(): void {
    this.#sizeGutter();
    this.#stay = this.#pinnedNow();
  }

  /** There is room for more or for fewer columns that stay. */
  get isPinnedOtherwise(): boolean {
    return !isSamePinned(this.#pinnedNow(), this.#stay);
  }

  /** Goes where the scroll bars are. */
  follow(): void {
    const { scrollTop } = this.#element;
    if (scrollTop !== this.#at.scrollTop) this.#at = follow(this.#at, scrollTop, this.#extent);
  }

  /** A scroll bar is at an end that the rows have not reached. */
  get isStuck(): boolean {
    return isStuck(this.#at, this.#extent);
  }

  /** Puts the scroll bar where it belongs. Answers whether anything moved. */
  settle(): boolean {
    const settled = settle(this.#at, this.#extent);
    // Browsers keep fractions of device pixels, so less than one is no difference.
    if (Math.abs(settled.scrollTop - this.#at.scrollTop) < 1) return false;
    this.#moveTo(settled);
    return true;
  }

  restore(place: ScrollPlace): void {
    this.#moveTo(settle(place, this.#extent));
  }

  isRowWhole(row: number): boolean {
    return reveal(this.#at, row, this.#extent) === this.#at;
  }

  isColumnWhole(column: number): boolean {
    return this.#scrollFor(column) === this.scrollLeft;
  }

  revealRow(row: number): void {
    const place = reveal(this.#at, row, this.#extent);
    if (place !== this.#at) this.#moveTo(place);
  }

  revealColumn(column: number): void {
    this.scrollLeft = this.#scrollFor(column);
  }

  rowTop(row: number): number {
    return Math.round(rowTop(row, this.#at));
  }

  /** Of a cell, from the left edge of what is scrolled. */
  cellLeft(column: number): number {
    return seenLeft(this.columns, this.#stay, column, this.scrollLeft) + this.scrollLeft;
  }

  /** Room from the top of a row to the lower edge. */
  roomBelow(row: number): number {
    return this.#extent.heightPx - (row * ROW_HEIGHT_PX - this.#at.virtualTop);
  }

  /** The cell under a pointer, the nearest one when it is outside; `column` is -1 over the row numbers. */
  cellAt(event: MouseEvent): Cell | undefined {
    if (this.#rows === 0) return undefined;
    const y = this.#headerDistance(event);
    const row = clamp(Math.floor((this.#at.virtualTop + y) / ROW_HEIGHT_PX), 0, this.#rows - 1);
    return { row, column: this.columnAt(event) };
  }

  /** The column under a pointer, -1 over the row numbers. */
  columnAt(event: MouseEvent): number {
    const x = event.clientX - this.#element.getBoundingClientRect().left;
    return x < this.#gutterPx ? -1 : seenColumnAt(this.columns, this.#stay, this.scrollLeft, x - this.#gutterPx);
  }

  isOverHeader(event: MouseEvent): boolean {
    return this.#headerDistance(event) < 0;
  }

  /** How far below the header a pointer is. */
  #headerDistance(event: MouseEvent): number {
    return event.clientY - this.#element.getBoundingClientRect().top - HEADER_HEIGHT_PX;
  }

  get #extent(): Extent {
    return { rows: this.#rows, heightPx: Math.max(0, this.#height - HEADER_HEIGHT_PX) };
  }

  get #widthLeft(): number {
    return this.#width - this.#gutterPx;
  }

  #sizeGutter(): void {
    const digits = Math.max(3, String(this.#rows).length);
    this.#gutterPx = digits * 7 + 18;
    this.#element.style.setProperty('--gutter', `${this.#gutterPx}px`);
    this.#body.style.width = `${totalWidth(this.columns) + this.#gutterPx}px`;
  }

  #pinnedNow(): Pinned {
    return pinnedColumns(this.#pages.columns, this.columns, this.#widthLeft);
  }

  #moveTo(place: ScrollPlace): void {
    this.#at = place;
    this.#element.scrollTop = place.scrollTop;
    // The browser may round; what it says is what the next scroll event is compared with.
    this.#at = { scrollTop: this.#element.scrollTop, virtualTop: place.virtualTop };
  }

  /** Where the grid is scrolled to for a column to be whole. */
  #scrollFor(column: number): number {
    return revealBeside(this.columns, this.#stay, column, this.scrollLeft, this.#widthLeft);
  }
}
