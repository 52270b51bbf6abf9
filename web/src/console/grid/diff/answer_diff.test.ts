import { expect, test } from 'vitest';
import type { Value } from '../../../lib/index.ts';
import { column } from '../../testing/columns.ts';
import { batchOf } from '../../testing/fake_batch.ts';
import { ResultPages } from '../pages.ts';
import { AnswerDiff, findKey, pairColumns } from './answer_diff.ts';

type Names = readonly (string | { readonly name: string; readonly primaryKey: true })[];

function answer(names: Names, ...rows: Value[][]): ResultPages {
  const columns = names.map(name =>
    column({ type: 'longtext', kind: 'text', ...(typeof name === 'string' ? { name } : name) }),
  );
  const pages = new ResultPages(columns);
  pages.push(batchOf(columns, rows));
  return pages;
}

function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

function compared(from: ResultPages, to: ResultPages, wish?: readonly number[]) {
  const pairs = pairColumns(from.columns, to.columns);
  const key = wish ?? finish(findKey(from, to, pairs));
  const diff = new AnswerDiff(from, to, pairs, key);
  finish(diff.compare());
  const lines = Array.from({ length: diff.rowCount }, (_, line) =>
    [diff.mark(line).meaning, ...diff.columns.map((_, index) => diff.text(line, index) ?? 'NULL')].join(' '),
  );
  return { key: key.map(index => diff.columns[index]?.name), counts: diff.counts, lines, diff };
}

const ID = { name: 'id', primaryKey: true } as const;

test('rows are matched by the key of their table, wherever they stand', () => {
  const from = answer(['name', ID], ['kale', '1'], ['leek', '2'], ['pea', '3']);
  const to = answer(['name', ID], ['pea', '3'], ['curly kale', '1'], ['bean', '4']);
  const { key, counts, lines } = compared(from, to);
  expect(key).toEqual(['id']);
  expect(counts).toEqual({ added: 1, removed: 1, modified: 1 });
  expect(lines).toEqual(['Removed leek 2', 'Before kale 1', 'After curly kale 1', 'Added bean 4']);
});

test('without one the first columns that tell rows apart are the key, also where a table has one that does not', () => {
  const names: Names = ['family', 'habit', 'species'];
  const from = answer(names, ['Rosaceae', 'tree', '3'], ['Rosaceae', 'herb', '4']);
  const to = answer(names, ['Rosaceae', 'tree', '5'], ['Rosaceae', 'herb', '4']);
  expect(compared(from, to)).toMatchObject({ key: ['family', 'habit'], counts: { added: 0, removed: 0, modified: 1 } });
  const joined: Names = [ID, 'site'];
  const { key, lines } = compared(answer(joined, ['1', 'a'], ['1', 'b']), answer(joined, ['1', 'a'], ['1', 'c']));
  expect(key).toEqual(['id', 'site']);
  expect(lines).toEqual(['Removed 1 b', 'Added 1 c']);
});

test('single rows are one before and after', () => {
  const { lines, key } = compared(answer(['n', 'sum'], ['7', '70']), answer(['n', 'sum'], ['8', '70']));
  expect(key).toEqual([]);
  expect(lines).toEqual(['Before 7 70', 'After 8 70']);
});

test('equal rows are counted, and NULL is no empty text', () => {
  const from = answer(['a', 'b'], ['x', null], ['x', null], ['y', '']);
  const to = answer(['a', 'b'], ['x', null], ['y', null], ['y', '']);
  const { lines } = compared(from, to);
  expect(lines).toEqual(['Removed x NULL', 'Added y NULL']);
});

test('the key can be chosen; rows that share one are matched in their order', () => {
  const from = answer(['a', 'b'], ['x', '1'], ['x', '2']);
  const to = answer(['a', 'b'], ['x', '1'], ['x', '3'], ['x', '4']);
  expect(compared(from, to, [0]).lines).toEqual(['Before x 2', 'After x 3', 'Added x 4']);
});

test('a column of one side makes its rows others, and columns of one name are matched in order', () => {
  const from = answer([ID, 'v', 'v', 'old'], ['1', 'a', 'b', 'o']);
  const to = answer([ID, 'v', 'v', 'new'], ['1', 'a', 'c', 'n'], ['2', 'd', 'e', 'n']);
  const { diff, lines } = compared(from, to);
  expect(diff.columns.map(({ name }) => name)).toEqual(['id', 'v', 'v', 'new', 'old']);
  expect(lines).toEqual(['Before 1 a b NULL o', 'After 1 a c n NULL', 'Added 2 d e n NULL']);
  expect(diff.view(1, 1)?.state).toBe('same');
  expect(diff.view(1, 2)?.state).toBe('changed');
});
