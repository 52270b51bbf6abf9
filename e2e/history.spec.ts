// Changing what was committed, and putting changes aside: amend, undo, stash, cherry-pick, revert, reset, rebase.
import { ask, go, more, openEmpty, openKept, openSample, results, run, said, schemaTree } from './console_page.ts';
import { expect, test } from './fixtures.ts';

/** Of the commits of the branch, the newest first. */
const subjects = "SELECT GROUP_CONCAT(message ORDER BY commit_order DESC SEPARATOR ', ') FROM dolt_log";
const HISTORY = `CREATE TABLE t (id INT PRIMARY KEY, note TEXT);
CALL dolt_commit('-Am', 'table');
INSERT INTO t VALUES (1, 'a'); CALL dolt_commit('-am', 'first');
INSERT INTO t VALUES (2, 'b'); CALL dolt_commit('-am', 'second');
INSERT INTO t VALUES (3, 'c'); CALL dolt_commit('-am', 'third')`;

test('the last commit is amended, and undone', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'past');
  await run(page, `${HISTORY}; INSERT INTO t VALUES (4, 'd')`);
  await go(page, 'Changes');
  await page.getByLabel('Amend the last commit').check();
  await expect(page.getByLabel('Commit message')).toHaveValue('third');
  await page.getByLabel('Commit message').fill('third and fourth');
  await page.getByRole('button', { name: 'Amend the last commit with 1 table' }).click();
  await expect(said(page, 'Amended: now')).toBeVisible();
  // Of a clean branch only the message.
  await more(page, 'More actions for changes', 'Amend the last commit');
  await expect(page.getByLabel('Commit message')).toHaveValue('third and fourth');
  await page.getByLabel('Commit message').fill('three and four');
  await page.getByRole('button', { name: 'Amend the last commit', exact: true }).click();
  await expect(page.getByText('No changes')).toBeVisible();
  expect(await ask(page, subjects)).toBe('three and four, second, first, table, Initialize data repository');
  expect(await ask(page, 'SELECT COUNT(*) FROM t')).toBe('4');
  await go(page, 'Changes');
  await more(page, 'More actions for changes', 'Undo the last commit');
  await expect(said(page, 'Undone: three and four')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Staged', exact: true })).toContainText('t');
  expect(await ask(page, subjects)).toBe('second, first, table, Initialize data repository');

  // The log offers it as well, of the last commit only.
  await go(page, 'Commits');
  await more(page, 'More commit actions', 'Undo commit, keep changes');
  await expect(said(page, 'Undone: second')).toBeVisible();
  expect(await ask(page, subjects)).toBe('first, table, Initialize data repository');
  expect(await ask(page, 'SELECT COUNT(*) FROM t')).toBe('4');
});

test('commits are found by words of the message, by author, tag and hash, and a parent beyond them is gone to', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  await go(page, 'Commits');
  const log = page.getByRole('listbox', { name: 'Commits' });
  await expect(log).toBeVisible();
  const changed = page.getByRole('region', { name: 'Changed tables' }).getByRole('listitem');
  await expect(changed).toContainText(['sites~1']);
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
  await page.getByTitle('Go to parent').click();
  await expect(search).toHaveValue('');
  await expect(log.getByRole('option', { selected: true })).toContainText('Tests of the second quarter of 2025');
  await search.fill('100%');
  await expect(page.getByText('No commit of this branch matches “100%”')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(log.getByRole('option').first()).toContainText("Correct the name of the snake's-head site");
});

