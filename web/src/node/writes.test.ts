import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { DOLT, dolt, scratchDirectory, withDolt, withEngine } from '../testing/built_engine.ts';
import { type Database, open, type ResultStream, type Statement, type Transaction } from './index.ts';

const scratch = scratchDirectory();

let made = 0;
const newPath = (): string => join(scratch, `db${made++}`);

async function values(database: Pick<Database, 'query'>, sql: string): Promise<unknown[][]> {
  return (await database.query(sql)).rowArrays();
}

withEngine('room for the next commits is made while the database is idle', async () => {
  const path = newPath();
  const database = await open({ path, create: true });
  const bytes = (): number => statSync(join(path, '.dolt/noms', 'v'.repeat(32))).size;
  const insert = (id: number) => database.query('INSERT INTO t VALUES (?)', [id]);
  await database.query('CREATE TABLE t (id INT PRIMARY KEY)');
  for (let id = 0; id < 3; id += 1) await insert(id);
  // More than a commit makes when it finds none.
  await vi.waitFor(() => expect(bytes()).toBeGreaterThan(256 << 10), { timeout: 10_000 });
  const before = bytes();
  for (let id = 3; id < 20; id += 1) await insert(id);
  expect(bytes()).toBe(before);
  await database.close();
  const again = await open({ path });
  expect(await values(again, 'SELECT COUNT(*), MAX(id) FROM t')).toEqual([[20n, 19]]);
  await again.close();
});

withDolt(
  'what is written is there after it was closed, and native Dolt reads it and writes on',
  async () => {
    const path = newPath();
    const first = await open({ path, create: true });
    expect(first.storage).toMatchObject({ kind: 'path', readOnly: false, persistent: true });
    await first.query('CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20))');
    const inserted = await first.query('INSERT INTO t (name) VALUES (?), (?)', ['one', 'two']);
    expect(inserted).toMatchObject({ affectedRows: 2, lastInsertId: 1, hasRows: false });
    const updated = await first.query("UPDATE t SET name = 'zwei' WHERE id = 2");
    expect(updated).toMatchObject({ affectedRows: 1, info: 'Rows matched: 1  Changed: 1  Warnings: 0' });
    await first.close();

    expect(dolt(path, 'sql', '-r', 'csv', '-q', 'SELECT * FROM t ORDER BY id')).toBe('id,name\n1,one\n2,zwei\n');
    expect(dolt(path, 'fsck')).toContain('No problems found');
    dolt(path, 'sql', '-q', "INSERT INTO t (name) VALUES ('three')");

    const second = await open({ path });
    expect(await values(second, 'SELECT id, name FROM t ORDER BY id')).toEqual([
      [1, 'one'],
      [2, 'zwei'],
      [3, 'three'],
    ]);
    await second.close();
  },
  60_000,
);

withDolt(
  'tables of another branch are written there, and native Dolt goes on',
  async () => {
    const path = newPath();
    const first = await open({ path, create: true });
    for (const sql of [
      'CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(20))',
      "CALL dolt_commit('-Am', 'a table')",
      "CALL dolt_checkout('-b', 'other')",
      "INSERT INTO dolt_nonlocal_tables VALUES ('n', 'main', 't', 'immediate')",
      'CREATE TABLE child (id INT PRIMARY KEY, FOREIGN KEY (id) REFERENCES n (id))',
      "CALL dolt_commit('-Am', 'names')",
      "INSERT INTO n VALUES (1, 'one')",
      'INSERT INTO child VALUES (1)',
    ]) {
      await first.query(sql);
    }
    await first.close();
    const native = (sql: string) => dolt(path, '--branch', 'other', 'sql', '-r', 'csv', '-q', sql);
    expect(native('SELECT * FROM n')).toBe('id,name\n1,one\n');
    native("INSERT INTO n VALUES (2, 'two')");
    native('INSERT INTO child VALUES (2)');
    expect(() => native('INSERT INTO child VALUES (3)')).toThrow(/Foreign key violation/);
    expect(dolt(path, 'fsck')).toContain('No problems found');
    const second = await open({ path });
    expect(await values(second, 'SELECT id, name FROM t')).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
    await second.query("CALL dolt_checkout('other')");
    expect(await values(second, 'SELECT id FROM child')).toEqual([[1], [2]]);
    await expect(second.query('INSERT INTO child VALUES (3)')).rejects.toMatchObject({ errno: 1452 });
    await second.close();
  },
  60_000,
);

