import { expect, test } from 'vitest';
import { cellCount, extend, isInside, moveBy, rectangle, select, selectAll, selectRows } from './selection.ts';

const size = { rows: 100, columns: 4 };

test('a rectangle is the same whichever corner came first', () => {
  const there = extend(select({ row: 2, column: 3 }), { row: 5, column: 1 });
  const back = extend(select({ row: 5, column: 1 }), { row: 2, column: 3 });
  expect(rectangle(there)).toEqual(rectangle(back));
  expect(rectangle(there)).toEqual({ firstRow: 2, endRow: 6, firstColumn: 1, endColumn: 4 });
  expect(cellCount(rectangle(there))).toBe(12);
  expect(isInside(rectangle(there), 5, 1)).toBe(true);
  expect(isInside(rectangle(there), 6, 1)).toBe(false);
});

test('rows and everything', () => {
  expect(rectangle(selectRows(7, 3, size))).toEqual({ firstRow: 3, endRow: 8, firstColumn: 0, endColumn: 4 });
  expect(cellCount(rectangle(selectAll(size)))).toBe(400);
});

test('keys move the active cell and stop at the edges', () => {
  const from = { row: 10, column: 1 };
  const key = (name: string, jump = false) => moveBy(from, { key: name, jump }, size, 20);
  expect(key('ArrowUp')).toEqual({ row: 9, column: 1 });
  expect(key('ArrowDown', true)).toEqual({ row: 99, column: 1 });
  expect(key('ArrowRight', true)).toEqual({ row: 10, column: 3 });
  expect(key('PageUp')).toEqual({ row: 0, column: 1 });
  expect(key('PageDown')).toEqual({ row: 30, column: 1 });
  expect(key('Home')).toEqual({ row: 10, column: 0 });
  expect(key('End', true)).toEqual({ row: 99, column: 3 });
  expect(key('a')).toBeUndefined();
});