test('what a commit changed is shown of tables that were renamed or dropped since, and a row has its history behind the names', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'renamed');
  await run(
    page,
    `CREATE TABLE beds (id INT PRIMARY KEY, plant TEXT, n INT); INSERT INTO beds VALUES (1, 'kale', 1), (2, 'leek', 2);
     CREATE TABLE old (id INT PRIMARY KEY); INSERT INTO old VALUES (7); CALL dolt_commit('-Am', 'two tables');
     UPDATE beds SET plant = 'chard' WHERE id = 2; CALL dolt_commit('-am', 'chard');
     DROP TABLE old; CALL dolt_commit('-am', 'no old');
     RENAME TABLE beds TO plots; ALTER TABLE plots RENAME COLUMN id TO plot; ALTER TABLE plots RENAME COLUMN plant TO species;
     CALL dolt_commit('-Am', 'plots')`,
  );
  const log = page.getByRole('listbox', { name: 'Commits' });
  const changed = page.getByRole('region', { name: 'Changed tables' }).getByRole('listitem');
  const press = async (commit: string, table: RegExp, button: string) => {
    await go(page, 'Commits');
    await log.getByRole('option', { name: commit }).click();
    await changed.filter({ hasText: table }).getByRole('button', { name: button }).click();
  };
  await press('chard', /beds/, 'Diff');
  const rows = page.getByRole('grid', { name: 'Changed rows of beds' });
  await expect(rows.getByRole('columnheader')).toHaveText([/^Row/, /^id/, /^plant/]);
  // The search goes on among the columns that are shown.
  await page.keyboard.press('Control+f');
  await page.keyboard.type('2');
  const found = page.getByRole('search').getByRole('status');
  await expect(found).toHaveText('1 of 2');
  await page.getByRole('button', { name: '2 of 3 columns' }).click();
  await expect(found).toHaveText('4');
  await expect(rows.locator('.found')).toHaveCount(4);
  await press('no old', /old/, 'Diff');
  await expect(page.getByRole('region', { name: 'Diff of old' })).toContainText('1 removed');
  await press('no old', /old/, 'View at this commit');
  await expect(results(page).getByRole('gridcell', { name: '7' })).toBeVisible();
  await go(page, 'Commits');
  await log.getByRole('option', { name: 'plots' }).click();
  await expect(changed.getByRole('img', { name: 'Renamed' })).toBeVisible();
  // The history of a row goes on behind the names.
  await changed.getByRole('button', { name: 'View at this commit' }).click();
  await schemaTree(page).getByText('plots', { exact: true }).dblclick();
  await results(page).getByRole('gridcell', { name: 'chard' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'History of the row' }).click();
  await expect(page.getByRole('list', { name: 'Changes of the row' }).getByRole('listitem')).toHaveText([
    /^plots.*its table was beds.*id → plot.*2.*plant → species.*chard/,
    /^chard.*plant.*leek.*chard/,
    /^two tables.*the row was added/,
  ]);
});

test('the chosen commit stays chosen when others are made, and what is typed into the search stays', async ({
  page,
  context,
  console: served,
}) => {
  await openKept(page, served.url, 'past');
  await run(page, HISTORY);
  await go(page, 'Commits');
  const log = page.getByRole('listbox', { name: 'Commits' });
  await log.getByRole('option', { name: 'first' }).click();
  const other = await context.newPage();
  await other.goto(page.url());
  await run(other, "INSERT INTO t VALUES (4, 'd'); CALL dolt_commit('-am', 'fourth')");
  await expect(log.getByRole('option').first()).toContainText('fourth');
  await expect(log.getByRole('option', { selected: true })).toContainText('first');
  await expect(page.getByRole('article').getByRole('heading', { name: 'first' })).toBeVisible();
  // Slower than the pause after which it is looked for.
  const search = page.getByLabel('Search commits');
  await search.pressSequentially('second', { delay: 250 });
  await expect(search).toHaveValue('second');
  await expect(log.getByRole('option')).toHaveText([/second/]);
});

test('changes are stashed, listed, taken back and dropped', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'past');
  await run(page, `${HISTORY}; DELETE FROM t WHERE id = 1; CREATE TABLE fresh (a INT PRIMARY KEY)`);
  await go(page, 'Changes');
  await more(page, 'More actions for changes', 'Stash all changes');
  const dialog = page.getByRole('dialog', { name: 'Stash all changes' });
  await dialog.getByLabel('Name').fill('later');
  await dialog.getByRole('button', { name: 'Stash', exact: true }).click();
  const stashes = page.getByRole('region', { name: 'Stashes' });
  await expect(stashes).toContainText('later');
  await expect(stashes).toContainText('on main: third');
  await expect(page.getByText('No changes')).toBeVisible();
  await page.getByRole('button', { name: /^later/ }).click();
  await expect(page.getByRole('region', { name: 'Diff of fresh' })).toBeVisible();
  await page
    .getByRole('list', { name: 'Changed tables' })
    .getByRole('button', { name: /t .*1 removed/ })
    .click();
  await expect(page.getByRole('region', { name: 'Diff of t' })).toContainText('1 removed');
  await go(page, 'Changes');
  await more(page, 'More actions for stash later', 'Apply and keep the stash');
  await expect(page.getByRole('region', { name: 'Changed tables' })).toContainText('fresh');
  await expect(stashes).toBeVisible();
  await more(page, 'More actions for changes', 'Discard all changes');
  await page.getByRole('dialog').getByRole('button', { name: 'Discard all' }).click();
  await expect(page.getByText('No changes')).toBeVisible();
  await page.getByRole('button', { name: 'Pop the stash later' }).click();
  await expect(page.getByRole('region', { name: 'Changed tables' })).toContainText('fresh');
  await expect(stashes).toHaveCount(0);
  expect(await ask(page, 'SELECT COUNT(*) FROM t')).toBe('2');
  await go(page, 'Changes');
  await more(page, 'More actions for changes', 'Stash all changes');
  await dialog.getByRole('button', { name: 'Stash', exact: true }).click();
  await more(page, 'More actions for stash wip', 'Drop');
  await page.getByRole('dialog').getByRole('button', { name: 'Drop the stash' }).click();
  await expect(stashes).toHaveCount(0);
});

