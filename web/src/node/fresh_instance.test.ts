import { join } from 'node:path';
import { expect } from 'vitest';
import { scratchDirectory, withEngine } from '../testing/built_engine.ts';
import { loadCore } from './core.ts';
import { type Database, open, type Session } from './index.ts';

const MIB = 2 ** 20;
const BUDGET = 32 * MIB;
const directory = scratchDirectory();

const memory = async (database: Database): Promise<number> => (await database.stats()).memoryBytes;

/** A statement that needs a great deal of memory for a moment. */
const grow = (session: Database | Session) =>
  session.query("SELECT LENGTH(CONCAT(REPEAT('a', 100000000), REPEAT('b', 50000000))) AS bytes");

/** Has the engine die of the next statement that asks for random bytes; the flush of commits, which may come before it, asks for none. */
async function arm(words?: string): Promise<void> {
  const { imports } = await loadCore();
  const mutable = imports as { random: (dest: number, length: number) => void; panicMessage: string | null };
  mutable.random = () => {
    mutable.panicMessage = words ?? null;
    throw new WebAssembly.RuntimeError('unreachable');
  };
}

const STATE = `SELECT CONNECTION_ID() AS id, DATABASE() AS place, ACTIVE_BRANCH() AS branch, @@sql_mode AS mode,
  @@autocommit AS autocommit, @@group_concat_max_len AS bytes, @@GLOBAL.max_connections AS connections,
  @i AS i, @u AS u, @d AS d, @f AS f, @t AS t, HEX(@b) AS b, @j AS j, JSON_TYPE(@j) AS kind, @moment AS moment, @nothing AS nothing,
  ST_AsText(@g) AS g, LAST_INSERT_ID() AS last, IS_USED_LOCK('mine') AS locked`;

async function makeState(session: Session): Promise<void> {
  await session.query("CALL dolt_checkout('-b', 'side')");
  await session.query('CREATE TABLE kept (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20))');
  await session.query("SET SESSION sql_mode = 'ANSI_QUOTES', SESSION group_concat_max_len = 777777");
  await session.query('SET GLOBAL max_connections = 77');
  await session.query("SET @i = -5, @u = 18446744073709551615, @d = 12.340, @f = 1e300, @t = 'naïve 🙂', @b = X'00FF'");
  await session.query(`SET @j = JSON_OBJECT('a', JSON_ARRAY(1, TRUE, NULL, 'x', 1.5)), @g = POINT(1, 2)`);
  await session.query("SET @moment = CAST('2024-02-29 12:34:56.789' AS DATETIME(3)), @nothing = NULL");
  await session.query("PREPARE named FROM 'SELECT ? + 1 AS n'");
  await session.query("SELECT GET_LOCK('mine', 0)");
  await session.query("INSERT INTO kept (name) VALUES ('one'), ('two')");
}

async function sameState(session: Session, before: unknown): Promise<void> {
  expect((await session.query(STATE)).rows).toEqual(before);
  expect((await session.query('EXECUTE named USING @i')).rows).toEqual([{ n: -4n }]);
  expect((await session.query('SELECT COUNT(*) AS n FROM kept')).rows).toEqual([{ n: 2n }]);
}

withEngine('memory that one statement needed comes back, and everything that sessions have stays', async () => {
  await using database = await open({ empty: 'mem' }, { budgetBytes: BUDGET });
  const session = await database.session();
  await makeState(session);
  const prepared = await session.prepare('SELECT ? AS given, "id" FROM kept WHERE id = 1');
  await session.query("SELECT CAST('x' AS SIGNED) AS warned");
  const { rows: warnings } = await session.query('SHOW WARNINGS');
  const { rows: before } = await session.query(STATE);
  expect(before[0]).toMatchObject({ branch: 'side', d: '12.340', locked: before[0]?.id, last: 1n });
  expect((await grow(database)).rows).toEqual([{ bytes: 150_000_000 }]);
  expect(await memory(database)).toBeGreaterThan(BUDGET + 96 * MIB);
  const old = (await loadCore()).exports.memory;
  await session.query("SELECT CAST('x' AS SIGNED) AS warned");

  expect(await database.releaseMemory()).toBeGreaterThan(100 * MIB);
  expect(await memory(database)).toBeLessThan(BUDGET);
  expect((await loadCore()).exports.memory).not.toBe(old);
  expect((await session.query('SHOW WARNINGS')).rows).toEqual(warnings);
  await sameState(session, before);
  expect((await prepared.query(['x'])).rows).toEqual([{ given: 'x', id: 1 }]);
  const other = await database.session();
  expect((await other.query("SELECT GET_LOCK('mine', 0) AS got")).rows).toEqual([{ got: 0 }]);
  expect((await other.query('SELECT CONNECTION_ID() > ? AS later', [before[0]?.id as bigint])).rows).toEqual([
    { later: 1 },
  ]);
  await session.query("INSERT INTO kept (name) VALUES ('three')");
  expect((await session.query('SELECT MAX(id) AS id FROM kept')).rows).toEqual([{ id: 3 }]);
  expect((await database.stats()).counters).toMatchObject({ engine_released: 1, engine_lost: 0 });
});