withEngine(
  'each commit is flushed once, and relaxed ones together',
  async () => {
    for (const [durability, least, most] of [
      ['full', 10, 10],
      ['relaxed', 0, 5],
    ] as const) {
      const path = newPath();
      const database = await open({ path, create: true }, { durability });
      await database.query('CREATE TABLE t (id INT PRIMARY KEY)');
      const count = async (name: string) => (await database.stats()).counters[name] ?? 0;
      const before = [await count('store_flushes'), await count('store_commits')] as const;
      for (let id = 0; id < 10; id++) await database.query('INSERT INTO t VALUES (?)', [id]);
      const flushed = (await count('store_flushes')) - before[0];
      expect((await count('store_commits')) - before[1]).toBe(10);
      expect(flushed).toBeGreaterThanOrEqual(least);
      expect(flushed).toBeLessThanOrEqual(most);
      await database.close();
      const again = await open({ path });
      expect((await values(again, 'SELECT COUNT(*) FROM t')).flat().map(Number)).toEqual([10]);
      await again.close();
    }
  },
  30_000,
);

withEngine(
  'a second opening of the same files sees each commit, and both write',
  async () => {
    const path = newPath();
    const [one, other] = [await open({ path, create: true }), await open({ path, create: true })];
    await one.query('CREATE TABLE t (id INT PRIMARY KEY)');
    for (let id = 0; id < 6; id++) await (id % 2 === 0 ? one : other).query('INSERT INTO t VALUES (?)', [id]);
    for (const database of [one, other]) {
      expect((await values(database, 'SELECT COUNT(*) FROM t')).flat().map(Number)).toEqual([6]);
    }
    await Promise.all([one.close(), other.close()]);
  },
  30_000,
);

withEngine('databases in memory are written too, and the given bytes stay as they are', async () => {
  const database = await open({ memory: {}, create: true });
  expect(database.storage).toMatchObject({ kind: 'memory', readOnly: false, persistent: false });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY)');
  await database.query('INSERT INTO t VALUES (1)');
  expect(await values(database, 'SELECT * FROM t')).toEqual([[1]]);
  await database.close();
});

withEngine(
  'databases are made and removed beside each other',
  async () => {
    for (const source of [
      { memory: {}, create: true },
      { path: newPath(), create: true },
    ] as const) {
      const database = await open(source);
      await database.query('CREATE DATABASE other');
      await expect(database.query('CREATE DATABASE other')).rejects.toMatchObject({ errno: 1007 });
      await database.query('CREATE TABLE other.t (id INT PRIMARY KEY)');
      await database.query('INSERT INTO other.t VALUES (1)');
      expect(await values(database, 'SELECT * FROM other.t')).toEqual([[1]]);
      for (const _ of ['once', 'twice']) {
        await database.query('CREATE DATABASE gone');
        await database.query('DROP DATABASE gone');
      }
      expect((await values(database, 'SHOW DATABASES')).flat()).toEqual(expect.not.arrayContaining(['gone']));
      await expect(database.query("CALL dolt_undrop('nobody')")).rejects.toThrow(
        /no database named 'nobody' found to undrop\. available databases that can be undropped: gone, gone\.backup\.\d+/,
      );
      await database.query("CALL dolt_undrop('GONE')");
      expect((await values(database, 'SHOW DATABASES')).flat()).toContain('gone');
      await database.query('DROP DATABASE gone');
      await database.close();
      if (!('path' in source)) continue;
      const dropped = readdirSync(join(source.path, '.dolt_dropped_databases')).sort();
      expect(dropped).toEqual(['gone', expect.stringMatching(/^gone\.backup\.\d+$/)]);
      if (existsSync(DOLT)) {
        expect(dolt(join(source.path, 'other'), 'fsck')).toContain('No problems found');
        dolt(source.path, 'sql', '-q', "CALL dolt_undrop('gone')");
        expect(existsSync(join(source.path, 'gone/.dolt/noms'))).toBe(true);
      }
      const again = await open(source);
      expect(await values(again, 'SELECT * FROM other.t')).toEqual([[1]]);
      await again.query('CALL dolt_purge_dropped_databases()');
      expect(readdirSync(join(source.path, '.dolt_dropped_databases'))).toEqual([]);
      await expect(again.query('CALL dolt_undrop()')).rejects.toThrow('currently available to be undropped');
      await again.close();
    }
  },
  60_000,
);

