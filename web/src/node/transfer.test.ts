/** Dumps, rows of files and what tables are made for them: out of a database and in again. */
import { createReadStream, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { dateOf, numberOf } from '../client/transfer/table/written_forms.ts';
import { dolt, scratchDirectory, withDolt, withEngine } from '../testing/built_engine.ts';
import { runCommandLine } from './cli.ts';
import { type Database, open, planRows, type SqlError } from './index.ts';

const scratch = scratchDirectory();

let made = 0;
const newPath = (): string => join(scratch, `db${made++}`);

async function values(database: Pick<Database, 'query'>, sql: string): Promise<unknown[][]> {
  return (await database.query(sql)).rowArrays();
}

withEngine(
  'a dump has the values of columns with defaults, extremes as they are, none that are computed, and views after what they read',
  async () => {
    const source = await open({ memory: {}, create: true });
    await source.query(
      "CREATE TABLE t (id INT PRIMARY KEY, a INT, `do``uble` INT GENERATED ALWAYS AS (a * 2) STORED, made DATETIME DEFAULT CURRENT_TIMESTAMP, n FLOAT DEFAULT (1 + 1), w VARCHAR(40) DEFAULT 'x GENERATED ALWAYS AS (', name VARCHAR(9) GENERATED ALWAYS AS (CONCAT('#', a)), y YEAR)",
    );
    await source.query(
      "INSERT INTO t (id, a, made, n, w, y) VALUES (1, 5, '2001-02-03', -3.4028234663852886e38, 'y', 0)",
    );
    let dump = '';
    for await (const text of source.dump()) dump += text;
    const restored = await open({ memory: {}, create: true });
    await restored.importSql(dump);
    const rows = await values(restored, 'SELECT * FROM t');
    expect(rows).toEqual(await values(source, 'SELECT * FROM t'));
    expect(dump).toContain(
      "INSERT INTO `t` (`id`,`a`,`made`,`n`,`w`,`y`) VALUES (1,5,'2001-02-03 00:00:00',-3.4028234663852886e+38,'y',0000)",
    );
  },
);

withEngine('rows of nothing but NULLs go out as objects without members, and come back', async () => {
  const source = await open({ memory: {}, create: true });
  await source.query('CREATE TABLE t (a INT, b VARCHAR(9))');
  await source.query("INSERT INTO t VALUES (NULL, NULL), (NULL, NULL), (1, 'x'), (NULL, NULL)");
  let text = '';
  for await (const piece of source.exportRows({ table: 't', format: 'jsonl' })) text += piece;
  const restored = await open({ memory: {}, create: true });
  await restored.query('CREATE TABLE t (a INT, b VARCHAR(9))');
  expect(await restored.importRows(text, { table: 't', format: 'jsonl' })).toMatchObject({ rows: 4 });
  const sorted = 'SELECT * FROM t ORDER BY a';
  expect(await values(restored, sorted)).toEqual(await values(source, sorted));
});

withEngine('rows go out as text and come back the same, in every form', async () => {
  const source = await open({ memory: {}, create: true });
  await source.query(
    "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(50), d DECIMAL(10,2), b BLOB, j JSON, dt DATETIME(6), e ENUM('x','y'), u BIGINT UNSIGNED)",
  );
  await source.query(
    `INSERT INTO t VALUES (1, 'a "b", c', 3.10, x'00ff', '{"k": [1, "it''s"]}', '2024-01-02 03:04:05.678', 'y', 18446744073709551615), (2, '', NULL, NULL, NULL, NULL, NULL, NULL), (3, 'line\nbreak \\\\ 漢字😀', -1, '', '[]', '1999-12-31', 'x', 0)`,
  );
  const before = await values(source, 'SELECT * FROM t ORDER BY id');
  let dump = '';
  for await (const text of source.dump()) dump += text;
  const restored = await open({ memory: {}, create: true });
  const { rows } = await restored.importSql(dump);
  expect(rows).toBe(3);
  expect(await values(restored, 'SELECT * FROM t ORDER BY id')).toEqual(before);
  // In the smallest pieces, too.
  async function* slices(text: string): AsyncIterableIterator<string> {
    for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
  }
  await restored.importSql(slices(dump));
  expect(await values(restored, 'SELECT * FROM t ORDER BY id')).toEqual(before);

  const columns = 'id, v, d, b, j, dt, e, u';
  for (const format of ['csv', 'json', 'jsonl'] as const) {
    let text = '';
    for await (const piece of source.exportRows({ query: `SELECT ${columns} FROM t`, format })) text += piece;
    await restored.query('TRUNCATE TABLE t');
    expect(await restored.importRows(slices(text), { table: 't', format })).toMatchObject({ rows: 3 });
    expect(await values(restored, 'SELECT * FROM t ORDER BY id')).toEqual(before);
  }
  await Promise.all([source.close(), restored.close()]);
});

withEngine(
  'an import makes its table, is all or nothing, and can be cancelled',
  async () => {
    const database = await open({ memory: {}, create: true });
    const csv = `id,price,day,name\n${Array.from({ length: 5000 }, (_, id) => `${id},${id}.5,2024-01-01,n${id}\n`).join('')}`;
    const told: number[] = [];
    const done = await database.importRows(csv, {
      table: 't',
      format: 'csv',
      create: true,
      onProgress: ({ rows }) => told.push(rows),
    });
    expect(done.rows).toBe(5000);
    expect(told.at(-1)).toBe(5000);
    expect((await values(database, 'SELECT COUNT(*), SUM(price) FROM t')).flat().map(Number)).toEqual([
      5000,
      12_500_000 - 2500 + 2500,
    ]);
    const twice = database.importRows(`${csv.split('\n')[0]}\n9999,1,2024-01-01,new\n7,1,2024-01-01,old\n`, {
      table: 't',
      format: 'csv',
    });
    await expect(twice).rejects.toMatchObject({
      errno: 1062,
      message: 'Row 3 of the file: duplicate primary key given: [7]: 7, 1, 2024-01-01, old',
    });
    const wrong = database.importRows(csv.replace('2024-01-01,n4321', 'soon,n4321').replaceAll(/^(\d)/gm, '70000$1'), {
      table: 't',
      format: 'csv',
    });
    await expect(wrong).rejects.toThrow(/^Row 4323 of the file: .*soon.*: 700004321, 4321.5, soon, n4321$/);
    expect((await values(database, 'SELECT COUNT(*) FROM t')).flat().map(Number)).toEqual([5000]);
    const pairs = { format: 'csv', create: true } as const;
    await expect(
      database.importRows('a,b\n1,x\n1,y\n', { table: 'p', ...pairs, primaryKey: ['a'] }),
    ).rejects.toMatchObject({
      errno: 1062,
    });
    await database.importRows('a,b\n1,x\n1,y\n', { table: 'p', primaryKey: ['a', 'b'], ...pairs });
    await database.importRows('a,b\n1,x\n1,x\n', { table: 'q', primaryKey: [], ...pairs });
    expect(await values(database, 'SELECT COUNT(*) FROM p, q')).toEqual([[4n]]);
    for (const [format, text] of [
      ['csv', 'a,b\n1,x\n1,x\n'],
      ['jsonl', '{"a":1,"b":"x"}\n{"a":1,"b":"x"}\n'],
    ] as const) {
      await database.importRows(text, { table: format, format, create: true, allRows: true, numbered: 'no' });
      expect(await values(database, `SELECT no, a, b FROM ${format} ORDER BY no`)).toEqual([
        [1, 1, 'x'],
        [2, 1, 'x'],
      ]);
    }
    const taken = database.importRows('a,B\n1,x\n', { table: 'r', numbered: 'b', ...pairs });
    await expect(taken).rejects.toThrow('The rows have a column b, which cannot number them as well');
    await expect(database.importRows('a,b\n1,x\n2,y,z\n', { table: 's', ...pairs })).rejects.toThrow(
      'Row 3 of the file has 3 fields, where there are 2 columns: 2, y, z',
    );
    await database.importRows('n;;n\n1;a,b;2\n', { table: 'separated', separator: ';', ...pairs });
    expect((await database.query('SELECT * FROM separated')).rows).toEqual([{ n: 1, column_2: 'a,b', n_2: 2 }]);
    const unknown = database.importRows('a\n1\n', { table: 'r', primaryKey: ['z'], ...pairs });
    await expect(unknown).rejects.toThrow('no column z');
    const controller = new AbortController();
    async function* endless(): AsyncIterableIterator<string> {
      yield 'id,price,day,name\n';
      for (let id = 10_000; ; id++) {
        if (id === 20_000) controller.abort();
        yield `${id},1,2024-01-01,x\n`;
      }
    }
    const cancelled = database.importRows(endless(), { table: 't', format: 'csv', signal: controller.signal });
    await expect(cancelled).rejects.toThrow('aborted');
    expect((await values(database, 'SELECT COUNT(*) FROM t')).flat().map(Number)).toEqual([5000]);
    await database.close();
  },
  60_000,
);

withEngine('dates and numbers of CSV are what is said of how they are written', async () => {
  const database = await open({ memory: {}, create: true });
  const german = 'id;day;seen;price;code\n1;10.02.2024;1.2.2024 7:05;9,50;A,1\n2;;13.02.2024;1.234,5;2,50\n';
  const options = { format: 'csv', separator: ';', create: true } as const;
  await database.importRows(german, { ...options, table: 'plain' });
  expect(await values(database, 'SELECT day, price FROM plain WHERE id = 1')).toEqual([['10.02.2024', '9,50']]);
  const said = { dates: 'dmy', decimal: ',' } as const;
  await database.importRows(german, { ...options, ...said, table: 'shop' });
  const { columns } = await database.query('SELECT * FROM shop');
  expect(columns.map(({ kind }) => kind)).toEqual(['int', 'date', 'datetime', 'float', 'text']);
  expect(await values(database, "SELECT day, DATE_FORMAT(seen, '%e.%c. %H:%i'), price, code FROM shop")).toEqual([
    ['2024-02-10', '1.2. 07:05', 9.5, 'A,1'],
    [null, '13.2. 00:00', 1234.5, '2,50'],
  ]);
  // Digits behind a zero are a code, however numbers are written.
  await database.importRows('id;zip\n1;01067\n2;04109\n', { ...options, ...said, table: 'towns' });
  expect(await values(database, 'SELECT zip FROM towns')).toEqual([['01067'], ['04109']]);
  // Rows for a table that is there go by its columns, and none is taken for another.
  const more = { ...options, ...said, create: false, table: 'shop' };
  await database.importRows('id;day;price\n3;2024-02-11;12\n', more);
  for (const [row, wrong] of [
    ['4;11.13.2024;1', '11.13.2024'],
    ['4;10.2.24;1', '10.2.24'],
    ['4;;1.5', '1.5'],
  ] as const) {
    const refused = database.importRows(`id;day;price\n5;;1\n${row}\n`, more);
    await expect(refused).rejects.toThrow(`Row 3 of the file has "${wrong}" for`);
  }
  expect(await values(database, 'SELECT id, day, price FROM shop WHERE id > 2')).toEqual([[3, '2024-02-11', 12]]);
  await database.close();
});

withEngine('a few texts among numbers or dates are told with their row, and are NULL where that is said', async () => {
  const csv =
    'id,weight,day,note,house\n1,12,2024-02-10,n/a,1\n2,n/a,2024-02-11,x,12a\n3,7,-,y,3\n4,n/a,,,4\n5,9,2024-02-12,,5\n';
  const rows = csv
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(','));
  const json = JSON.stringify(
    rows.map(([id, weight, day, note, house]) => ({
      id: Number(id),
      weight: weight === 'n/a' ? weight : Number(weight),
      ...(day !== '' && { day }),
      note: note || null,
      house,
    })),
  );
  const database = await open({ memory: {}, create: true });
  for (const [format, text, titles] of [
    ['csv', csv, 1],
    ['json', json, 0],
  ] as const) {
    const options = { table: format, format, create: true };
    const planned = await planRows(text, options);
    expect(planned.map(({ type }) => type)).toEqual(['int', 'longtext', 'longtext', 'longtext', 'longtext']);
    expect(planned.map(({ strays }) => strays)).toEqual([
      undefined,
      { texts: ['n/a'], count: 2, row: titles + 2, type: 'int' },
      { texts: ['-'], count: 1, row: titles + 3, type: 'date' },
      undefined,
      { texts: ['12a'], count: 1, row: titles + 2, type: 'int' },
    ]);
    // A column of texts keeps them.
    await database.importRows(text, { ...options, nulls: ['n/a', '-'] });
    const { columns } = await database.query(`SELECT * FROM ${format}`);
    expect(columns.map(({ kind }) => kind)).toEqual(['int', 'int', 'date', 'text', 'text']);
    expect(await values(database, `SELECT weight, day, note, house FROM ${format} ORDER BY id`)).toEqual([
      [12, '2024-02-10', 'n/a', '1'],
      [null, '2024-02-11', 'x', '12a'],
      [7, null, 'y', '3'],
      [null, null, null, '4'],
      [9, '2024-02-12', null, '5'],
    ]);
    const chosen = database.importRows(text, { ...options, table: `${format}_chosen`, types: { weight: 'int' } });
    await expect(chosen).rejects.toThrow(new RegExp(`^Row ${titles + 2} of the file: .*'n/a'`));
  }
  await database.close();
});

