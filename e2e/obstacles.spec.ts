// Everything that may stand between a page and its storage, once: what the error is, and that it says what, where and what to do.
import type { Page } from 'playwright/test';
import type * as Varve from '../web/src/lib/index.ts';
import { expect, test } from './fixtures.ts';

const PACKAGE = '/package/lib/index.js';

interface Told {
  /** Of a failure other than SQL's. */
  readonly code: string;
  readonly errno: number;
  readonly message: string;
}

/** Sources that can be told to a page. */
type Own =
  | { readonly opfs: string; readonly create?: true }
  | { readonly memory: Record<string, never>; readonly create: true };

declare global {
  interface Window {
    database: Varve.Database;
  }
}

/** A worker in which something is different, told by a script that runs before the package's. */
async function workerAfter(page: Page, change: string): Promise<string> {
  return page.evaluate(change => {
    const base = location.origin;
    const script = `${change};\nimport('${base}/package/host/worker.js').then(() => {
      removeEventListener('message', wait);
      for (const data of waiting) dispatchEvent(new MessageEvent('message', { data }));
    });
    const waiting = [];
    const wait = ({ data }) => waiting.push(data);
    addEventListener('message', wait);`;
    return URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  }, change);
}

/** Opens a database, and gives what went wrong with that. */
function open(page: Page, source: Own, change = ''): Promise<Told | null> {
  return workerAfter(page, change).then(url =>
    page.evaluate(
      async ({ path, source, url, isChanged }) => {
        const { open }: typeof Varve = await import(path);
        try {
          const worker = new Worker(url, { type: 'module' });
          window.database = await open(source, isChanged ? { worker } : {});
          return null;
        } catch (error) {
          const { code = '', errno = 0, message } = error as Told;
          return { code, errno, message };
        }
      },
      { path: PACKAGE, source, url, isChanged: change !== '' },
    ),
  );
}

function ask(page: Page, sql: string): Promise<string[][] | Told> {
  return page.evaluate(
    sql =>
      window.database.query(sql).then(
        result => result.rowArrays().map(row => row.map(String)),
        ({ code = '', errno = 0, message }: Told) => ({ code, errno, message }),
      ),
    sql,
  );
}

/** Lets the test fill the disk and close the files of a worker. */
const OBSTACLES = `const { write } = FileSystemSyncAccessHandle.prototype;
const { createSyncAccessHandle } = FileSystemFileHandle.prototype;
const handles = [];
let obstacle = '';
let left = Infinity;
let leftOpen = Infinity;
FileSystemFileHandle.prototype.createSyncAccessHandle = async function (...args) {
  const handle = await createSyncAccessHandle.apply(this, args);
  handles.push(handle);
  return handle;
};
FileSystemSyncAccessHandle.prototype.write = function (...args) {
  if (obstacle === 'full') return 0;
  if (obstacle === 'quota' || left-- <= 0) throw new DOMException('No space available for this operation', 'QuotaExceededError');
  if (leftOpen-- <= 0) for (const handle of handles) handle.close();
  return write.apply(this, args);
};
const channel = new BroadcastChannel('obstacle');
channel.onmessage = ({ data }) => {
  obstacle = data;
  left = Number(/^quota after ([0-9]+)$/.exec(data)?.[1] ?? Infinity);
  leftOpen = Number(/^closed after ([0-9]+)$/.exec(data)?.[1] ?? Infinity);
  if (data === 'closed') for (const handle of handles) handle.close();
  channel.postMessage('heard');
};`;

function meet(
  page: Page,
  obstacle: 'full' | 'quota' | `${'quota' | 'closed'} after ${number}` | 'closed' | '',
): Promise<void> {
  return page.evaluate(obstacle => {
    const channel = new BroadcastChannel('obstacle');
    return new Promise<void>(resolve => {
      channel.onmessage = () => resolve();
      channel.postMessage(obstacle);
    });
  }, obstacle);
}

const EXCLUSIVE = `delete FileSystemSyncAccessHandle.prototype.mode;
const { createSyncAccessHandle } = FileSystemFileHandle.prototype;
FileSystemFileHandle.prototype.createSyncAccessHandle = function () {
  return createSyncAccessHandle.call(this);
};`;

