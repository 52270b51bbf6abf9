// Editing rows of a result in place: typed fields, new and deleted rows, the review, one transaction, errors at their cell.
import type { Locator, Page } from 'playwright/test';
import { ask, enter, openEmpty, openSample, results, run, said } from './console_page.ts';
import { expect, test } from './fixtures.ts';

const SCRIPT = `CREATE TABLE people (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20) NOT NULL, born DATE, kind ENUM('a','b'), note TEXT);
INSERT INTO people (name, born, kind, note) VALUES ('Ada', '1815-12-10', 'a', 'first'), ('Grace', '1906-12-09', 'b', NULL), ('Edsger', NULL, NULL, 'third');
CREATE TABLE keyless (a INT);
INSERT INTO keyless VALUES (1);
CALL dolt_commit('-Am', 'people')`;

async function openPeople(page: Page, url: string): Promise<void> {
  await openEmpty(page, url, 'registry');
  await run(page, SCRIPT);
  await enter(page, 'SELECT * FROM people');
  // From here on its rows can be edited.
  await expect(page.getByRole('button', { name: 'Add a row' })).toBeVisible();
}

function cell(page: Page, row: number, column: number): Locator {
  return page.locator(`.results [role=row][aria-rowindex="${row + 1}"] [aria-colindex="${column + 1}"]`);
}

const edits = (page: Page) => page.getByRole('region', { name: 'Edits' });

test('cells are edited, reviewed and saved in one transaction', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  // Double press, Enter goes down.
  await cell(page, 1, 2).dblclick();
  const name = page.getByLabel('Value of name');
  await expect(name).toHaveValue('Ada');
  await name.fill('Ada Lovelace');
  await name.press('Enter');
  await expect(cell(page, 1, 2)).toHaveText('Ada Lovelace');
  // Typing replaces, Tab goes on to the next column, Alt+0 is NULL, Escape gives up.
  await page.keyboard.type('Grace Hopper');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Value of born')).toHaveValue('1906-12-09');
  await page.keyboard.press('Alt+0');
  await page.keyboard.press('Tab');
  await page.getByLabel('Value of kind').selectOption('a');
  await page.keyboard.press('Tab');
  await page.getByLabel('Value of note').fill('nothing of this');
  await page.keyboard.press('Escape');
  await expect(cell(page, 2, 3)).toHaveText('NULL');
  await expect(cell(page, 2, 4)).toHaveText('a');
  await expect(cell(page, 2, 5)).toHaveText('NULL');
  await expect(edits(page)).toContainText('2 rows changed');
  // A row that goes and one that comes.
  await cell(page, 3, 1).click();
  await page.keyboard.press('Control+Delete');
  await page.getByRole('button', { name: 'Add a row' }).click();
  await page.keyboard.type('Barbara');
  await page.keyboard.press('Enter');
  await expect(edits(page)).toContainText('2 rows changed, 1 row added, 1 row deleted');
  await edits(page).getByRole('button', { name: 'Review SQL' }).click();
  const review = page.getByRole('dialog', { name: 'Review edits' });
  await expect(review.getByRole('listitem')).toHaveText([
    'DELETE FROM people WHERE id = 3;',
    "UPDATE people SET name = 'Ada Lovelace' WHERE id = 1;",
    "UPDATE people SET name = 'Grace Hopper', born = NULL, kind = 'a' WHERE id = 2;",
    "INSERT INTO people (name) VALUES ('Barbara');",
  ]);
  await review.getByRole('button', { name: 'Run in one transaction' }).click();
  await expect(said(page, 'Saved: 2 rows changed, 1 row added, 1 row deleted')).toBeVisible();
  await expect(edits(page)).toHaveCount(0);
  await expect(cell(page, 3, 2)).toHaveText('Barbara');
  await expect(cell(page, 3, 1)).toHaveText('4');
});