withEngine('a view of a branch only reads', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY)');
  const view = await database.at('main');
  const writes = ['INSERT INTO t VALUES (1)', "CALL dolt_commit('-Am', 'no')", "CALL dolt_tag('no')"];
  for (const sql of writes) await expect(view.query(sql)).rejects.toThrow('only reads');
  await database.query('INSERT INTO t VALUES (2)');
  expect(await values(view, 'SELECT id FROM t')).toEqual([[2]]);
  await view.close();
  await database.close();
});

withEngine('a procedure gives all of its results', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query("CREATE PROCEDURE two() BEGIN SELECT 1 AS a; SELECT 'x' AS b, 2 AS c; END");
  const result = await database.query('CALL two()');
  expect(result.rows).toEqual([{ a: 1 }]);
  expect(result.results.map(({ rows }) => rows)).toEqual([[{ a: 1 }], [{ b: 'x', c: 2 }]]);
  await database.close();
});

withEngine('versions through types: commit, branch, merge with conflicts, resolve', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20))');
  await database.query("INSERT INTO t VALUES (1, 'base'), (2, 'base')");
  const first = await database.commit('first');
  expect(first).toMatch(/^[0-9a-v]{32}$/);
  await database.query("CALL dolt_branch('other')");
  await database.query("UPDATE t SET v = 'ours' WHERE id = 1");
  const ours = await database.commit({ message: 'ours', author: 'A <a@b.c>', date: '2024-05-06T07:08:09Z' });
  await database.query("CALL dolt_checkout('other')");
  await database.query("UPDATE t SET v = 'theirs' WHERE id IN (1, 2)");
  await database.commit('theirs');
  await database.query("CALL dolt_checkout('main')");
  const changes = [];
  for await (const change of database.diff(first, ours)) changes.push(change);
  expect(changes).toEqual([{ table: 't', kind: 'modified', from: { id: 1, v: 'base' }, to: { id: 1, v: 'ours' } }]);

  const merged = await database.merge('other');
  expect(merged.outcome).toBe('conflicts');
  expect(merged.conflicts).toMatchObject([{ table: 't', count: 1, isOfSchema: false }]);
  const conflicts = [];
  for await (const conflict of database.conflicts('t')) conflicts.push(conflict);
  expect(conflicts).toMatchObject([
    { base: { id: 1, v: 'base' }, ours: { id: 1, v: 'ours' }, theirs: { id: 1, v: 'theirs' } },
  ]);
  await database.resolve('theirs', ['t']);
  const commit = await database.commit('merged');
  expect(await values(database, 'SELECT v FROM t ORDER BY id')).toEqual([['theirs'], ['theirs']]);
  for await (const { hash, parents } of database.log({ limit: 1 })) {
    expect(hash).toBe(commit);
    expect(parents).toHaveLength(2);
  }
  expect((await database.merge('other')).outcome).toBe('up_to_date');
  await database.close();
});

withEngine(
  'a whole database goes out as a zip or a directory, with its history, and comes back',
  async () => {
    const database = await open({ memory: {}, create: true });
    await database.query('CREATE TABLE t (id INT PRIMARY KEY)');
    await database.query('INSERT INTO t VALUES (1), (2)');
    const commit = await database.commit('two rows');
    const pieces: Uint8Array[] = [];
    for await (const piece of database.zip()) pieces.push(piece);
    const path = newPath();
    const told: number[] = [];
    await database.copyTo({ path }, { onProgress: ({ bytes, totalBytes }) => told.push(bytes / totalBytes) });
    expect(told.at(-1)).toBe(1);
    await expect(database.copyTo({ path })).rejects.toMatchObject({ code: 'usage' });
    await database.close();
    const archive = new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer());
    for (const source of [{ archive }, { path }]) {
      const again = await open(source);
      expect(await values(again, 'SELECT id FROM t')).toEqual([[1], [2]]);
      for await (const { hash } of again.log({ limit: 1 })) expect(hash).toBe(commit);
      await again.close();
    }
    if (existsSync(DOLT)) expect(dolt(path, 'log', '--oneline')).toContain('two rows');
  },
  30_000,
);

