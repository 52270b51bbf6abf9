import { expect, test } from 'vitest';
import { column } from '../testing/columns.ts';
import { batchOf } from '../testing/fake_batch.ts';
import { CELL_CHARS_MAX, cellView, oneLine } from './cells.ts';
import { ResultPages } from './pages.ts';

const columns = [column({ name: 'n', kind: 'int' }), column({ name: 't' }), column({ name: 'b', kind: 'binary' })];

test('NULL, the text NULL and the empty text look different', () => {
  const batch = batchOf(columns, [
    [1, null, null],
    [2, 'NULL', new Uint8Array()],
    [3, '', Uint8Array.of(0xca, 0xfe)],
  ]);
  const views = [0, 1, 2].map(row => cellView(batch.column(1), row));
  expect(views).toEqual([
    { text: 'NULL', look: 'null' },
    { text: 'NULL', look: 'text' },
    { text: '', look: 'text' },
  ]);
  expect(cellView(batch.column(2), 2)).toEqual({ text: '0xCAFE', look: 'bytes' });
  expect(cellView(batch.column(0), 0)).toEqual({ text: '1', look: 'number' });
});

test('long texts are clipped and stay in one line', () => {
  expect(oneLine('a\r\nb\tc\n')).toBe('a↵b⇥c↵');
  expect(['', '  ', ' x', 'x y  '].map(oneLine)).toEqual(['', '··', ' x', 'x y··']);
  // What turns a text around is seen; letters that are written from right to left are as they are.
  expect(oneLine('file\u202egnp.exe')).toBe('file⟨202E⟩gnp.exe');
  expect(oneLine('עברית abc')).toBe('עברית abc');
  expect(oneLine('x'.repeat(5000))).toHaveLength(CELL_CHARS_MAX + 1);
});

test('large binaries show their start and their size', () => {
  const batch = batchOf([columns[2]!], [[new Uint8Array(3000)]]);
  expect(cellView(batch.column(0), 0).text).toMatch(/^0x0+… 2\.9 KB$/);
});

test('rows are found in the batch that holds them, in any order', () => {
  const pages = new ResultPages([columns[0]!]);
  for (let start = 0; start < 1000; start += 100) {
    pages.push(
      batchOf(
        [columns[0]!],
        Array.from({ length: 100 }, (_, index) => [start + index]),
      ),
    );
  }
  pages.push(batchOf([columns[0]!], []));
  expect(pages.rowCount).toBe(1000);
  for (const row of [0, 99, 100, 500, 501, 3, 999, 98]) expect(pages.text(row, 0)).toBe(String(row));
  expect(pages.text(1000, 0)).toBeUndefined();
  expect(pages.text(-1, 0)).toBeUndefined();
});
