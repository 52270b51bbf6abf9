// Changing what was committed, and putting changes aside: amend, undo, stash, cherry-pick, revert, reset, rebase.
import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';

async function openEmpty(page: Page, url: string): Promise<void> {
  await page.goto(`${url}?open=nothing`);
  await page.getByRole('button', { name: /^New database/ }).click();
  const dialog = page.getByRole('dialog', { name: 'New database' });
  await dialog.getByLabel('Name').fill('past');
  await dialog.getByText('In memory').click();
  await dialog.getByRole('button', { name: 'Make the database' }).click();
  await expect(page.getByRole('tree', { name: 'Schema' }).getByText('No tables')).toBeVisible();
}

async function go(page: Page, view: 'Query' | 'Changes' | 'Commits'): Promise<void> {
  await page.getByRole('navigation', { name: 'View' }).getByRole('button', { name: view }).click();
}

/** Runs a script and gives the first value of its last answer. */
async function run(page: Page, script: string, last = "'done'"): Promise<string> {
  await go(page, 'Query');
  const mark = Math.random().toString(36).slice(2);
  await page.getByLabel('SQL editor').fill(`${script};\nSELECT CONCAT((${last}), ' ${mark}')`);
  await page.getByLabel('SQL editor').press('Control+Shift+Enter');
  const cell = page.getByLabel('Results', { exact: true }).getByRole('gridcell', { name: mark });
  await expect(cell).toBeVisible();
  return ((await cell.textContent()) ?? '').replace(` ${mark}`, '');
}

const subjects = "SELECT GROUP_CONCAT(message ORDER BY commit_order DESC SEPARATOR ', ') FROM dolt_log";
const said = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text });

