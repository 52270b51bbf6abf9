// Writing in the browser's own storage: what was acknowledged is there after a reload, in other tabs, and after a crash.
import type { Page } from 'playwright/test';
import type * as Varve from '../web/src/lib/index.ts';
import { expect, test } from './fixtures.ts';

const PACKAGE = '/package/lib/index.js';
/** The long form, 30 s: `VARVE_TABS_SECONDS=30 npx playwright test e2e/persist.spec.ts -g "four tabs"`. */
const TABS_SECONDS = Number(process.env.VARVE_TABS_SECONDS ?? 4);

/** Opens a database of the page's storage, runs statements, and gives the rows of the last one. */
async function run(page: Page, opfs: string, statements: readonly string[]): Promise<unknown[][]> {
  return page.evaluate(
    async ({ path, opfs, statements }) => {
      const { open }: typeof Varve = await import(path);
      const database = await open({ opfs, create: true });
      try {
        let rows: unknown[][] = [];
        for (const sql of statements) rows = (await database.query(sql)).rowArrays();
        return rows.map(row => row.map(String));
      } finally {
        await database.close();
      }
    },
    { path: PACKAGE, opfs, statements },
  );
}

interface Left {
  readonly database: Varve.Database;
  readonly session: Varve.Session;
  readonly isKept: boolean;
}

test('what was written is there after a reload', async ({ library }) => {
  await run(library, 'kept', [
    'CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(20))',
    "INSERT INTO t VALUES (1, 'one'), (2, 'two')",
    "UPDATE t SET name = 'zwei' WHERE id = 2",
  ]);
  await library.reload();
  expect(await run(library, 'kept', ['SELECT id, name FROM t ORDER BY id'])).toEqual([
    ['1', 'one'],
    ['2', 'zwei'],
  ]);
});

test('a page that is gone back to has its database as it left it, with what is open in it', async ({ library }) => {
  await library.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const database = await open({ opfs: 'left', create: true });
    await database.query('CREATE TABLE t (id INT PRIMARY KEY)');
    const session = await database.session();
    await session.query('START TRANSACTION');
    await session.query('INSERT INTO t VALUES (1)');
    Object.assign(window, { database, session, isKept: null });
    addEventListener('pageshow', ({ persisted }) => Object.assign(window, { isKept: persisted }));
  }, PACKAGE);
  await library.goto(`${new URL('/no_jspi.js', library.url())}`);
  // A page that was kept is not loaded.
  await library.goBack({ waitUntil: 'commit' });
  await library.waitForFunction(() => 'isKept' in window && window.isKept !== null);
  const left = await library.evaluate(async () => {
    const { database, session, isKept } = window as unknown as Left;
    await session.query('COMMIT');
    return { isKept, ...(await database.query('SELECT COUNT(*) AS n FROM t')).rows[0] };
  });
  expect(left).toEqual({ isKept: true, n: 1n });
});

test('two tabs write and read the same database', async ({ library, context }) => {
  const other = await context.newPage();
  await other.goto(library.url());
  await run(library, 'shared', ['CREATE TABLE t (id INT PRIMARY KEY, tab INT)']);
  const insert = (page: Page, tab: number) =>
    page.evaluate(
      async ({ path, tab }) => {
        const { open }: typeof Varve = await import(path);
        const database = await open({ opfs: 'shared' });
        for (let index = 0; index < 20; index++) {
          await database.query('INSERT INTO t VALUES (?, ?)', [2 * index + tab, tab]);
        }
        const { rows } = await database.query('SELECT COUNT(*) AS n FROM t WHERE tab = ?', [tab]);
        await database.close();
        return Number(rows[0]?.n);
      },
      { path: PACKAGE, tab },
    );
  expect(await Promise.all([insert(library, 0), insert(other, 1)])).toEqual([20, 20]);
  expect(await run(library, 'shared', ['SELECT COUNT(*) FROM t'])).toEqual([['40']]);
  expect(await run(other, 'shared', ['SELECT COUNT(*) FROM t'])).toEqual([['40']]);
});

