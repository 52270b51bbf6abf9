import { expect, test } from 'vitest';
import { column } from '../testing/columns.ts';
import { layout } from './columns.ts';
import { pinnedCount, revealBeside, seenColumnAt } from './pinned.ts';

const key = column({ primaryKey: true });
const other = column({});

test('the first columns of the key stay, as far as there is room for others', () => {
  const hundreds = layout([100, 100, 100, 100]);
  expect(pinnedCount([key, key, other, other], hundreds, 1000)).toBe(2);
  expect(pinnedCount([key, key, other, other], hundreds, 400)).toBe(1);
  expect(pinnedCount([key, key, other, other], hundreds, 200)).toBe(0);
  expect(pinnedCount([other, key, other, other], hundreds, 1000)).toBe(0);
  expect(pinnedCount([key, key], layout([50, 50]), 1000)).toBe(0);
});

test('what is under a point is the column that is seen there', () => {
  const columns = layout([50, 100, 100, 100]);
  expect(seenColumnAt(columns, 1, 120, 10)).toBe(0);
  expect(seenColumnAt(columns, 1, 120, 60)).toBe(2);
  expect(seenColumnAt(columns, 0, 120, 10)).toBe(1);
});

test('a column is shown beside those that stay, not below them', () => {
  const columns = layout([50, 100, 100, 100]);
  expect(revealBeside(columns, 1, 1, 120, 200)).toBe(0);
  expect(revealBeside(columns, 1, 3, 0, 200)).toBe(150);
  expect(revealBeside(columns, 1, 0, 120, 200)).toBe(120);
});