async function more(page: Page, label: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

const HISTORY = `CREATE TABLE t (id INT PRIMARY KEY, note TEXT);
CALL dolt_commit('-Am', 'table');
INSERT INTO t VALUES (1, 'a'); CALL dolt_commit('-am', 'first');
INSERT INTO t VALUES (2, 'b'); CALL dolt_commit('-am', 'second');
INSERT INTO t VALUES (3, 'c'); CALL dolt_commit('-am', 'third')`;

test('the last commit is amended, and undone', async ({ page, console: served }) => {
  await openEmpty(page, served.url);
  await run(page, `${HISTORY}; INSERT INTO t VALUES (4, 'd')`);
  await go(page, 'Changes');
  await page.getByLabel('Amend the last commit').check();
  await expect(page.getByLabel('Message of the commit')).toHaveValue('third');
  await page.getByLabel('Message of the commit').fill('third and fourth');
  await page.getByRole('button', { name: 'Amend the last commit with 1 table' }).click();
  await expect(said(page, 'Amended: now')).toBeVisible();
  // Of a clean branch only the message.
  await more(page, 'More about the changes', 'Amend the last commit');
  await expect(page.getByLabel('Message of the commit')).toHaveValue('third and fourth');
  await page.getByLabel('Message of the commit').fill('three and four');
  await page.getByRole('button', { name: 'Amend the last commit', exact: true }).click();
  await expect(page.getByText('Nothing has changed')).toBeVisible();
  expect(await run(page, 'SELECT 1', subjects)).toBe(
    'three and four, second, first, table, Initialize data repository',
  );
  expect(await run(page, 'SELECT 1', 'SELECT COUNT(*) FROM t')).toBe('4');
  await go(page, 'Changes');
  await more(page, 'More about the changes', 'Undo the last commit');
  await expect(said(page, 'Undone: three and four')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Staged', exact: true })).toContainText('t');
  expect(await run(page, 'SELECT 1', subjects)).toBe('second, first, table, Initialize data repository');
});

test('commits are found by words of the message, by author, tag and hash, and a parent beyond them is gone to', async ({
  page,
  console: served,
}) => {
  await page.goto(served.url);
  await expect(page.getByRole('tree', { name: 'Schema' }).getByText('accessions', { exact: true })).toBeVisible();
  await go(page, 'Commits');
  const log = page.getByRole('listbox', { name: 'Commits' });
  await expect(log).toBeVisible();
  await page.keyboard.press('Control+f');
  const search = page.getByLabel('Search commits');
  await expect(search).toBeFocused();
  await page.keyboard.type('SURVEY kerry');
  await expect(log.getByRole('option')).toHaveText([/Survey: twelve new sites in Kerry/]);
  await search.fill('rui');
  await expect(log.getByRole('option').first()).toContainText('Rui Carreira');
  await expect(log.getByRole('option').filter({ hasText: 'Olav Eide' })).toHaveCount(0);
  await search.fill('report-2025');
  await expect(log.getByRole('option')).toHaveText([/Shipments of the first half of 2025/]);
  const hash = (await log.getByRole('option').locator('.log-hash').textContent()) ?? '';
  await search.fill(hash);
  await expect(log.getByRole('option')).toHaveCount(1);
  // Its parent is not among what was found: all commits are listed again.
  await page.getByTitle('Go to the parent').click();
  await expect(search).toHaveValue('');
  await expect(log.getByRole('option', { selected: true })).toContainText('Tests of the second quarter of 2025');
  await search.fill('100%');
  await expect(page.getByText('No commit of this branch matches “100%”')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(log.getByRole('option').first()).toContainText("Correct the name of the snake's-head site");
});

test('changes are stashed, listed, taken back and dropped', async ({ page, console: served }) => {
  await openEmpty(page, served.url);
  await run(page, `${HISTORY}; DELETE FROM t WHERE id = 1; CREATE TABLE fresh (a INT PRIMARY KEY)`);
  await go(page, 'Changes');
  await more(page, 'More about the changes', 'Stash all changes');
  const dialog = page.getByRole('dialog', { name: 'Stash all changes' });
  await dialog.getByLabel('Name').fill('later');
  await dialog.getByRole('button', { name: 'Stash', exact: true }).click();
  const stashes = page.getByRole('region', { name: 'Stashes' });
  await expect(stashes).toContainText('later');
  await expect(stashes).toContainText('on main: third');
  await expect(page.getByText('Nothing has changed')).toBeVisible();
  await page.getByRole('button', { name: 'Show the stash later' }).click();
  await expect(page.getByRole('region', { name: 'Differences of fresh' })).toBeVisible();
  await page
    .getByRole('list', { name: 'Tables that differ' })
    .getByRole('button', { name: /t .*1 removed/ })
    .click();
  await expect(page.getByRole('region', { name: 'Differences of t' })).toContainText('1 removed');
  await go(page, 'Changes');
  await more(page, 'More about the stash later', 'Apply, and keep the stash');
  await expect(page.getByRole('region', { name: 'Changed tables' })).toContainText('fresh');
  await expect(stashes).toBeVisible();
  await more(page, 'More about the changes', 'Discard all changes');
  await page.getByRole('dialog').getByRole('button', { name: 'Discard all' }).click();
  await expect(page.getByText('Nothing has changed')).toBeVisible();
  await page.getByRole('button', { name: 'Pop the stash later' }).click();
  await expect(page.getByRole('region', { name: 'Changed tables' })).toContainText('fresh');
  await expect(stashes).toHaveCount(0);
  expect(await run(page, 'SELECT 1', 'SELECT COUNT(*) FROM t')).toBe('2');
  await go(page, 'Changes');
  await more(page, 'More about the changes', 'Stash all changes');
  await dialog.getByRole('button', { name: 'Stash', exact: true }).click();
  await more(page, 'More about the stash wip', 'Drop');
  await page.getByRole('dialog').getByRole('button', { name: 'Drop the stash' }).click();
  await expect(stashes).toHaveCount(0);
});

test('a branch is rebased by a plan: another order, another message, one into the other, one left out', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url);
  await run(page, `${HISTORY}; INSERT INTO t VALUES (4, 'd'); CALL dolt_commit('-am', 'fourth')`);
  await go(page, 'Commits');
  await page.getByRole('listbox', { name: 'Commits' }).getByRole('option', { name: 'first' }).click();
  await more(page, 'More about the commit', 'Rebase main from here on');
  const dialog = page.getByRole('dialog', { name: 'Rebase' });
  const plan = dialog.getByRole('list', { name: 'Plan of the rebase' });
  await expect(plan.getByRole('listitem')).toHaveCount(4);
  await expect(dialog.getByRole('button', { name: 'Rebase 4 commits' })).toBeVisible();
  await dialog.getByLabel('What becomes of first').selectOption('fixup');
  await expect(dialog.getByRole('alert')).toContainText('none before it');
  await dialog.getByLabel('What becomes of first').selectOption('reword');
  await dialog.getByLabel('New message of first').fill('the first of all');
  await dialog.getByLabel('What becomes of second').selectOption('drop');
  await dialog.getByRole('button', { name: 'Move fourth up' }).click();
  await dialog.getByLabel('What becomes of fourth').selectOption('fixup');
  await expect(plan.getByRole('listitem').nth(2)).toContainText('fourth');
  // The one that is left out stands between: the fixup goes into the one before that.
  await dialog.getByRole('button', { name: 'Rebase by this plan' }).click();
  await expect(said(page, 'Successfully rebased')).toBeVisible();
  expect(await run(page, 'SELECT 1', subjects)).toBe('third, the first of all, table, Initialize data repository');
  expect(await run(page, 'SELECT 1', 'SELECT GROUP_CONCAT(id ORDER BY id) FROM t')).toBe('1,3,4');
});

test('a rebase that meets a conflict stops, is resolved and goes on; another is aborted', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url);
  await run(
    page,
    `${HISTORY}; CALL dolt_branch('side', 'HEAD~1'); UPDATE t SET note = 'main' WHERE id = 1; CALL dolt_commit('-am', 'ours');
CALL dolt_checkout('side'); UPDATE t SET note = 'side' WHERE id = 1; CALL dolt_commit('-am', 'theirs')`,
  );
  const rebaseOntoMain = async () => {
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Branch side/ })
      .click();
    await page.getByRole('menuitem', { name: 'Rebase side' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rebase' });
    await expect(dialog.getByLabel('Put the commits of side onto')).toHaveValue('main');
    await dialog.getByRole('button', { name: 'Rebase 1 commit' }).click();
    await expect(page.getByText('The rebase of side has stopped.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Continue the rebase' })).toBeDisabled();
  };
  await rebaseOntoMain();
  await page.getByRole('button', { name: 'Abort the rebase' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Abort the rebase' }).click();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Branch side: switch' })).toBeVisible();
  expect(await run(page, 'SELECT 1', 'SELECT note FROM t WHERE id = 1')).toBe('side');
  await rebaseOntoMain();
  await page.getByRole('button', { name: 'Take one side for the whole table' }).click();
  await page.getByRole('menuitem', { name: /theirs/i }).click();
  await page.getByRole('button', { name: 'Continue the rebase' }).click();
  await expect(said(page, 'Successfully rebased')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Branch side: switch' })).toBeVisible();
  expect(await run(page, 'SELECT 1', subjects)).toBe(
    'theirs, ours, third, second, first, table, Initialize data repository',
  );
  expect(await run(page, 'SELECT 1', 'SELECT note FROM t WHERE id = 1')).toBe('side');
});