/** The last row has a member that no other has. */
function objectOf(line: string): object {
  const [id, n, , day] = line.split(',');
  return { id: Number(id), n: Number(n), ...(day === 'soon' && { late: day }) };
}

withEngine('a plan by all rows has what no first row tells, and an import by it takes them', async () => {
  const csv = `id,n,text,day\n${Array.from({ length: 3000 }, (_, id) => `${id},${id === 2500 ? '99999999999' : id},${id < 2000 ? id : `x${id}`},${id === 2999 ? 'soon' : '2024-02-10'}\n`).join('')}`;
  const options = { table: 'late', format: 'csv', create: true } as const;
  const typesOf = async (more: object) => (await planRows(csv, { ...options, ...more })).map(({ type }) => type);
  expect(await typesOf({})).toEqual(['int', 'int', 'int', 'date']);
  expect(await typesOf({ allRows: true })).toEqual(['int', 'bigint', 'longtext', 'longtext']);
  const planned = await planRows(csv, { ...options, allRows: true, nulls: ['soon'] });
  expect(planned.map(({ strays }) => strays)).toEqual([undefined, undefined, undefined, undefined]);
  expect(planned[2]?.examples.slice(0, 3)).toEqual(['0', '1', '2']);
  const unfitOf = async (...primaryKey: string[]) =>
    (await planRows(csv, { ...options, allRows: true, primaryKey })).map(({ unfit }) => unfit);
  expect(await unfitOf('id')).toEqual(Array(4).fill(undefined));
  expect(await unfitOf('day', 'n')).toEqual(Array(4).fill(undefined));
  expect((await unfitOf('day'))[3]).toEqual({ value: '2024-02-10', row: 3 });
  const database = await open({ memory: {}, create: true });
  await expect(database.importRows(csv, { ...options, nulls: ['soon'] })).rejects.toThrow(/^Row 2002 of the file: /);
  const told: number[] = [];
  const onProgress = ({ bytes }: { bytes: number }) => void told.push(bytes);
  for (const [table, more] of [
    ['planned', { plan: planned }],
    ['looked_at', { allRows: true, onProgress }],
  ] as const) {
    await database.importRows(csv, { ...options, table, nulls: ['soon'], ...more });
    expect(await values(database, `SELECT MAX(n), MAX(text), COUNT(day) FROM ${table}`)).toEqual([
      [99999999999n, 'x2999', 2999n],
    ]);
  }
  expect(new Set(told)).toEqual(new Set([csv.length]));
  await database.importRows(csv, { ...options, table: 'chosen', allRows: true, types: { day: 'varchar(20)' } });
  expect(await values(database, "SELECT day FROM chosen WHERE day LIKE 's%'")).toEqual([['soon']]);
  const objects = new Blob([
    csv
      .split('\n')
      .slice(1, -1)
      .map(line => JSON.stringify(objectOf(line)))
      .join('\n'),
  ]);
  const objectOptions = { table: 'objects', format: 'jsonl', create: true, allRows: true } as const;
  const keyless = await planRows(objects, { ...objectOptions, primaryKey: ['late'] });
  expect(keyless.map(({ unfit }) => unfit)).toEqual([undefined, undefined, { value: null, row: 1 }]);
  await database.importRows(objects, objectOptions);
  expect(await values(database, 'SELECT MAX(n), MAX(late) FROM objects')).toEqual([[99999999999n, 'soon']]);
  const once = (async function* () {
    yield csv;
  })();
  const refused = { code: 'usage', message: expect.stringContaining('an iterable can be read only once') };
  await expect(database.importRows(once, { ...options, allRows: true })).rejects.toMatchObject(refused);
  const abort = new AbortController();
  const pieces = (async function* () {
    yield csv.slice(0, 9000);
    yield csv.slice(9000);
  })();
  const plan = { ...options, allRows: true, signal: abort.signal, onProgress: () => abort.abort() };
  await expect(planRows(pieces, plan)).rejects.toThrow(/abort/i);
  await database.close();
});