test('a branch is rebased by a plan: another order, another message, one into the other, one left out', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'past');
  await run(page, `${HISTORY}; INSERT INTO t VALUES (4, 'd')`);
  const begin = async () => {
    await go(page, 'Commits');
    await page.getByRole('listbox', { name: 'Commits' }).getByRole('option', { name: 'first' }).click();
    await more(page, 'More commit actions', 'Rebase main from here');
  };
  await begin();
  const dialog = page.getByRole('dialog', { name: 'Rebase' });
  // What would be refused is not offered.
  await expect(dialog).toContainText('main has uncommitted changes');
  await expect(dialog.getByRole('button', { name: 'Rebase 3 commits' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await run(page, "CALL dolt_commit('-am', 'fourth')");
  await begin();
  const plan = dialog.getByRole('list', { name: 'Rebase plan' });
  await expect(plan.getByRole('listitem')).toHaveCount(4);
  await expect(dialog.getByRole('button', { name: 'Rebase 4 commits' })).toBeVisible();
  await dialog.getByLabel('Action for first').selectOption('fixup');
  await expect(dialog.getByRole('alert')).toContainText('no earlier one');
  await dialog.getByLabel('Action for first').selectOption('reword');
  await dialog.getByLabel('New message of first').fill('the first of all');
  await dialog.getByLabel('Action for second').selectOption('drop');
  await dialog.getByRole('button', { name: 'Move fourth up' }).click();
  await dialog.getByLabel('Action for fourth').selectOption('fixup');
  await expect(plan.getByRole('listitem').nth(2)).toContainText('fourth');
  // The one that is left out stands between: the fixup goes into the one before that.
  await dialog.getByRole('button', { name: 'Start rebase' }).click();
  await expect(said(page, 'Rebased main')).toBeVisible();
  expect(await ask(page, subjects)).toBe('third, the first of all, table, Initialize data repository');
  expect(await ask(page, 'SELECT GROUP_CONCAT(id ORDER BY id) FROM t')).toBe('1,3,4');
});

test('a rebase that meets a conflict stops, is resolved and goes on; another is aborted', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'past');
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
    await expect(dialog.getByLabel('Rebase side onto')).toHaveValue('main');
    await dialog.getByRole('button', { name: 'Rebase 1 commit' }).click();
    await expect(page.getByText('The rebase of side has stopped.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Continue the rebase' })).toBeDisabled();
  };
  await rebaseOntoMain();
  await page.getByRole('button', { name: 'Abort the rebase' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Abort the rebase' }).click();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Branch side: switch' })).toBeVisible();
  expect(await ask(page, 'SELECT note FROM t WHERE id = 1')).toBe('side');
  await rebaseOntoMain();
  await page.getByRole('button', { name: 'Take one side for the whole table' }).click();
  await page.getByRole('menuitem', { name: /theirs/i }).click();
  await page.getByRole('button', { name: 'Continue the rebase' }).click();
  await expect(said(page, 'Rebased side')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Branch side: switch' })).toBeVisible();
  expect(await ask(page, subjects)).toBe('theirs, ours, third, second, first, table, Initialize data repository');
  expect(await ask(page, 'SELECT note FROM t WHERE id = 1')).toBe('side');
});

test('a commit is picked onto another branch, reverted, and a branch is reset', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'past');
  await run(page, `${HISTORY}; CALL dolt_checkout('-b', 'side', 'HEAD~2')`);
  await go(page, 'Commits');
  await page.getByRole('button', { name: 'All branches' }).click();
  const log = page.getByRole('listbox', { name: 'Commits' });
  await log.getByRole('option', { name: 'third' }).click();
  await more(page, 'More commit actions', 'Cherry-pick onto side');
  await expect(said(page, 'onto side')).toBeVisible();
  expect(await ask(page, 'SELECT GROUP_CONCAT(id ORDER BY id) FROM t')).toBe('1,3');
  await go(page, 'Commits');
  await page.getByRole('button', { name: 'This branch' }).click();
  await log.getByRole('option', { name: 'first' }).click();
  await more(page, 'More commit actions', 'Revert on side');
  await expect(said(page, 'by a new commit')).toBeVisible();
  expect(await ask(page, 'SELECT GROUP_CONCAT(id ORDER BY id) FROM t')).toBe('3');
  await go(page, 'Commits');
  await log.getByRole('option', { name: 'table' }).click();
  await more(page, 'More commit actions', 'Reset side to here');
  await page.getByRole('dialog').getByRole('button', { name: 'Reset side' }).click();
  await expect(said(page, 'side is at')).toBeVisible();
  expect(await ask(page, subjects)).toBe('table, Initialize data repository');
});
