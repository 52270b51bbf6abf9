import { expect, test } from 'vitest';
import { column } from '../testing/columns.ts';
import { batchOf } from '../testing/fake_batch.ts';
import { ResultPages } from './pages.ts';
import { shortNumber, totalsOf } from './totals.ts';

const columns = [
  column({ name: 'name' }),
  column({ name: 'amount', type: 'decimal(30,2)', kind: 'decimal' }),
  column({ name: 'weight', type: 'double', kind: 'float' }),
];

const pages = new ResultPages(columns);
pages.push(
  batchOf(columns, [
    ['1', '90071992547409930.10', 0.5],
    ['2', null, 0.25],
    ['x', '-0.2', null],
    ['4', '1', 1e300],
  ]),
);

const of = (firstColumn: number, endColumn: number, endRow = 4) =>
  totalsOf(pages, { firstRow: 0, endRow, firstColumn, endColumn });

test('decimals are summed to the last digit; NULL and text are no numbers', () => {
  expect(of(0, 2)).toMatchObject({ count: 3, sum: '90,071,992,547,409,930.90' });
  expect(of(0, 1)).toBeUndefined();
  expect(of(1, 2, 1)).toBeUndefined();
});

test('floating-point numbers are told as they are read', () => {
  expect(of(2, 3, 2)).toEqual({ count: 2, sum: '0.75', mean: 0.375 });
  expect(shortNumber(1 / 3)).toBe('0.333333');
  expect(shortNumber(-12_345.678)).toBe('-12,345.7');
});
