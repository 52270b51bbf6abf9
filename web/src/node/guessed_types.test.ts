/** Types of the columns of a CSV file: what is guessed holds every value, and gives it back. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSeparator } from '../client/transfer/csv/csv_separator.ts';
import { scratchDirectory, withEngine } from '../testing/built_engine.ts';
import { runCommandLine } from './cli.ts';
import { type Database, open, type PlannedColumn, planRows, type RowFormat } from './index.ts';

const scratch = scratchDirectory();

async function typesOf(csv: string): Promise<readonly string[]> {
  return (await planRows(csv, { table: 't', format: 'csv', create: true, allRows: true })).map(({ type }) => type);
}

async function exported(database: Database, format: RowFormat = 'csv'): Promise<string> {
  let text = '';
  for await (const piece of database.exportRows({ table: 't', format })) text += piece;
  return text;
}

/** Columns of values that stand alone in the files of strangers, and what they become. */
const COLUMNS: readonly (readonly [type: string, ...values: string[]])[] = [
  ['longtext', '2013-12-26T14:45'],
  ['datetime(6)', '2013-12-26T14:45:10', '2013-12-26 14:45', '2013-12-26'],
  ['longtext', '2013-12-26T14:45:10Z'],
  ['longtext', '2013-12-26T14:45:10+01:00'],
  ['longtext', '2013-12-26 14:45:10.1234567'],
  ['longtext', '2013-12-26 24:00'],
  ['longtext', '2013-12-26 23:60:00'],
  ['date', '2012-02-29', '2000-02-29'],
  ['longtext', '2013-02-30'],
  ['longtext', '2013-02-29', '2013-02-28'],
  ['longtext', '1900-02-29'],
  ['longtext', '2013-13-01'],
  ['longtext', '0000-00-00'],
  ['double', '.5', '-.25', '5.', '-0.5'],
  ['double', '1e5', '2.5E-7', '0'],
  ['decimal(18,0)', '765629939811020802', '7.6E+17'],
  ['decimal(20,19)', '1.2345678901234567891', '1'],
  ['decimal(19,0)', '9223372036854775808'],
  ['bigint', '123456789012345678'],
  ['longtext', '1e400', '1'],
  ['longtext', '1e-400', '1'],
  ['longtext', '1.23456789012345678e300'],
  ['double', '1.7976931348623157e308'],
  ['longtext', '.', '-'],
  ['longtext', '+5'],
  ['longtext', '007'],
  ['longtext', 'true', 'false'],
  ['longtext', 'NaN', '1'],
  ['longtext', '1,5'],
];

withEngine('a column is of a type that takes all its values and gives them back', async () => {
  for (const [type, ...values] of COLUMNS) {
    const csv = `id,v\n${values.map((value, id) => `${id},"${value}"`).join('\n')}\n`;
    expect(await typesOf(csv), values.join()).toEqual(['int', type]);
    const database = await open({ memory: {}, create: true });
    await database.importRows(csv, { table: 't', format: 'csv', create: true, allRows: true });
    const found = (await exported(database))
      .split('\n')
      .slice(1, -1)
      .map(line => line.slice(line.indexOf(',') + 1));
    const same = (text: string): string | number =>
      type === 'double' ? Number(text) : type.startsWith('date') ? Date.parse(text) : text.replaceAll('"', '');
    if (type.startsWith('decimal')) expect(found.map(BigIntOf)).toEqual(values.map(BigIntOf));
    else expect(found.map(same), values.join()).toEqual(values.map(same));
    await database.close();
  }
});

/** Its digits without a point, as far as decimals of a column go. */
function BigIntOf(text: string): string {
  const [whole = '', exponent = '0'] = text.split(/e/i);
  const [before = '', behind = ''] = whole.split('.');
  const places = Number(exponent) - behind.length;
  const digits = `${before}${behind}`.replace(/0+$/, zeros => (places < 0 ? '' : zeros));
  return (digits + '0'.repeat(Math.max(0, places))).replace(/^0+/, '');
}

withEngine('what keeps a column from being one of dates is told, and nothing of it is refused', async () => {
  const csv = 'id,d\n1,2013-01-01\n2,2013-02-30\n3,2013-03-01\n4,2013-04-01\n';
  const plan = await planRows(csv, { table: 't', format: 'csv', create: true });
  expect(plan[1]).toMatchObject({ type: 'longtext', strays: { texts: ['2013-02-30'], row: 3, type: 'date' } });
  const database = await open({ memory: {}, create: true });
  expect(await database.importRows(csv, { table: 't', format: 'csv', create: true })).toMatchObject({ rows: 4 });
});