test('edits are undone and repeated by the keys of any editor', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  await cell(page, 1, 2).click();
  await page.keyboard.type('Countess');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Delete');
  await page.keyboard.press('Insert');
  await expect(edits(page)).toContainText('1 row changed, 1 row added, 1 row deleted');
  await edits(page).getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog', { name: 'Discard edits?' }).getByRole('button', { name: 'Discard' }).click();
  await expect(cell(page, 1, 2)).toHaveText('Ada');
  await cell(page, 1, 1).click();
  await page.keyboard.press('Control+z');
  await expect(edits(page)).toContainText('1 row changed, 1 row added, 1 row deleted');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+z');
  await expect(edits(page)).toHaveCount(0);
  await expect(cell(page, 1, 2)).toHaveText('Ada');
  await page.keyboard.press('Control+z');
  await expect(said(page, 'Nothing to undo')).toBeVisible();
  await page.keyboard.press('Control+Shift+z');
  await expect(cell(page, 1, 2)).toHaveText('Countess');
  await page.keyboard.press('Control+s');
  await expect(edits(page)).toHaveCount(0);
  expect(await ask(page, 'SELECT name FROM people WHERE id = 1')).toBe('Countess');
});

test('a new row is in sight, above what comes below the rows', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await enter(page, 'SELECT * FROM species');
  const grid = results(page).getByRole('grid');
  await expect(results(page).getByRole('button', { name: 'Add a row' })).toBeVisible();
  await grid.focus();
  await page.keyboard.press('Insert');
  await expect(results(page).getByText('1 row added')).toBeVisible();
  await expect(grid.locator('[role=gridcell].active')).toHaveText('required');
  await expect(grid.locator('[role=gridcell].active')).toBeInViewport({ ratio: 1 });
  // Nor is it under the bar.
  const bottom = async (of: typeof grid) => of.evaluate(element => element.getBoundingClientRect().bottom);
  await expect
    .poll(async () => (await bottom(grid.locator('[role=gridcell].active'))) <= (await bottom(grid)) + 1)
    .toBe(true);
  // Its values are still to be typed, but its columns are there.
  await results(page).getByRole('button', { name: 'Value viewer' }).click();
  const viewer = page.getByRole('complementary', { name: 'Value' });
  await expect(viewer).toContainText('This row has no value here.');
  await viewer.getByRole('button', { name: 'Row', exact: true }).click();
  await expect(viewer).toContainText('priority_reason');
});

test('what does not fit is said at its cell, and nothing is saved', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  // By the type of the column, before anything runs.
  await cell(page, 1, 3).dblclick();
  const born = page.getByLabel('Value of born');
  await born.fill('long ago');
  await born.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'A date, such as' })).toBeVisible();
  await expect(born).toBeVisible();
  await born.press('Escape');
  // At the edge of a narrow page, too, it can be read.
  await page.setViewportSize({ width: 400, height: 800 });
  await cell(page, 1, 3).dblclick();
  await born.fill('long ago');
  await born.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'A date, such as' })).toBeInViewport({ ratio: 1 });
  await born.press('Escape');
  await page.setViewportSize({ width: 1280, height: 720 });
  // By the engine: the first edit is undone with the second.
  await cell(page, 1, 2).dblclick();
  await page.keyboard.type('Countess');
  await page.keyboard.press('Enter');
  await cell(page, 2, 1).dblclick();
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await edits(page).getByRole('button', { name: 'Save' }).click();
  await expect(edits(page).getByRole('alert')).toContainText('duplicate primary key');
  await expect(cell(page, 2, 1)).toHaveAttribute('aria-invalid', 'true');
  await expect(cell(page, 1, 2)).not.toHaveAttribute('aria-invalid', 'true');
  // The key is put right, and both are saved.
  await cell(page, 2, 1).dblclick();
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await cell(page, 2, 1).click();
  await page.keyboard.press('Control+s');
  await expect(said(page, 'Saved: 2 rows changed')).toBeVisible();
  await enter(page, 'SELECT GROUP_CONCAT(CONCAT(id, name) ORDER BY id) AS all_of_them FROM people');
  await expect(page.getByRole('gridcell', { name: '1Countess,3Edsger,20Grace' })).toBeVisible();
});

