// Databases whose newest commit is lost, or whose files are removed while they are open: the console says so, and what to do about it.
// `VARVE_SHOTS=DIR npx playwright test e2e/damage.spec.ts` keeps pictures of each, light and dark.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Page } from 'playwright/test';
import type * as Varve from '../web/src/lib/index.ts';
import { run } from './console_page.ts';
import { expect, test } from './fixtures.ts';

const JOURNAL = `.dolt/noms/${'v'.repeat(32)}`;
const SHOTS = process.env.VARVE_SHOTS;

type Files = Map<string, Buffer>;

/** The files of a database with three commits, as Node wrote them. */
async function written(): Promise<Files> {
  const { open }: typeof Varve = await import(new URL('../dist/package/node/index.js', import.meta.url).href);
  const path = mkdtempSync(join(tmpdir(), 'varve-damaged-'));
  const database = await open({ path, create: true });
  await database.query('CREATE TABLE beds (id INT PRIMARY KEY, name VARCHAR(40))');
  for (let id = 1; id <= 3; id++) {
    await database.query(`INSERT INTO beds VALUES (${id}, 'bed ${id}')`);
    await database.query(`CALL dolt_commit('-Am', 'bed ${id}')`);
  }
  await database.close();
  const files: Files = new Map();
  for (const entry of readdirSync(join(path, '.dolt'), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(relative(path, file).replaceAll('\\', '/'), readFileSync(file));
  }
  rmSync(path, { recursive: true });
  return files;
}

function change(files: Files, path: string, with_: (bytes: Buffer) => Buffer): Files {
  return new Map([...files, [path, with_(Buffer.from(files.get(path) ?? []))]]);
}

/** The end of the records, before the room that is made for more. */
function endOf(journal: Buffer): number {
  let at = 0;
  while (at + 4 <= journal.length && journal.readUInt32BE(at) > 0) at += journal.readUInt32BE(at);
  return at;
}

/** A manifest that names a root that is in no file. */
function withLostRoot(manifest: Buffer): Buffer {
  const fields = manifest.toString().split(':');
  fields[3] = 'a'.repeat(32);
  return Buffer.from(fields.join(':'));
}

/** Keeps the files as a database of this browser, and opens it. */
async function openDamaged(page: Page, served: string, name: string, files: Files): Promise<void> {
  // A page without a worker: Chromium may crash where one is put aside for going back while its worker starts.
  await page.goto(`${served}blank.html`);
  const texts = [...files].map(([path, bytes]) => [path, bytes.toString('base64')] as const);
  await page.evaluate(
    async ({ name, texts }) => {
      const storage = await navigator.storage.getDirectory();
      const shelf = await storage.getDirectoryHandle('databases', { create: true });
      const database = await shelf.getDirectoryHandle(name, { create: true });
      for (const [path, text] of texts) {
        const names = path.split('/');
        const last = names.pop() ?? '';
        let directory = database;
        for (const part of names) directory = await directory.getDirectoryHandle(part, { create: true });
        const file = await (await directory.getFileHandle(last, { create: true })).createWritable();
        await file.write(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)));
        await file.close();
      }
    },
    { name, texts },
  );
  await page.goto(`${served}?open=browser:${name}`);
  await expect(page.getByRole('treeitem', { name: 'beds' })).toBeVisible();
}

function banner(page: Page) {
  return page.locator('.banner');
}

async function picture(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [
      [1280, 720],
      [480, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: join(SHOTS, `${name}-${colorScheme}-${width}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

test('a lost newest commit is reported, nothing is written until the older state is accepted', async ({
  page,
  console: served,
}) => {
  const files = await written();
  await openDamaged(page, served.url, 'lost', change(files, '.dolt/noms/manifest', withLostRoot));
  await expect(banner(page)).toContainText('The newest commit of “lost” is missing.');
  await picture(page, 'lost');
  await banner(page).getByRole('button', { name: 'Edit the older state' }).click();
  await run(page, "INSERT INTO beds VALUES (4, 'bed 4')");
  await expect(banner(page)).toBeHidden();
});

test('a damaged record at the end of the journal is reported', async ({ page, console: served }) => {
  const files = await written();
  const damaged = change(files, JOURNAL, journal => {
    const at = endOf(journal) - 60;
    journal[at] = (journal[at] ?? 0) ^ 1;
    return journal;
  });
  await openDamaged(page, served.url, 'damaged', damaged);
  await expect(banner(page)).toContainText('The last commit of “damaged” may be missing.');
  await picture(page, 'damaged');
  await banner(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(banner(page)).toBeHidden();
});

test('an interrupted write is told, and can be dismissed', async ({ page, console: served }) => {
  const files = await written();
  const torn = change(files, JOURNAL, journal => journal.subarray(0, endOf(journal) - 7));
  await openDamaged(page, served.url, 'torn', torn);
  await expect(banner(page)).toContainText('The last write to “torn” is incomplete.');
  await expect(page.getByRole('alert')).toBeHidden();
  await picture(page, 'torn');
  await banner(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(banner(page)).toBeHidden();
});

test('a database whose site data is cleared while it is open says so, and offers to save it', async ({
  page,
  console: served,
}) => {
  await openDamaged(page, served.url, 'cleared', await written());
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', {
    origin: new URL(served.url).origin,
    storageTypes: 'file_systems',
  });
  await expect(async () => {
    await page.getByRole('textbox', { name: 'SQL' }).fill("INSERT INTO beds VALUES (9, 'nine')");
    await page.keyboard.press('Control+Enter');
    await expect(banner(page)).toContainText('The files of this database were removed', { timeout: 1500 });
  }).toPass();
  await picture(page, 'cleared');
  await expect(banner(page).getByRole('button', { name: 'Download' })).toBeVisible();
});