test('with relaxed durability two tabs see what the other one wrote, and none of it is lost', async ({
  library,
  context,
}) => {
  const other = await context.newPage();
  await other.goto(library.url());
  await run(library, 'relaxed', [
    'CREATE TABLE t (tab INT, seq INT, PRIMARY KEY (tab, seq))',
    'CREATE TABLE counters (tab INT PRIMARY KEY, n INT)',
    'INSERT INTO counters VALUES (0, 0), (1, 0)',
  ]);
  const write = (page: Page, tab: number) =>
    page.evaluate(
      async ({ path, tab }) => {
        const { open, SqlError }: typeof Varve = await import(path);
        const database = await open({ opfs: 'relaxed' }, { durability: 'relaxed' });
        const change = async (sql: string, params: number[]): Promise<void> => {
          for (;;) {
            try {
              await database.query(sql, params);
              return;
            } catch (error) {
              if (!(error instanceof SqlError) || error.errno !== 1213) throw error;
            }
          }
        };
        // Without waiting for each, so that some are there together however busy the machine is.
        for (let seq = 0; seq < 150; seq += 10) {
          const both = (at: number) => [
            change('INSERT INTO t VALUES (?, ?)', [tab, at]),
            change('UPDATE counters SET n = n + 1 WHERE tab = ?', [tab]),
          ];
          await Promise.all(Array.from({ length: 10 }, (_, index) => both(seq + index)).flat());
        }
        const commits = (await database.stats()).counters.store_commits ?? 0;
        // It stays open: what it wrote is there for others without that.
        Object.assign(globalThis, { database });
        return commits;
      },
      { path: PACKAGE, tab },
    );
  const commits = await Promise.all([write(library, 0), write(other, 1)]);
  const counts = 'SELECT (SELECT COUNT(*) FROM t), (SELECT SUM(n) FROM counters)';
  await expect.poll(() => run(library, 'relaxed', [counts])).toEqual([['300', '300']]);
  expect(commits[0] + commits[1]).toBeLessThan(600);
});

test('databases are made beside each other, and are there after a reload', async ({ library }) => {
  await run(library, 'several', [
    'CREATE DATABASE other',
    'CREATE TABLE other.t (id INT PRIMARY KEY)',
    'INSERT INTO other.t VALUES (1)',
    'CREATE DATABASE gone',
    'DROP DATABASE gone',
  ]);
  await library.reload();
  expect(await run(library, 'several', ['SELECT id FROM other.t'])).toEqual([['1']]);
  const names = await run(library, 'several', ['SHOW DATABASES']);
  expect(names.flat()).toContain('other');
  expect(names.flat()).not.toContain('gone');
});

test('the database that was opened is dropped and made again, as a dump of it begins', async ({ library }) => {
  await run(library, 'anew', ['CREATE TABLE old (id INT PRIMARY KEY)']);
  for (const id of [1, 2]) {
    const made = [
      'DROP DATABASE IF EXISTS anew',
      'CREATE DATABASE anew',
      'USE anew',
      'CREATE TABLE t (id INT PRIMARY KEY)',
    ];
    await run(library, 'anew', [...made, `INSERT INTO t VALUES (${id})`]);
    await library.reload();
    expect(await run(library, 'anew', ['SHOW TABLES', 'SELECT id FROM t'])).toEqual([[String(id)]]);
  }
});

test('a database that was dropped comes back after a reload, until it is purged', async ({ library }) => {
  const filled = [
    'CREATE TABLE t (id INT PRIMARY KEY)',
    'INSERT INTO t VALUES (1)',
    "CALL dolt_commit('-Am', 'filled')",
  ];
  await run(library, 'kept', ['CREATE DATABASE other', 'USE other', ...filled, 'DROP DATABASE other']);
  await library.reload();
  expect(await run(library, 'kept', ["CALL dolt_undrop('OTHER')", 'USE other', 'SELECT id FROM t'])).toEqual([['1']]);
  // The one that was opened comes back beside itself, as native Dolt has it.
  await run(library, 'kept', [...filled, 'DROP DATABASE kept', 'USE other', "CALL dolt_undrop('kept')"]);
  await library.reload();
  expect(await run(library, 'kept', ['SELECT COUNT(*) FROM kept.t JOIN other.t USING (id)'])).toEqual([['1']]);
  await run(library, 'kept', ['CREATE DATABASE gone', 'DROP DATABASE gone', 'CALL dolt_purge_dropped_databases()']);
  await expect(run(library, 'kept', ["CALL dolt_undrop('gone')"])).rejects.toThrow(
    'there are no databases currently available to be undropped',
  );
});

