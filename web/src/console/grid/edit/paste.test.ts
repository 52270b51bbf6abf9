import { expect, test } from 'vitest';
import { column } from '../../testing/columns.ts';
import { copyText } from '../copy.ts';
import { pastedCells } from './paste.ts';

test('what was copied is pasted as it was, with its quotes, lines, empty texts and NULLs', () => {
  const columns = ['a', 'b', 'c'].map(name => column({ name }));
  const rows = [
    ['1', 'Ann "A"', '{"a": "b\tc"}'],
    ['two\nlines\r\n', null, ''],
    [null, 'x', null],
  ];
  expect(pastedCells(copyText({ columns, rows }, { format: 'tsv', withHeader: false }))).toEqual(rows);
});

test('a spreadsheet ends its last line, and a quote within a field or without an end is a letter', () => {
  expect(pastedCells('1\t5" pipe\r\n2\t"open\r\n')).toEqual([
    ['1', '5" pipe'],
    ['2', '"open'],
  ]);
  expect(pastedCells('a\t')).toEqual([['a', null]]);
  expect(pastedCells('\n')).toEqual([[null]]);
});
