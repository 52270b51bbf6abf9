import { expect, test } from 'vitest';
import {
  autoWidth,
  COLUMN_AUTO_MAX_PX,
  COLUMN_MIN_PX,
  columnAt,
  columnWindow,
  layout,
  leastChars,
  resize,
  revealColumn,
  shortType,
  spread,
  totalWidth,
} from './columns.ts';

const metrics = { cellCharPx: 7, headerCharPx: 7, typeCharPx: 6 };
const hundred = layout(Array.from({ length: 200 }, () => 100));

test('a header has no room for collations, nor for the values of an enum', () => {
  expect(shortType('varchar(120) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci')).toBe('varchar(120)');
  expect(shortType("enum('a COLLATE b','c)') COLLATE utf8mb4_bin")).toBe('enum(…)');
});

test('a column is as wide as its widest part, within limits', () => {
  expect(autoWidth(2, 3, 1, metrics)).toBeGreaterThanOrEqual(COLUMN_MIN_PX);
  expect(autoWidth(2, 3, 20, metrics)).toBe(20 * 7 + 21);
  expect(autoWidth(2, 3, 5000, metrics)).toBe(COLUMN_AUTO_MAX_PX);
});

test('a long name alone does not make a column huge', () => {
  expect(autoWidth(64, 10, 3, metrics)).toBe(241);
});

test('places add up', () => {
  const columns = layout([50, 70, 80]);
  expect(columns.lefts).toEqual([0, 50, 120, 200]);
  expect(totalWidth(columns)).toBe(200);
  expect(totalWidth(layout([]))).toBe(0);
});

test('the column under a point', () => {
  const columns = layout([50, 70, 80]);
  expect([0, 49, 50, 119, 120, 900].map(x => columnAt(columns, x))).toEqual([0, 0, 1, 1, 2, 2]);
  expect(columnAt(layout([]), 3)).toBe(-1);
});

test('only the columns on the screen are drawn', () => {
  expect(columnWindow(hundred, 0, 500)).toEqual({ first: 0, end: 7 });
  expect(columnWindow(hundred, 10_000, 500)).toEqual({ first: 99, end: 107 });
  expect(columnWindow(layout([]), 0, 500)).toEqual({ first: 0, end: 0 });
});

test('resizing keeps the limits and moves what follows', () => {
  const columns = resize(layout([50, 70, 80]), 1, 10);
  expect(columns.widths).toEqual([50, COLUMN_MIN_PX, 80]);
  expect(columns.lefts).toEqual([0, 50, 98, 178]);
});

test('revealing a column scrolls as little as it can', () => {
  expect(revealColumn(hundred, 2, 0, 500)).toBe(0);
  expect(revealColumn(hundred, 5, 0, 500)).toBe(100);
  expect(revealColumn(hundred, 3, 900, 500)).toBe(300);
  expect(revealColumn(layout([900, 100]), 0, 50, 500)).toBe(0);
});

test('rows are sampled from the first to the last', () => {
  expect(spread(3, 10)).toEqual([0, 1, 2]);
  expect(spread(1_000_000, 3)).toEqual([0, 500_000, 999_999]);
  expect([spread(0, 3), spread(1, 3), spread(9, 1)]).toEqual([[], [0], [8]]);
});

test('numbers get room to grow', () => {
  expect(['tinyint(1)', 'int unsigned', 'bigint', 'varchar(9)'].map(leastChars)).toEqual([2, 8, 10, 4]);
});
