import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isBuilt, scratchDirectory, withEngine } from '../testing/built_engine.ts';
import { open, SqlError, VarveError } from './index.ts';

const FIXTURES = '../shared/fixtures';
const SAMPLE = 'web/public/sample/seed_bank';
const scratch = scratchDirectory();
/** The fixtures lie beside the repository. */
const withFixtures = test.skipIf(!isBuilt || !existsSync(FIXTURES));

function unpackedFixture(name: string): string {
  execFileSync('tar', ['-xzf', `${FIXTURES}/${name}.tar.gz`, '-C', scratch]);
  return scratch;
}

withEngine('a directory is opened and asked, in every mode', async () => {
  for (const mode of ['mmap', 'pread', 'mmap-index'] as const) {
    const database = await open(SAMPLE, { mode });
    expect(database.name).toBe('seed_bank');
    expect(database.storage).toMatchObject({ kind: 'path', readOnly: false, remote: false, persistent: true });
    const { rows, stats } = await database.query('SELECT id, code, collected FROM accessions WHERE id = ?', [17]);
    expect(rows).toEqual([{ id: 17, code: 'NSB-00017', collected: '1998-08-01' }]);
    expect(stats.bytesRead).toBeGreaterThan(0);
    expect((await database.stats()).counters.region_reads).toBeGreaterThan(0);
    await database.close();
  }
});

withEngine('a call that cannot be meant says what would be', async () => {
  for (const source of ['', {}, undefined, 7]) {
    const refused = { code: 'usage', message: expect.stringContaining('expected a path, a URL') };
    await expect(open(source as never)).rejects.toMatchObject(refused);
  }
  const database = await open({ empty: 'mydb' });
  const misplaced = { code: 'usage', message: expect.stringContaining('query(sql, [], { signal })') };
  await expect(database.query('SELECT 1', { timeoutMs: 9 } as never)).rejects.toMatchObject(misplaced);
  const refused: readonly [() => Promise<unknown>, string][] = [
    [() => database.query(42 as never), 'A statement is a string'],
    [() => database.query("SELECT '\ud83d'"), 'half of a character'],
    [() => database.prepare("SELECT '\ud83d'"), 'half of a character'],
    [() => database.query('SELECT 1', [], { signal: 'soon' as never }), 'query: signal is an AbortSignal'],
    [() => database.query('SELECT 1', [], { timeoutMs: Number.NaN }), 'timeoutMs is a number of at least 0, got NaN'],
    [() => database.live('SELECT 1', undefined as never), 'live(sql, callback)'],
    [() => database.transaction('SELECT 1' as never), 'A function is missing'],
  ];
  for (const [call, words] of refused) {
    await expect(call()).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(words) });
  }
  await database.query('CREATE TABLE t (n INT)');
  await expect(database.live('INSERT INTO t VALUES (1)', () => {})).rejects.toMatchObject({ errno: 1792 });
  expect((await database.query('SELECT COUNT(*) AS n FROM t', [], { timeoutMs: Infinity })).rows).toEqual([{ n: 0n }]);
  await database.close();
});

withEngine('regular expressions are the host’s', async () => {
  const database = await open(SAMPLE);
  const { rows } = await database.query(
    "SELECT 'abc' REGEXP '^a.c$' AS whole, REGEXP_REPLACE('aéb', '[éü]', '-') AS replaced, REGEXP_INSTR('日本b', 'b') AS place",
  );
  expect(rows.map(row => Object.values(row).map(String))).toEqual([['1', 'a-b', '3']]);
  await expect(database.query("SELECT 'a' REGEXP '('")).rejects.toThrow(SqlError);
  await database.close();
});