test('a page without storage of its own is told so, and what works there', async ({ library }) => {
  const refused = "() => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'))";
  expect(
    await open(library, { opfs: 'x', create: true }, `StorageManager.prototype.getDirectory = ${refused}`),
  ).toEqual({
    code: 'unsupported',
    errno: 0,
    message:
      'This browser gives pages no storage, as in some private windows: The operation is insecure. ' +
      '{ memory: {}, create: true } creates a database in memory',
  });
  const old = await open(
    library,
    { opfs: 'x', create: true },
    'delete FileSystemFileHandle.prototype.createSyncAccessHandle',
  );
  expect(old?.code).toBe('unsupported');
  expect(old?.message).toMatch(/no sync access handles.*\{ memory: \{\}, create: true \} creates a database/);
  expect(await open(library, { memory: {}, create: true })).toBeNull();
  expect(await ask(library, 'SELECT 40 + 2')).toEqual([['42']]);
});

test('a path without a database, and one that is none, are told apart', async ({ library }) => {
  const missing = await open(library, { opfs: 'nowhere' });
  expect(missing?.code).toBe('not_a_database');
  expect(missing?.message).toMatch(
    /^There is no database nowhere in this site's storage: .*\w\. Use \{ opfs, create: true \} to create it$/,
  );
  const wrong = await open(library, { opfs: 'a/../b', create: true });
  expect(wrong?.code).toBe('usage');
  expect(wrong?.message).toMatch(/^a\/\.\.\/b cannot be a path in this site's storage/);
});

test('where there is no room for a new database, it says whose room it is', async ({ library }) => {
  const full = await open(library, { opfs: 'x', create: true }, 'FileSystemSyncAccessHandle.prototype.write = () => 0');
  expect(full?.code).toBe('no_space');
  expect(full?.message).toMatch(
    /no room for the new database .* The disk is full: 0 of \d+ bytes could be written\. Free space/,
  );
  const thrown = "() => { throw new DOMException('No space available', 'QuotaExceededError'); }";
  const quota = await open(
    library,
    { opfs: 'y', create: true },
    `FileSystemSyncAccessHandle.prototype.write = ${thrown}`,
  );
  expect(quota?.code).toBe('no_space');
  expect(quota?.message).toMatch(
    /no room for the new database .* lets this site store no more: delete databases .*persist\(\)/,
  );
});

test('a full disk and a full quota fail one commit; what was there stays, and the next one works', async ({
  library,
}) => {
  expect(await open(library, { opfs: 'kept', create: true }, OBSTACLES)).toBeNull();
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  for (const [index, obstacle] of (['full', 'quota'] as const).entries()) {
    await meet(library, obstacle);
    expect(await ask(library, `INSERT INTO t VALUES (${index})`)).toMatchObject({
      errno: 1021,
      message: expect.stringMatching(/no space left.*nothing of this commit was stored.*free space/),
    });
    expect(await ask(library, 'SELECT COUNT(*) FROM t')).toEqual([[String(index)]]);
    await meet(library, '');
    await ask(library, `INSERT INTO t VALUES (${index})`);
    expect(await ask(library, 'SELECT COUNT(*) FROM t')).toEqual([[String(index + 1)]]);
  }
});

function importRows(page: Page): Promise<string[][] | Told> {
  return page.evaluate(async () => {
    const lines = Array.from({ length: 20_000 }, (_, id) => `${id},${'x'.repeat(id % 50)}`);
    const text = `id,name\n${lines.join('\n')}`;
    return window.database.importRows(text, { table: 'imported', format: 'csv', create: true }).then(
      () => [],
      ({ code = '', errno = 0, message }: Told) => ({ code, errno, message }),
    );
  });
}

test('whichever write finds no room, of imports, collections and new databases, what was there stays and work goes on', async ({
  library,
}) => {
  test.setTimeout(120_000);
  const works: readonly { readonly work: (page: Page) => Promise<string[][] | Told>; readonly undo: string }[] = [
    { work: importRows, undo: 'DROP TABLE imported' },
    { work: page => ask(page, 'CALL dolt_gc()'), undo: 'COMMIT' },
    { work: page => ask(page, 'CREATE DATABASE more'), undo: 'DROP DATABASE more' },
  ];
  expect(await open(library, { opfs: 'tight', create: true }, OBSTACLES)).toBeNull();
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  await ask(library, 'INSERT INTO t VALUES (0)');
  await ask(library, "CALL dolt_commit('-Am', 'one')");
  let rows = 1;
  for (const { work, undo } of works) {
    let failures = 0;
    for (let writes = 0; ; writes++) {
      // Something that a collection throws away.
      await ask(library, `UPDATE t SET id = id + 1000 WHERE id = 0`);
      await ask(library, `UPDATE t SET id = id - 1000 WHERE id = 1000`);
      await meet(library, `quota after ${writes}`);
      const told = await work(library);
      await meet(library, '');
      expect(await ask(library, 'SELECT COUNT(*) FROM t')).toEqual([[String(rows)]]);
      if (Array.isArray(told)) break;
      failures++;
      expect(told.message).toMatch(/no space left|lets this site store no more|no room/);
      expect(await ask(library, `INSERT INTO t VALUES (${rows})`)).toEqual([]);
      rows++;
      expect(await ask(library, "SHOW TABLES LIKE 'imported'")).toEqual([]);
    }
    expect(failures).toBeGreaterThan(0);
    expect(await ask(library, undo)).toEqual([]);
    await library.evaluate(() => window.database.close());
    expect(await open(library, { opfs: 'tight' }, OBSTACLES)).toBeNull();
    expect(await ask(library, 'SELECT COUNT(*), MAX(id) FROM t')).toEqual([[String(rows), String(rows - 1)]]);
    expect(await ask(library, 'SELECT message FROM dolt_log LIMIT 1')).toEqual([['one']]);
  }
});

test('whichever write finds its files taken away, what was acknowledged is there when they are opened again', async ({
  library,
}) => {
  test.setTimeout(120_000);
  const works: readonly ((page: Page, row: number) => Promise<string[][] | Told>)[] = [
    (page, row) => ask(page, `INSERT INTO t VALUES (${row})`),
    importRows,
    page => ask(page, 'CALL dolt_gc()'),
  ];
  expect(await open(library, { opfs: 'taken', create: true }, OBSTACLES)).toBeNull();
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  await ask(library, 'INSERT INTO t VALUES (0)');
  await ask(library, "CALL dolt_commit('-Am', 'one')");
  let row = 1;
  for (const work of works) {
    for (let writes = 0; ; writes++) {
      expect(await ask(library, `INSERT INTO t VALUES (${row})`)).toEqual([]);
      row++;
      await meet(library, `closed after ${writes}`);
      const told = await work(library, -row);
      await meet(library, '');
      if (!Array.isArray(told)) expect(told.message).toMatch(/open the database again/);
      await library.evaluate(() => window.database.close().catch(() => {}));
      expect(await open(library, { opfs: 'taken' }, OBSTACLES)).toBeNull();
      expect(await ask(library, 'SELECT COUNT(*), MAX(id) FROM t WHERE id >= 0')).toEqual([
        [String(row), String(row - 1)],
      ]);
      const [[imported = ''] = []] = (await ask(library, "SHOW TABLES LIKE 'imported'")) as string[][];
      if (imported !== '')
        expect([['0'], ['20000']]).toContainEqual(
          ((await ask(library, 'SELECT COUNT(*) FROM imported')) as string[][])[0],
        );
      if (imported !== '') await ask(library, 'DROP TABLE imported');
      if (Array.isArray(told)) break;
      expect(writes).toBeLessThan(50);
    }
  }
  expect(await ask(library, 'SELECT message FROM dolt_log LIMIT 1')).toEqual([['one']]);
});

test('files that were closed under a database are an error that says so, and opening it again helps', async ({
  library,
}) => {
  expect(await open(library, { opfs: 'stolen', create: true }, OBSTACLES)).toBeNull();
  await ask(library, 'CREATE TABLE t (id INT PRIMARY KEY)');
  await ask(library, 'INSERT INTO t VALUES (1)');
  await meet(library, 'closed');
  const written = await ask(library, 'INSERT INTO t VALUES (2)');
  expect(written).toMatchObject({ message: expect.stringMatching(/was removed or closed.*open the database again/) });
  // What is in memory can still be read.
  expect(await ask(library, 'SELECT id FROM t')).toEqual([['1']]);
  await library.evaluate(() => window.database.close());
  expect(await open(library, { opfs: 'stolen' })).toBeNull();
  expect(await ask(library, 'SELECT id FROM t')).toEqual([['1']]);
});

test('two paths to the same files, where only one can have them, say what to do', async ({ library, context }) => {
  const other = await context.newPage();
  await other.goto(library.url());
  expect(await open(library, { opfs: 'deep/inner', create: true }, EXCLUSIVE)).toBeNull();
  const locked = await open(other, { opfs: 'deep' }, EXCLUSIVE);
  expect(locked?.code).toBe('locked');
  expect(locked?.message).toMatch(
    /^Files of deep are open already.*open the database by the same path.*or close the other first$/,
  );
  await library.evaluate(() => window.database.close());
  await expect.poll(() => open(other, { opfs: 'deep' }, EXCLUSIVE)).toBeNull();
});