withEngine('the command line tells of a few texts among numbers, and by which option they are NULL', async () => {
  const path = newPath();
  await (await open({ path, create: true })).close();
  const file = join(scratch, 'lots.csv');
  writeFileSync(file, 'id,weight\n1,12\n2,n/a\n3,7\n');
  const imported = async (table: string, ...options: string[]) => {
    const errors: string[] = [];
    const output = { out: () => undefined, error: (text: string) => void errors.push(text) };
    const input = Readable.from([]) as unknown as NodeJS.ReadableStream;
    const status = await runCommandLine(['import', path, table, file, '-c', ...options], {
      ...{ open, output, input },
      useColor: false,
    });
    return [status, ...errors];
  };
  expect(await imported('plain')).toEqual([
    0,
    "varve: weight is longtext, as row 3 has 'n/a' where others are int; --null 'n/a' makes it NULL\n",
  ]);
  expect(await imported('lots', '--null', 'n/a')).toEqual([0]);
  // All of the file is looked at.
  writeFileSync(
    file,
    `id,weight\n${Array.from({ length: 2000 }, (_, id) => `${id},${id === 1500 ? 0.5 : id}\n`).join('')}`,
  );
  expect(await imported('many')).toEqual([0]);
  const database = await open({ path });
  expect(await values(database, 'SELECT weight FROM lots ORDER BY id')).toEqual([[12], [null], [7]]);
  expect(await values(database, 'SELECT weight FROM many WHERE id IN (1499, 1500)')).toEqual([[1499], [0.5]]);
  await database.close();
});

