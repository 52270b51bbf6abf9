// Queries persist: for a database, in a browser tab, the next day.
import type { Page } from 'playwright/test';
import { choose, enter, openKept, openSample, results, run, schemaTree } from './console_page.ts';
import { expect, test } from './fixtures.ts';

const editor = (page: Page) => page.getByLabel('SQL editor');
const tab = (page: Page, name: string) =>
  page.getByRole('tablist', { name: 'Queries' }).getByRole('tab', { name, exact: true });
const tabs = (page: Page) => page.getByRole('tablist', { name: 'Queries' }).getByRole('tab');

test('each database has its own queries, and the one that was read last is in front', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  await schemaTree(page).getByText('vaults', { exact: true }).dblclick();
  await expect(tab(page, 'vaults')).toHaveAttribute('aria-selected', 'true');

  await openKept(page, served.url, 'garden');
  await expect(tabs(page)).toHaveText(['Query 1']);
  await expect(editor(page)).toHaveText('SELECT …');
  await editor(page).fill('SELECT 1 AS kale');

  await choose(page, /^Database garden/, 'Open another');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Sample/ })
    .click();
  await expect(tabs(page)).toHaveText(['Query 1', 'vaults']);
  await expect(tab(page, 'vaults')).toHaveAttribute('aria-selected', 'true');
  await expect(schemaTree(page).getByText('vaults', { exact: true })).toBeVisible();
  await page.reload();
  await expect(tab(page, 'vaults')).toHaveAttribute('aria-selected', 'true');
  await expect(editor(page)).toContainText('FROM vaults');

  // What is copied takes the queries along.
  await page.getByRole('contentinfo').getByRole('button', { name: 'Keep in this browser' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy and open' }).click();
  await expect(page.getByRole('contentinfo')).not.toContainText('In memory');
  await expect(tabs(page)).toHaveText(['Query 1', 'vaults']);

  await page.goto(`${served.url}?open=browser:garden`);
  await expect(tabs(page)).toHaveText(['Query 1']);
  await expect(editor(page)).toHaveText('SELECT 1 AS kale');
});

