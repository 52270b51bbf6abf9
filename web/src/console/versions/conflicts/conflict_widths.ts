import type { Conflict } from '../../../lib/index.ts';
import type { TextOf } from './conflict.ts';

const LEAST_PX = 88;
const MOST_PX = 260;
const CHARACTER_PX = 7.3;
const PADDING_PX = 22;
const SAMPLE = 100;

/** Widths of the columns that show most of their values whole, in CSS pixels. */
export function columnWidths(
  columns: readonly string[],
  conflicts: readonly Conflict[],
  textOf: TextOf,
): readonly number[] {
  return columns.map(column => {
    let chars = column.length;
    for (const { base, ours, theirs } of conflicts.slice(0, SAMPLE)) {
      for (const row of [base, ours, theirs]) chars = Math.max(chars, textOf(column, row?.[column])?.length ?? 4);
    }
    return Math.round(Math.max(LEAST_PX, Math.min(MOST_PX, chars * CHARACTER_PX + PADDING_PX)));
  });
}