withEngine(
  'memory stays while something is open that another instance could not have, and comes back by itself',
  async () => {
    await using database = await open({ path: join(directory, 'idle'), create: true }, { budgetBytes: BUDGET });
    await using other = await open({ empty: 'other' }, { budgetBytes: BUDGET });
    await other.query('CREATE TABLE t (id INT PRIMARY KEY)');
    const session = await database.session();
    await session.query('CREATE TABLE t (id INT PRIMARY KEY)');
    await grow(session);
    for (const [begin, end] of [
      ['START TRANSACTION', 'COMMIT'],
      ['CREATE TEMPORARY TABLE own (id INT)', 'DROP TEMPORARY TABLE own'],
    ] as const) {
      await session.query(begin);
      expect(await database.releaseMemory()).toBe(0);
      await session.query(end);
    }
    const stream = database.stream(
      'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT * FROM n',
      [],
      {
        bufferedPages: 1,
      },
    );
    await stream.columns;
    const releasing = database.releaseMemory();
    for await (const _ of stream);
    await releasing;
    await session.query('INSERT INTO t VALUES (1)');
    // Both have moved to another instance, and the memory of the former one is free.
    await grow(session);
    await other.query('SELECT 1');
    await expect
      .poll(async () => (await database.stats()).counters.engine_released, { timeout: 30_000, interval: 200 })
      .toBeGreaterThan(0);
    expect(await memory(database)).toBeLessThan(BUDGET);
    expect((await session.query('SELECT COUNT(*) AS n FROM t')).rows).toEqual([{ n: 1n }]);
    expect((await other.query('SELECT COUNT(*) AS n FROM t')).rows).toEqual([{ n: 0n }]);
  },
);

withEngine('a statement that ends the engine fails, and everything that was acknowledged goes on', async () => {
  const path = join(directory, 'died');
  const database = await open({ path, create: true }, { budgetBytes: BUDGET });
  await using beside = await open({ empty: 'beside' }, { budgetBytes: BUDGET });
  await beside.query('CREATE TABLE t (id INT PRIMARY KEY)');
  await beside.query('INSERT INTO t VALUES (1)');
  const [session, open1, temporary] = [await database.session(), await database.session(), await database.session()];
  await makeState(session);
  const { rows: before } = await session.query(STATE);
  await open1.query('CREATE TABLE entries (id INT PRIMARY KEY)');
  await open1.query('START TRANSACTION');
  await open1.query('INSERT INTO entries VALUES (1)');
  await temporary.query('CREATE TABLE hidden (id INT PRIMARY KEY)');
  await temporary.query('CREATE TEMPORARY TABLE hidden (id INT)');
  for (let id = 1; id <= 50; id++) await session.query('INSERT INTO kept (name) VALUES (?)', [`row ${id}`]);
  await session.query('DELETE FROM kept WHERE id > 2');

  await arm();
  const [died, behind] = await Promise.all([
    database.query('SELECT RANDOM_BYTES(8)').catch(error => error),
    database.query('SELECT 1 AS one'),
  ]);
  expect(died).toMatchObject({ errno: 1041, message: expect.stringContaining('Out of memory') });
  expect(behind.rows).toEqual([{ one: 1 }]);
  const last = (await session.query('SELECT LAST_INSERT_ID() AS last')).rows[0]?.last ?? null;
  const after = before.map(row => ({ ...row, last }));
  await sameState(session, after);
  await expect(open1.query('INSERT INTO entries VALUES (2)')).rejects.toMatchObject({ errno: 1213 });
  expect((await open1.query('SELECT COUNT(*) AS n FROM entries')).rows).toEqual([{ n: 0n }]);
  await expect(temporary.query('SELECT * FROM hidden')).rejects.toMatchObject({ errno: 2013 });
  await temporary.query('DROP TEMPORARY TABLE hidden');
  expect((await temporary.query('SELECT * FROM hidden')).rows).toEqual([]);
  // The other database of this thread lived in the same instance.
  expect((await beside.query('SELECT * FROM t')).rows).toEqual([{ id: 1 }]);

  await arm('panicked at x.rs: this is a test');
  await expect(session.query('SELECT RANDOM_BYTES(8)')).rejects.toMatchObject({
    errno: 2013,
    message: expect.stringContaining('a test'),
  });
  await sameState(session, after);
  expect((await database.stats()).counters.engine_lost).toBe(2);
  await database.close();
  await using again = await open(path);
  expect((await again.verify()).isWhole).toBe(true);
});
