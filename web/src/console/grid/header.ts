import type { Column } from '../../lib/index.ts';
import { isRightAligned } from './cells.ts';
import { type ColumnLayout, shortType } from './columns.ts';
import type { Pinned } from './pinned.ts';
import type { ColumnOrder } from './rows.ts';

export interface HeaderEvents {
  readonly onResize: (column: number, widthPx: number) => void;
  /** The edge was pressed twice. */
  readonly onFit: (column: number) => void;
  readonly onSelect: (column: number) => void;
  /** The column was pressed twice; absent where the rows come in no other order. */
  readonly onSort?: ((column: number) => void) | undefined;
  /** The menu of a column, at a point of the page; absent where there is none. */
  readonly onMenu?: ((column: number, x: number, y: number) => void) | undefined;
}

/** Draws the header's cells: name above type, an edge to drag. Drawn anew when widths change, not while scrolling. */
export function renderHeader(
  header: HTMLElement,
  columns: readonly Column[],
  layout: ColumnLayout,
  pinned: Pinned,
  order: readonly ColumnOrder[],
  events: HeaderEvents,
): void {
  const cells = header.children;
  if (cells.length !== columns.length + 1) {
    const corner = document.createElement('div');
    corner.className = 'grid-corner';
    corner.setAttribute('role', 'columnheader');
    const said = document.createElement('span');
    said.className = 'visually-hidden';
    said.textContent = 'Row number';
    corner.append(said);
    header.replaceChildren(corner, ...columns.map((column, index) => headerCell(column, index, events)));
    for (const [place, one] of order.entries())
      markOrder(header.children[one.column + 1], one, order.length > 1 ? place + 1 : 0);
  }
  for (let index = 0; index < columns.length; index += 1) {
    const cell = cells[index + 1];
    if (!(cell instanceof HTMLElement)) continue;
    cell.style.width = `${layout.widths[index] ?? 0}px`;
    const place = pinned.columns.indexOf(index);
    cell.classList.toggle('pinned', place >= 0);
    cell.classList.toggle('pinned-last', index === pinned.columns.at(-1));
    cell.style.left = place < 0 ? '' : `calc(var(--gutter) + ${pinned.rests[place] ?? 0}px)`;
  }
}

function headerCell(column: Column, index: number, events: HeaderEvents): HTMLElement {
  const cell = document.createElement('div');
  cell.className = isRightAligned(column) ? 'grid-column right' : 'grid-column';
  cell.setAttribute('role', 'columnheader');
  cell.setAttribute('aria-colindex', String(index + 2));
  const nullable = column.nullable ? '' : ' not null';
  const origin = column.table === '' ? '' : `\n${column.database}.${column.table}.${column.originalName}`;
  const sorts = events.onSort === undefined ? '' : '\nDouble-click sorts';
  cell.title = `${column.name}\n${column.type}${nullable}${column.primaryKey ? ' primary key' : ''}${origin}${sorts}`;
  const name = document.createElement('span');
  name.className = column.primaryKey ? 'grid-column-name is-key' : 'grid-column-name';
  name.textContent = column.name;
  const type = document.createElement('span');
  type.className = 'grid-column-type';
  type.textContent = shortType(column.type);
  cell.append(name, type, edge(index, events));
  if (events.onMenu !== undefined) cell.append(menuHandle(index, events.onMenu));
  cell.addEventListener('click', event => {
    if (event.target instanceof HTMLElement && !event.target.classList.contains('grid-edge')) events.onSelect(index);
  });
  cell.addEventListener('dblclick', event => {
    if (event.target instanceof HTMLElement && event.target.closest('.grid-edge, .grid-more') === null)
      events.onSort?.(index);
  });
  return cell;
}

/** An arrow beside the name, and its rank where the rows are in the order of several columns. */
function markOrder(cell: Element | undefined, { isDescending }: ColumnOrder, rank: number): void {
  if (cell === undefined) return;
  const words = isDescending ? 'descending' : 'ascending';
  const mark = document.createElement('span');
  mark.className = 'grid-order';
  mark.textContent = `${isDescending ? '↓' : '↑'}${rank === 0 ? '' : rank}`;
  mark.title = `In ${words} order`;
  mark.setAttribute('aria-hidden', 'true');
  cell.setAttribute('aria-sort', words);
  cell.querySelector('.grid-column-name')?.append(mark);
}

/** The menu's way in for a pointer; the keyboard has Shift+F10. */
function menuHandle(index: number, onMenu: NonNullable<HeaderEvents['onMenu']>): HTMLElement {
  const handle = document.createElement('div');
  handle.className = 'grid-more';
  handle.title = 'Sort, filter and more';
  handle.setAttribute('aria-hidden', 'true');
  handle.addEventListener('click', event => {
    event.stopPropagation();
    const { left, bottom } = handle.getBoundingClientRect();
    onMenu(index, left, bottom);
  });
  return handle;
}

function edge(index: number, events: HeaderEvents): HTMLElement {
  const handle = document.createElement('div');
  handle.className = 'grid-edge';
  // For the pointer only; the keyboard changes widths with Alt and the arrows.
  handle.setAttribute('aria-hidden', 'true');
  const width = () => handle.parentElement?.getBoundingClientRect().width ?? 0;
  handle.addEventListener('pointerdown', event => {
    event.preventDefault();
    event.stopPropagation();
    const startX = event.clientX;
    const startWidth = width();
    handle.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => events.onResize(index, startWidth + moved.clientX - startX);
    const stop = () => {
      handle.removeEventListener('pointermove', move);
      handle.removeEventListener('pointerup', stop);
      handle.removeEventListener('pointercancel', stop);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', stop);
    handle.addEventListener('pointercancel', stop);
  });
  handle.addEventListener('dblclick', () => events.onFit(index));
  return handle;
}
