import { type Cell, extend, moveBy, type Selection, type Size, select, selectAll } from './selection.ts';

const RESIZE_STEP_PX = 16;

/** What the keyboard does with a grid. */
export interface KeyedGrid {
  readonly size: Size;
  readonly selection: Selection | undefined;
  /** The active cell, or the first that is seen. */
  readonly position: Cell;
  /** Rows that a page key goes. */
  readonly pageRows: number;
  /** @param follows whether the active cell is brought into sight */
  readonly change: (selection: Selection, follows: boolean) => void;
  readonly open: (cell: Cell) => void;
  readonly canEdit: (cell: Cell) => boolean;
  /** Says why not, where a cell cannot be written. */
  readonly edit: (cell: Cell, typed?: string) => void;
  readonly isEditable: boolean;
  readonly widen: (column: number, byPx: number) => void;
  readonly scrollToStart: () => void;
}

/** Does what a key means in a grid. False when it means nothing there. */
export function takeKey(event: KeyboardEvent, grid: KeyedGrid): boolean {
  const { size, selection } = grid;
  if (size.rows === 0 || size.columns === 0) return false;
  const jump = event.ctrlKey || event.metaKey;
  const active = selection?.focus;
  if (jump && event.key.toLowerCase() === 'a') {
    grid.change(selectAll(size), false);
  } else if (event.key === 'Enter' && !jump && active !== undefined) {
    grid.open(active);
  } else if (event.key === 'F2' && active !== undefined && grid.isEditable) {
    grid.edit(active);
  } else if (active !== undefined && isTyped(event) && grid.canEdit(active)) {
    grid.edit(active, event.key);
  } else if (event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
    grid.widen(active?.column ?? 0, event.key === 'ArrowRight' ? RESIZE_STEP_PX : -RESIZE_STEP_PX);
  } else if (event.key === 'Escape' && active !== undefined) {
    grid.change(select(active), false);
  } else {
    return !event.altKey && move(event, jump, grid);
  }
  return true;
}

function move(event: KeyboardEvent, jump: boolean, grid: KeyedGrid): boolean {
  const { position: from, selection } = grid;
  const to = moveBy(from, { key: event.key, jump }, grid.size, grid.pageRows);
  if (to === undefined) return false;
  // What stays in sight is there already: the beginning of the row is not.
  if (to.column === 0 && (event.key === 'Home' || from.column > 0)) grid.scrollToStart();
  // The first arrow shows where the keyboard is; from then on arrows move.
  const isFirstArrow = selection === undefined && !jump && event.key.startsWith('Arrow');
  const isExtended = selection !== undefined && event.shiftKey;
  grid.change(isExtended ? extend(selection, to) : select(isFirstArrow ? from : to), true);
  return true;
}

/** A character. Where none can be written, the keys of the page keep their meaning. */
function isTyped({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return Array.from(key).length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
}