test('a concurrently changed row is not overwritten', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  await cell(page, 1, 5).dblclick();
  await page.getByLabel('Value of note').fill('mine');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'New query' }).click();
  await enter(page, "UPDATE people SET note = 'theirs' WHERE id = 1");
  await expect(page.getByText('1 row affected').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Query 1' }).click();
  await edits(page).getByRole('button', { name: 'Save' }).click();
  await expect(edits(page).getByRole('alert')).toContainText("Column 'note' has meanwhile changed to theirs");
  await edits(page).getByRole('button', { name: 'Discard' }).click();
  await enter(page, 'SELECT note FROM people WHERE id = 1');
  await expect(page.getByRole('gridcell', { name: 'theirs' })).toBeVisible();
});

test('a result that is no single table with a key says why it is read-only', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  const reasons: [string, string][] = [
    ['SELECT * FROM keyless', 'keyless has no primary key, so single rows cannot be identified'],
    ['SELECT name FROM people', 'The key of people is not in the result: select id too'],
    ['SELECT * FROM people p JOIN keyless k', 'The query joins several tables'],
    ['SELECT kind, COUNT(*) FROM people GROUP BY kind', 'The query groups rows'],
    ["SELECT * FROM people AS OF 'HEAD'", 'These are rows of an earlier version'],
    ['SELECT * FROM dolt_log', 'dolt_log is a system table'],
  ];
  for (const [sql, reason] of reasons) {
    await enter(page, sql);
    await expect(page.getByRole('button', { name: `Read-only: ${reason}` }), sql).toBeVisible();
  }
  await enter(page, 'SELECT id, name, id + 1 AS next FROM people');
  await expect(page.getByRole('button', { name: 'Add a row' })).toBeVisible();
  await cell(page, 1, 3).dblclick();
  await expect(said(page, 'This column is computed by the query')).toBeVisible();
  // Edits are not lost to the next statement without being asked about.
  await cell(page, 1, 2).dblclick();
  await page.keyboard.type('Other');
  await page.keyboard.press('Enter');
  await enter(page, 'SELECT 1');
  await page.getByRole('dialog', { name: 'Discard edits?' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(cell(page, 1, 2)).toHaveText('Other');
});

test('a table is sorted and filtered from its cells, by queries that are shown', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  await page.getByRole('columnheader', { name: 'name' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Sort descending' }).click();
  await expect(cell(page, 1, 2)).toHaveText('Grace');
  await expect(page.getByLabel('SQL editor')).toContainText('SELECT * FROM people ORDER BY name DESC;');
  await cell(page, 2, 4).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'All but NULL' }).click();
  await expect(page.getByLabel('SQL editor')).toContainText(
    'SELECT * FROM people WHERE kind IS NOT NULL ORDER BY name DESC;',
  );
  await expect(cell(page, 2, 2)).toHaveText('Ada');
  await cell(page, 2, 4).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Count values' }).click();
  await expect(page.getByLabel('SQL editor')).toContainText(
    'SELECT kind, COUNT(*) AS times FROM people WHERE kind IS NOT NULL GROUP BY kind',
  );
  await expect(cell(page, 1, 2)).toHaveText('1');
  await page.goBack();
  await expect(cell(page, 2, 2)).toHaveText('Ada');
  await cell(page, 2, 4).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Only a' }).click();
  await expect(cell(page, 1, 2)).toHaveText('Ada');
  await expect(page.getByRole('button', { name: 'Add a row' })).toBeVisible();
  await expect(page.locator('.results .run-facts')).toContainText('1 row');
});