withEngine(
  'the command line takes the map of columns that native Dolt takes, and goes on behind rows that do not fit',
  async () => {
    const path = newPath();
    const database = await open({ path, create: true });
    await database.query('CREATE TABLE people (id INT PRIMARY KEY, full_name VARCHAR(20), age INT DEFAULT 7)');
    const [file, map] = [join(scratch, 'people.csv'), join(scratch, 'map.json')];
    writeFileSync(file, 'id,Name,notes\n1,Ann,x\nzz,Bob,y\n2,Cid,z\n');
    writeFileSync(map, '{"Name": "full_name", "notes": null}');
    const errors: string[] = [];
    const call = (...words: string[]) =>
      runCommandLine(words, {
        ...{ open, output: { out: () => undefined, error: (text: string) => void errors.push(text) } },
        ...{ input: Readable.from([]) as unknown as NodeJS.ReadableStream, useColor: false },
      });
    expect(await call('import', path, 'people', file)).toBe(1);
    expect(errors.splice(0).join('')).toContain('hint: --map FILE.json says which column a title is');
    expect(await call('table', path, 'import', '-u', '--map', map, '--continue', 'people', file)).toBe(0);
    expect(errors).toEqual([
      "varve: skipped: Row 3 of the file: error: 'zz' is not a valid value for 'int': zz, Bob, y\n",
    ]);
    expect(await values(database, 'SELECT * FROM people')).toEqual([
      [1, 'Ann', 7],
      [2, 'Cid', 7],
    ]);
    await database.close();
  },
);

