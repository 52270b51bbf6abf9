import { expect, test } from 'vitest';
import { column } from '../testing/columns.ts';
import { copyText, fileText, sqlLiteral, uniqueNames } from './copy.ts';

const columns = [
  column({ name: 'id', kind: 'int', table: 'people' }),
  column({ name: 'name', kind: 'text', table: 'people' }),
  column({ name: 'data', kind: 'json', table: 'people' }),
  column({ name: 'photo', kind: 'binary', table: 'people' }),
];
const rows = [
  ['1', 'Ann "A"', '{"a": 1}', '0xFF'],
  ['2', null, null, '0x'],
  ['3', '', '[]', null],
  ['4', 'tab\there', 'null', null],
];

test('TSV quotes what would break a line, and tells NULL from empty', () => {
  expect(copyText({ columns, rows }, { format: 'tsv', withHeader: true }).split('\n')).toEqual([
    'id\tname\tdata\tphoto',
    '1\t"Ann ""A"""\t"{""a"": 1}"\t0xFF',
    '2\t\t\t0x',
    '3\t""\t[]\t',
    '4\t"tab\there"\tnull\t',
  ]);
});

test('CSV ends lines as RFC 4180 says', () => {
  expect(copyText({ columns, rows: [rows[0]!, rows[1]!] }, { format: 'csv', withHeader: false })).toBe(
    '1,"Ann ""A""","{""a"": 1}",0xFF\r\n2,,,0x',
  );
});

test('a Markdown table keeps to its lines, with numbers to the right', () => {
  const odd = [['1', 'a|b\nc', null, '\\']];
  expect(copyText({ columns, rows: odd }, { format: 'markdown', withHeader: true }).split('\n')).toEqual([
    '| id | name | data | photo |',
    '| ---: | --- | --- | --- |',
    '| 1 | a\\|b<br>c | NULL | \\\\ |',
  ]);
});

test('JSON keeps documents and numbers as they are', () => {
  const parsed = JSON.parse(copyText({ columns, rows }, { format: 'json', withHeader: true }));
  expect(parsed[0]).toEqual({ id: 1, name: 'Ann "A"', data: { a: 1 }, photo: '0xFF' });
  expect(parsed[3]).toEqual({ id: 4, name: 'tab\there', data: null, photo: null });
  expect(copyText({ columns, rows: [] }, { format: 'json', withHeader: true })).toBe('[]');
  const zerofill = copyText({ columns: [columns[0]!], rows: [['007']] }, { format: 'json', withHeader: true });
  expect(JSON.parse(zerofill)).toEqual([{ id: '007' }]);
});

test('integers beyond 2^53 keep every digit in JSON', () => {
  const text = copyText(
    { columns: [columns[0]!], rows: [['9223372036854775807']] },
    { format: 'json', withHeader: true },
  );
  expect(text).toContain('"id": 9223372036854775807');
});

test('INSERT names the table and writes literals', () => {
  expect(copyText({ columns, rows: rows.slice(0, 2) }, { format: 'insert', withHeader: true })).toBe(
    'INSERT INTO `people` (`id`, `name`, `data`, `photo`) VALUES\n' +
      `  (1, 'Ann "A"', '{"a": 1}', 0xFF),\n` +
      "  (2, NULL, NULL, '');",
  );
});

test('INSERT of a join has no table to name', () => {
  const joined = [column({ name: 'id', kind: 'int', table: 'a' }), column({ name: 'id', kind: 'int', table: 'b' })];
  expect(copyText({ columns: joined, rows: [['1', '2']] }, { format: 'insert', withHeader: true })).toBe(
    'INSERT INTO `table_name` (`id`, `id_2`) VALUES\n  (1, 2);',
  );
});

test('long INSERTs are cut into statements', () => {
  const many = Array.from({ length: 1001 }, (_, index) => [String(index)]);
  const text = copyText({ columns: [columns[0]!], rows: many }, { format: 'insert', withHeader: true });
  expect(text.match(/INSERT INTO/g)).toHaveLength(3);
});

test('literals by kind', () => {
  expect(sqlLiteral('2024-01-01', column({ kind: 'date' }))).toBe("'2024-01-01'");
  expect(sqlLiteral('1.50', column({ kind: 'decimal' }))).toBe('1.50');
  expect(uniqueNames([column({ name: 'a' }), column({ name: 'a' })])).toEqual(['a', 'a_2']);
});

test('a file holds all pieces of the rows, whole lines of each', () => {
  const text = (format: 'csv' | 'json' | 'jsonl', pieces = [rows.slice(0, 1), rows.slice(1)]) =>
    [...fileText(columns, pieces, format)].join('');
  expect(text('csv')).toBe(`${copyText({ columns, rows }, { format: 'csv', withHeader: true })}\r\n`);
  expect(text('json')).toBe(`${copyText({ columns, rows }, { format: 'json', withHeader: true })}\n`);
  const objects = JSON.parse(text('json'));
  expect(
    text('jsonl')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toEqual(objects);
  expect([text('csv', []), text('json', []), text('jsonl', [])]).toEqual(['id,name,data,photo\r\n', '[]\n', '']);
});