test('the branch on which somebody stood is there after a reload, and behind a link', async ({
  page,
  context,
  console: served,
}) => {
  const branch = (of: Page, name: string) =>
    of.getByRole('banner').getByRole('button', { name: `Branch ${name}: switch` });
  const switchTo = async (from: string, to: string) => {
    await branch(page, from).click();
    await page.getByRole('menuitemradio', { name: to }).click();
  };
  await openSample(page, served.url);
  await switchTo('main', 'spring-survey');
  await expect(branch(page, 'spring-survey')).toBeVisible();
  await expect(page).toHaveURL(/at=/);
  await page.reload();
  await expect(branch(page, 'spring-survey')).toBeVisible();
  await expect(schemaTree(page).locator('[aria-selected="true"]')).toHaveText(/spring-survey/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(branch(other, 'spring-survey')).toBeVisible();
  // Where it opens anyway needs no word.
  await switchTo('spring-survey', 'main');
  await expect(page).not.toHaveURL(/at=/);
  // What is gone is told.
  await other.goto(`${served.url}?at=seed_bank/autumn`);
  await expect(other.getByRole('status').filter({ hasText: 'autumn' })).toBeVisible();
  await expect(branch(other, 'main')).toBeVisible();
});

test('two tabs of the browser write beside each other, and nothing of either is lost', async ({
  page,
  context,
  console: served,
}) => {
  await openKept(page, served.url, 'garden');
  await editor(page).fill('SELECT 1 AS first');
  const address = page.url();
  const kept = (text: string) =>
    expect.poll(() => page.evaluate(() => Object.values(localStorage).join('\n'))).toContain(text);
  await kept('AS first');
  const other = await context.newPage();
  await other.goto(address);
  await expect(editor(other)).toContainText('AS first');
  await other.getByRole('button', { name: 'New query' }).click();
  await editor(other).fill('SELECT 2 AS second');
  await kept('AS second');
  await page.getByRole('button', { name: 'New query' }).click();
  await editor(page).fill('SELECT 3 AS third');
  await kept('AS third');

  // Each has its own after a reload.
  await page.reload();
  await expect(tabs(page)).toHaveText(['Query 1', 'Query 2']);
  await expect(editor(page)).toContainText('AS third');
  await other.close();
  // The next day.
  const next = await context.newPage();
  await page.close();
  await next.goto(address);
  await expect(tabs(next)).toHaveCount(3);
  for (const [at, word] of ['first', 'third', 'second'].entries()) {
    await tabs(next).nth(at).click();
    await expect(editor(next)).toContainText(`AS ${word}`);
  }
});

test('tabs are renamed, doubled and closed by their menu and by keys', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await expect(editor(page)).toContainText('The seed bank');
  await tab(page, 'Query 1').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(tab(page, 'Query 2')).toHaveAttribute('aria-selected', 'true');
  await expect(editor(page)).toContainText('The seed bank');
  await tab(page, 'Query 2').focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('Lots');
  await page.keyboard.press('Enter');
  await tab(page, 'Lots').click();
  await page.keyboard.press('Delete');
  await expect(tabs(page)).toHaveText(['Query 1']);
  await expect(tab(page, 'Query 1')).toBeFocused();
  await page.keyboard.press('Alt+n');
  await page.keyboard.press('Alt+n');
  await tab(page, 'Query 3').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Close others' }).click();
  await expect(tabs(page)).toHaveText(['Query 3']);
  await page.keyboard.press('Alt+Shift+w');
  await expect(tabs(page)).toHaveText(['Query 3', 'Query 1']);
  await expect(editor(page)).toContainText('The seed bank');
  await page.keyboard.press('Alt+Shift+w');
  await expect(tabs(page)).toHaveText(['Query 3', 'Query 1', 'Lots']);
  // Renaming by keys keeps the focus.
  await tab(page, 'Lots').focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('Beds');
  await page.keyboard.press('Escape');
  await expect(tab(page, 'Lots')).toBeFocused();
  await page.keyboard.press('F2');
  await page.keyboard.type('Plots');
  await page.keyboard.press('Enter');
  await expect(tab(page, 'Plots')).toBeFocused();
  // A new one is typed into at once, from anywhere.
  await page.keyboard.press('Alt+3');
  await page.getByRole('listbox', { name: 'Commits' }).focus();
  await page.keyboard.press('Alt+n');
  await expect(page.getByLabel('SQL editor')).toBeFocused();
  await page.keyboard.type('SELECT 7');
  await expect(editor(page)).toContainText('SELECT 7');
});

/** What a database may have that was written before views that name each other were refused. */
const VIEWS = `CREATE TABLE t (i INT PRIMARY KEY); INSERT INTO t VALUES (1);
CREATE VIEW va AS SELECT * FROM t; CREATE VIEW vb AS SELECT * FROM va; DROP VIEW va;
RENAME TABLE vb TO aside; CREATE VIEW va AS SELECT * FROM t; RENAME TABLE aside TO vb;
CREATE VIEW vc AS SELECT * FROM vb; DROP VIEW va; RENAME TABLE vc TO va`;

test('a database whose views name each other opens, and they can be dropped', async ({ page, console: served }) => {
  await openKept(page, served.url, 'round');
  await run(page, VIEWS);
  await page.reload();
  const line = (name: string) => schemaTree(page).getByRole('treeitem', { name });
  await expect(line('va')).toBeVisible();
  await enter(page, 'SELECT * FROM va');
  await expect(results(page)).toContainText('contains view recursion');
  await run(page, 'DROP VIEW va; CREATE VIEW va AS SELECT * FROM t');
  await enter(page, 'SELECT * FROM vb');
  await expect(results(page).getByRole('gridcell', { name: '1' })).toBeVisible();
  await run(page, 'DROP VIEW vb; DROP VIEW va');
  await expect(line('t')).toBeVisible();
  await expect(line('va')).toHaveCount(0);
});