withEngine('values come back as what they are, and can be bound again', async () => {
  const database = await open({ empty: 'mydb' });
  const params = [1, -(2n ** 63n), 2n ** 64n - 1n, 0.5, 'text 漢字 😀', new Uint8Array([0, 255]), null, true] as const;
  const names = params.map((_, index) => `? AS c${index}`).join(', ');
  const { rowArrays } = await database
    .query(`SELECT ${names}`, params)
    .then(result => ({ rowArrays: result.rowArrays() }));
  expect(rowArrays[0]?.map(String)).toEqual(params.map(value => (value === true ? '1' : String(value))));
  const again = await database.query(`SELECT ${names}`, rowArrays[0]);
  expect(again.rowArrays()).toEqual(rowArrays);
  await database.close();
});

withEngine('many texts arrive as they are, whatever their bytes', async () => {
  const database = await open({ empty: 'mydb' });
  const words = Array.from({ length: 30 }, (_, index) => 'word '.repeat(index));
  const names = words.map((_, index) => `CAST(? AS CHAR) AS c${index}`).join(', ');
  const statement = await database.prepare(`SELECT ${names}`);
  // Plain ones before and after others, for memory is used again.
  for (const others of [{}, { 3: 'é', 20: '漢字 😀' }, { 4: 2n ** 63n, 9: null, 29: '' }, {}]) {
    const params = Object.assign([...words], others);
    const texts = params.map(param => (param === null ? null : String(param)));
    expect((await statement.query(params)).rowArrays()).toEqual([texts]);
  }
  await database.close();
});

withEngine('errors have numbers and places', async () => {
  const database = await open(SAMPLE);
  const failed = (sql: string) => database.query(sql).catch(error => error);
  const missing = await failed("SELECT '漢字', id FROM no_such_table");
  expect(missing).toBeInstanceOf(SqlError);
  expect(missing).toMatchObject({ errno: 1146, message: expect.stringContaining('no_such_table') });
  expect(await failed("SELECT '漢字' FROM FROM")).toMatchObject({ position: 17 });
  await database.close();
});

