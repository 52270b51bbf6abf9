// Tabs of a browser that lets only one of them have a file open: the first serves the others, and one of them takes over.
import type { BrowserContext, Page } from 'playwright/test';
import type * as Varve from '../web/src/lib/index.ts';
import { expect, test } from './fixtures.ts';

const PACKAGE = '/package/lib/index.js';

declare global {
  interface Window {
    database: Varve.Database;
  }
}

async function openTab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Opens the database in a tab, for as long as the tab lives. */
async function open(page: Page): Promise<void> {
  await page.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const worker = new Worker('/exclusive_worker.js', { type: 'module' });
    window.database = await open({ opfs: 'held', create: true }, { worker });
  }, PACKAGE);
}

/** The rows of a query, as texts; what it fails with, as its number. */
function ask(page: Page, sql: string): Promise<string[][] | number> {
  return page.evaluate(
    sql =>
      window.database.query(sql).then(
        result => result.rowArrays().map(row => row.map(String)),
        error => (error as Varve.SqlError).errno,
      ),
    sql,
  );
}

test('a second tab works through the first: it reads, writes, streams and prepares', async ({ library, context }) => {
  const other = await openTab(context, library.url());
  await open(library);
  await open(other);
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(20))');
  await ask(other, "INSERT INTO t VALUES (1, 'other')");
  await ask(library, "INSERT INTO t VALUES (2, 'first')");
  expect(await ask(other, 'SELECT id, name FROM t ORDER BY id')).toEqual([
    ['1', 'other'],
    ['2', 'first'],
  ]);
  expect(await ask(other, 'SELECT id FROM nowhere')).toBe(1146);
  const told = await other.evaluate(async () => {
    const insert = await window.database.prepare('INSERT INTO t SELECT ?, ?');
    for (let id = 10; id < 20; id++) await insert.query([id, `row ${id}`]);
    await insert.close();
    const session = await window.database.session();
    await session.query('SET @mine = 7');
    const mine = (await session.query('SELECT @mine AS mine')).rows[0]?.mine;
    await session.close();
    let streamed = 0;
    const numbers = 'WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 250)';
    const long = `${numbers} SELECT a.i FROM s a JOIN s b WHERE b.i <= 200`;
    for await (const batch of window.database.stream(long)) streamed += batch.rowCount;
    // Leaving early ends the statement in the other tab.
    for await (const batch of window.database.stream(long)) if (batch.rowCount > 0) break;
    const { rows } = await window.database.query('SELECT COUNT(*) AS n FROM t');
    return { mine: String(mine), streamed, count: String(rows[0]?.n), kind: window.database.storage.kind };
  });
  expect(told).toEqual({ mine: '7', streamed: 50_000, count: '12', kind: 'opfs' });
  expect(await ask(library, 'SELECT COUNT(*) FROM t')).toEqual([['12']]);
});

test('sessions of two tabs are apart, and one tab hears of the commits of the other', async ({ library, context }) => {
  const other = await openTab(context, library.url());
  await open(library);
  await open(other);
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  await ask(other, 'START TRANSACTION');
  await ask(other, 'INSERT INTO t VALUES (1)');
  expect(await ask(library, 'SELECT COUNT(*) FROM t')).toEqual([['0']]);
  await other.evaluate(async () => {
    await window.database.live('SELECT id FROM t', ({ rowCount }) => {
      document.title = `${rowCount} rows`;
    });
  });
  await ask(library, 'INSERT INTO t VALUES (2), (3)');
  await expect(other).toHaveTitle('2 rows');
  await ask(other, 'COMMIT');
  await expect(other).toHaveTitle('3 rows');
});

