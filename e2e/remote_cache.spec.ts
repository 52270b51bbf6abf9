// The cache of remote bytes where browsers get in its way: a full quota, a private window, a tab that is killed, several tabs, data that
// is cleared, damaged pages. Rows are right in each case, and the database says whether it has a cache.
import type { Page } from 'playwright/test';
import { chromiumLaunchOptions } from '../scripts/chromium.mjs';
import type * as Varve from '../web/src/lib/index.ts';
import { expect, test } from './fixtures.ts';

const PACKAGE = '/package/lib/index.js';

interface Visit {
  /** Of the rows of every table. */
  readonly digest: string;
  /** Why there is no cache, when the database was opened and when all was read. */
  readonly reasons: readonly (string | null)[];
  readonly usedBytes: number;
  readonly limitBytes: number;
  readonly bytesFetched: number;
  readonly bytesFromCache: number;
}

interface VisitOptions {
  readonly cache?: boolean;
  readonly cacheBytes?: number;
  /** Address of the worker, in place of the package's own. */
  readonly worker?: string;
  /** Called when the first table was read, before the others are. */
  readonly between?: string;
}

/** Opens the database at `url`, reads all of it, and closes it. */
function visit(page: Page, url: string, options: VisitOptions = {}): Promise<Visit> {
  return page.evaluate(
    async ({ path, url, options }) => {
      const { open }: typeof Varve = await import(path);
      const { worker, between, ...rest } = options;
      const own = worker === undefined ? {} : { worker: new Worker(worker, { type: 'module' }) };
      const database = await open(url, { ...rest, ...own });
      const texts: string[] = [];
      const read = async (table: string): Promise<void> => {
        const { rows } = await database.query(`SELECT * FROM \`${table}\``);
        texts.push(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
      };
      const tables = (await database.query('SHOW TABLES')).rowArrays().map(([name]) => String(name));
      for (const [at, table] of tables.entries()) {
        await read(table);
        if (at === 0 && between !== undefined) {
          await (window as unknown as Record<string, () => Promise<void>>)[between]?.();
          // It looks now and then, asked or not.
          while ((await database.stats()).cache?.reason === null) await new Promise(resolve => setTimeout(resolve));
        }
      }
      const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(texts.join()));
      const { cache, bytesFetched, bytesFromCache } = await database.stats();
      const reasons = [database.storage.cache?.reason ?? null, cache?.reason ?? null];
      await database.close();
      return {
        digest: Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join(''),
        reasons,
        usedBytes: cache?.usedBytes ?? 0,
        limitBytes: cache?.limitBytes ?? 0,
        bytesFetched,
        bytesFromCache,
      };
    },
    { path: PACKAGE, url, options },
  );
}

/** What a visit without a cache reads. */
async function truth(page: Page, url: string): Promise<string> {
  const { digest, reasons } = await visit(page, url, { cache: false });
  expect(reasons).toEqual(['It was opened with cache: false', 'It was opened with cache: false']);
  return digest;
}

/** Limits what the page's origin may store. */
async function limitQuota(page: Page, quotaSize: number | null): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize !== null && { quotaSize }) });
}

test('where the quota is used up there is no cache, and the database says why', async ({ library, remote }) => {
  const digest = await truth(library, remote.url);
  await limitQuota(library, 1000);
  const first = await visit(library, remote.url, { cacheBytes: 1 << 24 });
  expect(first.digest).toBe(digest);
  expect(first.reasons[1]).toMatch(/store no more|full/i);
  expect(first).toMatchObject({ usedBytes: 0, limitBytes: 0, bytesFromCache: 0 });
  await limitQuota(library, null);
  expect(await visit(library, remote.url)).toMatchObject({ digest, reasons: [null, null] });
});

test('where the quota ends while pages are kept, the cache stays as large as it is', async ({ library, remote }) => {
  const digest = await truth(library, remote.url);
  await limitQuota(library, 1_300_000);
  const first = await visit(library, remote.url, { cacheBytes: 1 << 24 });
  expect(first).toMatchObject({ digest, reasons: [null, null] });
  expect(first.usedBytes).toBeGreaterThan(0);
  expect(first.usedBytes).toBeLessThan(1_300_000);
  const second = await visit(library, remote.url, { cacheBytes: 1 << 24 });
  expect(second).toMatchObject({ digest, reasons: [null, null] });
  expect(second.usedBytes).toBeLessThan(1_300_000);
});

test('in a private window a second visit has the cache of the first, or says why not', async ({
  library,
  remote,
  playwright,
}) => {
  const digest = await truth(library, remote.url);
  const browser = await playwright.chromium.launch(chromiumLaunchOptions());
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(library.url());
    expect(await visit(page, remote.url)).toMatchObject({ digest });
    const second = await visit(page, remote.url);
    expect(second.digest).toBe(digest);
    const [reason] = second.reasons;
    if (reason === null) expect(second.bytesFromCache).toBeGreaterThan(0);
    else expect(second.bytesFromCache).toBe(0);
  } finally {
    await browser.close();
  }
});