withEngine('a cross join that would run for minutes is cancelled, and the database goes on', async () => {
  const database = await open(SAMPLE);
  const controller = new AbortController();
  const sql = 'SELECT a.id FROM accessions a, accessions b, accessions c WHERE a.seeds + b.seeds + c.seeds < 0';
  const endless = database.query(sql, [], { signal: controller.signal });
  // The answer to a later question says that the join has begun.
  await database.stats();
  controller.abort();
  await expect(endless).rejects.toThrow('aborted');
  expect((await database.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await expect(database.query(sql, [], { timeoutMs: 50 })).rejects.toMatchObject({ errno: 3024 });
  await database.close();
});

withEngine('a signal that outlives many statements keeps nothing of them', async () => {
  await using database = await open({ empty: 'signals' });
  const { signal } = new AbortController();
  await database.query('CREATE TABLE t (id INT PRIMARY KEY)', [], { signal });
  await database.query('SELECT nothing', [], { signal }).catch(() => undefined);
  for await (const _row of database.stream('SELECT 1 UNION SELECT 2', [], { signal }).rows()) break;
  await database.importRows('id\n1\n', { table: 't', format: 'csv', signal });
  await database.importSql('INSERT INTO t VALUES (2)', { signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

withEngine('completion proposes what may stand there', async () => {
  const database = await open(SAMPLE);
  const labels = async (text: string) => {
    const at = text.indexOf('|');
    const { from, items } = await database.complete(text.replace('|', ''), at);
    return { from, of: (kind: string) => items.filter(item => item.kind === kind).map(({ label }) => label) };
  };
  const tables = await labels('SELECT * FROM acc|');
  expect(tables.from).toBe(14);
  expect(tables.of('table')).toEqual(['accessions']);
  const columns = await labels("SELECT '漢字😀', a.co| FROM accessions a");
  expect(columns.from).toBe(17);
  expect(columns.of('column')).toEqual(expect.arrayContaining(['code', 'collected', 'collector_id']));
  expect(columns.of('keyword')).toEqual([]);
  expect((await labels('SEL|')).of('keyword')).toContain('SELECT');
  await database.close();
});

withEngine('scripts are split as the engine reads them', async () => {
  const database = await open({ empty: 'mydb' });
  const script = "SELECT '漢字😀;'; -- a comment; and more\n SELECT 2 ;";
  expect(await database.split(script)).toEqual([
    { sql: "SELECT '漢字😀;'", start: 0, end: 14 },
    { sql: 'SELECT 2', start: 40, end: 48 },
  ]);
  const results = [];
  for await (const { rows } of database.run(script)) results.push(Object.values(rows[0] ?? {}));
  expect(results).toEqual([['漢字😀;'], [2]]);
  await database.close();
});

withEngine('text is ordered as in a language that is not built in', async () => {
  const database = await open({ empty: 'words' });
  const words = "SELECT 'zebra' AS w UNION ALL SELECT 'ål' UNION ALL SELECT 'and'";
  const { rows } = await database.query(`SELECT w FROM (${words}) x ORDER BY w COLLATE utf8mb4_da_0900_ai_ci`);
  expect(rows.map(row => row.w)).toEqual(['and', 'zebra', 'ål']);
  await database.close();
});

withEngine('an error says what helps where Dolt’s message does not', async () => {
  const database = await open({ empty: 'mydb' });
  const hint = 'did you mean SELECT?';
  await expect(database.query('SELCT 1')).rejects.toMatchObject({ errno: 1105, position: 0, hint });
  await expect(database.query('SELECT * FROM nothing')).rejects.toMatchObject({ errno: 1146, hint: undefined });
  await database.close();
});

withEngine('several databases are open in one thread', async () => {
  const [first, second] = await Promise.all([open(SAMPLE), open({ empty: 'other' })]);
  expect((await first.query('SELECT id FROM accessions LIMIT 1')).rowCount).toBe(1);
  await expect(second.query('SELECT id FROM accessions')).rejects.toMatchObject({ errno: 1146 });
  await first.close();
  expect((await second.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
  await second.close();
});

withEngine('a zip is unpacked into memory', async () => {
  const database = await open({ archive: readFileSync(`${SAMPLE}.zip`), name: 'seed_bank.zip' });
  expect(database.storage).toMatchObject({ kind: 'archive', persistent: false });
  expect((await database.query('SELECT code FROM accessions WHERE id = 17')).rows).toEqual([{ code: 'NSB-00017' }]);
  await database.close();
});

withEngine('what is no database is refused', async () => {
  await expect(open('web/src')).rejects.toMatchObject({ code: 'not_a_database' });
  await expect(open('no/such/place')).rejects.toThrow('does not exist');
  await expect(open('ftp://host/shop')).rejects.toThrow('ftp: addresses cannot be opened here: http: and https: can');
  const error = await open('package.json').catch(caught => caught);
  expect(error).toBeInstanceOf(VarveError);
  expect(error).toMatchObject({ code: 'unreadable' });
});

withFixtures('a directory of several databases attaches them all', async () => {
  const database = await open(join(unpackedFixture('i_multi'), 'multi'));
  expect(database.databases).toEqual(['accounts', 'empty_one', 'inventory']);
  expect(database.name).toBe('accounts');
  await expect(database.query('SELECT 1 FROM no_such_table')).rejects.toThrow('table not found: no_such_table');
  await database.close();
});

withFixtures('a remote directory is a database too', async () => {
  const database = await open(join(unpackedFixture('h_remote'), 'remote_dir'));
  expect(database.databases).toEqual(['remote_dir']);
  await database.close();
});

withFixtures('damaged databases open as native Dolt opens them, or say which file is damaged', async () => {
  const known = JSON.parse(readFileSync(`${FIXTURES}/j_damaged.json`, 'utf8')) as unknown;
  expect(known).toBeTruthy();
  const missing = await open({ archive: readFileSync(`${FIXTURES}/j_b_missing_file.tar.gz`) }).catch(error => error);
  expect(missing).toMatchObject({
    code: 'unreadable',
    message: expect.stringMatching(/\.darc|listed in the manifest/),
  });
  const empty = await open({ archive: readFileSync(`${FIXTURES}/j_b_empty_manifest.tar.gz`) }).catch(error => error);
  expect(empty).toBeInstanceOf(VarveError);
});
