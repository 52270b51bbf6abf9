import { expect, test } from 'vitest';
import { wireParam } from '../wire/params.ts';
import type { CsvEscape } from './csv/csv_escapes.ts';
import { CsvBody } from './csv/csv_preamble.ts';
import { type CsvField, CsvReader } from './csv/csv_reader.ts';
import { findForm } from './csv/csv_separator.ts';
import { csvField } from './export/rows_text.ts';
import { type JsonObject, JsonReader } from './json/json_reader.ts';
import { usableNames } from './table/column_map.ts';
import { rowsDecoder } from './text/encodings.ts';
import { pieces } from './text/text_input.ts';

/** Reads a text cut into pieces of a length. */
function inPieces<T>(text: string, length: number, read: (piece: string, isLast: boolean) => T[]): T[] {
  const found: T[] = [];
  for (let at = 0; at < text.length; at += length) found.push(...read(text.slice(at, at + length), false));
  return [...found, ...read('', true)];
}

const readCsv = (text: string, length: number, quoteEscape: CsvEscape = ''): CsvField[][] => {
  const reader = new CsvReader(',', quoteEscape);
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

test('fields may be separated by another character', () => {
  const read = (text: string, separator: string) => new CsvReader(separator).read(text, true);
  expect(read('a;"b;c";1,5\n', ';')).toEqual([['a', 'b;c', '1,5']]);
  expect(read('a\t\tb\n', '\t')).toEqual([['a', null, 'b']]);
  for (const wrong of ['', ';;', '"', '\n']) expect(() => new CsvReader(wrong)).toThrow('one character');
});

test('a backslash makes data of quotes where it is said to, as INTO OUTFILE of MySQL writes them', () => {
  const text =
    '1,"a \\"quoted\\", \\\\one",\\N\r\n2,two\\\nlines\\, and \\\\N,"\\N"\n\\Nx,"C:\\new\\path",\\0\n"doubled """,,"\\\\"\n\\N\nlast\\';
  const expected = [
    ['1', 'a "quoted", \\one', null],
    ['2', 'two\nlines, and \\N', '\\N'],
    ['\\Nx', 'C:\\new\\path', '\0'],
    ['doubled "', null, '\\'],
    [null],
    ['last\\'],
  ];
  for (let length = 1; length <= text.length; length++) expect(readCsv(text, length, '\\')).toEqual(expected);
  expect(readCsv('"C:\\",\\N\n', 100)).toEqual([['C:\\', '\\N']]);
  expect(() => readCsv('"x\\"\n', 100, '\\')).toThrow('not closed');
});

test.each<[what: string, text: string, separator: string, quoteEscape: CsvEscape]>([
  ['quotes behind a backslash', 'id,t\n1,"a \\"b\\""\n2,"c"\n', ',', '\\'],
  ['the same with semicolons', 'id;t\n1;"a \\"b\\"; c"\n2;"c"\n', ';', '\\'],
  ['a separator behind such a quote', 'id,t\n1,"a\\",b"\n2,"c"\n', ',', '\\'],
  ['paths that end with a backslash', 'id,path,n\n1,"C:\\dir\\",5\n2,"D:\\",6\n', ',', ''],
  ['paths between doubled quotes', 'id,t\n1,"the ""C:\\"" drive"\n', ',', ''],
  ['what both read, as it is data', 'a,b\n"x\\","y"\n', ',', ''],
  ['what neither reads', 'a,b\n1,"x"y\\"\n', ',', ''],
  ['a backslash and no quotes', 'a,b\n1,C:\\dir\n', ',', ''],
])('the form of CSV is found: %s', (_, text, separator, quoteEscape) => {
  expect(findForm(text, true)).toEqual({ separator, escape: quoteEscape, skipLines: 0 });
  expect(findForm(text, true, { escape: '\\' }).escape).toBe('\\');
});

test.each<[what: string, text: string, separator: string, skipLines: number]>([
  ['the line of Excel', 'sep=;\r\na;b\r\n1,5;2\r\n', ';', 1],
  ['the line of Excel in quotes, behind a mark', '\ufeff"sep=|"\na|b\n1|2\n', '|', 1],
  ['comments', '# made by x\n#, y\n\n# z\nid,day\n1,2\n2,3\n', ',', 4],
  ['comments with as many fields as the rows', '# a;b;c\nid;day;degrees\n1;2;3.5\n', ';', 1],
  ['titles that begin with #', '# of genes\n#chrom\tstart\tend\nchr1\t10\t20\nchr2\t30\t40\n', '\t', 1],
  ['one column of texts with #', '#one\n#two\nthree\n', ',', 0],
  ['a field that begins with # further below', 'a,b\n#1,2\n', ',', 0],
  ['a title called sep', 'sep=\n1\n', ',', 0],
  ['tildes', 'a~b\n1~2\n', '~', 0],
  ['carets', 'a^b\n1^2\n', '^', 0],
  ['Control-A', 'a\x01b\n1\x012\n', '\x01', 0],
  ['texts with a tilde', 'word\n~10\nabout ~ten\nx\n', ',', 0],
])('lines before the titles are found: %s', (_, text, separator, skipLines) => {
  expect(findForm(text, true)).toEqual({ separator, escape: '', skipLines });
});

test('lines before the titles and the end of a text for DOS are no rows, however the text is cut', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const rows = ['a,b', '1,\x1a', '\x1ax,2', ''].join(end);
    const text = `# one${end}# two${end}${rows}\x1a`;
    for (let length = 1; length <= text.length; length++) {
      const [texts, bytes] = [new CsvBody(2), new CsvBody(2)];
      let [fromTexts, fromBytes] = ['', ''];
      for (let at = 0; at < text.length; at += length) {
        const piece = text.slice(at, at + length);
        fromTexts += texts.text(piece);
        fromBytes += new TextDecoder().decode(bytes.bytes(new TextEncoder().encode(piece)));
      }
      expect([fromTexts, fromBytes]).toEqual([rows, rows]);
    }
  }
  expect(new CsvBody().text('a\x1a')).toBe('a\x1a');
  expect(new CsvBody(3).text('a\nb\n')).toBe('');
});