test('where the browser refuses its storage, all is read from the network, and the database says why', async ({
  library,
  remote,
}) => {
  const digest = await truth(library, remote.url);
  const refused = await visit(library, remote.url, { worker: '/refusing_worker.js' });
  expect(refused).toMatchObject({ digest, usedBytes: 0, bytesFromCache: 0 });
  for (const reason of refused.reasons) expect(reason).toContain('storage is refused');
});

test('a tab that is killed in the middle of a write leaves pages that are right or absent', async ({
  library,
  context,
  remote,
}) => {
  const digest = await truth(library, remote.url);
  for (const half of ['page', 'header']) {
    const doomed = await context.newPage();
    await doomed.goto(library.url());
    const torn = doomed.evaluate(
      () =>
        new Promise<void>(resolve => {
          new BroadcastChannel('torn').onmessage = () => resolve();
        }),
    );
    void visit(doomed, remote.url, { worker: `/tearing_${half}_worker.js` }).catch(() => {});
    await torn;
    const crashed = doomed.waitForEvent('crash');
    const devtools = await context.newCDPSession(doomed);
    void devtools.send('Page.crash').catch(() => {});
    await crashed;
    await doomed.close();
    expect(await visit(library, remote.url)).toMatchObject({ digest, reasons: [null, null] });
    const again = await visit(library, remote.url);
    expect(again).toMatchObject({ digest, reasons: [null, null] });
    expect(again.bytesFromCache).toBeGreaterThan(0);
    await clearCache(library);
  }
});

test('two tabs that replace each other’s pages in one small cache read right rows', async ({
  library,
  context,
  remote,
}) => {
  const digest = await truth(library, remote.url);
  const other = await context.newPage();
  await other.goto(library.url());
  // A quarter of what they read.
  const cacheBytes = 400_000;
  for (let round = 0; round < 3; round++) {
    const visits = await Promise.all([library, other].map(page => visit(page, remote.url, { cacheBytes })));
    for (const found of visits) {
      expect(found).toMatchObject({ digest, reasons: [null, null] });
      expect(found.usedBytes).toBeLessThanOrEqual(cacheBytes);
    }
  }
});

test('where one tab alone can have the file, the second goes on without it and says so', async ({
  library,
  context,
  remote,
}) => {
  const digest = await truth(library, remote.url);
  const other = await context.newPage();
  await other.goto(library.url());
  const worker = '/exclusive_worker.js';
  await library.evaluate(
    async ({ path, url, worker }) => {
      const { open }: typeof Varve = await import(path);
      const held = await open(url, { worker: new Worker(worker, { type: 'module' }) });
      await held.query('SHOW TABLES');
      Object.assign(window, { held });
    },
    { path: PACKAGE, url: remote.url, worker },
  );
  const second = await visit(other, remote.url, { worker });
  expect(second).toMatchObject({ digest, bytesFromCache: 0, usedBytes: 0 });
  for (const reason of second.reasons) expect(reason).toMatch(/another tab/i);
  await library.evaluate(() => (window as unknown as { held: Varve.Database }).held.close());
  expect(await visit(other, remote.url, { worker })).toMatchObject({ digest, reasons: [null, null] });
});

test('when the site’s data is cleared under an open database it goes on, and says that it has no cache', async ({
  library,
  remote,
}) => {
  const digest = await truth(library, remote.url);
  const { origin } = new URL(library.url());
  const devtools = await library.context().newCDPSession(library);
  await library.exposeFunction('clear', async () => {
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  });
  const during = await visit(library, remote.url, { between: 'clear' });
  expect(during.digest).toBe(digest);
  expect(during.reasons).toEqual([null, expect.stringMatching(/^The cache was removed/)]);
  // The next visit begins a new one.
  const next = await visit(library, remote.url);
  expect(next).toMatchObject({ digest, reasons: [null, null] });
  expect((await visit(library, remote.url)).bytesFromCache).toBeGreaterThan(0);
});

test('damaged pages are fetched again', async ({ library, remote }) => {
  const digest = await truth(library, remote.url);
  const first = await visit(library, remote.url);
  expect(first).toMatchObject({ digest, reasons: [null, null] });
  for (const damage of ['pages', 'headers', 'cut', 'all']) {
    await library.evaluate(async damage => {
      const root = await navigator.storage.getDirectory();
      const directory = await root.getDirectoryHandle('.varve-cache');
      const handle = await directory.getFileHandle('pages-1');
      const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
      const headers = 65_536;
      const from = damage === 'pages' ? headers : 0;
      const to = damage === 'headers' ? headers : bytes.length;
      // Every 5,000th byte, so that each page and many headers are hit.
      for (let at = from; at < to && damage !== 'cut'; at += damage === 'headers' ? 100 : 5000)
        bytes[at] = ~(bytes[at] as number);
      const stream = await handle.createWritable();
      await stream.write(damage === 'cut' ? bytes.subarray(0, bytes.length / 2) : bytes);
      await stream.close();
    }, damage);
    expect(await visit(library, remote.url)).toMatchObject({ digest, reasons: [null, null] });
    const healed = await visit(library, remote.url);
    expect(healed).toMatchObject({ digest, reasons: [null, null] });
    expect(healed.bytesFromCache).toBeGreaterThan(0);
  }
});

async function clearCache(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    await root.removeEntry('.varve-cache', { recursive: true });
  });
}