withEngine('what cannot be written says what to do, and goes on reading', async () => {
  const database = await open('web/public/sample/seed_bank', { readOnly: true });
  const refused = await database.query('UPDATE accessions SET seeds = 1 WHERE id = 17').catch(error => error);
  expect(refused).toMatchObject({ errno: expect.any(Number), message: expect.stringMatching(/read.only/i) });
  expect(await values(database, 'SELECT id FROM accessions WHERE id = 17')).toEqual([[17]]);
  await database.close();
});

withEngine('a transaction is all or nothing, and runs again after a conflict', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY, n INT)');
  await database.query('INSERT INTO t VALUES (1, 0)');
  await expect(
    database.transaction(async transaction => {
      await transaction.query('UPDATE t SET n = 100');
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await values(database, 'SELECT n FROM t')).toEqual([[0]]);

  let tries = 0;
  let goOn: () => void = () => {};
  const allHaveRead = new Promise<void>(resolve => {
    goOn = resolve;
  });
  // Each adds something else: two sides that make the same change are no conflict to Dolt.
  const add = (amount: number) =>
    database.transaction(
      async transaction => {
        const n = Number((await transaction.query('SELECT n FROM t WHERE id = 1')).rows[0]?.n);
        if (++tries === 3) goOn();
        await allHaveRead;
        await transaction.query('UPDATE t SET n = ? WHERE id = 1', [n + amount]);
      },
      { retries: 20 },
    );
  await Promise.all([1, 10, 100].map(add));
  expect(await values(database, 'SELECT n FROM t')).toEqual([[111]]);
  expect(tries).toBeGreaterThan(3);
  await database.close();
});

withEngine('a serializable transaction loses nothing where both make the same of a row', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY, n INT)');
  await database.query('CREATE TABLE others (id INT PRIMARY KEY)');
  const race = async (isolation: 'serializable' | undefined, retries: number): Promise<unknown> => {
    await database.query('REPLACE INTO t VALUES (1, 0)');
    let tries = 0;
    let goOn: () => void = () => {};
    const bothHaveRead = new Promise<void>(resolve => {
      goOn = resolve;
    });
    const increment = () =>
      database.transaction(
        async transaction => {
          const read = await transaction.prepare<{ n: number }>('SELECT n FROM t WHERE id = ?');
          const n = (await read.query([1])).rows[0]?.n ?? 0;
          if (++tries === 2) goOn();
          await bothHaveRead;
          await transaction.sql`UPDATE t SET n = ${n + 1} WHERE id = 1`;
        },
        { retries, isolation },
      );
    const ended = await Promise.allSettled([increment(), increment()]);
    const failed = ended.filter(end => end.status === 'rejected').map(({ reason }) => reason.errno);
    return [(await values(database, 'SELECT n FROM t'))[0]?.[0], failed];
  };
  expect(await race(undefined, 0)).toEqual([1, []]);
  expect(await race('serializable', 0)).toEqual([1, [1213]]);
  expect(await race('serializable', 3)).toEqual([2, []]);
  // The setting is of that transaction alone.
  expect(await race(undefined, 0)).toEqual([1, []]);
  let tries = 0;
  await database.transaction(
    async transaction => {
      tries++;
      await transaction.query('SELECT * FROM t');
      await database.query('INSERT INTO others VALUES (?)', [tries]);
      await transaction.query('UPDATE t SET n = 7');
    },
    { isolation: 'serializable', retries: 3 },
  );
  expect(tries, 'what it named has not changed').toBe(1);
  await database.transaction(
    async transaction => {
      tries++;
      await transaction.query('SELECT COUNT(*) FROM dolt_log');
      if (tries < 4) await database.query('INSERT INTO others VALUES (?)', [tries]);
      await transaction.query('UPDATE t SET n = 8');
    },
    { isolation: 'serializable', retries: 3 },
  );
  expect(tries, 'a system table may read anything').toBe(4);
  await expect(database.transaction(async () => {}, { isolation: 'strict' as never })).rejects.toMatchObject({
    code: 'usage',
  });
  await database.close();
});