test('a commit is picked onto another branch, reverted, and a branch is reset', async ({ page, console: served }) => {
  await openEmpty(page, served.url);
  await run(page, `${HISTORY}; CALL dolt_checkout('-b', 'side', 'HEAD~2')`);
  await go(page, 'Commits');
  await page.getByRole('button', { name: 'All branches' }).click();
  const log = page.getByRole('listbox', { name: 'Commits' });
  await log.getByRole('option', { name: 'third' }).click();
  await more(page, 'More about the commit', 'Cherry-pick onto side');
  await expect(said(page, 'onto side')).toBeVisible();
  expect(await run(page, 'SELECT 1', 'SELECT GROUP_CONCAT(id ORDER BY id) FROM t')).toBe('1,3');
  await go(page, 'Commits');
  await page.getByRole('button', { name: 'This branch' }).click();
  await log.getByRole('option', { name: 'first' }).click();
  await more(page, 'More about the commit', 'Revert on side');
  await expect(said(page, 'by a new commit')).toBeVisible();
  expect(await run(page, 'SELECT 1', 'SELECT GROUP_CONCAT(id ORDER BY id) FROM t')).toBe('3');
  await go(page, 'Commits');
  await log.getByRole('option', { name: 'table' }).click();
  await more(page, 'More about the commit', 'Reset side to here');
  await page.getByRole('dialog').getByRole('button', { name: 'Reset side' }).click();
  await expect(said(page, 'side is at')).toBeVisible();
  expect(await run(page, 'SELECT 1', subjects)).toBe('table, Initialize data repository');
});
