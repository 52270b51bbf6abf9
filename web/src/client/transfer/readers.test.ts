import { expect, test } from 'vitest';
import { type CsvField, CsvReader } from './csv_reader.ts';
import { type JsonObject, JsonReader } from './json_reader.ts';
import { csvField } from './rows_text.ts';
import { pieces } from './text_input.ts';

/** Reads a text cut into pieces of a length. */
function inPieces<T>(text: string, length: number, read: (piece: string, isLast: boolean) => T[]): T[] {
  const found: T[] = [];
  for (let at = 0; at < text.length; at += length) found.push(...read(text.slice(at, at + length), false));
  return [...found, ...read('', true)];
}

const readCsv = (text: string, length: number): CsvField[][] => {
  const reader = new CsvReader();
  return inPieces(text, length, (piece, isLast) => reader.read(piece, isLast));
};

test('CSV is read the same however it is cut', () => {
  const text = '\ufeffa,b\r\n1,"x ""y"", z"\n,""\r\n"two\r\nlines",漢字😀\n\nlast,';
  const expected = [
    ['a', 'b'],
    ['1', 'x "y", z'],
    [null, ''],
    ['two\r\nlines', '漢字😀'],
    ['last', null],
  ];
  for (let length = 1; length <= text.length; length++) expect(readCsv(text, length)).toEqual(expected);
});

test('what is written as CSV is read back', () => {
  const rows: CsvField[][] = [
    ['plain', null, ''],
    ['"', ',', '\r\n'],
    ['a"b,c\nd', '0', ' '],
  ];
  const text = rows.map(row => `${row.map(csvField).join(',')}\n`).join('');
  expect(readCsv(text, 3)).toEqual(rows);
});

const readJson = (text: string, length: number, isLines: boolean): JsonObject[] => {
  const reader = new JsonReader(isLines);
  return inPieces(text, length, (piece, isLast) => reader.read(piece, isLast));
};

test('JSON rows are read in each form, however they are cut', () => {
  const rows = [{ a: 1, b: 'x}"]{' }, { a: null, c: [{ d: '\\' }] }, {}];
  const [first, second, third] = rows.map(row => JSON.stringify(row));
  const whole = [`[${first}, ${second},\n${third}]\n`, `{"rows": [${first},${second},${third}]}\n`];
  for (let length = 1; length < 60; length++) {
    for (const text of whole) expect(readJson(text, length, false)).toEqual(rows);
    expect(readJson(`${first}\n${second}\r\n\n${third}`, length, true)).toEqual(rows);
  }
  expect(readJson('{}\n', 1, false)).toEqual([]);
});

test('text that holds no rows is refused', () => {
  expect(() => readJson('[1, 2]', 10, false)).toThrow('must be an object');
  expect(() => readJson('[{"a": 1}, {"b": ', 10, false)).toThrow('ends early');
  expect(() => readJson('{"a": nothing}', 10, true)).toThrow('nothing');
  expect(() => readJson(`{"columns": ["${'x'.repeat(200)}"]}`, 300, false)).toThrow('array');
});

test('a character that two pieces share comes whole', async () => {
  const bytes = new TextEncoder().encode('a漢😀é');
  async function* single(): AsyncIterableIterator<Uint8Array> {
    for (const byte of bytes) yield new Uint8Array([byte]);
  }
  let text = '';
  for await (const piece of pieces(single())) text += piece;
  expect(text).toBe('a漢😀é');
  text = '';
  for await (const piece of pieces(new Blob([bytes]))) text += piece;
  expect(text).toBe('a漢😀é');
});