withEngine('an import goes on with the empty table that one which was killed has left, and with no other', async () => {
  const database = await open({ memory: {}, create: true });
  const text = 'id,name,price\n1,one,1.50\n2,two,2.25\n';
  const again = () =>
    database.importRows(text, { table: 't', format: 'csv', create: true, primaryKey: ['id'], duplicates: 'error' });
  await again();
  await expect(again(), 'it has rows').rejects.toThrow('exists');
  await database.query('DELETE FROM t');
  expect((await again()).rows).toBe(2);
  expect((await values(database, 'SELECT id FROM t')).flat()).toEqual([1, 2]);
  await database.query('DELETE FROM t');
  await database.query('ALTER TABLE t MODIFY name VARCHAR(3)');
  await expect(again(), 'it is another one').rejects.toThrow('exists');
  await database.close();
});

withEngine('a table for JSON has what any of its first objects has', async () => {
  const database = await open({ memory: {}, create: true });
  const objects = Array.from({ length: 3000 }, (_, id) => (id % 2 === 0 ? { id, even: id } : { odd: 'x', id }));
  await database.importRows(JSON.stringify(objects), { table: 't', format: 'json', create: true });
  expect(await values(database, 'SELECT COUNT(*), COUNT(even), COUNT(odd) FROM t')).toEqual([[3000n, 1500n, 1500n]]);
  const late = [...objects, { id: 3000, third: 1 }];
  await expect(
    database.importRows(JSON.stringify(late), { table: 'late', format: 'json', create: true }),
  ).rejects.toThrow(/third/);
  await database.close();
});

withEngine('bytes of CSV that are no text are an error with their line, wherever they stand', async () => {
  const database = await open({ memory: {}, create: true });
  const lines = Array.from({ length: 40_000 }, (_, id) => `${id},"line\n${id} ${'x'.repeat(30)}"\n`).join('');
  const encoder = new TextEncoder();
  for (const [text, line] of [
    ['', 2],
    [lines, 80_002],
  ] as const) {
    const bytes = Uint8Array.from([...encoder.encode(`id,v\n${text}-1,caf`), 0xe9, ...encoder.encode('\n-2,x\n')]);
    for (const create of [true, false]) {
      if (!create) await database.query('CREATE TABLE t (id INT PRIMARY KEY, v TEXT)');
      const refused = database.importRows(bytes, { table: 't', format: 'csv', create });
      await expect(refused).rejects.toThrow(
        `Line ${line}: the byte 0xE9, after "-1,caf", is no UTF-8. Name the encoding`,
      );
    }
    expect(await values(database, 'SELECT COUNT(*) FROM t')).toEqual([[0n]]);
    const named = { table: 't', format: 'csv', encoding: 'windows-1252' } as const;
    expect((await database.importRows(bytes, named)).rows).toBe(text === '' ? 2 : 40_002);
    expect(await values(database, 'SELECT v FROM t WHERE id = -1')).toEqual([['café']]);
    await database.query('DROP TABLE t');
  }
  await expect(database.importRows('id\n', { table: 'nothing', format: 'csv' })).rejects.toMatchObject({ errno: 1146 });
  await database.close();
});

