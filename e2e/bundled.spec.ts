// The npm package in somebody's own build: what a tarball of it holds, made into a page by Vite without any setting.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('a page that Vite builds with the package opens, commits and follows a database, and says nothing else', async ({
  page,
}) => {
  const project = mkdtempSync(join(tmpdir(), 'varve-bundled-'));
  const installed = join(project, 'node_modules/varve');
  mkdirSync(installed, { recursive: true });
  const { files }: { files: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of ['package.json', ...files]) cpSync(join(root, name), join(installed, name), { recursive: true });
  writeFileSync(join(project, 'index.html'), PAGE);
  writeFileSync(join(project, 'garden.js'), SCRIPT);
  await build({ configFile: false, root: project, logLevel: 'error' });

  const host = await serve({ directory: join(project, 'dist'), also: { '/favicon.ico': '' } });
  const said: string[] = [];
  page.on('console', message => said.push(message.text()));
  page.on('pageerror', error => said.push(String(error)));
  await page.goto(host.url);
  expect(await page.evaluate('globalThis.told')).toEqual(['zinnia', 'ål', true]);
  expect(said).toEqual([]);
  await host.close();
  rmSync(project, { recursive: true });
});