test('what a database that is half dropped has left is put aside when it is opened next', async ({ library }) => {
  await run(library, 'halves', [
    'CREATE DATABASE half',
    'CREATE TABLE half.t (id INT PRIMARY KEY)',
    'INSERT INTO half.t VALUES (1), (2)',
  ]);
  await library.reload();
  // Files get their names when a database is opened next.
  await run(library, 'halves', ['SELECT COUNT(*) FROM half.t']);
  await library.reload();
  await library.evaluate(async () => {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('halves');
    const half = await root.getDirectoryHandle('half');
    await half.getFileHandle('.dolt_safe_to_ignore', { create: true });
    const make = { create: true };
    const aside = await (await root.getDirectoryHandle('.dolt_dropped_databases', make)).getDirectoryHandle(
      'half',
      make,
    );
    const noms = await (await aside.getDirectoryHandle('.dolt', make)).getDirectoryHandle('noms', make);
    const files = await (await half.getDirectoryHandle('.dolt')).getDirectoryHandle('noms');
    const journal = await files.getFileHandle('v'.repeat(32));
    await (journal as unknown as { move(to: FileSystemDirectoryHandle, name: string): Promise<void> }).move(
      noms,
      journal.name,
    );
  });
  const names = await run(library, 'halves', ['SHOW DATABASES']);
  expect(names.flat()).not.toContain('half');
  expect(await run(library, 'halves', ["CALL dolt_undrop('half')", 'SELECT COUNT(*) FROM half.t'])).toEqual([['2']]);
});

test('files that are made and removed keep their names through reloads and beside another tab', async ({
  library,
  context,
}) => {
  const other = await context.newPage();
  await other.goto(library.url());
  const rows = Array.from({ length: 300 }, (_, id) => `(${id}, REPEAT('x', 500))`).join(', ');
  await run(library, 'collected', ['CREATE TABLE t (id INT PRIMARY KEY, filler TEXT)', `INSERT INTO t VALUES ${rows}`]);
  const counted = other.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const database = await open({ opfs: 'collected' });
    const counts: number[] = [];
    document.title = 'open';
    while (document.title === 'open') await new Promise(resolve => setTimeout(resolve, 20));
    const count = async () => Number((await database.query('SELECT COUNT(*) AS n FROM t')).rows[0]?.n);
    // News of another tab comes a moment after its commit; what was seen once stays.
    while ((await count()) !== 297) await new Promise(resolve => setTimeout(resolve, 20));
    for (let again = 0; again < 3; again++) counts.push(await count());
    await database.close();
    return counts;
  }, PACKAGE);
  await expect(other).toHaveTitle('open');
  for (let round = 0; round < 3; round++) {
    await run(library, 'collected', [
      `DELETE FROM t WHERE id = ${round}`,
      "CALL dolt_commit('-Am', 'x')",
      'CALL dolt_gc()',
    ]);
  }
  await other.evaluate(() => {
    document.title = 'go on';
  });
  expect(await counted).toEqual([297, 297, 297]);
  await library.reload();
  expect(await run(library, 'collected', ['SELECT COUNT(*) FROM t'])).toEqual([['297']]);
});

test('a copy that is interrupted is in the way of neither another copy nor a new database', async ({ library }) => {
  const answer = await library.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const root = await navigator.storage.getDirectory();
    const leave = async (name: string): Promise<void> => {
      const dolt = await (await root.getDirectoryHandle(name, { create: true })).getDirectoryHandle('.dolt', {
        create: true,
      });
      await (await dolt.getDirectoryHandle('varve', { create: true })).getFileHandle('copying', { create: true });
      const noms = await dolt.getDirectoryHandle('noms', { create: true });
      const file = await (await noms.getFileHandle('a'.repeat(32), { create: true })).createWritable();
      await file.write('bytes of a table file');
      await file.close();
    };
    const source = await open({ memory: {}, create: true });
    await source.query('CREATE TABLE t (id INT PRIMARY KEY)');
    await leave('copied');
    await source.copyTo({ opfs: 'copied' });
    await leave('made');
    const made = await open({ opfs: 'made', create: true });
    const copied = await open({ opfs: 'copied' });
    const tables = [copied, made].map(database =>
      database.query('SHOW TABLES').then(result => result.rowArrays().length),
    );
    const counts = await Promise.all(tables);
    const left: string[] = [];
    const varve = await (
      await (await root.getDirectoryHandle('copied')).getDirectoryHandle('.dolt')
    ).getDirectoryHandle('varve');
    for await (const name of varve.keys()) left.push(name);
    const abort = new AbortController();
    const refused = await source
      .copyTo({ opfs: 'aborted' }, { signal: abort.signal, onProgress: () => abort.abort() })
      .then(
        () => 'copied',
        (error: Error) => error.name,
      );
    const rest: string[] = [];
    for await (const name of (await root.getDirectoryHandle('aborted')).keys()) rest.push(name);
    return { counts, left, refused, rest };
  }, PACKAGE);
  expect(answer).toEqual({ counts: [1, 0], left: [], refused: 'AbortError', rest: [] });
});