withEngine('a transaction finds nothing of the one before, and stands where its database does', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY)');
  let kept: Transaction | undefined;
  await database.transaction(async transaction => {
    kept = transaction;
    await transaction.query('SET @a = 1, sql_mode = ANSI_QUOTES, varve_beyond_dolt = 1');
    await transaction.query("PREPARE p FROM 'SELECT 1'");
    await transaction.query('CREATE TEMPORARY TABLE mine (i INT)');
    await transaction.query("SELECT GET_LOCK('l', 0)");
    await transaction.query('INSERT INTO t VALUES ()');
  });
  await expect(kept?.query('SELECT 1')).rejects.toMatchObject({ code: 'closed' });
  await expect(kept?.prepare('SELECT 1')).rejects.toMatchObject({ code: 'closed' });
  await database.query("CALL dolt_checkout('-b', 'side')");
  await database.transaction(async transaction => {
    const { rows } = await transaction.query(
      "SELECT @a AS a, INSTR(@@sql_mode, 'ANSI') = 0 AS mode, LAST_INSERT_ID() = 0 AS id, active_branch() AS branch, GET_LOCK('l', 0) AS l",
    );
    expect(rows).toEqual([{ a: null, mode: 1, id: 1, branch: 'side', l: 1 }]);
    await expect(transaction.query('EXECUTE p')).rejects.toThrow();
    await expect(transaction.query('SELECT * FROM mine')).rejects.toMatchObject({ errno: 1146 });
  });
  await database.close();
});

withEngine('of a long value that fails, its error shows the beginning and what is wrong', async () => {
  await using database = await open({ empty: 'long' });
  await database.query('CREATE TABLE t (name TEXT)');
  const error = await database.query('INSERT INTO t VALUES (?)', ['x'.repeat(3_000_000)]).catch(String);
  expect(error).toMatch(/^SqlError: string 'x+…x+' is too large for column 'name'$/);
  expect(String(error).length).toBeLessThan(1600);
});

withEngine('what a transaction leaves running is not in the next one', async () => {
  const database = await open('web/public/sample/seed_bank');
  let left: ResultStream | undefined;
  let prepared: Statement | undefined;
  await database.transaction(async transaction => {
    left = transaction.stream('SELECT a.id FROM accessions a CROSS JOIN accessions b', [], { bufferedPages: 1 });
    await left.columns;
  });
  await database.transaction(async transaction => {
    prepared = await transaction.prepare('SELECT @a AS a');
    await transaction.query('SET @a = 1');
  });
  await database.transaction(async transaction => {
    await transaction.query('SET @a = 2');
    expect((await prepared?.query())?.rows).toEqual([{ a: 1 }]);
    expect(await values(transaction, 'SELECT CONNECTION_ID() > 0, @a')).toEqual([[1, 2]]);
  });
  await left?.cancel();
  await database.close();
});

withEngine('a live query hears of changes to what it reads, and of no others', async () => {
  const database = await open({ memory: {}, create: true });
  await database.query('CREATE TABLE read_one (id INT PRIMARY KEY)');
  await database.query('CREATE TABLE other (id INT PRIMARY KEY)');
  const counts: number[] = [];
  let heard: () => void = () => {};
  const live = await database.live('SELECT COUNT(*) AS n FROM read_one', ({ rows }) => {
    counts.push(Number(rows[0]?.n));
    heard();
  });
  const next = new Promise<void>(resolve => {
    heard = resolve;
  });
  await database.query('INSERT INTO other VALUES (1)');
  await database.query('INSERT INTO read_one VALUES (1)');
  await next;
  await live.refresh();
  expect(counts).toEqual([0, 1, 1]);
  await live.close();
  await database.close();
});

withEngine('a table whose primary key has changed is among those that differ, with all its rows', async () => {
  const database = await open({ path: newPath(), create: true });
  await database.query('CREATE TABLE keyed (id INT PRIMARY KEY, v INT)');
  await database.query('INSERT INTO keyed VALUES (1, 2)');
  await database.query("CALL dolt_commit('-Am', 'keyed')");
  await database.query('ALTER TABLE keyed DROP PRIMARY KEY');
  await database.query('INSERT INTO keyed VALUES (3, 4)');
  const told: string[] = [];
  for await (const { table, kind } of database.diff('HEAD', 'WORKING')) told.push(`${table} ${kind}`);
  expect(told.sort()).toEqual(['keyed added', 'keyed added', 'keyed removed']);
  await database.close();
});
