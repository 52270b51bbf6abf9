// The console where there is no network: it starts from what its service worker kept.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { serve } from '../scripts/static_server.mjs';
import { ask, openKept, openSample, run, schemaTree } from './console_page.ts';
import { expect, root, test } from './fixtures.ts';

test.use({ serviceWorkers: 'allow' });

/** All files of the build are kept. */
const kept = (page: Page): Promise<unknown> => page.evaluate(() => navigator.serviceWorker.ready);

test('without a network the console starts, with what is kept in the browser and with the sample', async ({
  page,
  context,
  console: served,
}) => {
  await openKept(page, served.url, 'garden');
  await run(page, "CREATE TABLE beds (id INT PRIMARY KEY, plant VARCHAR(20)); INSERT INTO beds VALUES (1, 'kale')");
  await kept(page);
  await context.setOffline(true);
  await served.close();
  await page.reload();
  await expect(schemaTree(page).getByText('beds', { exact: true })).toBeVisible();
  // The order of a language that is not built in is a file of its own.
  expect(await ask(page, 'SELECT plant FROM beds ORDER BY plant COLLATE utf8mb4_da_0900_ai_ci')).toBe('kale');
  await openSample(page, served.url);
  expect(await ask(page, 'SELECT COUNT(*) FROM accessions')).toBe('3408');
  await page.getByRole('navigation', { name: 'View' }).getByRole('button', { name: 'Commits' }).click();
  await expect(page.getByRole('listbox', { name: 'Commits' })).toBeVisible();
  // Nor did the page need so far what writes a dump.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command, table, branch or column' }).fill('export');
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: /^SQL dump/ }).check();
  const dump = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
  expect((await dump).suggestedFilename()).toBe('seed_bank.sql');
  await expect(page.evaluate(() => fetch('sample/seed_bank/.dolt/noms/manifest'))).rejects.toThrow();
});

test('another build is shown at the next start, and nothing of it beside the one that was kept', async ({ page }) => {
  const directory = mkdtempSync(join(tmpdir(), 'varve-build-'));
  cpSync(join(root, 'dist/console'), directory, { recursive: true });
  const host = await serve({ directory });
  await openSample(page, host.url);
  await kept(page);
  // Its page is another one; what its service worker is to keep is not there yet, as while a host is being changed.
  const file = (name: string): string => readFileSync(join(directory, name), 'utf8');
  const change = (name: string, from: string | RegExp, to: string): void =>
    writeFileSync(join(directory, name), file(name).replace(from, to));
  change('index.html', '<title>Varve</title>', '<title>Varve, next</title>');
  change('service_worker.js', /"version":"\w+"/, '"version":"next"');
  await page.reload();
  await expect(page).toHaveTitle(/next/);
  const refused = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const next = registration.installing ?? (await registration.update()).installing;
    return new Promise(resolve => {
      if (next === null || next.state === 'redundant') resolve('redundant');
      else next.addEventListener('statechange', () => resolve(next.state));
    });
  });
  expect(refused).toBe('redundant');
  await host.close();
  await page.reload();
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
  await expect(page).not.toHaveTitle(/next/);
  rmSync(directory, { recursive: true });
});

test('a database at an address is read once, and is there at the next visit without a network', async ({
  page,
  context,
  console: served,
  remote,
}) => {
  const requests: string[] = [];
  page.on('request', request => requests.push(request.url()));
  const fetched = (): string[] => requests.splice(0).filter(url => /\/[0-9a-u][0-9a-v]{31}/.test(url));
  const visits = 'SELECT COUNT(*) FROM accessions';
  await page.goto(`${served.url}?open=${encodeURIComponent(remote.url)}`);
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
  expect(await ask(page, visits)).toBe('3408');
  await kept(page);
  expect(fetched()).not.toEqual([]);
  // What was on its way when the page was left is fetched at the next visit.
  await expect(async () => {
    fetched();
    await page.reload();
    await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
    expect(await ask(page, visits)).toBe('3408');
    expect(fetched()).toEqual([]);
  }).toPass();

  await context.setOffline(true);
  await remote.close();
  await served.close();
  await page.reload();
  await expect(page.getByText('Offline copy')).toBeVisible();
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
  expect(await ask(page, visits)).toBe('3408');
});

test('a database at an address is kept offline, with what was never read of it', async ({
  page,
  context,
  console: served,
  remote,
}) => {
  await page.goto(`${served.url}?open=${encodeURIComponent(remote.url)}`);
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Keep offline' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keep offline' });
  await dialog.getByRole('button', { name: 'Keep offline' }).click();
  await expect(dialog.getByText('Available offline.')).toBeVisible();
  await dialog.locator('.form-buttons').getByRole('button', { name: 'Close' }).click();
  await kept(page);

  await context.setOffline(true);
  await remote.close();
  await served.close();
  await page.reload();
  await expect(page.getByText('Offline copy')).toBeVisible();
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
  expect(await ask(page, 'SELECT COUNT(DISTINCT commit_hash) > 1 FROM dolt_history_accessions')).toBe('1');
});
