// Tabs that write at once take turns. A tab waits for another one only for so long, and one whose files were taken away says so.
import { chromium, type Page, type Route } from 'playwright/test';
import { chromiumLaunchOptions } from '../scripts/chromium.mjs';
import type * as Varve from '../web/src/lib/index.ts';
import { expect, test } from './fixtures.ts';

const PACKAGE = '/package/lib/index.js';

declare global {
  interface Window {
    database: Varve.Database;
    /** Gives back the lock that the page has taken. */
    giveBack: () => void;
  }
}

/** Opens the database in a tab, for as long as the tab lives; gives what that fails with. */
function open(page: Page, opfs: string, lockTimeoutMs: number, worker?: string): Promise<string> {
  return page.evaluate(
    async ({ path, opfs, lockTimeoutMs, worker }) => {
      const { open }: typeof Varve = await import(path);
      const own = worker === undefined ? {} : { worker: new Worker(worker, { type: 'module' }) };
      return open({ opfs, create: true }, { lockTimeoutMs, ...own }).then(
        database => {
          window.database = database;
          return 'opened';
        },
        error => String((error as Varve.VarveError).code),
      );
    },
    { path: PACKAGE, opfs, lockTimeoutMs, worker },
  );
}

/** The first value of a query, or the code or number of its error. */
function ask(page: Page, sql: string): Promise<string> {
  return page.evaluate(
    sql =>
      window.database.query(sql).then(
        result => String(result.rowArrays()[0]?.[0] ?? 'done'),
        ({ code, errno }: { code?: string; errno?: number }) => String(code ?? errno),
      ),
    sql,
  );
}

test('a statement waits for the tab that writes as long as it is told to, and can be said again', async ({
  library,
}) => {
  await open(library, 'busy', 300);
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  // As a tab does that is in the middle of a long call.
  await library.evaluate(() => {
    void navigator.locks.request('varve:busy', () => new Promise<void>(resolve => (window.giveBack = resolve)));
  });
  await expect.poll(() => library.evaluate(() => window.giveBack !== undefined)).toBe(true);
  expect(await ask(library, 'INSERT INTO t VALUES (1)')).toBe('locked');
  await ask(library, 'START TRANSACTION');
  await ask(library, 'INSERT INTO t VALUES (2)');
  expect(await ask(library, 'COMMIT')).toBe('locked');
  expect(await ask(library, 'SELECT COUNT(*) FROM t')).toBe('1');
  await library.evaluate(() => window.giveBack());
  expect(await ask(library, 'COMMIT')).toBe('done');
  expect(await ask(library, 'INSERT INTO t VALUES (3)')).toBe('done');
  expect(await ask(library, 'SELECT GROUP_CONCAT(id ORDER BY id) FROM t')).toBe('2,3');
});

test('two tabs that count with the same number at once lose nothing, and meet no conflict', async ({
  library,
  context,
}) => {
  const other = await context.newPage();
  await other.goto(library.url());
  for (const page of [library, other]) await open(page, 'counted', 30_000);
  await ask(library, 'CREATE TABLE counters (id INT PRIMARY KEY, n INT)');
  await ask(library, 'CREATE TABLE visits (id INT PRIMARY KEY AUTO_INCREMENT, page VARCHAR(20))');
  await ask(library, 'INSERT INTO counters VALUES (1, 0)');
  const count = () =>
    Promise.all(
      Array.from({ length: 40 }, async () => {
        await window.database.query("INSERT INTO visits (page) VALUES ('home')");
        await window.database.query('UPDATE counters SET n = n + 1 WHERE id = 1');
      }),
    ).then(done => done.length);
  expect(await Promise.all([library.evaluate(count), other.evaluate(count)])).toEqual([40, 40]);
  expect(await ask(library, 'SELECT n FROM counters')).toBe('80');
  expect(await ask(other, 'SELECT COUNT(*) FROM visits')).toBe('80');
});

test('where one tab has the files, those that it does not answer are told, and are served when it wakes', async ({
  library,
  context,
}) => {
  const [guest, late] = [await context.newPage(), await context.newPage()];
  for (const page of [guest, late]) await page.goto(library.url());
  await open(library, 'asleep', 30_000, '/exclusive_worker.js');
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  expect(await open(guest, 'asleep', 200, '/exclusive_worker.js')).toBe('opened');
  // Its worker waits for an answer that does not come.
  const asked = new Promise<Route>(resolve => void library.route('**/sleep', route => resolve(route)));
  const asleep = library.workers()[0]?.evaluate(() => {
    const request = new XMLHttpRequest();
    request.open('GET', '/sleep', false);
    request.send();
  });
  const sleep = await asked;
  expect(await ask(guest, 'SELECT COUNT(*) FROM t')).toBe('locked');
  expect(await open(late, 'asleep', 200, '/exclusive_worker.js')).toBe('locked');
  await sleep.fulfill({ body: '' });
  await asleep;
  expect(await ask(guest, 'INSERT INTO t VALUES (1)')).toBe('done');
  expect(await ask(library, 'SELECT COUNT(*) FROM t')).toBe('1');
  expect(await open(late, 'asleep', 200, '/exclusive_worker.js')).toBe('opened');
});

/** Clears the site's data, as the person does in the browser's settings. */
async function clearSite(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
}

/** Inserts rows until one is refused; gives the message. */
function insertUntilRefused(page: Page): Promise<string> {
  return page.evaluate(async () => {
    for (let id = 2; id < 100_000; id++) {
      try {
        await window.database.query(`INSERT INTO t VALUES (${id})`);
      } catch (error) {
        return (error as Error).message;
      }
    }
    return 'every row was taken';
  });
}

test('a database whose site was cleared takes no more commits, and can still be read', async ({ library }) => {
  await open(library, 'cleared', 30_000);
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  await ask(library, 'INSERT INTO t VALUES (1)');
  await clearSite(library);
  // The tab keeps the right to write as long as it writes.
  expect(await insertUntilRefused(library)).toMatch(/removed/);
  expect(await ask(library, 'INSERT INTO t VALUES (0)')).toMatch(/gone|1017|1290/);
  expect(Number(await ask(library, 'SELECT COUNT(*) FROM t'))).toBeGreaterThan(0);
});

test('in a private window, where files are gone at once, it says so as well', async ({ library }) => {
  const browser = await chromium.launch({ ...chromiumLaunchOptions(), headless: true });
  const page = await (await browser.newContext()).newPage();
  await page.goto(library.url());
  await open(page, 'cleared', 30_000);
  await ask(page, 'CREATE TABLE t (id INT PRIMARY KEY)');
  await clearSite(page);
  const message = await insertUntilRefused(page);
  expect(message).toMatch(/removed/);
  expect(message).not.toMatch(/space|store no more/);
  await browser.close();
});
