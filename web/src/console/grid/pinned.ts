/** Columns that stay in sight when the others are scrolled sideways: those of the key. Pure. */
import type { Column } from '../../lib/index.ts';
import { type ColumnLayout, columnAt, revealColumn } from './columns.ts';

/** More than this share of the screen is not given to them: there would be no room for what is scrolled. */
const SHARE_MAX = 0.4;

/** The columns that stay, from left to right. Each is where it is among the others until it would leave the screen. */
export interface Pinned {
  readonly columns: readonly number[];
  /** How far from the left each comes to rest; one more than there are columns: the last is the width of all. */
  readonly rests: readonly number[];
}

export const NONE_PINNED: Pinned = { columns: [], rests: [0] };

/** Those of the key for which there is room where `widthPx` are seen. */
export function pinnedColumns(columns: readonly Column[], { widths }: ColumnLayout, widthPx: number): Pinned {
  const pinned: number[] = [];
  const rests = [0];
  for (const [index, { primaryKey }] of columns.entries()) {
    if (!primaryKey) continue;
    const end = (rests.at(-1) ?? 0) + (widths[index] ?? 0);
    if (end > widthPx * SHARE_MAX) break;
    pinned.push(index);
    rests.push(end);
  }
  // Where nothing else is there, nothing is scrolled.
  return pinned.length === columns.length ? NONE_PINNED : { columns: pinned, rests };
}

export function isSamePinned(one: Pinned, other: Pinned): boolean {
  return one.columns.join() === other.columns.join() && one.rests.join() === other.rests.join();
}

/** How far a column is from the left edge of the columns, where these are scrolled by `scrollLeft`. */
export function seenLeft({ lefts }: ColumnLayout, pinned: Pinned, column: number, scrollLeft: number): number {
  const left = (lefts[column] ?? 0) - scrollLeft;
  const place = pinned.columns.indexOf(column);
  return place < 0 ? left : Math.max(left, pinned.rests[place] ?? 0);
}

/** Room between a pinned column and the one before it, where both stand among the others. */
export function gapBefore({ lefts }: ColumnLayout, pinned: Pinned, place: number): number {
  const before = pinned.columns[place - 1];
  return (lefts[pinned.columns[place] ?? 0] ?? 0) - (before === undefined ? 0 : (lefts[before + 1] ?? 0));
}

/** Whether any column has left its place among the others. */
export function isAtRest(columns: ColumnLayout, pinned: Pinned, scrollLeft: number): boolean {
  const last = pinned.columns.at(-1);
  return last === undefined ? scrollLeft > 0 : (columns.lefts[last] ?? 0) - scrollLeft < (pinned.rests.at(-2) ?? 0);
}

/** Index of the column that is seen at `x`. */
export function seenColumnAt(columns: ColumnLayout, pinned: Pinned, scrollLeft: number, x: number): number {
  const found = pinned.columns.find(column => {
    const left = seenLeft(columns, pinned, column, scrollLeft);
    return x >= left && x < left + (columns.widths[column] ?? 0);
  });
  return found ?? columnAt(columns, x + scrollLeft);
}

/** The scroll position at which none of the columns that stay covers another one. */
export function revealBeside(
  columns: ColumnLayout,
  pinned: Pinned,
  column: number,
  scrollLeft: number,
  widthPx: number,
): number {
  // Those further right stand where they are.
  const before = pinned.columns.filter(one => one < column).length;
  const covered = pinned.rests[before] ?? 0;
  const isResting = pinned.columns.includes(column) && (columns.lefts[column] ?? 0) - scrollLeft < covered;
  return isResting ? scrollLeft : revealColumn(columns, column, scrollLeft + covered, widthPx - covered) - covered;
}