withEngine('what a new table is guessed from is what the engine takes', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE w (t DATETIME(6), n DECIMAL(30,6))');
  const dates =
    '10.02.2024|2/10/2024|2/10/2024 3:04 PM|2/10/2024, 12:04:05 am|10-02-2024T03:04:05.5|2024-02-10|13.13.2024|1.2.24|10.02/2024|1.2.2024 25:00|1.2.2024 13:00 pm|1.2.2024 0:00 a.m.|soon|31.12.1999 23:59:59.123456|2024-02-10 7:05|0.2.2024|1.2.20245';
  const numbers =
    '9,50|-1.234.567,5|1.234|1,234.50|+12|1.5|1.2345|1,2,3|0.123|1e5|1E-2|12.34.567|x|007|,5|5,|1234.567|-|2,000';
  const cases = [
    ...dates
      .split('|')
      .flatMap(text =>
        (['dmy', 'mdy'] as const).map(said => [text, { dates: said }, dateOf(text, said), 't'] as const),
      ),
    ...numbers
      .split('|')
      .flatMap(text =>
        ([',', '.'] as const).map(said => [text, { decimal: said }, numberOf(text, said), 'n'] as const),
      ),
  ];
  for (const [text, said, guessed, column] of cases) {
    await database.query('DELETE FROM w');
    const done = database.importRows(`"${text}"\n`, { table: 'w', format: 'csv', columns: [column], ...said });
    if (guessed === null) {
      await expect(done, text).rejects.toMatchObject({ code: 'unreadable', message: expect.stringContaining('Row 1') });
      continue;
    }
    await done;
    const same = await database.query(`SELECT ${column} = ? FROM w`, [guessed]);
    expect(same.rowArrays(), text).toEqual([[1]]);
  }
  await database.close();
});

withEngine(
  'a dump is committed a few times, however many statements it has, and as a whole piece by piece',
  async () => {
    const database = await open({ memory: {}, create: true });
    const rows = Array.from({ length: 2000 }, (_, id) => `(${id},'it\\'s number ${id}',${id % 7},NULL,-${id}.50)`);
    const table = 'CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(40), n INT, x INT, d DECIMAL(10,2), KEY (v), KEY (n))';
    const one = rows.map(row => `INSERT INTO t VALUES ${row};`).join('\n');
    const all = `INSERT INTO t VALUES ${rows.join(',')};`;
    const hashes = new Set<unknown>();
    for (const inserts of [one, all]) {
      const before = (await database.stats()).counters.store_commits ?? 0;
      const script = `DROP TABLE IF EXISTS t; ${table};\nLOCK TABLES t WRITE;\n${inserts}\nUNLOCK TABLES;`;
      expect((await database.importSql(script)).rows).toBe(2000);
      expect(((await database.stats()).counters.store_commits ?? 0) - before).toBeLessThanOrEqual(4);
      for (const [hash] of await values(database, "SELECT dolt_hashof_table('t')")) hashes.add(hash);
    }
    expect(hashes.size).toBe(1);
    await database.close();
  },
);

withEngine('an import tells of errors and goes on, and keeps what came before it was given up', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY)');
  const told: string[] = [];
  const onError = (error: unknown, sql: string, line: number): void => {
    told.push(`${line}: ${(error as SqlError).errno} ${(error as SqlError).position} ${sql}`);
  };
  const script =
    'INSERT INTO t VALUES (1);\n\n INSERT INTO t VALUES (1), (2);\nSELECT é nonsense; INSERT INTO t VALUES\n(3);\nDROP TABLE nothing';
  expect((await database.importSql(script, { onError })).rows).toBe(2);
  expect(told).toEqual([
    '3: 1062 undefined INSERT INTO t VALUES (1), (2)',
    '4: 1105 7 SELECT é nonsense',
    '6: 1146 11 DROP TABLE nothing',
  ]);
  await expect(database.importSql('INSERT INTO t VALUES (4); INSERT INTO t VALUES (4)')).rejects.toThrow('duplicate');
  expect((await values(database, 'SELECT id FROM t ORDER BY id')).flat()).toEqual([1, 3, 4]);

  const controller = new AbortController();
  async function* endless(): AsyncIterableIterator<string> {
    yield 'INSERT INTO t VALUES (5);';
    for (;;) yield `SELECT 1;${' '.repeat(1 << 20)}`;
  }
  const onProgress = (): void => controller.abort(new Error('enough'));
  await expect(database.importSql(endless(), { signal: controller.signal, onProgress })).rejects.toThrow('enough');
  expect((await values(database, 'SELECT COUNT(*) FROM t')).flat().map(Number)).toEqual([4]);
  await database.close();
});

