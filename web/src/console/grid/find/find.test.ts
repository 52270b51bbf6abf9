import { expect, test } from 'vitest';
import { column } from '../../testing/columns.ts';
import { batchOf } from '../../testing/fake_batch.ts';
import { ResultPages } from '../pages.ts';
import { Find, FOUND_MAX } from './find.ts';

const columns = [column({ name: 'id', type: 'int', kind: 'int' }), column({ name: 'note' })];

function pagesOf(rows: readonly (readonly [number, string | null])[]): ResultPages {
  const pages = new ResultPages(columns);
  pages.push(batchOf(columns, rows));
  return pages;
}

test('a text is found in every cell, whatever its case, and NULL is no text', () => {
  const find = new Find(
    pagesOf([
      [12, 'Kale'],
      [3, null],
      [4, 'okAles, 12'],
    ]),
    'KALE',
  );
  find.step(() => false);
  expect(find.found).toEqual([
    { row: 0, column: 1 },
    { row: 2, column: 1 },
  ]);
  const numbers = new Find(pagesOf([[12, 'null'], [3, null]]), '12'); // biome-ignore format: one line
  numbers.step(() => false);
  expect(numbers.found).toEqual([{ row: 0, column: 0 }]);
  expect(find.indexFrom({ row: 1, column: 0 }, 1)).toBe(1);
  expect(find.indexFrom({ row: 2, column: 1 }, 1)).toBe(1);
  expect(find.indexFrom({ row: 1, column: 0 }, -1)).toBe(0);
  expect(find.indexFrom({ row: 3, column: 0 }, 1)).toBe(-1);
  expect(find.indexBeyond({ row: 0, column: 1 }, 1)).toBe(1);
  expect(find.indexBeyond({ row: 2, column: 1 }, 1)).toBe(0);
  expect(find.indexBeyond({ row: 0, column: 1 }, -1)).toBe(1);
  expect(find.indexBeyond({ row: 1, column: 0 }, -1)).toBe(0);
});

test('rows that come later are looked through, piece by piece, and places beyond the most are not kept', () => {
  const pages = pagesOf(Array.from({ length: 1000 }, (_, id) => [id, 'x'] as const));
  const find = new Find(pages, 'x');
  find.step(() => true);
  expect(find.isDone).toBe(false);
  find.step(() => false);
  expect([find.isDone, find.found.length]).toEqual([true, 1000]);
  for (let more = 0; more < 12; more += 1)
    pages.push(
      batchOf(
        columns,
        Array.from({ length: 1000 }, (_, id) => [id, 'X']),
      ),
    );
  expect(find.isDone).toBe(false);
  find.step(() => false);
  expect([find.isDone, find.isClipped, find.found.length]).toEqual([true, true, FOUND_MAX]);
});