test.each([
  ['code;name\r\n01000;A\r\n00007;B\r\n', ';'],
  ['a\tb\n1\t2\n', '\t'],
  ['a|b\n1,5|2,5\n', '|'],
  ['a;b\n1,5;2,5\n', ';'],
  ['a,b\n"x;y",2\n"z;w",3\n', ','],
  ['"a,b";c\n"1,2";3\n', ';'],
  ['a,b;c\n1,2;3\n', ','],
  ['a;b\n1;"an unclosed', ';'],
  ['only one column\nof text, with commas\n', ','],
  ['', ','],
])('what separates the fields of %j', (csv, separator) => {
  expect(findSeparator(csv)).toBe(separator);
});

withEngine('fields are separated by what the first rows say, of every kind of input', async () => {
  const csv = 'code;name\r\n01000;A\r\n00007;"B, b"\r\n';
  async function* pieces(): AsyncIterableIterator<Uint8Array> {
    for (const byte of new TextEncoder().encode(csv)) yield Uint8Array.of(byte);
  }
  const utf16 = new Uint8Array(Uint16Array.from(`\ufeff${csv}`, unit => unit.charCodeAt(0)).buffer);
  for (const input of [csv, new TextEncoder().encode(csv), new Blob([csv]), pieces(), utf16]) {
    const database = await open({ memory: {}, create: true });
    await database.importRows(input, { table: 't', format: 'csv', create: true });
    expect(await exported(database)).toBe('code,name\n00007,"B, b"\n01000,A\n');
    // Into a table that is there as well.
    await database.importRows('name;code\nC;00008\n', { table: 't', format: 'csv' });
    expect(await exported(database)).toContain('00008,C\n');
    await database.close();
  }
  const database = await open({ memory: {}, create: true });
  await database.importRows(csv, { table: 't', format: 'csv', create: true, separator: '|', primaryKey: [] });
  expect(await exported(database)).toContain('code;name\n');
});

withEngine('titles alone make a table; a text without titles or objects is an error', async () => {
  const database = await open({ memory: {}, create: true });
  const made = { table: 't', create: true } as const;
  expect(await database.importRows('id,a\n', { ...made, format: 'csv' })).toMatchObject({ rows: 0 });
  expect(await exported(database)).toBe('id,a\n');
  expect(await database.importRows('id,a', { ...made, table: 'u', format: 'csv', allRows: true })).toMatchObject({
    rows: 0,
  });
  for (const [text, format] of [
    ['', 'csv'],
    ['\n\n', 'csv'],
    ['\ufeff', 'csv'],
    ['', 'jsonl'],
    ['[]', 'json'],
    ['{"rows": []}', 'json'],
  ] as const) {
    const importing = database.importRows(text, { ...made, table: 'v', format });
    await expect(importing, text).rejects.toMatchObject({ code: 'unreadable', message: /columns of the table/ });
  }
  expect((await database.query("SHOW TABLES LIKE 'v'")).rowCount).toBe(0);
});

withEngine('JSON keeps the order of columns, though NULLs are left out', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(9), j JSON, b VARCHAR(9), c INT)');
  await database.query("INSERT INTO t VALUES (1, NULL, NULL, 'x', NULL), (2, 'y', '[]', 'z', 3)");
  for (const format of ['json', 'jsonl'] as const) {
    const text = await exported(database, format);
    const restored = await open({ memory: {}, create: true });
    await restored.importRows(text, { table: 't', format, create: true });
    expect(await exported(restored)).toBe(await exported(database));
    // As native Dolt writes it, nothing stands for NULL.
    const bare = text.replaceAll(/"\w":null,?/g, '').replace(',}', '}');
    for (const allRows of [true, false]) {
      const other = await open({ memory: {}, create: true });
      await other.importRows(bare, { table: 't', format, create: true, allRows });
      expect(await exported(other)).toBe(await exported(database));
    }
  }
});

withEngine('a first column that cannot be the key is none, unless it was asked for', async () => {
  const long = 'x'.repeat(256);
  for (const csv of ['a,b\n1,2\n1,3\n', 'a,b\n,2\n1,3\n', `a,b\n${long},2\n`]) {
    const options = { table: 't', format: 'csv', create: true } as const;
    for (const allRows of [true, false]) {
      const database = await open({ memory: {}, create: true });
      await database.importRows(csv, { ...options, allRows });
      expect((await exported(database)).length).toBe(csv.length);
    }
    const database = await open({ memory: {}, create: true });
    await expect(database.importRows(csv, { ...options, primaryKey: ['a'] })).rejects.toThrow();
  }
  const database = await open({ memory: {}, create: true });
  await database.importRows('a,b\n1,2\n1,3\n', {
    table: 't',
    format: 'csv',
    create: true,
    duplicates: 'replace',
    allRows: true,
  });
  expect(await exported(database)).toBe('a,b\n1,3\n');
});

