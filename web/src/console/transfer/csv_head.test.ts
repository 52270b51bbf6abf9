import { expect, test } from 'vitest';
import { csvRows, keyNames, likelyKey, separatorOf, startsWithTitles } from './csv_head.ts';

test('what separates the fields is seen in the first rows', () => {
  expect(separatorOf('a,b\n1,2\n')).toBe(',');
  // Numbers with a comma, and names in quotes that have all of them.
  expect(separatorOf('Order #;"Name, first|last";Total\r\n1;"Müller; A";9,50\r\n2;"B\r\nC";1,00\r\n')).toBe(';');
  expect(separatorOf('a\tb, c\n1\t2\n')).toBe('\t');
  expect(separatorOf('a|b\n1|2\n3|4,5')).toBe('|');
  expect(separatorOf('just words\nand more, of them\n')).toBe(',');
  expect(separatorOf('')).toBe(',');
});

test('rows are cut as the import cuts them, and one that is not complete is left out', () => {
  expect(csvRows('\ufeffa;b\n"x ""y""";\n\n"1', ';')).toEqual([
    ['a', 'b'],
    ['x "y"', ''],
  ]);
  expect(csvRows('a,b\n1,2', ',', true)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  // A quote that is not closed.
  expect(csvRows('1,"leek, long\n', ',', true)).toEqual([['1', '"leek', ' long']]);
});

test('the key is a column whose values all differ', () => {
  expect(
    likelyKey([
      ['no', 'id'],
      ['1', '7'],
      ['2', '8'],
    ]),
  ).toBe('no');
  expect(
    likelyKey([
      ['town', 'id'],
      ['x', '7'],
      ['x', '8'],
    ]),
  ).toBe('id');
  expect(
    likelyKey([
      ['town', 'dish'],
      ['x', 'a'],
      ['x', 'b'],
    ]),
  ).toBeUndefined();
  expect(
    likelyKey([
      ['', 'id'],
      ['1', '7'],
      ['2', '8'],
    ]),
  ).toBe('id');
  expect(keyNames([[' a ', '', 'B', 'b']])).toEqual(['a']);
});

test('a first row that is like those below it has no names', () => {
  const rows = (text: string) => csvRows(text, ',', true);
  expect(startsWithTitles(rows('id,name\n1,Ada\n'))).toBe(true);
  expect(startsWithTitles(rows('1,Ada\n2,Bob\n'))).toBe(false);
  expect(startsWithTitles(rows('Ada,2024-02-10\nBob,\nCyd,2024-02-11\n'))).toBe(false);
  expect(startsWithTitles(rows('country,2023,2024\nIE,1.5,2\n'))).toBe(true);
  expect(startsWithTitles(rows('country,1.2.2024\nIE,1.5\n'))).toBe(true);
  expect(startsWithTitles(rows('7,8\n'))).toBe(true);
  expect(startsWithTitles([])).toBe(true);
});

test('quotes may be written with a backslash', () => {
  const rows = csvRows('id,t\n1,"a \\"b\\", c\\\\"\n2,x\\,y\n', ',', true, '\\');
  expect(rows).toEqual([
    ['id', 't'],
    ['1', 'a "b", c\\'],
    ['2', 'x,y'],
  ]);
});