test('cells are edited and saved, and the menu opens at the cell, by keys alone', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  await page.keyboard.press('Alt+r');
  const grid = page.getByRole('grid');
  await expect(grid).toBeFocused();
  await cell(page, 1, 1).click();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await page.getByLabel('Value of name').fill('Countess Ada');
  await page.keyboard.press('Enter');
  await grid.evaluate(element => element.setAttribute('data-edited', ''));
  await page.keyboard.press('Control+s');
  await expect(said(page, 'Saved: 1 row changed')).toBeVisible();
  // The rows are read again; the grid that shows them takes the place of the one that was edited.
  await expect(page.locator('[data-edited]')).toHaveCount(0);
  await expect(cell(page, 1, 2)).toHaveText('Countess Ada');
  await expect(grid).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+F10');
  const first = page.getByRole('menuitem', { name: 'Show the whole value' });
  await expect(first).toBeFocused();
  const [at, menu] = [await cell(page, 1, 2).boundingBox(), await page.getByRole('menu').boundingBox()];
  expect(Math.abs((menu?.x ?? 0) - (at?.x ?? 0))).toBeLessThan(10);
  await page.keyboard.press('Escape');
  await expect(grid).toBeFocused();
});

test('a column is sorted by its head and by keys, and who stands in the rows goes on in those that come', async ({
  page,
  console: served,
}) => {
  await openPeople(page, served.url);
  await page.getByRole('columnheader', { name: 'name' }).hover();
  await page.getByTitle('Sort, filter and more').locator('visible=true').click();
  await page.getByRole('menuitem', { name: 'Sort descending' }).click();
  await expect(page.getByLabel('SQL editor')).toContainText('ORDER BY name DESC');
  await expect(cell(page, 1, 2)).toHaveText('Grace');
  await page.getByRole('columnheader', { name: 'name' }).dblclick();
  await expect(page.getByLabel('SQL editor')).toContainText('ORDER BY name;');
  await expect(cell(page, 1, 2)).toHaveText('Ada');
  await cell(page, 1, 2).click();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(cell(page, 1, 2)).toHaveText('Grace');
  await expect(page.getByRole('grid', { name: 'people' })).toBeFocused();
});

test('the result of any query is sorted and filtered, too', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  await enter(page, "SELECT kind, COUNT(*) AS people FROM people WHERE name <> 'Edsger' GROUP BY kind -- by kind");
  await expect(page.getByRole('button', { name: /^Read-only/ })).toBeVisible();
  await page.getByRole('columnheader', { name: 'kind' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Sort descending' }).click();
  await expect(page.getByLabel('SQL editor')).toContainText(') AS result ORDER BY kind DESC;');
  await expect(cell(page, 1, 1)).toHaveText('b');
  await cell(page, 2, 1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'All but a' }).click();
  await expect(page.locator('.results .run-facts')).toContainText('1 row');
  await expect(cell(page, 1, 1)).toHaveText('b');
});

test('a geometry is shown and typed as text, and stored as what it is', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  await enter(
    page,
    `CREATE TABLE places (id INT PRIMARY KEY, at POINT, twice INT GENERATED ALWAYS AS (id * 2));
     INSERT INTO places (id, at) VALUES (1, POINT(1, 2)), (2, NULL); SELECT * FROM places`,
    'all',
  );
  await expect(cell(page, 1, 2)).toHaveText('POINT(1 2)');
  await cell(page, 1, 3).dblclick();
  await expect(said(page, 'This column is generated')).toBeVisible();
  await cell(page, 1, 2).dblclick();
  const field = page.getByLabel('Value of at');
  await expect(field).toHaveValue('POINT(1 2)');
  await field.fill('LINESTRING(0 0,1 1)');
  await field.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'A POINT, such as POINT(1 2)' })).toBeVisible();
  await field.fill('POINT(-3.5 4)');
  await field.press('Enter');
  await page.keyboard.press('Control+s');
  await expect(said(page, 'Saved: 1 row changed')).toBeVisible();
  await expect(cell(page, 1, 2)).toHaveText('POINT(-3.5 4)');
  await enter(page, 'SELECT ST_X(at) FROM places WHERE id = 1');
  await expect(cell(page, 1, 1)).toHaveText('-3.5');
});

