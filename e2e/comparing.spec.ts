// What differs between two commits goes on to others.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { ask, choose, go, openEmpty, run, said } from './console_page.ts';
import { expect, test } from './fixtures.ts';

async function saved(page: Page, entry: string | RegExp): Promise<{ readonly name: string; readonly text: string }> {
  await page.getByRole('button', { name: 'Export diff' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: entry }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

test('the difference of two commits is a script that makes the one of the other, and a table of the rows', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'garden');
  await run(
    page,
    `CREATE TABLE beds (id INT PRIMARY KEY, plant VARCHAR(20)); INSERT INTO beds VALUES (1, 'kale'), (2, 'leek');
     CALL dolt_commit('-Am', 'Beds'); CALL dolt_branch('before');
     ALTER TABLE beds ADD COLUMN sown DATE; UPDATE beds SET plant = 'chard; a "new" one''s', sown = '2026-04-01' WHERE id = 1;
     DELETE FROM beds WHERE id = 2; INSERT INTO beds VALUES (3, 'beet', NULL); CREATE TABLE tools (name VARCHAR(20) PRIMARY KEY);
     CALL dolt_commit('-Am', 'Spring')`,
  );
  const spring = await ask(page, "SELECT CONCAT(dolt_hashof_table('beds'), dolt_hashof_table('tools'))");
  await go(page, 'Compare');
  await page.getByLabel('From', { exact: true }).fill('HEAD~1');
  await page.getByLabel('From', { exact: true }).press('Enter');
  await page.getByLabel('To', { exact: true }).fill('HEAD');
  await page.getByLabel('To', { exact: true }).press('Enter');
  await expect(page.getByRole('list', { name: 'Changed tables' }).getByRole('listitem')).toHaveCount(2);

  const rows = await saved(page, 'CSV: changed rows of beds');
  expect(rows.name).toBe('beds_HEAD_1_to_HEAD.csv');
  expect(rows.text.split('\n')[0]).toContain('to_plant');
  expect(rows.text).toContain('modified');

  const script = await saved(page, 'SQL patch: HEAD~1 → HEAD');
  expect(script.name).toBe('HEAD_1_to_HEAD.sql');
  await run(page, "CALL dolt_checkout('before')");
  await choose(page, /^Database garden/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const buffer = Buffer.from(script.text);
  await dialog.getByLabel('File to import').setInputFiles({ name: script.name, mimeType: 'application/sql', buffer });
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(said(page, /^Imported HEAD_1_to_HEAD.sql/)).toBeVisible();
  expect(await ask(page, "SELECT CONCAT(dolt_hashof_table('beds'), dolt_hashof_table('tools'))")).toBe(spring);
});
