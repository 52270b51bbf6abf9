// Every source that a browser has: what people keep in the browser's own storage, pick from disk or drop on the page.
import { readdirSync, statSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { serve } from '../scripts/static_server.mjs';
import type * as Varve from '../web/src/lib/index.ts';
import { expect, sampleDirectory, test } from './fixtures.ts';

declare global {
  interface Window {
    database: Varve.Database;
  }
}

const PACKAGE = '/package/lib/index.js';
const QUESTION = 'SELECT code FROM accessions WHERE id = 17';
const ANSWER = [{ code: 'NSB-00017' }];

/** Paths of the sample's files below its directory. */
const FILES = readdirSync(sampleDirectory, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => `${entry.parentPath}/${entry.name}`.slice(sampleDirectory.length + 1));

/** Copies the sample into the page's own storage, as `seed_bank`. */
async function storeSample(page: Page, url: string): Promise<void> {
  await page.evaluate(
    async ({ url, files }) => {
      for (const path of files) {
        let directory = await (await navigator.storage.getDirectory()).getDirectoryHandle('seed_bank', {
          create: true,
        });
        const names = path.split('/');
        const last = names.pop() ?? '';
        for (const name of names) directory = await directory.getDirectoryHandle(name, { create: true });
        const writable = await (await directory.getFileHandle(last, { create: true })).createWritable();
        await writable.write(await (await fetch(url + path)).blob());
        await writable.close();
      }
    },
    { url, files: FILES },
  );
}

test('a database in the browser’s own storage is opened, twice at the same time', async ({ library, remote }) => {
  await storeSample(library, remote.url);
  const answer = await library.evaluate(
    async ({ path, sql }) => {
      const { open }: typeof Varve = await import(path);
      const first = await open({ opfs: 'seed_bank' });
      const second = await open({ opfs: '/seed_bank/' });
      const rows = [(await first.query(sql)).rows, (await second.query(sql)).rows];
      const { storage, name } = first;
      await first.close();
      // Closing gives the files back: they can be removed and changed again.
      await second.close();
      await (await navigator.storage.getDirectory()).removeEntry('seed_bank', { recursive: true });
      return { rows, storage, name };
    },
    { path: PACKAGE, sql: QUESTION },
  );
  expect(answer.rows).toEqual([ANSWER, ANSWER]);
  expect(answer.name).toBe('seed_bank');
  expect(answer.storage).toMatchObject({ kind: 'opfs', readOnly: false, remote: false, persistent: true });
});

test('a directory handle is opened where it lies', async ({ library, remote }) => {
  await storeSample(library, remote.url);
  const answer = await library.evaluate(
    async ({ path, sql }) => {
      const { open }: typeof Varve = await import(path);
      const root = await navigator.storage.getDirectory();
      const database = await open({ directory: await root.getDirectoryHandle('seed_bank') });
      const { rows } = await database.query(sql);
      await database.close();
      // The directory above holds one database, too.
      const above = await open({ directory: root });
      const { databases } = above;
      await above.close();
      return { rows, databases };
    },
    { path: PACKAGE, sql: QUESTION },
  );
  expect(answer).toEqual({ rows: ANSWER, databases: ['seed_bank'] });
});

test('picked files are read in place', async ({ library, remote }) => {
  const answer = await library.evaluate(
    async ({ path, sql, url, paths }) => {
      const { open }: typeof Varve = await import(path);
      const files = await Promise.all(
        paths.map(async name => ({
          path: `seed_bank/${name}`,
          file: new File([await (await fetch(url + name)).blob()], name),
        })),
      );
      const database = await open({ files });
      const { rows } = await database.query(sql);
      const { storage, name } = database;
      await database.close();
      return { rows, kind: storage.kind, name };
    },
    { path: PACKAGE, sql: QUESTION, url: remote.url, paths: FILES },
  );
  expect(answer).toEqual({ rows: ANSWER, kind: 'files', name: 'seed_bank' });
});

test('what is not there is refused in words', async ({ library }) => {
  const codes = await library.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const root = await navigator.storage.getDirectory();
    const empty = await root.getDirectoryHandle('empty', { create: true });
    const sources: Varve.Source[] = [{ opfs: 'nowhere' }, { directory: empty }, '/blank.html', { path: '/etc' }];
    return Promise.all(sources.map(source => open(source).catch((error: Varve.VarveError) => error.code)));
  }, PACKAGE);
  expect(codes).toEqual(['not_a_database', 'not_a_database', 'not_a_database', 'unsupported']);
});