test('a row leads to those it refers to, to those that refer to it, and to what it was', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  await enter(page, 'SELECT * FROM accessions');
  await expect(cell(page, 1, 3)).toHaveText('82');
  await cell(page, 1, 3).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Go to species 82' }).click();
  await expect(page.getByLabel('SQL editor')).toContainText('SELECT * FROM species WHERE id = 82;');
  await expect(page.locator('.results .run-facts')).toContainText('1 row');
  // The way back: the lots of this species.
  await cell(page, 1, 1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'accessions species_id' }).click();
  await expect(page.getByLabel('SQL editor')).toContainText('SELECT * FROM accessions WHERE species_id = 82;');
  await expect(cell(page, 1, 3)).toHaveText('82');
  await enter(page, 'SELECT id, priority FROM species WHERE id = 93');
  await expect(cell(page, 1, 1)).toHaveText('93');
  await cell(page, 1, 1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'History of the row' }).click();
  const dialog = page.getByRole('dialog', { name: 'History of a row of species' });
  const changes = dialog.getByRole('list', { name: 'Changes of the row' }).getByRole('listitem');
  await expect(changes.first()).toContainText('Uncommitted');
  await expect(changes.first().getByRole('deletion').first()).toHaveText('normal');
  await expect(changes.first().getByRole('insertion').first()).toHaveText('high');
  const hash = (await changes.last().getByTitle('Show commit').textContent()) ?? '';
  await changes.last().getByTitle('Show commit').click();
  await expect(page.getByRole('listbox', { name: 'Commits' }).getByRole('option')).toHaveText([new RegExp(hash)]);
});

test('of a long script the result that failed is in sight', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  await enter(page, `${'SELECT 1;\n'.repeat(40)}SELECT nothing;`, 'all');
  await expect(page.getByText('Error 1105')).toBeVisible();
  await expect(page.getByRole('tab', { selected: true, name: 'SELECT nothing' })).toBeInViewport();
});

test('the history of a row knows when it was removed and came back', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  await enter(
    page,
    `UPDATE people SET note = 'second' WHERE id = 1; CALL dolt_commit('-am', 'Another note');
     DELETE FROM people WHERE id = 1; CALL dolt_commit('-am', 'Ada leaves');
     INSERT INTO people VALUES (1, 'Ada', NULL, 'a', NULL); CALL dolt_commit('-am', 'Ada is back');
     CALL dolt_checkout('-b', 'side', 'HEAD~2'); UPDATE people SET note = 'side' WHERE id = 2; CALL dolt_commit('-am', 'Side');
     CALL dolt_checkout('main'); CALL dolt_merge('side'); SELECT * FROM people`,
    'all',
  );
  await expect(page.getByRole('tab', { name: 'people', exact: true })).toHaveAttribute('aria-selected', 'true');
  await expect(cell(page, 1, 2)).toHaveText('Ada');
  await cell(page, 1, 2).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'History of the row' }).click();
  const changes = page.getByRole('list', { name: 'Changes of the row' }).getByRole('listitem');
  // The merge took the row as it was on main, and changed nothing of it.
  await expect(changes).toHaveText([/^Ada is back/, /^Ada leaves/, /^Another note/, /^people/]);
  await expect(changes.nth(1)).toContainText('the row was removed');
  await expect(changes.nth(2)).toContainText(/note\s*first\s*second/);
});

test('rows are those of the branch to which the script went', async ({ page, console: served }) => {
  await openPeople(page, served.url);
  await enter(page, "CALL dolt_checkout('-b', 'side'); SELECT * FROM people", 'all');
  await expect(page.getByRole('tab', { name: 'people', exact: true })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('button', { name: 'Add a row' })).toBeVisible();
  await cell(page, 1, 5).dblclick();
  await page.getByLabel('Value of note').fill('on the side');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+s');
  await expect(said(page, 'Saved: 1 row changed')).toBeVisible();
  const noteOn = (branch: string) => `SELECT note FROM \`registry/${branch}\`.people WHERE id = 1`;
  expect([await ask(page, noteOn('side')), await ask(page, noteOn('main'))]).toEqual(['on the side', 'first']);
});