withEngine('a dump says more than Dolt reads, and begins with the database anew', async () => {
  const path = newPath();
  const name = basename(path);
  const database = await open({ path, create: true });
  await database.query('CREATE TABLE old (id INT PRIMARY KEY)');
  const dump = `DROP DATABASE IF EXISTS \`${name}\`; CREATE DATABASE \`${name}\`; USE \`${name}\`;
    CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(9)); INSERT INTO t VALUES (1, N'é'), (2, n'it''s')`;
  for (const _time of ['first', 'second']) {
    await database.importSql(dump);
    expect(await values(database, `SELECT v FROM \`${name}\`.t ORDER BY id`)).toEqual([['é'], ["it's"]]);
  }
  await database.close();
  await using again = await open({ path });
  expect((await values(again, 'SHOW DATABASES')).flat()).toEqual([name, 'information_schema', 'mysql']);
  expect((await values(again, 'SHOW TABLES')).flat()).toEqual(['t']);
});

withEngine('a script that is imported by the command line stops at its first error, or goes on', async () => {
  const path = newPath();
  await (await open({ path, create: true })).close();
  const script =
    'CREATE TABLE t (id INT PRIMARY KEY);\nINSERT INTO nowhere VALUES (\n1); INSERT INTO t VALUES (1);\nfail';
  const imported = async (...options: string[]) => {
    const [output, errors]: string[][] = [[], []];
    const status = await runCommandLine(['import', path, '-', ...options], {
      open,
      output: { out: text => void output?.push(text), error: text => void errors?.push(text) },
      input: Readable.from([script]) as NodeJS.ReadableStream,
      useColor: false,
    });
    return [status, ...(output ?? []), ...(errors ?? [])];
  };
  const failed = [
    expect.stringMatching(/^error on line 2 for query INSERT INTO nowhere.*1\): table not found: nowhere/s),
    expect.stringMatching(/^error on line \d for query (fail|CREATE TABLE)/),
  ];
  expect(await imported()).toEqual([1, failed[0], expect.stringContaining('--continue')]);
  expect(await imported('--continue')).toEqual([
    0,
    'Import completed, but for 3 statements.\n',
    failed[1],
    failed[0],
    failed[1],
  ]);
});

withDolt(
  'a dump of native Dolt is imported with its bytes, which are no text',
  async () => {
    const path = newPath();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => 255 - index);
    await using source = await open({ path, create: true });
    await source.query('CREATE TABLE t (id INT PRIMARY KEY, b BLOB, p POINT, name VARCHAR(20))');
    await source.query("INSERT INTO t VALUES (1, ?, POINT(1, -2.5), 'é 日本 🎉'), (2, NULL, NULL, NULL)", [bytes]);
    dolt(path, 'dump', '--no-create-db', '-fn', 'dump.sql');
    await using target = await open({ memory: {}, create: true });
    await target.importSql(createReadStream(join(path, 'dump.sql'), { highWaterMark: 100 }));
    const question = 'SELECT id, HEX(b), ST_AsText(p), name FROM t ORDER BY id';
    expect(await values(target, question)).toEqual(await values(source, question));
  },
  30_000,
);

