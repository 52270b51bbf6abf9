import { expect, test } from 'vitest';
import { column } from '../testing/columns.ts';
import { layout } from './columns.ts';
import { gapBefore, isAtRest, type Pinned, pinnedColumns, revealBeside, seenColumnAt, seenLeft } from './pinned.ts';

const key = column({ primaryKey: true });
const other = column({});

const first: Pinned = { columns: [0], rests: [0, 50] };
/** The second and the fourth of five columns, each 100 wide. */
const inner: Pinned = { columns: [1, 3], rests: [0, 100, 200] };
const hundreds = layout([100, 100, 100, 100, 100]);

test('the columns of the key stay, as far as there is room for others', () => {
  const pinned = (columns: Parameters<typeof pinnedColumns>[0], widthPx: number) =>
    pinnedColumns(columns, hundreds, widthPx).columns;
  expect(pinned([key, key, other, other], 1000)).toEqual([0, 1]);
  expect(pinned([key, key, other, other], 400)).toEqual([0]);
  expect(pinned([key, key, other, other], 200)).toEqual([]);
  expect(pinned([other, key, other, key], 1000)).toEqual([1, 3]);
  expect(pinned([key, key], 1000)).toEqual([]);
});

test('one that does not stand first stays where it is until it would leave', () => {
  expect([0, 50, 100, 150, 400].map(x => seenLeft(hundreds, inner, 1, x))).toEqual([100, 50, 0, 0, 0]);
  expect([0, 150, 200, 400].map(x => seenLeft(hundreds, inner, 3, x))).toEqual([300, 150, 100, 100]);
  expect([gapBefore(hundreds, inner, 0), gapBefore(hundreds, inner, 1)]).toEqual([100, 100]);
  expect([150, 250].map(x => isAtRest(hundreds, inner, x))).toEqual([false, true]);
  expect(seenColumnAt(hundreds, inner, 150, 50)).toBe(1);
  expect(seenColumnAt(hundreds, inner, 150, 120)).toBe(2);
  expect(seenColumnAt(hundreds, inner, 0, 50)).toBe(0);
  expect(revealBeside(hundreds, inner, 0, 150, 250)).toBe(0);
  expect(revealBeside(hundreds, inner, 1, 150, 250)).toBe(150);
  expect(revealBeside(hundreds, inner, 2, 150, 250)).toBe(100);
  expect(revealBeside(hundreds, inner, 3, 0, 250)).toBe(150);
});

test('what is under a point is the column that is seen there', () => {
  const columns = layout([50, 100, 100, 100]);
  expect(seenColumnAt(columns, first, 120, 10)).toBe(0);
  expect(seenColumnAt(columns, first, 120, 60)).toBe(2);
  expect(seenColumnAt(columns, { columns: [], rests: [0] }, 120, 10)).toBe(1);
});

test('a column is shown beside those that stay, not below them', () => {
  const columns = layout([50, 100, 100, 100]);
  expect(revealBeside(columns, first, 1, 120, 200)).toBe(0);
  expect(revealBeside(columns, first, 3, 0, 200)).toBe(150);
  expect(revealBeside(columns, first, 0, 120, 200)).toBe(120);
});
