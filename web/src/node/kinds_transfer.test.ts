/** What goes out of a column of any kind, as rows or in a dump, is what comes in again. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { withNamedDefaults } from '../client/transfer/script/named_defaults.ts';
import { runCommandLine } from './cli.ts';
import { type Database, open, type RowFormat } from './index.ts';

const scratch = mkdtempSync(join(tmpdir(), 'varve-kinds-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const isBuilt = existsSync(createRequire(import.meta.url).resolve('#core'));
const DOLT = process.env.VARVE_DOLT ?? '';
const withEngine = test.skipIf(!isBuilt);
const withDolt = test.skipIf(!isBuilt || !existsSync(DOLT));

const TABLE = `CREATE TABLE t (
  id INT PRIMARY KEY, b1 BIT(1), b64 BIT(64), bn BINARY(3), bl BLOB, y YEAR DEFAULT 0, tm TIME, dt DATETIME(6), da DATE,
  d DECIMAL(40,20), f FLOAT, j JSON, e ENUM('a','b,c','d''e') DEFAULT 'b,c', s SET('x','y z','w') DEFAULT 'x,w', g GEOMETRY,
  v VARCHAR(20), l VARCHAR(9) CHARACTER SET latin1, ok BOOLEAN,
  gen INT GENERATED ALWAYS AS (id * 2) STORED, virt VARCHAR(9) GENERATED ALWAYS AS (CONCAT('#', id)))`;
const COLUMNS = 'id, b1, b64, bn, bl, y, tm, dt, da, d, f, j, e, s, g, v, l, ok';
const ROWS = `INSERT INTO t (${COLUMNS}) VALUES
  (1, 1, 9223372036854775809, 'ab', x'00ff', 0, '-838:59:59', '9999-12-31 23:59:59.999999', '0000-00-00',
   -1234567890123456789.01234567890123456789, 3.4028234e38, 'null', 'b,c', 'x,y z', ST_GeomFromText('POINT(1 2)'), 'a"b, c', 'é', TRUE),
  (2, 0, 49, '', '', 2155, '00:00:00.000001', '0000-00-00', '2024-02-29', 0, -0.0, '"1"', 'd''e', '', NULL, '', '', FALSE),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (4, NULL, NULL, NULL, '0x41', 2000, NULL, NULL, NULL, 1e-20, 1e-45, '"x"', NULL, 'w', NULL, 'null', '\\\\', NULL),
  (5, NULL, NULL, NULL, NULL, 1999, NULL, NULL, NULL, NULL, NULL, 'true', NULL, NULL, NULL, NULL, NULL, NULL),
  (6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '"null"', NULL, NULL, NULL, NULL, NULL, NULL),
  (7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[18446744073709551615, "\\\\n", {"k": null}]', NULL, NULL, NULL, NULL, NULL, NULL)`;
const ALL = 'SELECT t.*, JSON_TYPE(j), j IS NULL, HEX(bl), y + 0 FROM t ORDER BY id';

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

async function values(database: Pick<Database, 'query'>, sql: string): Promise<unknown[][]> {
  return (await database.query(sql)).rowArrays();
}

withEngine('rows of all kinds come back into their own table, whose computed columns make themselves', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query(TABLE);
  await database.query(ROWS);
  const before = await values(database, ALL);
  for (const format of ['csv', 'json', 'jsonl'] as const satisfies RowFormat[]) {
    const text = await textOf(database.exportRows({ table: 't', format }));
    await database.query('DELETE FROM t');
    expect(await database.importRows(text, { table: 't', format })).toMatchObject({ rows: 7 });
    expect(await values(database, ALL), format).toEqual(before);
  }
  const empty = await database.exportRows({ query: 'SELECT NULLIF(id, 1) AS n FROM t WHERE id < 3', format: 'csv' });
  expect(await textOf(empty)).toBe('n\n""\n2\n');
});

withEngine(
  'members of JSON are the documents that they are, with all digits, and those of odd names are NULL',
  async () => {
    const database = await open({ memory: {}, create: true });
    await database.query('CREATE TABLE t (id INT PRIMARY KEY, j JSON, constructor VARCHAR(9), b BIT(9), v TEXT)');
    const lines = [
      '{"id": 1, "j": null, "constructor": "x", "b": 257}',
      '{"id": 2, "j": {"n": 0.10000000000000000555, "m": 1.0000000000000000}, "b": "12", "v": {"n": 1.50000000000000000}}',
      '{"id": 3, "j": "{\\"a\\": 1}", "b": true}',
      '{"id": 4, "j": "{a", "b": "0x01ff"}',
    ];
    const columns = ['id', 'j', 'constructor', 'b', 'v'];
    await database.importRows(lines.join('\n'), { table: 't', format: 'jsonl', columns });
    expect(await values(database, 'SELECT id, CAST(j AS CHAR), constructor, b + 0, v FROM t ORDER BY id')).toEqual([
      [1, 'null', 'x', 257n, null],
      [2, '{"m": 1, "n": 0.1}', null, 12n, '{"n":1.50000000000000000}'],
      [3, '{"a": 1}', null, 1n, null],
      [4, '"{a"', null, 511n, null],
    ]);
  },
);

withEngine('a value that does not fit what the first rows say comes with what helps', async () => {
  const database = await open({ memory: {}, create: true });
  const rows = Array.from({ length: 1500 }, (_, id) => ({ id, n: id === 1400 ? 'many' : id }));
  const csv = `id,n\n${rows.map(({ id, n }) => `${id},${n}\n`).join('')}`;
  const json = rows.map(row => JSON.stringify(row)).join('\n');
  for (const [text, format] of [
    [csv, 'csv'],
    [json, 'jsonl'],
  ] as const) {
    const failed = database.importRows(text, { table: 't', format, create: true });
    await expect(failed).rejects.toMatchObject({ hint: expect.stringContaining('allRows') });
    await database.importRows(text, { table: 't', format, create: true, allRows: true });
    await database.query('DROP TABLE t');
  }
});

withEngine('the end of a file tells what stands between its fields, both ways', async () => {
  const path = join(scratch, 'separated');
  const database = await open({ path, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20))');
  await database.query("INSERT INTO t VALUES (1, 'a,b'), (2, 'a|b'), (3, 'a\\tb'), (4, NULL)");
  const before = await values(database, 'SELECT * FROM t');
  await database.query('CREATE TABLE copies LIKE t');
  await database.close();
  const call = async (...words: string[]): Promise<string> => {
    const told: string[] = [];
    const output = { out: (text: string) => void told.push(text), error: (text: string) => void told.push(text) };
    const input = Readable.from([]) as NodeJS.ReadableStream;
    expect(await runCommandLine(words, { open, output, input, useColor: false }), told.join('')).toBe(0);
    return told.join('');
  };
  for (const [ending, line] of [
    ['psv', '2|"a|b"'],
    ['tsv', '3\t"a\tb"'],
    ['csv', '1,"a,b"'],
  ] as const) {
    const file = join(scratch, `t.${ending}`);
    await call('export', path, 't', file);
    expect(readFileSync(file, 'utf8')).toContain(`\n${line}\n`);
    await call('import', path, 'copies', file, '--replace');
    await using copied = await open({ path });
    expect(await values(copied, 'SELECT * FROM copies')).toEqual(before);
  }
});

test('defaults of members are named in a definition, and only those', () => {
  const line = (text: string) =>
    withNamedDefaults(`CREATE TABLE \`t\` (\n  \`a\` ${text},\n  \`b\` int DEFAULT '2'\n)`);
  for (const [shown, named] of [
    [
      "enum('a','b,c','d''e') COLLATE utf8mb4_general_ci NOT NULL DEFAULT '3' COMMENT 'DEFAULT ''1'''",
      "'d''e' COMMENT",
    ],
    ["set('a','b','c') DEFAULT '5'", "DEFAULT 'a,c'"],
    ["set('a','b') DEFAULT '0'", "DEFAULT ''"],
    ["enum('2','1') DEFAULT '2'", "DEFAULT '1'"],
    ["year DEFAULT '0'", 'DEFAULT 0,'],
  ] as const) {
    expect(line(shown)).toContain(named);
    expect(line(shown)).toContain("`b` int DEFAULT '2'");
  }
  for (const other of [
    "varchar(9) DEFAULT '1'",
    "enum('x') COMMENT ' DEFAULT ''1'''",
    "year DEFAULT '2001'",
    "enum('a') DEFAULT ('1')",
  ]) {
    expect(line(other)).toContain(other);
  }
});

withEngine('a dump of native Dolt, which writes the numbers of members, is read', async () => {
  const database = await open({ memory: {}, create: true });
  await database.importSql(
    "CREATE TABLE t (id INT PRIMARY KEY, e ENUM('a','b,c') DEFAULT '2', s SET('x','y','z') DEFAULT '5')",
  );
  await database.query('INSERT INTO t (id) VALUES (1)');
  expect(await values(database, 'SELECT * FROM t')).toEqual([[1, 'b,c', 'x,z']]);
});

withDolt(
  'native Dolt makes of a dump what was there',
  async () => {
    const path = join(scratch, 'dumped');
    const source = await open({ path, create: true });
    await source.query(TABLE);
    // Of JSON text native Dolt stores no whole number that no double holds.
    await source.query(ROWS.replace('18446744073709551615', '9007199254740992'));
    await source.query('INSERT INTO t (id) VALUES (8)');
    const dump = await textOf(source.dump());
    const restored = await open({ memory: {}, create: true });
    await restored.importSql(dump);
    expect(await values(restored, ALL)).toEqual(await values(source, ALL));
    const shown = await values(source, 'SHOW CREATE TABLE t');
    expect(await values(restored, 'SHOW CREATE TABLE t')).toEqual(shown);
    await source.commit('Make t');
    const [hash] = (await values(source, "SELECT dolt_hashof_table('t')")).flat();
    await source.query('DROP TABLE t');
    await source.close();
    execFileSync(DOLT, ['sql'], { cwd: path, input: dump, stdio: ['pipe', 'ignore', 'pipe'] });
    const told = execFileSync(DOLT, ['sql', '-r', 'csv', '-q', "SELECT dolt_hashof_table('t')"], { cwd: path });
    expect(told.toString().trim().split('\n').at(-1)).toBe(hash);
  },
  120_000,
);
