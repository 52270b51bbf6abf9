// What a machine can tell of whom the page leaves out: axe finds nothing on any view, in light and in dark, nor in a narrow window.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright/test';
import { choose, enter, openSample, results, run } from './console_page.ts';
import { expect, test } from './fixtures.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds in both colour schemes: the rule, and where. */
async function findings(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // It is not the page's own, whose policy lets no other script in.
    await page.evaluate(`${AXE}; undefined`);
    const told = await page.evaluate(async values => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const { violations } = await axe.run(document, { runOnly: { type: 'tag', values } });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    }, RULES);
    found.push(...told.map(text => `${colorScheme}: ${text}`));
  }
  return found;
}

test('axe finds nothing on any view, in light, in dark, and in a narrow window', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await run(
    page,
    `CALL dolt_commit('-am', 'Before'); CALL dolt_checkout('-b', 'side'); UPDATE vaults SET purpose = 'side' LIMIT 1;
     CALL dolt_commit('-am', 'Side'); CALL dolt_checkout('main'); UPDATE vaults SET purpose = 'main' LIMIT 1;
     CALL dolt_commit('-am', 'Main')`,
  );
  await enter(page, 'SELECT * FROM accessions');
  await expect(results(page).getByRole('grid')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await choose(page, /^Database seed_bank/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const file = { name: 'lots.csv', mimeType: 'text/csv', buffer: Buffer.from('id,weight\n1,12\n2,n/a\n3,4\n') };
  await dialog.getByLabel('File to import').setInputFiles(file);
  await expect(dialog.getByLabel('Type of weight')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await choose(page, /^Branch main/, 'Merge into main');
  await dialog.getByRole('combobox').selectOption('side');
  await expect(dialog.getByText(/^Conflicts to resolve/)).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(page.getByRole('article', { name: /^Conflict 1/ })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Alt+3');
  await expect(page.getByRole('article', { name: /^Commit / })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Alt+4');
  await expect(page.getByRole('region', { name: /^Differences of/ })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 700 });
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Alt+3');
  await expect(page.getByRole('article', { name: /^Commit / })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.goto(`${served.url}?open=nothing`);
  await expect(page.getByRole('heading', { name: 'Open a Dolt database' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});
