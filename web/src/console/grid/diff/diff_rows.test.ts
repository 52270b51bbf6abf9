import { expect, test } from 'vitest';
import type { Value } from '../../../lib/index.ts';
import { column } from '../../testing/columns.ts';
import { lazyBatch } from '../../testing/fake_batch.ts';
import { SomeColumns } from '../some_columns.ts';
import { DiffRows } from './diff_rows.ts';

const NAMES = [
  'to_id',
  'to_name',
  'to_size',
  'to_commit',
  'to_commit_date',
  'from_id',
  'from_name',
  'from_old',
  'diff_type',
];
const COLUMNS = NAMES.map(name => column({ name, type: 'longtext', kind: 'text' }));

function rowsOf(...rows: Value[][]): DiffRows {
  const diff = new DiffRows(COLUMNS, new Set(['id']));
  diff.push(lazyBatch(COLUMNS, rows.length, (row, index) => rows[row]?.[index] ?? null));
  return diff;
}

const diff = rowsOf(
  ['1', 'new', 's', 'WORKING', null, null, null, null, 'added'],
  [null, null, null, 'WORKING', null, '2', 'gone', 'o', 'removed'],
  ['3', 'after', 's', 'WORKING', null, '3', 'before', 'o', 'modified'],
);
const texts = (rows: { columns: readonly unknown[]; text(row: number, column: number): unknown }, row: number) =>
  rows.columns.map((_, index) => rows.text(row, index));

test('a row that came or went is one line, one that changed is two', () => {
  expect(diff.columns.map(({ name }) => name)).toEqual(['id', 'name', 'size', 'old']);
  expect(diff.rowCount).toBe(4);
  expect([0, 1, 2, 3].map(row => diff.mark(row).sign)).toEqual(['+', '−', '−', '+']);
  expect(texts(diff, 0)).toEqual(['1', 'new', 's', undefined]);
  expect(texts(diff, 1)).toEqual(['2', 'gone', undefined, 'o']);
  expect(texts(diff, 2)).toEqual(['3', 'before', undefined, 'o']);
  expect(texts(diff, 3)).toEqual(['3', 'after', 's', undefined]);
  expect(diff.counts).toEqual({ added: 1, removed: 1, modified: 1 });
});

test('cells of a changed row say whether they are the same; a column of one side is absent on the other', () => {
  expect([0, 1, 2, 3].map(index => diff.view(3, index)?.state)).toEqual(['same', 'changed', 'changed', undefined]);
  expect(diff.view(3, 3)?.look).toBe('absent');
  expect(diff.view(0, 1)?.state).toBeUndefined();
  expect(diff.view(4, 0)).toBeUndefined();
});

test('columns that say nothing can be left out', () => {
  const same = rowsOf(['3', 'after', null, 'x', null, '3', 'before', null, 'modified']);
  // A column that only one side has is another one even where it is empty.
  expect(same.tellingColumns).toEqual([0, 1, 2, 3]);
  const some = new SomeColumns(diff, [0, 1]);
  expect(some.columns.map(({ name }) => name)).toEqual(['id', 'name']);
  expect(texts(some, 3)).toEqual(['3', 'after']);
  expect(some.mark?.(2)?.tone).toBe('line-old');
});

test('a cell that was changed has both its values, whichever line it is looked at in', () => {
  expect([2, 3].map(row => diff.change(row, 1))).toEqual([
    { before: 'before', after: 'after' },
    { before: 'before', after: 'after' },
  ]);
  expect(diff.change(2, 0)).toBeUndefined();
  expect(diff.change(0, 1)).toBeUndefined();
  expect(new SomeColumns(diff, [1]).change(3, 0)).toEqual({ before: 'before', after: 'after' });
});