test('titles of columns become names that a table can have', () => {
  expect(usableNames([' Order # ', null, 'status', 'Status', 'status_2', ''])).toEqual([
    'Order #',
    'column_2',
    'status',
    'Status_2',
    'status_2_2',
    'column_6',
  ]);
  const [long, again] = usableNames(['x'.repeat(70), 'x'.repeat(80)]);
  expect([long, again]).toEqual(['x'.repeat(64), `${'x'.repeat(62)}_2`]);
});

test('what is written as CSV is read back', () => {
  const rows: CsvField[][] = [
    ['plain', null, ''],
    ['"', ',', '\r\n'],
    ['a"b,c\nd', '0', ' '],
  ];
  const text = rows.map(row => `${row.map(value => csvField(value)).join(',')}\n`).join('');
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
  expect(() => readJson('{"a": 1}', 10, false)).toThrow('JSON rows are an array');
  expect(() => readJson('{"a": nothing}', 10, true)).toThrow('nothing');
  expect(() => readJson(`{"columns": ["${'x'.repeat(200)}"]}`, 300, false)).toThrow('array');
});

test('a character that two pieces share comes whole', async () => {
  const bytes = new TextEncoder().encode('a漢😀é');
  async function* single(): AsyncIterableIterator<Uint8Array> {
    for (const byte of bytes) yield new Uint8Array([byte]);
  }
  let text = '';
  for await (const piece of pieces(single(), rowsDecoder(undefined))) text += piece.text;
  expect(text).toBe('a漢😀é');
  text = '';
  for await (const piece of pieces(new Blob([bytes]), rowsDecoder(undefined))) text += piece.text;
  expect(text).toBe('a漢😀é');
});

test('a quoted field that is not closed, or goes on, is refused: its row is not dropped', () => {
  for (const length of [1, 3, 100]) {
    expect(() => readCsv('a,b\n1,"x\n2,y\n', length)).toThrow('Row 2 of the file: a quoted field is not closed: 1,"x');
    expect(() => readCsv('a,b\n1,"x"y\n', length)).toThrow(
      'Row 2 of the file: a quoted field continues after its closing quote: 1,',
    );
  }
});

test('numbers of JSON keep every digit that a double would lose', () => {
  const text =
    '[{"id": 9007199254740993, "d": 1.23456789012345678901, "f": 0.30000000000000004, "t": "12345678901234567890", "j": {"big": [-18446744073709551615]}}]';
  for (let length = 1; length < text.length; length++) {
    expect(readJson(text, length, false)).toEqual([
      {
        id: 9007199254740993n,
        d: '1.23456789012345678901',
        f: 0.30000000000000004,
        t: '12345678901234567890',
        j: { big: [-18446744073709551615n] },
      },
    ]);
  }
  expect(wireParam({ big: [-18446744073709551615n], t: 'x' } as never)).toBe('{"big":[-18446744073709551615],"t":"x"}');
});

test('what stands behind the rows of JSON is refused', () => {
  for (const length of [1, 100]) {
    expect(() => readJson('[{"a": 1}]\n[{"a": 2}]', length, false)).toThrow('Unexpected text after the JSON rows');
    expect(readJson('{"rows": [{"a": 1}]\n}\n ', length, false)).toEqual([{ a: 1 }]);
  }
});

async function decoded(bytes: readonly number[], pieceLength: number, encoding?: string): Promise<string> {
  async function* cut(): AsyncIterableIterator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceLength) yield new Uint8Array(bytes.slice(at, at + pieceLength));
  }
  let text = '';
  for await (const piece of pieces(cut(), rowsDecoder(encoding))) text += piece.text;
  return text;
}

test('rows are decoded as their mark says, or as one says, and nothing else becomes of their bytes', async () => {
  const latin = [...new TextEncoder().encode('id,name\n1,漢\n2,caf'), 0xe9, 0x0a];
  for (const length of [1, 2, 7, 100]) {
    await expect(decoded(latin, length)).rejects.toThrow('Line 3: the byte 0xE9');
    expect(await decoded([0x63, 0xe9], length, 'windows-1252')).toBe('cé');
    expect(await decoded([0xff, 0xfe, 0x63, 0, 0xe9, 0], length)).toBe('cé');
    expect(await decoded([0xfe, 0xff, 0, 0x63], length)).toBe('c');
    expect(await decoded([0xef, 0xbb, 0xbf, 0x63], length)).toBe('c');
    expect(await decoded([0x63], length)).toBe('c');
    // A character that the text ends within.
    await expect(decoded([0x63, 0xe6, 0xbc], length)).rejects.toThrow('0xE6');
    await expect(decoded([0xff, 0xfe, 0x63], length)).rejects.toThrow('utf-16le');
    await expect(decoded([0x63], length, 'klingon')).rejects.toThrow('klingon is not a known encoding');
  }
});
