// The npm package in another project's build: what a tarball of it holds, made into a page by Vite without any setting.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { build } from 'vite';
import { serve } from '../scripts/static_server.mjs';
import { expect, root, test } from './fixtures.ts';

const PAGE = '<!doctype html><title>garden</title><script type="module" src="./garden.js"></script>';

/** Needs the worker, the engine and the file of collations, each at the address that the bundler gave it. */
const SCRIPT = `import { open, SqlError } from 'varve';
async function garden() {
  const database = await open({ opfs: 'garden', create: true });
  await database.query('CREATE TABLE beds (id INT PRIMARY KEY, plant VARCHAR(20))');
  await database.commit('Dig the beds');
  const planted = new Promise(resolve => {
    database.live('SELECT * FROM beds', ({ rowCount }) => rowCount === 2 && resolve());
  });
  await database.query("INSERT INTO beds VALUES (1, 'zinnia'), (2, 'ål')");
  await planted;
  const { rows } = await database.query('SELECT plant FROM beds ORDER BY plant COLLATE utf8mb4_da_0900_ai_ci');
  const failure = await database.query('SELECT nowhere FROM beds').catch(error => error instanceof SqlError);
  await database.close();
  return [...rows.map(({ plant }) => plant), failure];
}
globalThis.told = garden().catch(String);
`;

/** Makes a page of files, beside the package as npm installs it. Gives the directory and what the page says. */
async function buildPage(page: Page, files: Readonly<Record<string, string>>) {
  const project = mkdtempSync(join(tmpdir(), 'varve-bundled-'));
  const installed = join(project, 'node_modules/varve');
  mkdirSync(installed, { recursive: true });
  const packed: { files: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of ['package.json', ...packed.files])
    cpSync(join(root, name), join(installed, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  await build({ configFile: false, root: project, logLevel: 'error' });
  const host = await serve({ directory: join(project, 'dist'), also: { '/favicon.ico': '' } });
  const said: string[] = [];
  page.on('console', message => said.push(message.text()));
  page.on('pageerror', error => said.push(String(error)));
  await page.goto(host.url);
  const end = async () => {
    await host.close();
    rmSync(project, { recursive: true });
  };
  return { said, end };
}

test('a page that Vite builds with the package opens, commits and follows a database, and says nothing else', async ({
  page,
}) => {
  const { said, end } = await buildPage(page, { 'index.html': PAGE, 'garden.js': SCRIPT });
  expect(await page.evaluate('globalThis.told')).toEqual(['zinnia', 'ål', true]);
  expect(said).toEqual([]);
  await end();
});

test('the page of the tutorial works as it is pasted', async ({ page }) => {
  const text = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
  const [html, js] = ['html', 'js'].map(
    language => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '',
  );
  const { said, end } = await buildPage(page, { 'index.html': html as string, 'garden.js': js as string });
  const field = page.getByPlaceholder('Plant');
  for (const plant of ['kale', 'leek']) {
    await field.fill(plant);
    await field.press('Enter');
    await expect(page.getByRole('listitem').filter({ hasText: plant })).toBeVisible();
  }
  await page.reload();
  await expect(page.getByRole('listitem')).toHaveText(['kale', 'leek']);
  expect(said).toEqual([]);
  await end();
});

test('the example of a live list follows changes and undoes a commit', async ({ page }) => {
  const files = ['index.html', 'live_list.js'].map(name => [
    name,
    readFileSync(join(root, 'examples/live_list', name), 'utf8'),
  ]);
  const { said, end } = await buildPage(page, Object.fromEntries(files));
  const items = page.locator('#items').getByRole('listitem');
  const history = page.locator('#history').getByRole('listitem');
  await page.getByPlaceholder('Item').fill('Milk');
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(items).toHaveText(['Milk']);
  await page.getByRole('checkbox').check();
  await expect(history).toHaveText(['Check Milk', 'Add Milk', 'Create the list']);
  await page.getByRole('button', { name: 'Undo last commit' }).click();
  await expect(page.getByRole('checkbox')).not.toBeChecked();
  await expect(history).toHaveText(['Add Milk', 'Create the list']);
  expect(said).toEqual([]);
  await end();
});
