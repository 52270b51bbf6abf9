import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import { type Database, open } from './index.ts';

const ROWS = 5000;
const CSV = `id,name\n${Array.from({ length: ROWS }, (_, id) => `${id},the name of row ${id}`).join('\n')}\n`;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'varve-long-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const memory = async (database: Database): Promise<number> => (await database.stats()).memoryBytes;

/** What the engine's memory grows by when something is done many times, after it was done a few times. */
async function growth(watcher: Database, work: (time: number) => Promise<void>, times = 20): Promise<number> {
  let time = 0;
  while (time < 5) await work(time++);
  const before = await memory(watcher);
  while (time < 5 + times) await work(time++);
  return (await memory(watcher)) - before;
}

withEngine('databases that are opened and closed leave no memory behind, whatever was open in them', async () => {
  await using watcher = await open({ empty: 'watcher' });
  const grown = await growth(watcher, async time => {
    const database = await open(time % 2 === 0 ? { empty: 'a' } : { path: join(directory, `a${time}`), create: true });
    await database.importRows(CSV, { table: 't', format: 'csv', create: true });
    const session = await database.session();
    const statement = await session.prepare('SELECT COUNT(*) FROM t WHERE id < ?');
    await statement.query([time]);
    await session.query('START TRANSACTION');
    await session.query('UPDATE t SET name = id');
    const stream = database.stream('SELECT * FROM t', [], { bufferedPages: 1 });
    await stream.columns;
    await database.close();
  });
  expect(grown).toBe(0);
  // The others go on.
  expect((await watcher.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

withEngine(
  'databases that are made and dropped leave no memory behind, and the next has as much as the first',
  async () => {
    await using database = await open({ path: join(directory, 'made'), create: true });
    const cached: number[] = [];
    const grown = await growth(database, async () => {
      await database.query('CREATE DATABASE d');
      await database.query('CREATE TABLE d.t (id INT PRIMARY KEY, name VARCHAR(200))');
      await database.query(
        "INSERT INTO d.t WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 1000) SELECT i, REPEAT('x', 200) FROM s",
      );
      await database.query('SELECT COUNT(*), MAX(name) FROM d.t WHERE name > ?', ['']);
      cached.push((await database.stats()).counters.tree_bytes_cached ?? 0);
      await database.query('DROP DATABASE d');
      await database.query('CALL dolt_purge_dropped_databases()');
    });
    expect(grown).toBe(0);
    expect(cached.at(-1)).toBe(cached[0]);
  },
);

withEngine('a database that is made anew with the same contents has its own files', async () => {
  const script = `
    CREATE DATABASE twin;
    CREATE TABLE twin.t (id INT PRIMARY KEY, name VARCHAR(200));
    INSERT INTO twin.t WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 1000)
      SELECT i, REPEAT('x', 200) FROM s`;
  const path = join(directory, 'twins');
  const database = await open({ path, create: true });
  const other = await database.session();
  for (let time = 0; time < 3; time++) {
    for await (const _ of database.run(script));
    const [row] = (await other.query('SELECT COUNT(*) AS there, MAX(name) AS name FROM twin.t')).rows;
    expect(row).toEqual({ there: 1000n, name: 'x'.repeat(200) });
    await other.query(`UPDATE twin.t SET name = 'changed ${time}' WHERE id = 7`);
    expect((await database.query('SELECT name FROM twin.t WHERE id = 7')).rows).toEqual([{ name: `changed ${time}` }]);
    if (time < 2) await database.query('DROP DATABASE twin');
  }
  await database.close();
  await using again = await open(path);
  const [row] = (await again.query('SELECT COUNT(*) AS there, MIN(name) AS name FROM twin.t')).rows;
  expect(row).toEqual({ there: 1000n, name: 'changed 2' });
});
