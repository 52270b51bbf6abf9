import { expect, test } from 'vitest';
import { fileNameOf, formatOf, tableNameOf } from './formats.ts';

test('the end of a name tells the format', () => {
  expect(['a.SQL', 'b.csv', 'c.json', 'd.ndjson', 'e.jsonl', 'f.txt', 'g'].map(formatOf)).toEqual([
    'sql',
    'csv',
    'json',
    'jsonl',
    'jsonl',
    undefined,
    undefined,
  ]);
});

test('a table is called like its file', () => {
  expect(tableNameOf('seeds.csv')).toBe('seeds');
  expect(tableNameOf('2025 Seeds (final).csv')).toBe('2025_seeds_final');
  expect(tableNameOf('Ménage.v2.json')).toBe('ménage_v2');
  expect(tableNameOf('___.csv')).toBe('imported');
});

test('a file is called like its table, as far as files can be', () => {
  expect(fileNameOf('a/b', 'csv')).toBe('a_b.csv');
  expect(fileNameOf('', 'zip')).toBe('database.zip');
});