test('a database on a web server is copied into the page’s storage, changed, and goes out again', async ({
  library,
  remote,
}) => {
  const answer = await library.evaluate(
    async ({ path, url }) => {
      const { open }: typeof Varve = await import(path);
      const far = await open(url);
      await far.copyTo({ opfs: 'copied' });
      const refused = await far.query('DELETE FROM holdings').catch((error: Error) => error.message);
      await far.close();
      const near = await open({ opfs: 'copied' });
      await near.query('UPDATE accessions SET seeds = 4711 WHERE id = 17');
      const directory = await (await navigator.storage.getDirectory()).getDirectoryHandle('out', { create: true });
      await near.copyTo({ directory });
      const names: string[] = [];
      for await (const name of directory.keys()) names.push(name);
      const pieces: Uint8Array[] = [];
      for await (const piece of near.zip()) pieces.push(piece);
      await near.close();
      const rows: unknown[] = [];
      const archive = new Blob(pieces as Uint8Array<ArrayBuffer>[]);
      for (const source of [{ directory }, { archive }]) {
        const again = await open(source);
        rows.push((await again.query('SELECT seeds FROM accessions WHERE id = 17')).rows[0]?.seeds);
        await again.close();
      }
      return { rows, names, refused };
    },
    { path: PACKAGE, url: remote.url },
  );
  expect(answer.rows).toEqual([4711, 4711]);
  expect(answer.names).toEqual(['copied']);
  expect(answer.refused).toMatch(/read.only/i);
});

test('a live query hears of a commit of another tab, and which rows it changed', async ({ library, context }) => {
  const other = await context.newPage();
  await other.goto(library.url());
  await run(library, 'live', ['CREATE TABLE t (id INT PRIMARY KEY)']);
  const heard = library.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const database = await open({ opfs: 'live' });
    const told: unknown[] = [];
    await new Promise<void>(resolve => {
      void database.live('SELECT id FROM t', ({ rowCount }, changes) => {
        told.push([rowCount, changes]);
        document.title = 'listening';
        if (told.length === 2) resolve();
      });
    });
    await database.close();
    return told;
  }, PACKAGE);
  await expect(library).toHaveTitle('listening');
  await run(other, 'live', ['INSERT INTO t VALUES (1)']);
  expect(await heard).toEqual([
    [0, null],
    [1, [{ table: 't', kind: 'added', from: null, to: { id: 1 } }]],
  ]);
});

test('four tabs write and read at once; one that dies holds nobody up', async ({ library, context }) => {
  test.setTimeout(120_000 + TABS_SECONDS * 2000);
  await run(library, 'busy', [
    'CREATE TABLE t (writer INT, seq INT, PRIMARY KEY (writer, seq))',
    'CREATE TABLE counters (writer INT PRIMARY KEY, n INT)',
    'INSERT INTO counters VALUES (0, 0), (1, 0), (2, 0)',
  ]);
  const pages = [library];
  while (pages.length < 5) {
    const page = await context.newPage();
    await page.goto(library.url());
    pages.push(page);
  }
  const [first, second, doomed, ...readers] = pages as [Page, Page, Page, Page, Page];
  const write = (page: Page, writer: number, seconds: number) =>
    page.evaluate(
      async ({ path, writer, seconds }) => {
        const { open, SqlError }: typeof Varve = await import(path);
        const database = await open({ opfs: 'busy' });
        const endMs = performance.now() + seconds * 1000;
        let [done, conflicts, longestMs] = [0, 0, 0];
        while (performance.now() < endMs) {
          const startedMs = performance.now();
          try {
            await database.transaction(async transaction => {
              await transaction.query('INSERT INTO t VALUES (?, ?)', [writer, done]);
              await transaction.query('UPDATE counters SET n = n + 1 WHERE writer = ?', [writer]);
            });
            done++;
          } catch (error) {
            if (!(error instanceof SqlError) || error.errno !== 1213) throw error;
            conflicts++;
          }
          longestMs = Math.max(longestMs, performance.now() - startedMs);
        }
        await database.close();
        return { done, conflicts, longestMs, lastMs: Date.now() };
      },
      { path: PACKAGE, writer, seconds },
    );
  const read = (page: Page) =>
    page.evaluate(
      async ({ path, seconds }) => {
        const { open }: typeof Varve = await import(path);
        const database = await open({ opfs: 'busy' });
        const endMs = performance.now() + seconds * 1000;
        const wrong: string[] = [];
        let [before, reads, longestMs] = [0, 0, 0];
        while (performance.now() < endMs) {
          const startedMs = performance.now();
          // One statement sees one root: rows and counters belong together.
          const sql = 'SELECT (SELECT COUNT(*) FROM t) AS rows_there, (SELECT SUM(n) FROM counters) AS counted';
          const [row] = (await database.query(sql)).rows;
          if (Number(row?.rows_there) !== Number(row?.counted)) wrong.push(JSON.stringify(row, (_, v) => String(v)));
          if (Number(row?.rows_there) < before) wrong.push(`${row?.rows_there} after ${before}`);
          before = Number(row?.rows_there);
          reads++;
          longestMs = Math.max(longestMs, performance.now() - startedMs);
        }
        await database.close();
        return { wrong, reads, longestMs, lastMs: Date.now() };
      },
      { path: PACKAGE, seconds: TABS_SECONDS },
    );
  const dying = write(doomed, 2, 3600).catch(() => null);
  const working = [write(first, 0, TABS_SECONDS), write(second, 1, TABS_SECONDS)];
  const reading = readers.map(read);
  await first.waitForTimeout((TABS_SECONDS * 1000) / 3);
  // The process of the tab ends at once, as when the system runs out of memory: nothing in it can tidy up.
  const crashed = doomed.waitForEvent('crash');
  const devtools = await context.newCDPSession(doomed);
  void devtools.send('Page.crash').catch(() => {});
  await crashed;
  const crashedMs = Date.now();
  await doomed.close();
  await dying;
  const written = await Promise.all(working);
  const seen = await Promise.all(reading);
  for (const { wrong, reads, lastMs } of seen) {
    expect(wrong).toEqual([]);
    expect(reads).toBeGreaterThan(0);
    expect(lastMs).toBeGreaterThan(crashedMs);
  }
  for (const { done, lastMs } of written) {
    expect(done).toBeGreaterThan(0);
    expect(lastMs).toBeGreaterThan(crashedMs);
  }
  const counted = await run(first, 'busy', ['SELECT writer, n FROM counters WHERE writer < 2 ORDER BY writer']);
  expect(counted).toEqual(written.map(({ done }, writer) => [String(writer), String(done)]));
  // What the one that died had written is whole: as many rows as its counter says.
  const left = 'SELECT (SELECT COUNT(*) FROM t WHERE writer = 2) - (SELECT n FROM counters WHERE writer = 2)';
  expect(await run(first, 'busy', [left])).toEqual([['0']]);
  console.log(`tabs, ${TABS_SECONDS} s: wrote ${JSON.stringify(written)}, read ${JSON.stringify(seen)}`);
});