test('when the first tab is closed the second has the files, with its sessions where they were', async ({
  library,
  context,
}) => {
  const [second, third] = [await openTab(context, library.url()), await openTab(context, library.url())];
  await open(library);
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  await ask(library, "CALL dolt_commit('-Am', 'one')");
  await ask(library, "CALL dolt_branch('side')");
  await open(second);
  await open(third);
  await ask(second, 'USE `held/side`');
  await ask(second, 'SET @kept = 4711');
  await second.evaluate(async () => {
    const statement = await window.database.prepare('SELECT ? + 1 AS n');
    Object.assign(window, { statement });
  });
  await library.close();
  expect(await ask(second, 'SELECT active_branch(), @kept')).toEqual([['side', '4711']]);
  await ask(second, 'INSERT INTO t VALUES (1)');
  expect(
    await second.evaluate(async () => {
      const { statement } = window as unknown as { statement: Varve.Statement };
      return String((await statement.query([41])).rows[0]?.n);
    }),
  ).toBe('42');
  // The third goes on through whichever of the two has the files.
  await ask(third, 'INSERT INTO t VALUES (3)');
  expect(await ask(third, 'SELECT id FROM t ORDER BY id')).toEqual([['3']]);
  expect(await ask(third, "SELECT id FROM t AS OF 'side' ORDER BY id")).toEqual([]);
  expect(await ask(third, 'SELECT id FROM `held/side`.t ORDER BY id')).toEqual([['1']]);
  await second.close();
  expect(await ask(third, 'SELECT id FROM t')).toEqual([['3']]);
});

test('a session that moved to another tab stands on the branch that it has made, and no change is undone twice', async ({
  library,
  context,
}) => {
  const second = await openTab(context, library.url());
  await open(library);
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  await ask(library, "CALL dolt_commit('-Am', 'one')");
  await open(second);
  // As the console undoes the changes of a table: by the procedure that also goes to branches.
  await ask(second, 'INSERT INTO t VALUES (1)');
  await ask(second, "CALL dolt_checkout('t')");
  await ask(second, 'INSERT INTO t VALUES (2)');
  await library.close();
  expect(await ask(second, 'SELECT id FROM t')).toEqual([['2']]);

  const third = await openTab(context, second.url());
  await open(third);
  await third.evaluate(async () => {
    const { database } = window;
    await database.query('CALL dolt_checkout(?, ?)', ['-b', 'side']);
    await database.query('INSERT INTO t VALUES (3)');
  });
  await second.close();
  await ask(third, 'INSERT INTO t VALUES (4)');
  expect(await ask(third, 'SELECT active_branch(), DATABASE()')).toEqual([['side', 'held']]);
  expect(await ask(third, 'SELECT id FROM t ORDER BY id')).toEqual([['3'], ['4']]);
  expect(await ask(third, 'SELECT id FROM `held/main`.t ORDER BY id')).toEqual([['2']]);
});

test('temporary tables that went with a tab are said to be gone, and what was prepared is there again', async ({
  library,
  context,
}) => {
  const second = await openTab(context, library.url());
  await open(library);
  await ask(library, 'CREATE TABLE mine (id INT PRIMARY KEY)');
  await ask(library, 'INSERT INTO mine VALUES (1)');
  await open(second);
  // In front of the table of the database: that one must not answer in its place.
  await ask(second, 'CREATE TEMPORARY TABLE mine (id INT PRIMARY KEY)');
  await ask(second, 'INSERT INTO mine VALUES (7)');
  await ask(second, "PREPARE later FROM 'SELECT 40 + ?'");
  await ask(second, 'SELECT 5 INTO @five');
  await ask(second, 'SET GLOBAL group_concat_max_len = 2000');
  expect(await ask(second, 'SELECT id FROM mine')).toEqual([['7']]);
  await library.close();
  const said = (sql: string) =>
    second.evaluate(
      sql =>
        window.database.query(sql).then(
          () => '',
          (error: Varve.SqlError) => `${error.errno} ${error.message}`,
        ),
      sql,
    );
  const gone = /^2013 The temporary table `mine` went with the engine or the tab that had it/;
  expect(await said('SELECT id FROM mine')).toMatch(gone);
  expect(await said('DELETE FROM mine')).toMatch(gone);
  expect(await ask(second, 'SELECT @five, @@global.group_concat_max_len')).toEqual([['5', '2000']]);
  await ask(second, 'SET @two = 2');
  expect(await ask(second, 'EXECUTE later USING @two')).toEqual([['42']]);
  await ask(second, 'CREATE TEMPORARY TABLE mine (id INT PRIMARY KEY)');
  expect(await ask(second, 'SELECT id FROM mine')).toEqual([]);
  await ask(second, 'DROP TEMPORARY TABLE mine');
  expect(await ask(second, 'SELECT id FROM mine')).toEqual([['1']]);
});