withEngine(
  'columns of a file go where the map says, rows that do not fit are told with their line, and the others come in',
  async () => {
    const lines = (rows: number) => Array.from({ length: rows }, (_, id) => `${id},"n\n${id}",x,${id % 7}`);
    const good = lines(40_000);
    const bad = [...good];
    bad.splice(30_000, 0, 'zz,b,x,1', '1,twice,x,1', '7');
    bad.splice(10, 0, '', '-1,"a""b\n",x,too many,1');
    const options = { table: 't', map: { Name: 'full_name', column_3: null, AGE: 'age' } };
    for (const separator of [',', '§']) {
      const database = await open({ memory: {}, create: true });
      await database.query('CREATE TABLE t (id INT PRIMARY KEY, age INT, full_name VARCHAR(20), made INT DEFAULT 3)');
      const text = `id,Name,,AGE\n${bad.join('\n')}\n`.replaceAll(',', separator);
      const told: [number, number | undefined, string][] = [];
      const { rows } = await database.importRows(text, {
        ...{ ...options, format: 'csv', separator },
        onError: (_, { row, line, text }) => told.push([row, line, text.replaceAll(separator, ',')]),
      });
      expect([rows, told]).toEqual([
        40_000,
        [
          [12, 23, '-1,"a""b\n",x,too many,1'],
          [30_003, 60_005, 'zz,b,x,1'],
          [30_004, 60_006, '1,twice,x,1'],
          [30_005, 60_007, '7'],
        ],
      ]);
      const sums = 'SELECT COUNT(*), SUM(id), SUM(age), MIN(made), MIN(full_name = CONCAT("n\n", id)) FROM t';
      const sum = (40_000 * 39_999) / 2;
      const ages = good.reduce((all, _, id) => all + (id % 7), 0);
      expect(await values(database, sums)).toEqual([[40_000n, sum, ages, 3, 1]]);
    }
    const database = await open({ memory: {}, create: true });
    await database.query('CREATE TABLE t (id INT PRIMARY KEY, age INT, full_name VARCHAR(20))');
    const objects = Array.from({ length: 9000 }, (_, id) => ({
      id: id === 8000 || id === 8003 ? 1 : id,
      Name: `n${id}`,
      column_3: {},
    }));
    const told: [number, string][] = [];
    const text = objects.map(object => JSON.stringify(object)).join('\n');
    const { rows } = await database.importRows(text, {
      ...{ ...options, format: 'jsonl' },
      onError: (_, { row, text }) => told.push([row, text]),
    });
    expect([rows, told]).toEqual([
      8998,
      [
        [8001, '{"id":1,"Name":"n8000","column_3":{}}'],
        [8004, '{"id":1,"Name":"n8003","column_3":{}}'],
      ],
    ]);
    expect(await values(database, 'SELECT COUNT(full_name), MAX(id) FROM t')).toEqual([[8998n, 8999]]);
    // What the callback throws ends the import, of which nothing stays; a table that is made has the columns of the map.
    const stop = () => {
      throw new Error('enough');
    };
    const again = database.importRows('id\n1\n', { table: 't', format: 'csv', onError: stop });
    await expect(again).rejects.toThrow('enough');
    await database.importRows('Id,Name,Notes\n1,a,-\n', {
      table: 'made',
      format: 'csv',
      create: true,
      map: { Name: 'n', Notes: null },
    });
    expect(await values(database, 'SELECT * FROM made')).toEqual([[1, 'a']]);
  },
);

withEngine(
  'quotes behind a backslash are data where a file shows that they are, and a backslash elsewhere',
  async () => {
    const database = await open({ memory: {}, create: true });
    const outfile = 'id,t,n\n1,"a \\"b\\", c\\\\",\\N\n2,"two\\\nlines",5\n3,\\N,6\n';
    await database.importRows(outfile, { table: 'written', format: 'csv', create: true });
    expect(await values(database, 'SELECT * FROM written')).toEqual([
      [1, 'a "b", c\\', null],
      [2, 'two\nlines', 5],
      [3, null, 6],
    ]);
    // The whole file is looked at, and the same is found.
    await database.importRows(outfile, { table: 'looked_at', format: 'csv', create: true, allRows: true });
    expect(await values(database, 'SELECT * FROM looked_at')).toEqual(await values(database, 'SELECT * FROM written'));
    const paths = 'id,path,n\n1,"C:\\",\\N\n2,"the ""D:\\"" drive",5\n';
    await database.importRows(paths, { table: 'paths', format: 'csv', create: true });
    expect(await values(database, 'SELECT * FROM paths')).toEqual([
      [1, 'C:\\', '\\N'],
      [2, 'the "D:\\" drive', '5'],
    ]);
    // Both readings are possible: a backslash is data unless it is said that it is not.
    const unclear = 'a,b\n"x\\","y"\n';
    await database.importRows(unclear, { table: 'unclear', format: 'csv', create: true });
    expect(await values(database, 'SELECT * FROM unclear')).toEqual([['x\\', 'y']]);
    const asEscape = { table: 'unclear', format: 'csv', escape: '\\' } as const;
    await expect(database.importRows(unclear, asEscape)).rejects.toThrow(
      /Row 2 .* a quoted field continues after its closing quote/,
    );
    // It comes late, and the error says what helps.
    const late = `id,t\n${Array.from({ length: 30_000 }, (_, row) => `${row},x\n`).join('')}30000,"a \\"b\\" c"\n`;
    const said = { table: 'late', format: 'csv', create: true } as const;
    await expect(database.importRows(late, said)).rejects.toThrow('name the backslash as the escape');
    await database.importRows(late, { ...said, escape: '\\' });
    expect(await values(database, 'SELECT t FROM late WHERE id = 30000')).toEqual([['a "b" c']]);
    await expect(database.importRows(late, { ...said, escape: '/' as never })).rejects.toMatchObject({ code: 'usage' });
    await database.close();
  },
);