test('a stream is read batch by batch, left early, and the database goes on', async ({ library, remote }) => {
  const answer = await library.evaluate(
    async ({ path, url }) => {
      const { open }: typeof Varve = await import(path);
      const database = await open(url);
      let batches = 0;
      for await (const batch of database.stream('SELECT * FROM accessions')) {
        batches += 1;
        if (batch.rowCount === 0 || batches === 2) break;
      }
      const { rowCount } = await database.query('SELECT * FROM accessions');
      await database.close();
      return { batches, rowCount };
    },
    { path: PACKAGE, url: remote.url },
  );
  expect(answer).toEqual({ batches: 2, rowCount: 3408 });
});

test('a statement that waits for a host is cancelled before that answers, and the database goes on', async ({
  library,
}) => {
  let [isHeld, heldRequests] = [false, 0];
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const host = await serve({
    directory: sampleDirectory,
    cors: true,
    onRequest: () => {
      if (!isHeld) return undefined;
      heldRequests += 1;
      return released;
    },
  });
  await library.evaluate(
    async ({ path, url }) => {
      const { open }: typeof Varve = await import(path);
      Object.assign(window, { database: await open(url) });
    },
    { path: PACKAGE, url: host.url },
  );
  isHeld = true;
  await library.evaluate(() => {
    const control = new AbortController();
    const waiting = window.database.query('SELECT * FROM germination_tests', [], { signal: control.signal }).then(
      () => 'finished',
      () => 'cancelled',
    );
    Object.assign(window, { waiting, control });
  });
  await expect.poll(() => heldRequests).toBeGreaterThan(0);
  const answer = await library.evaluate(async () => {
    const { waiting, control } = window as unknown as { waiting: Promise<string>; control: AbortController };
    control.abort();
    const outcome = await waiting;
    return { outcome, rows: (await window.database.query('SELECT 1 AS one')).rows };
  });
  expect(answer).toEqual({ outcome: 'cancelled', rows: [{ one: 1 }] });
  isHeld = false;
  release();
  // What was interrupted can be read afterwards.
  const rowCount = await library.evaluate(async () => {
    const { rowCount } = await window.database.query('SELECT * FROM germination_tests');
    await window.database.close();
    return rowCount;
  });
  expect(rowCount).toBe(8932);
  await host.close();
});

test('a database that is damaged says which file is, and what helps', async ({ page, console: served, remote }) => {
  const headers = { 'access-control-allow-origin': '*' };
  await page.context().route('**/.dolt/noms/manifest', route => route.fulfill({ body: 'nonsense', headers }));
  await page.goto(`${served.url}?open=${remote.url}`);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('.dolt/noms/manifest');
  await expect(alert).toContainText('dolt fsck');
});

test('a check of the files says that they are whole, or which chunk is damaged and what needs it', async ({
  page,
  console: served,
  remote,
}) => {
  const check = async () => {
    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.type('check the files');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Check', exact: true }).press('Enter');
  };
  await page.goto(served.url);
  await expect(page.getByRole('treeitem', { name: 'accessions' })).toBeVisible();
  await check();
  const dialog = page.getByRole('dialog', { name: 'Check the files' });
  await expect(dialog.getByRole('status')).toHaveText('No problems found.');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();

  // One byte in the middle of the history is another one.
  const archive = FILES.find(path => /oldgen\/.*\.darc$/.test(path)) ?? '';
  const flipped = statSync(`${sampleDirectory}/${archive}`).size >> 1;
  await page.context().route(`**/${archive}`, async route => {
    const response = await route.fetch();
    const body = await response.body();
    const start = Number(/\d+/.exec(response.headers()['content-range'] ?? '0')?.[0]);
    const at = flipped - start;
    if (at >= 0 && at < body.length) body.writeUInt8(body.readUInt8(at) ^ 1, at);
    await route.fulfill({ response, body });
  });
  await page.goto(`${served.url}?open=${remote.url}`);
  await expect(page.getByRole('treeitem', { name: 'accessions' })).toBeVisible();
  await check();
  await expect(dialog.getByRole('alert')).toHaveText('1 problem found.');
  const problem = dialog.getByRole('list', { name: 'Problems' }).getByRole('listitem');
  await expect(problem).toContainText(archive);
  await expect(problem).toContainText('Needed by');
});