withEngine('a file of too many columns says so', async () => {
  const database = await open({ memory: {}, create: true });
  const wide = (columns: number): string =>
    `${Array.from({ length: columns }, (_, at) => `c${at}`).join()}\n${'1,'.repeat(columns - 1)}1\n`;
  const into = { table: 't', format: 'csv', create: true } as const;
  await expect(database.importRows(wide(6831), into)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('6,831 columns, and a table has 4,0'),
  });
  const { rows } = await database.importRows(wide(2000), into);
  expect(rows).toBe(1);
});

withEngine('the command line tells the separator that it found, and why there is no key', async () => {
  const path = join(scratch, 'told');
  const file = join(scratch, 'told.csv');
  writeFileSync(file, 'a;b\n1;2\n1;3\n');
  const said: string[] = [];
  const output = { out: async () => {}, error: (text: string) => void said.push(text) };
  await (await open({ path, create: true })).close();
  const line = { output, input: process.stdin, open, useColor: false };
  expect(await runCommandLine(['import', path, 't', file, '-c'], line)).toBe(0);
  expect(said.join('')).toBe(
    `varve: fields are separated by ";"; --delim says what else\nvarve: the table has no key, as row 3 has a '1' as one before, or too long; --pk COLUMN,… names one\n`,
  );
  const planned: readonly PlannedColumn[] = await planRows('a;b\n1;2\n', { table: 't', format: 'csv', create: true });
  expect(planned.map(({ name }) => name)).toEqual(['a', 'b']);
});

async function plannedAndExported(csv: string): Promise<{ names: string[]; missing: unknown[]; text: string }> {
  const options = { table: 't', format: 'csv', create: true, allRows: true } as const;
  const plan = await planRows(csv, options);
  await using database = await open({ memory: {}, create: true });
  await database.importRows(csv, options);
  const text = await exported(database);
  // An import by the plan, as the console and the command line make it, is the same.
  await using again = await open({ memory: {}, create: true });
  await again.importRows(csv, { table: 't', format: 'csv', create: true, plan });
  expect(await exported(again)).toBe(text);
  return { names: plan.map(({ name }) => name), missing: plan.map(({ missing }) => missing), text };
}

withEngine('lines of different lengths are filled in where all rows are looked at, and the plan tells it', async () => {
  const found = await plannedAndExported('id,name,v\n1,a,1\n2,b\n3,c,3,more\n4\n');
  expect(found.names).toEqual(['id', 'name', 'v', 'column_4']);
  expect(found.missing).toEqual([undefined, { count: 1, row: 5 }, { count: 2, row: 3 }, { count: 3, row: 2 }]);
  expect(found.text).toBe('id,name,v,column_4\n1,a,1,\n2,b,,\n3,c,3,more\n4,,,\n');
  const options = { table: 't', format: 'csv', create: true } as const;
  await using database = await open({ memory: {}, create: true });
  await expect(database.importRows('id,name\n1,a\n2\n', options)).rejects.toThrow('Row 3 of the file has 1 field');
  // A table that is there says how many columns there are.
  await database.query('CREATE TABLE t (id INT PRIMARY KEY, name TEXT)');
  const into = database.importRows('id,name\n1,a\n2\n', { table: 't', format: 'csv', allRows: true });
  await expect(into).rejects.toThrow('Row 3 of the file has 1 field');
});

withEngine('a left out column stays left out where lines have different lengths', async () => {
  const options = { table: 't', format: 'csv', create: true, allRows: true, map: { b: null } } as const;
  await using database = await open({ memory: {}, create: true });
  await database.importRows('a,b,c\n1,x\n2,y,z,more\n', options);
  expect(await exported(database)).toBe('a,c,column_4\n1,,\n2,z,more\n');
});

withEngine('names of rows that have no title, as R writes them, do not shift the titles', async () => {
  const found = await plannedAndExported('"weight","pig"\n"1",26.5,4601\n"2",27,4602\n');
  expect(found.text).toBe('column_1,weight,pig\n1,26.5,4601\n2,27,4602\n');
  // A separator at the end of each line is no field with a name.
  const ended = await plannedAndExported('weight,pig\n1,4601,\n2,4602,\n');
  expect(ended.text).toBe('weight,pig,column_3\n1,4601,\n2,4602,\n');
});

test('a separator is found where lines before the titles have none, and a blank where it stands between quotes', () => {
  expect(findSeparator('# a;b\n# more, or less\nid;v\n1;2\n2;3\n', true)).toBe(';');
  expect(findSeparator('"a" "b"\n"x, y" 1\n"z" 2\n', true)).toBe(' ');
  expect(findSeparator('# a, b\nx\ty\n1\t2\n1\t2\t3\n1\t2\t3\t4\n', true)).toBe('\t');
  expect(findSeparator('a b\nc d\n', true)).toBe(',');
  expect(findSeparator('"a" ,"b"\n1 ,2\n', true)).toBe(',');
});