test('a transaction that was lost with its tab says so once, and can be run again', async ({ library, context }) => {
  const other = await openTab(context, library.url());
  await open(library);
  await open(other);
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  await ask(other, 'START TRANSACTION');
  await ask(other, 'INSERT INTO t VALUES (1)');
  await library.close();
  expect(await ask(other, 'COMMIT')).toBe(1213);
  expect(await ask(other, 'SELECT COUNT(*) FROM t')).toEqual([['0']]);
  await other.evaluate(() =>
    window.database.transaction(async transaction => {
      await transaction.query('INSERT INTO t VALUES (1)');
    }),
  );
  expect(await ask(other, 'SELECT COUNT(*) FROM t')).toEqual([['1']]);
});

test('a statement that ran in a tab that was closed fails, and the next one works', async ({ library, context }) => {
  const other = await openTab(context, library.url());
  await open(library);
  await open(other);
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  const long = ask(
    other,
    `WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 1000)
     SELECT COUNT(*) FROM s a JOIN s b JOIN s c WHERE a.i + b.i + c.i < 0`,
  );
  // It has begun when what came after it was answered.
  await other.evaluate(async () => {
    const session = await window.database.session();
    await session.query('SELECT 1');
    await session.close();
  });
  await library.close();
  expect(await long).toBe(2013);
  expect(await ask(other, 'SELECT COUNT(*) FROM t')).toEqual([['0']]);
});

test('a tab that closes its database gives it to the next', async ({ library, context }) => {
  const other = await openTab(context, library.url());
  await open(library);
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  await open(other);
  await library.evaluate(() => window.database.close());
  await ask(other, 'INSERT INTO t VALUES (1)');
  await open(library);
  expect(await ask(library, 'SELECT id FROM t')).toEqual([['1']]);
  await other.evaluate(() => window.database.close());
  expect(await ask(library, 'SELECT id FROM t')).toEqual([['1']]);
});

test('when the first tab crashes, what was committed is there and the second goes on', async ({ library, context }) => {
  const other = await openTab(context, library.url());
  await open(library);
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  await open(other);
  for (let id = 0; id < 5; id++) await ask(id % 2 === 0 ? library : other, `INSERT INTO t VALUES (${id})`);
  const crashed = new Promise(resolve => library.once('crash', resolve));
  const debugging = await context.newCDPSession(library);
  debugging.send('Page.crash').catch(() => {});
  await crashed;
  expect(await ask(other, 'SELECT COUNT(*) FROM t')).toEqual([['5']]);
  await ask(other, 'INSERT INTO t VALUES (5)');
  expect(await ask(other, 'SELECT COUNT(*) FROM t')).toEqual([['6']]);
});

test('a tab with another version of the page is neither served nor misunderstood: it is told so', async ({
  library,
  context,
}) => {
  const other = await openTab(context, library.url());
  await open(library);
  const told = await other.evaluate(() => {
    const door = new BroadcastChannel('varve-tabs:held');
    return new Promise(resolve => {
      door.onmessage = ({ data }) => resolve(data);
      door.postMessage({ kind: 'hello', guest: 'old', protocol: 0 });
    });
  });
  expect(told).toEqual({ kind: 'refused', guest: 'old' });
  await library.evaluate(() => window.database.close());
  // One that refuses has the files.
  await other.evaluate(() => {
    const door = new BroadcastChannel('varve-tabs:held');
    door.onmessage = ({ data: { kind, guest } }) => {
      if (kind === 'hello') door.postMessage({ kind: 'refused', guest });
    };
    return new Promise<void>(resolve => {
      void navigator.locks.request('varve-tabs:held', () => new Promise(() => resolve()));
    });
  });
  const refused = open(library).catch(String);
  expect(await refused).toMatch(/another version of this page has the database open: reload/);
});
