// Back and Forward go through the views that were shown, and lose nothing that was written.
import type { Page } from 'playwright/test';
import { choose, go, openEmpty, openSample, results, run, schemaTree } from './console_page.ts';
import { expect, test } from './fixtures.ts';

const editor = (page: Page) => page.getByLabel('SQL editor');
const view = (page: Page) => page.getByRole('navigation', { name: 'View' }).locator('[aria-current="page"]');
const table = (page: Page, name: string) => schemaTree(page).getByText(name, { exact: true });
const commits = (page: Page) => page.getByRole('listbox', { name: 'Commits' });
const commit = (page: Page) => page.getByRole('article', { name: /^Commit / }).getByRole('heading', { level: 2 });
const branch = (page: Page, name: string) =>
  page.getByRole('banner').getByRole('button', { name: `Branch ${name}: switch` });

test('Back and Forward go through tables, views, commits and branches; what is written meanwhile stays', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type('SELECT 1 AS mine;\n');
  await table(page, 'vaults').dblclick();
  await expect(results(page).getByRole('gridcell').first()).toBeVisible();
  await table(page, 'species').dblclick();
  await expect(editor(page)).toContainText('FROM species');
  await go(page, 'Commits');
  await commits(page).getByRole('option').nth(3).click();
  const message = (await commit(page).textContent()) ?? '';
  // On the way to another commit by keys none is an entry.
  await commits(page).press('ArrowDown');
  await commits(page).press('ArrowDown');
  await expect(commit(page)).not.toHaveText(message);
  await commits(page).press('ArrowUp');
  await commits(page).press('ArrowUp');
  await expect(commit(page)).toHaveText(message);
  await page.getByRole('article').getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page).toHaveURL(/view=compare/);
  await branch(page, 'main').click();
  await page.getByRole('menuitemradio', { name: 'spring-survey' }).click();
  await expect(page).toHaveURL(/at=/);

  await page.goBack();
  await expect(branch(page, 'main')).toBeVisible();
  await expect(view(page)).toHaveText('Compare');
  await page.goBack();
  await expect(commit(page)).toHaveText(message);
  await page.goBack();
  await expect(commit(page)).not.toHaveText(message);
  await expect(page).toHaveTitle('Commits · seed_bank · Varve');
  await page.goBack();
  await expect(view(page)).toHaveText('Query');
  await expect(page).toHaveTitle('species · seed_bank · Varve');
  await expect(editor(page)).toContainText('FROM species');
  await page.goBack();
  await expect(editor(page)).toContainText('FROM vaults');
  await expect(results(page).getByRole('columnheader', { name: /^purpose/ })).toBeVisible();
  await page.goBack();
  await expect(editor(page)).toContainText('SELECT 1 AS mine');
  for (let step = 0; step < 4; step++) await page.goForward();
  await expect(commit(page)).toHaveText(message);

  // A reload shows the same, with the same history; so does the URL in another tab.
  await page.reload();
  await expect(commit(page)).toHaveText(message);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(commit(other)).toHaveText(message);
  await other.close();
  await page.goBack();
  await page.goBack();
  await expect(editor(page)).toContainText('FROM species');
  await expect(editor(page)).toBeFocused();
});

test('Back closes what lies over the page, skips what is closed, and asks before changes in memory go', async ({
  page,
  console: served,
}) => {
  await page.goto(`${served.url}?open=nothing`);
  await page.getByRole('button', { name: /^Sample/ }).click();
  await expect(table(page, 'accessions')).toBeVisible();
  await run(page, 'UPDATE vaults SET temperature_c = temperature_c - 1');
  await go(page, 'Changes');
  await page.getByLabel('Commit message').fill('Half a sen');
  const change = (name: string) => page.getByRole('region', { name: 'Changes' }).getByRole('button', { name });
  await expect(change('species').first()).toHaveAttribute('aria-current', 'true');
  await change('vaults').first().click();
  await go(page, 'Query');
  await page.keyboard.press('Alt+n');
  await expect(editor(page)).toHaveText('SELECT …');
  await page.keyboard.press('Alt+w');
  await expect(editor(page)).toContainText('UPDATE vaults');
  await choose(page, /^Database/, 'New database');
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(view(page)).toHaveText('Query');
  await page.goBack();
  await expect(view(page)).toHaveText(/^Changes/);
  await expect(page.getByLabel('Commit message')).toHaveValue('Half a sen');
  await expect(change('vaults').first()).toHaveAttribute('aria-current', 'true');
  await page.goBack();
  await expect(change('species').first()).toHaveAttribute('aria-current', 'true');
  await page.goBack();
  // Before that nothing was open.
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Leave seed_bank?' });
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(view(page)).toHaveText('Query');
  await go(page, 'Changes');
  await expect(page.getByLabel('Commit message')).toHaveValue('Half a sen');
  await page.goBack();
  await page.goBack();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { name: 'Open a Dolt database' })).toBeVisible();
  await page.goForward();
  await expect(table(page, 'accessions')).toBeVisible();
  // Turning back before it is closed keeps it.
  await page.evaluate(async () => {
    const { postMessage } = Worker.prototype;
    const kept: (() => void)[] = [];
    Worker.prototype.postMessage = function (message: { kind?: string }, ...rest: never[]) {
      const post = () => postMessage.call(this, message, ...rest);
      if (message.kind === 'close') kept.push(post);
      else post();
    };
    for (const turn of [() => history.back(), () => history.forward()]) {
      const arrived = new Promise(resolve => addEventListener('popstate', resolve, { once: true }));
      turn();
      await arrived;
    }
    Worker.prototype.postMessage = postMessage;
    for (const post of kept) post();
    if (kept.length === 0) throw new Error('nothing was to be closed');
  });
  await expect(table(page, 'accessions')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Open a Dolt database' })).toHaveCount(0);
  await page.setViewportSize({ width: 400, height: 800 });
  await expect(table(page, 'accessions')).toHaveCount(0);
  await page.getByRole('button', { name: 'Side panel', exact: true }).click();
  await expect(table(page, 'accessions')).toBeVisible();
  await page.goBack();
  await expect(table(page, 'accessions')).toHaveCount(0);
  await expect(view(page)).toHaveAccessibleName('Query');
});

test('what was in memory only is said to be gone after a reload', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'garden');
  await choose(page, /^Database/, 'Open another');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Sample/ })
    .click();
  await expect(table(page, 'accessions')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('alert')).toContainText('garden could not be opened');
  await expect(page.getByRole('alert')).toContainText('The database was in memory only');
  await page.goForward();
  await expect(table(page, 'accessions')).toBeVisible();
  await page.goBack();
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('garden could not be opened');
});