test('a full quota is an error that says so; what was committed stays, and the session goes on', async ({
  library,
  context,
}) => {
  await run(library, 'full', [
    'CREATE TABLE t (id INT PRIMARY KEY, filler LONGTEXT)',
    "INSERT INTO t VALUES (0, 'kept')",
  ]);
  const devtools = await context.newCDPSession(library);
  const origin = new URL(library.url()).origin;
  const answer = await library.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const database = await open({ opfs: 'full' });
    Object.assign(globalThis, { database });
    return database.storage.quota;
  }, PACKAGE);
  expect(answer?.quotaBytes).toBeGreaterThan(answer?.usageBytes ?? 0);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: (answer?.usageBytes ?? 0) + 300_000 });
  const outcome = await library.evaluate(async () => {
    const { database } = globalThis as unknown as { database: Varve.Database };
    let error: { message: string; errno: number } | null = null;
    for (let id = 1; id < 40 && error === null; id++) {
      // Text that no codec makes smaller.
      const filler = Array.from(crypto.getRandomValues(new Uint8Array(60_000)), byte =>
        String.fromCharCode(33 + (byte % 90)),
      );
      error = await database.query('INSERT INTO t VALUES (?, ?)', [id, filler.join('')]).then(
        () => null,
        (failed: Error & { errno: number }) => ({ message: failed.message, errno: failed.errno }),
      );
    }
    const { rows } = await database.query('SELECT COUNT(*) AS n, MIN(filler) AS first FROM t WHERE id = 0');
    const { rows: all } = await database.query('SELECT COUNT(*) AS n FROM t');
    return { error, kept: rows[0]?.first, count: Number(all[0]?.n) };
  });
  expect(outcome.error?.message).toMatch(/no space/i);
  expect(outcome.kept).toBe('kept');
  await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  const after = await library.evaluate(async () => {
    const { database } = globalThis as unknown as { database: Varve.Database };
    await database.query("INSERT INTO t VALUES (1000, 'again')");
    const { rows } = await database.query('SELECT COUNT(*) AS n FROM t');
    await database.close();
    return Number(rows[0]?.n);
  });
  expect(after).toBe(outcome.count + 1);
  expect(await run(library, 'full', ['SELECT COUNT(*) FROM t'])).toEqual([[String(after)]]);
});
