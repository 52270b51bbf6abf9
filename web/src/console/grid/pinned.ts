/** Columns that stay in sight when the others are scrolled sideways: those of the key that stand first. Pure. */
import type { Column } from '../../lib/index.ts';
import { type ColumnLayout, columnAt, revealColumn } from './columns.ts';

/** More than this share of the screen is not given to them: there would be no room for what is scrolled. */
const SHARE_MAX = 0.4;

/** How many of the first columns stay, where `widthPx` are seen. */
export function pinnedCount(columns: readonly Column[], { lefts }: ColumnLayout, widthPx: number): number {
  let count = 0;
  while (columns[count]?.primaryKey === true && (lefts[count + 1] ?? 0) <= widthPx * SHARE_MAX) count += 1;
  // Where nothing else is there, nothing is scrolled.
  return count === columns.length ? 0 : count;
}

export function pinnedWidth({ lefts }: ColumnLayout, pinned: number): number {
  return lefts[pinned] ?? 0;
}

/** Index of the column that is seen at `x`. */
export function seenColumnAt(columns: ColumnLayout, pinned: number, scrollLeft: number, x: number): number {
  return columnAt(columns, x < pinnedWidth(columns, pinned) ? x : x + scrollLeft);
}

/** The scroll position at which none of the columns that stay covers another one. */
export function revealBeside(
  columns: ColumnLayout,
  pinned: number,
  column: number,
  scrollLeft: number,
  widthPx: number,
): number {
  if (column < pinned) return scrollLeft;
  const covered = pinnedWidth(columns, pinned);
  return revealColumn(columns, column, scrollLeft + covered, widthPx - covered) - covered;
}
