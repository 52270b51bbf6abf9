// Changing a database in the console: writing, committing, branching, merging; by mouse and keyboard.
import { readFileSync } from 'node:fs';
import { ask, choose, enter, go, openEmpty, openKept, openSample, results, run, said } from './console_page.ts';
import { expect, test } from './fixtures.ts';

test('the sample is a copy in memory, says so, and shows what statements change', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await expect(page.getByRole('contentinfo')).toContainText('In memory – lost when you close this page');
  await run(
    page,
    'CALL dolt_reset("--hard"); DELETE FROM shipment_lines LIMIT 3; UPDATE accessions SET seeds = 0 WHERE id = 17',
  );
  await go(page, 'Changes');
  const changes = page.getByRole('region', { name: 'Changed tables' });
  await expect(changes.getByRole('button', { name: /^Modified shipment_lines .*3 removed/ })).toBeVisible();
  await changes.getByRole('button', { name: /^Modified accessions .*1 modified/ }).click();
  const diff = page.getByRole('region', { name: 'Diff of accessions' });
  await expect(
    diff.getByRole('row').filter({ hasText: '+' }).getByRole('gridcell', { name: '0', exact: true }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Discard changes to accessions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(changes.getByRole('button', { name: /accessions/ })).toHaveCount(0);
  // The button that was pressed is gone: the focus is in the view, not at the top of the page.
  await expect(page.getByRole('main')).toBeFocused();
  expect(await ask(page, 'SELECT seeds > 0 FROM accessions WHERE id = 17')).toBe('1');
  // A tag does not have the changes of a branch.
  await enter(page, 'USE `seed_bank/report-2025`');
  await expect(page.getByRole('banner').getByRole('button', { name: 'No branch: switch' })).toBeVisible();
  await go(page, 'Changes');
  await expect(page.getByText('No branch is selected')).toBeVisible();
});

test('a commit is made in the page, of what is staged, with message and author', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await run(
    page,
    'CALL dolt_reset("--hard"); UPDATE sites SET name = CONCAT(name, "!") WHERE id = 1; DELETE FROM shipment_lines LIMIT 3',
  );
  await go(page, 'Changes');
  await page.getByRole('button', { name: 'Stage sites' }).click();
  await expect(page.getByRole('region', { name: 'Staged', exact: true })).toContainText('sites');
  await page.getByRole('button', { name: /^by root/ }).click();
  await page.getByLabel('Name of the author').fill('Ada Lovelace');
  await page.getByLabel('Email of the author').fill('ada@example.org');
  const message = page.getByLabel('Commit message');
  await message.fill('Call the first site louder');
  await message.press('Control+Enter');
  await expect(said(page, 'Committed')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Changed tables' })).toContainText('shipment_lines');
  await go(page, 'Commits');
  const newest = page.getByRole('listbox', { name: 'Commits' }).getByRole('option').first();
  await expect(newest).toContainText('Call the first site louder');
  await expect(newest).toContainText('Ada Lovelace');
  expect(await ask(page, "SELECT CONCAT(author, ' ', author_email) FROM dolt_log LIMIT 1")).toBe(
    'Ada Lovelace ada@example.org',
  );
});

test('what was staged just before is what is committed, however quickly', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'quick');
  await run(page, 'CREATE TABLE a (id INT PRIMARY KEY); CREATE TABLE b (id INT PRIMARY KEY)');
  await go(page, 'Changes');
  const message = page.getByLabel('Commit message');
  await message.fill('only a');
  // Nothing waits in between, and the key is pressed twice.
  await page.getByRole('button', { name: 'Stage a', exact: true }).evaluate((button: HTMLElement) => {
    const field = document.querySelector('.commit-message');
    const press = () =>
      field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
    button.click();
    press();
    press();
  });
  await expect(said(page, 'Committed')).toBeVisible();
  await expect(message).toHaveValue('');
  const committed = "SELECT GROUP_CONCAT(table_name) FROM dolt_diff WHERE message = 'only a'";
  expect(await ask(page, committed)).toBe('a');
  await expect(page.getByRole('status').filter({ has: page.locator('.is-failure') })).toHaveCount(0);
});

test('a branch is made, switched to, and merged without a conflict', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'branches');
  await run(page, "CREATE TABLE t (id INT PRIMARY KEY); INSERT INTO t VALUES (1); CALL dolt_commit('-Am', 'one')");
  await choose(page, /^Branch main/, 'New branch');
  const dialog = page.getByRole('dialog', { name: 'New branch' });
  await dialog.getByLabel('Name').fill('main');
  await expect(dialog.getByText('A branch named main already exists')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Create branch' })).toBeDisabled();
  await dialog.getByLabel('Name').fill('side');
  await dialog.getByLabel('Name').press('Enter');
  await expect(page.getByRole('banner').getByRole('button', { name: 'Branch side: switch' })).toBeVisible();
  await run(page, "INSERT INTO t VALUES (2); CALL dolt_commit('-am', 'two')");
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Branch side/ })
    .click();
  await page.getByRole('menuitemradio', { name: 'main' }).click();
  expect(await ask(page, 'SELECT COUNT(*) FROM t')).toBe('1');
  await choose(page, /^Branch main/, 'Merge into main');
  await expect(page.getByRole('dialog')).toContainText('1 commit not in main');
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(said(page, 'Fast-forward to side')).toBeVisible();
  expect(await ask(page, 'SELECT COUNT(*) FROM t')).toBe('2');
  await choose(page, /^Branch main/, 'Branches and tags');
  await page.getByRole('button', { name: 'Rename the branch side' }).click();
  await page.getByRole('dialog', { name: 'Rename side' }).getByLabel('Name').fill('merged');
  await page.keyboard.press('Enter');
  await expect(said(page, 'Renamed side to merged')).toBeVisible();
  await choose(page, /^Branch main/, 'Branches and tags');
  await page.getByRole('button', { name: 'Rename the branch main' }).click();
  await page.getByRole('dialog', { name: 'Rename main' }).getByLabel('Name').fill('trunk');
  await page.keyboard.press('Enter');
  await choose(page, /^Branch trunk/, 'Branches and tags');
  await page.getByRole('button', { name: 'Delete the branch merged' }).click();
  await expect(page.getByRole('button', { name: 'Delete the branch merged' })).toHaveCount(0);
});

test('a merge offers what can be merged, and tells before it what there will be to decide', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'forecast');
  await run(
    page,
    `CREATE TABLE lots (id INT PRIMARY KEY, seeds INT); INSERT INTO lots VALUES (1, 10), (2, 20); CREATE TABLE beds (id INT PRIMARY KEY, area INT);
     CALL dolt_commit('-Am', 'base'); CALL dolt_branch('all_of_it'); CALL dolt_branch('recount'); CALL dolt_branch('rows');
     UPDATE lots SET seeds = 11 WHERE id = 1; CALL dolt_commit('-am', 'ours');
     CALL dolt_checkout('recount'); UPDATE lots SET seeds = 12 WHERE id = 1; CALL dolt_commit('-am', 'theirs');
     CALL dolt_checkout('rows'); INSERT INTO lots VALUES (3, 30); CALL dolt_commit('-am', 'a row');
     CALL dolt_branch('gone'); CALL dolt_branch('types');
     CALL dolt_checkout('gone'); DELETE FROM lots WHERE id = 2; CALL dolt_commit('-am', 'a row less');
     CALL dolt_checkout('types'); ALTER TABLE beds MODIFY area VARCHAR(9); CALL dolt_commit('-am', 'another type');
     CALL dolt_checkout('main'); CREATE TABLE tests (id INT PRIMARY KEY, lot INT, FOREIGN KEY (lot) REFERENCES lots (id));
     INSERT INTO tests VALUES (1, 2); ALTER TABLE beds MODIFY area BIGINT; CALL dolt_commit('-Am', 'tests')`,
  );
  await choose(page, /^Branch main/, 'Branches and tags');
  const line = page.getByRole('listitem').filter({ hasText: 'all_of_it' });
  await expect(line).toContainText('2 behind');
  await expect(line.getByRole('button', { name: 'Merge' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await choose(page, /^Branch main/, 'Merge into main');
  const dialog = page.getByRole('dialog');
  const branches = dialog.getByLabel('Branch to merge into main');
  await expect(branches).toHaveValue('gone');
  await expect(dialog.getByRole('status')).toHaveText('Constraint violations: 1 row of tests');
  await branches.selectOption('recount');
  await expect(dialog.getByRole('status')).toHaveText('Conflicts to resolve: 1 row of lots');
  await branches.selectOption('types');
  await expect(dialog.getByRole('status')).toHaveText('Conflicts to resolve: the definition of beds');
  await branches.selectOption('rows');
  await expect(dialog.getByRole('status')).toHaveText('No conflicts or constraint violations');
  await branches.selectOption('all_of_it');
  await expect(dialog).toContainText('Already merged');
  await expect(dialog.getByRole('button', { name: 'Merge', exact: true })).toBeDisabled();
  await expect(dialog.getByRole('status')).toHaveCount(0);
  // Nothing was done by looking.
  await page.keyboard.press('Escape');
  expect(await ask(page, 'SELECT COUNT(*) FROM dolt_status')).toBe('0');

  await run(page, 'UPDATE lots SET seeds = 21 WHERE id = 2');
  await choose(page, /^Branch main/, 'Merge into main');
  await expect(dialog.getByRole('status')).toContainText(
    'The merge would fail: local changes would be stomped by merge: lots',
  );
  await expect(dialog.getByRole('button', { name: 'Merge', exact: true })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Go to changes' }).click();
  await expect(page.getByLabel('Commit message')).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test('a geometry and bytes in conflict are edited as text', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'places');
  await run(
    page,
    `CREATE TABLE places (id INT PRIMARY KEY, at POINT, code VARBINARY(4));
     INSERT INTO places VALUES (1, POINT(1, 1), x'01'); CALL dolt_commit('-Am', 'base'); CALL dolt_branch('survey');
     UPDATE places SET at = POINT(2, 2), code = x'02'; CALL dolt_commit('-am', 'ours');
     CALL dolt_checkout('survey'); UPDATE places SET at = POINT(3, 3), code = x'03'; CALL dolt_commit('-am', 'theirs');
     CALL dolt_checkout('main'); SET dolt_allow_commit_conflicts = 1; CALL dolt_merge('survey')`,
  );
  await go(page, 'Changes');
  const conflict = page.getByRole('article').filter({ hasText: 'id 1' });
  // Half of a usual window, twice as large: a conflict is seen whole.
  await page.setViewportSize({ width: 720, height: 450 });
  await expect(conflict).toBeInViewport({ ratio: 1 });
  await conflict.getByRole('button', { name: 'Edit', exact: true }).click();
  const at = conflict.getByLabel('Value of at');
  await expect(at).toHaveValue('POINT(2 2)');
  await at.fill('LINESTRING(0 0,1 1)');
  await expect(conflict.getByRole('alert')).toContainText('at: A POINT, such as POINT(1 2)');
  await at.fill('POINT(2.5 -4)');
  await conflict.getByLabel('Value of code').fill('0xff00');
  await page.getByRole('button', { name: 'Resolve 1 row' }).click();
  await expect(page.getByText('All conflicts are resolved. Commit to finish the merge.')).toBeVisible();
  expect(await ask(page, 'SELECT CONCAT(ST_AsText(at), HEX(code)) FROM places')).toBe('POINT(2.5 -4)FF00');
});

test('a merge with conflicts is resolved row by row and cell by cell: ours, theirs, edited', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'conflicts');
  await run(
    page,
    `CREATE TABLE lots (id INT PRIMARY KEY, seeds INT, note VARCHAR(40));
     INSERT INTO lots VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c'), (4, 40, 'd');
     CALL dolt_commit('-Am', 'base'); CALL dolt_branch('recount');
     UPDATE lots SET seeds = seeds + 1, note = IF(id = 4, 'dry', note); CALL dolt_commit('-am', 'ours');
     CALL dolt_checkout('recount'); UPDATE lots SET seeds = seeds + 5, note = IF(id = 4, 'moist', note);
     CALL dolt_commit('-am', 'theirs');
     CALL dolt_checkout('main')`,
  );
  await choose(page, /^Branch main/, 'Merge into main');
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(page.getByText('Merging recount into main')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resolve the conflicts first' })).toBeDisabled();
  const conflict = (id: number) => page.getByRole('article').filter({ hasText: `id ${id}` });
  await expect(conflict(1)).toContainText('changed by both: seeds');
  await conflict(1).getByRole('button', { name: 'Ours', exact: true }).click();
  await conflict(2).focus();
  await page.keyboard.press('t');
  await conflict(3).getByRole('button', { name: 'Edit', exact: true }).click();
  await conflict(3).getByLabel('Value of seeds').fill('99');
  // A cell of the one and a cell of the other.
  await conflict(4).getByRole('button', { name: '45' }).click();
  await expect(conflict(4).getByLabel('Value of seeds')).toHaveValue('45');
  await expect(conflict(4).getByLabel('Value of note')).toHaveValue('dry');
  await expect(conflict(4).getByRole('button', { name: 'dry' })).toHaveAttribute('aria-pressed', 'true');
  await expect(conflict(4).getByRole('button', { name: '41' })).toHaveAttribute('aria-pressed', 'false');
  // What was chosen stays while one looks elsewhere, and when the window becomes narrow.
  await go(page, 'Query');
  await go(page, 'Changes');
  await expect(conflict(3).getByLabel('Value of seeds')).toHaveValue('99');
  await page.setViewportSize({ width: 420, height: 900 });
  await expect(page.getByText('4 of 4 chosen')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: 'Resolve 4 rows' }).click();
  await expect(page.getByText('All conflicts are resolved. Commit to finish the merge.')).toBeVisible();
  await page.getByRole('button', { name: 'Commit the merge' }).click();
  await expect(page.getByText('No changes')).toBeVisible();
  expect(await ask(page, 'SELECT GROUP_CONCAT(seeds ORDER BY id) FROM lots')).toBe('11,25,99,45');
  expect(await ask(page, 'SELECT note FROM lots WHERE id = 4')).toBe('dry');
  expect(await ask(page, 'SELECT COUNT(*) FROM dolt_conflicts')).toBe('0');
  await go(page, 'Commits');
  await expect(page.getByRole('article')).toContainText("Merge branch 'recount' into main");
  await expect(page.getByRole('article').getByRole('button', { name: /^[0-9a-v]{12}$/ })).toHaveCount(2);
});

test('any two commits are compared, cell by cell and by their definitions', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'compared');
  await run(
    page,
    `CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT); INSERT INTO t VALUES (1, 1, 1), (2, 2, 2);
     CALL dolt_commit('-Am', 'one'); CALL dolt_tag('first');
     UPDATE t SET b = 20 WHERE id = 2; INSERT INTO t VALUES (3, 3, 3); ALTER TABLE t ADD COLUMN c INT;
     CALL dolt_commit('-am', 'two')`,
  );
  await go(page, 'Compare');
  await page.getByLabel('From', { exact: true }).fill('first');
  // The comparison that the view opens with may end while one types.
  await expect(said(page, '0 tables')).toBeVisible();
  await page.getByLabel('From', { exact: true }).press('Enter');
  const diff = page.getByRole('region', { name: 'Diff of t' });
  await expect(diff).toContainText('1 added, 1 modified');
  await expect(diff.getByRole('gridcell', { name: '20' })).toHaveClass(/changed/);
  await diff.getByRole('button', { name: 'Schema' }).click();
  await expect(diff.locator('.definition-line.added')).toHaveText(/`c` int/);
  await page.getByLabel('From', { exact: true }).fill('nowhere');
  await page.getByLabel('From', { exact: true }).press('Enter');
  await expect(page.getByRole('alert')).toContainText('cannot be compared');
});

test('more changes than a window holds are reached window by window', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'many');
  const numbers = Array.from({ length: 460 }, (_, n) => `(${n})`).join(', ');
  await run(
    page,
    `CREATE TABLE n (n INT PRIMARY KEY); INSERT INTO n VALUES ${numbers}; CREATE TABLE t (id INT PRIMARY KEY);
CALL dolt_commit('-Am', 'empty'); INSERT INTO t SELECT a.n * 460 + b.n + 1 FROM n a CROSS JOIN n b`,
  );
  await go(page, 'Changes');
  const diff = page.getByRole('region', { name: 'Diff of t' });
  await expect(diff).toContainText('211,600 added');
  const windows = diff.getByRole('navigation', { name: 'Pages of changes' });
  await expect(windows).toContainText('1–200,000 of 211,600');
  await windows.getByRole('button', { name: 'Next changes' }).click();
  await expect(windows).toContainText('200,001–211,600 of 211,600');
  await expect(windows.getByRole('button', { name: 'Next changes' })).toBeDisabled();
  await expect(diff.getByRole('gridcell', { name: '200001', exact: true })).toBeVisible();
  await windows.getByRole('button', { name: 'Previous changes' }).click();
  await expect(windows).toContainText('1–200,000 of 211,600');
  await expect(diff.getByRole('gridcell', { name: '1', exact: true })).toBeVisible();
});

test('a value that was changed shows which of its words are others', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'words');
  await run(
    page,
    `CREATE TABLE notes (id INT PRIMARY KEY, body TEXT);
    INSERT INTO notes VALUES (1, 'the red fox ran home');
    CALL dolt_commit('-Am', 'Notes');
    UPDATE notes SET body = 'the brown fox ran'`,
  );
  await go(page, 'Changes');
  const diff = page.getByRole('region', { name: 'Diff of notes' });
  await diff.getByRole('gridcell', { name: 'the red fox ran home' }).click();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Value' });
  await expect(panel.locator('del')).toHaveText(['red', ' home']);
  await expect(panel.locator('ins')).toHaveText(['brown']);
  await panel.getByRole('button', { name: 'Text' }).click();
  await expect(panel.getByText('the red fox ran home')).toBeVisible();
});

test('rows go in as CSV and out again, and the database as a dump and as a zip', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'transfers');
  const csv = 'id,name,born\r\n1,"Ada, Countess",1815-12-10\r\n2,Grace,1906-12-09\r\n';
  await choose(page, /^Database transfers/, 'Import a file');
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('File to import')
    .setInputFiles({ name: 'People 1.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await expect(dialog.getByLabel('Table')).toHaveValue('people_1');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(said(page, 'Imported 2 rows into people_1')).toBeVisible();
  expect(await ask(page, 'SELECT name FROM people_1 WHERE id = 1')).toBe('Ada, Countess');

  const exported = async (format: string): Promise<Buffer> => {
    await choose(page, /^Database transfers/, 'Export');
    await dialog.getByText(format, { exact: true }).click();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    return readFileSync(await (await download).path());
  };
  expect((await exported('CSV')).toString().replaceAll('\r\n', '\n')).toBe(csv.replaceAll('\r\n', '\n'));
  const dump = await exported('SQL dump');
  const zip = await exported('Whole database');

  await openEmpty(page, served.url, 'again');
  await choose(page, /^Database again/, 'Import a file');
  await dialog
    .getByLabel('File to import')
    .setInputFiles({ name: 'dump.sql', mimeType: 'application/sql', buffer: dump });
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  expect(await ask(page, 'SELECT GROUP_CONCAT(name ORDER BY id) FROM people_1')).toBe('Ada, Countess,Grace');

  await page.goto(`${served.url}?open=nothing`);
  await page
    .getByLabel('Archive of a database')
    .setInputFiles({ name: 'transfers.zip', mimeType: 'application/zip', buffer: zip });
  expect(await ask(page, 'SELECT COUNT(*) FROM people_1')).toBe('2');
});

test('a table that one side has dropped and the other has changed says how to settle it, and offers no side', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'dropped');
  await run(
    page,
    `CREATE TABLE beds (id INT PRIMARY KEY, plant VARCHAR(20)); INSERT INTO beds VALUES (1, 'kale');
     CALL dolt_commit('-Am', 'Beds'); CALL dolt_checkout('-b', 'autumn'); UPDATE beds SET plant = 'leek';
     CALL dolt_commit('-am', 'Leek'); CALL dolt_checkout('main'); DROP TABLE beds; CALL dolt_commit('-Am', 'No beds');
     CALL dolt_merge('autumn')`,
  );
  await go(page, 'Changes');
  const pane = page.getByRole('region', { name: 'Conflicts of beds' });
  await expect(pane).toContainText('main has dropped this table and autumn has changed it');
  await expect(pane.getByText("CALL dolt_checkout('autumn', 'beds')")).toBeVisible();
  await expect(pane.getByRole('button', { name: 'Take one side for the whole table' })).toHaveCount(0);
});

test('dates of a file become dates, and where day and month could be either it is asked', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'dates');
  await choose(page, /^Database dates/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const send = (text: string) =>
    dialog
      .getByLabel('File to import')
      .setInputFiles({ name: 'd.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await send('id,day,price\n1,02/03/2024,"1,5"\n2,02/13/2024,"1,250"\n');
  await expect(dialog.getByLabel('Dates such as 02/03/2024')).toHaveValue('mdy');
  await expect(dialog.getByLabel('Numbers such as 1,5')).toHaveValue(',');
  await send('id,day,price\n1,02/03/2024,"1,500"\n2,02/10/2024,"1,250"\n');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveCount(2);
  await dialog.getByLabel('Dates such as 02/03/2024').selectOption('Day, month, year');
  await dialog.getByLabel('Numbers such as 1,500').selectOption('A comma between thousands');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(said(page, 'Imported 2 rows into d')).toBeVisible();
  await expect(results(page).getByRole('gridcell', { name: '2024-03-02' })).toBeVisible();
  expect(await ask(page, 'SELECT SUM(price) FROM d')).toBe('2750');
});

test('an import that fails says why and leaves nothing', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'failing');
  await choose(page, /^Database failing/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const file = { name: 't.csv', mimeType: 'text/csv', buffer: Buffer.from('id,n\n1,1\n1,2\n') };
  await dialog.getByLabel('File to import').setInputFiles(file);
  await dialog.getByLabel('Primary key').selectOption('id');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByRole('alert').last()).toContainText(/duplicate/i);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await ask(page, 'SELECT COUNT(*) FROM information_schema.tables WHERE table_name = "t"')).toBe('0');
});

test('a copy in this browser can be changed, is there after a reload, and can be deleted', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  await page.getByRole('button', { name: 'Keep in this browser' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('my seeds');
  await page.getByRole('dialog').getByRole('button', { name: 'Copy and open' }).click();
  await expect(page.getByRole('contentinfo')).toContainText('In this browser');
  await run(page, 'UPDATE accessions SET seeds = 4711 WHERE id = 17');
  await page.goto(`${served.url}?open=nothing`);
  await page
    .getByRole('region', { name: 'In this browser' })
    .getByRole('button', { name: 'my seeds', exact: true })
    .click();
  expect(await ask(page, 'SELECT seeds FROM accessions WHERE id = 17')).toBe('4711');
  await go(page, 'Changes');
  await expect(page.getByRole('region', { name: 'Changed tables' })).toContainText('accessions');
  // It says what it has of the disk, and goes from where it is open.
  await choose(page, /^Database my seeds/, 'Open another');
  const kept = page.getByRole('region', { name: 'In this browser' });
  await expect(kept.getByRole('listitem').filter({ hasText: 'my seeds' })).toContainText(/\d MB/);
  await kept.getByRole('button', { name: 'Delete my seeds' }).click();
  const question = page.getByRole('dialog', { name: 'Delete my seeds?' });
  await expect(question).toContainText('This database is open');
  await question.getByRole('button', { name: 'Delete the database' }).click();
  await expect(said(page, 'Deleted my seeds')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Open a Dolt database' })).toBeVisible();
  await expect(kept).toHaveCount(0);
});

test('what another tab commits is shown without asking', async ({ page, context, console: served }) => {
  await openKept(page, served.url, 'shared');
  await run(page, 'CREATE TABLE t (id INT PRIMARY KEY)');
  const other = await context.newPage();
  await other.goto(`${served.url}?open=nothing`);
  await other.getByRole('button', { name: 'shared', exact: true }).click();
  await go(page, 'Changes');
  await expect(page.getByRole('button', { name: /^New table t/ })).toBeVisible();
  await run(other, 'INSERT INTO t VALUES (1), (2), (3)');
  await expect(page.getByRole('button', { name: /^New table t .*3 rows added/ })).toBeVisible();
});

test('the log of all branches has the commits that this branch does not have', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'lanes');
  await run(
    page,
    `CREATE TABLE t (id INT PRIMARY KEY); CALL dolt_commit('-Am', 'base'); CALL dolt_branch('side');
     INSERT INTO t VALUES (1); CALL dolt_commit('-am', 'on main');
     CALL dolt_checkout('side'); INSERT INTO t VALUES (2); CALL dolt_commit('-am', 'on the side'); CALL dolt_checkout('main')`,
  );
  await go(page, 'Commits');
  const log = page.getByRole('listbox', { name: 'Commits' });
  await expect(log.getByRole('option', { name: /on main/ })).toBeVisible();
  await expect(log.getByRole('option', { name: /on the side/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'All branches' }).click();
  const side = log.getByRole('option', { name: /on the side/ });
  await side.click();
  await expect(page.getByRole('article').getByRole('region', { name: 'Changed tables' })).toContainText('t+1');
  // Three commits and the first one, in two lanes.
  await expect(log.locator('.log-graph path.lane-1').first()).toBeAttached();
});

test('names and values of changes, conflicts and branches never become markup', async ({ page, console: served }) => {
  const complaints: string[] = [];
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await openEmpty(page, served.url, 'markup');
  const markup = '<img src=x onerror=document.title=1>';
  await run(
    page,
    `CREATE TABLE \`${markup}\` (id INT PRIMARY KEY, \`<i>a</i>\` TEXT); INSERT INTO \`${markup}\` VALUES (1, 'x');
     CALL dolt_commit('-Am', '${markup}'); CALL dolt_branch('<b>side</b>');
     UPDATE \`${markup}\` SET \`<i>a</i>\` = '<b>ours</b>'; CALL dolt_commit('-am', '${markup}');
     CALL dolt_checkout('<b>side</b>'); UPDATE \`${markup}\` SET \`<i>a</i>\` = '<b>theirs</b>'; CALL dolt_commit('-am', 'x');
     CALL dolt_checkout('main')`,
  );
  await choose(page, /^Branch main/, 'Merge into main');
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
  const conflict = page.getByRole('article');
  await expect(conflict.getByRole('cell', { name: '<b>theirs</b>' })).toBeVisible();
  await conflict.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(conflict.getByLabel('Value of <i>a</i>')).toHaveValue('<b>ours</b>');
  await conflict.getByLabel('Value of <i>a</i>').fill('<u>edited</u>');
  await page.getByRole('button', { name: 'Resolve 1 row' }).click();
  await expect(page.getByRole('gridcell', { name: '<u>edited</u>' })).toBeVisible();
  await page.getByRole('button', { name: 'Commit the merge' }).click();
  await choose(page, /^Branch main/, 'Branches and tags');
  await expect(page.getByRole('dialog').getByText('<b>side</b>')).toBeVisible();
  await page.keyboard.press('Escape');
  await go(page, 'Compare');
  await page.getByLabel('From', { exact: true }).fill('HEAD~1');
  await page.getByLabel('From', { exact: true }).press('Enter');
  await expect(page.getByRole('gridcell', { name: '<u>edited</u>' })).toBeVisible();
  expect(await page.evaluate(() => document.querySelectorAll('img, b, i, u').length)).toBe(0);
  expect(await page.title()).not.toBe('1');
  expect(complaints).toEqual([]);
});

test('rows that break a constraint after a merge are deleted, and a merge can be aborted', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'broken');
  await run(
    page,
    `CREATE TABLE p (id INT PRIMARY KEY); CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id));
     INSERT INTO p VALUES (1), (2); INSERT INTO c VALUES (1, 1); CALL dolt_commit('-Am', 'base'); CALL dolt_branch('f');
     DELETE FROM p WHERE id = 2; CALL dolt_commit('-am', 'ours');
     CALL dolt_checkout('f'); INSERT INTO c VALUES (2, 2), (3, 2); CALL dolt_commit('-am', 'theirs');
     CALL dolt_checkout('main')`,
  );
  const merge = async () => {
    await choose(page, /^Branch main/, 'Merge into main');
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
    const broken = page.getByRole('table', { name: 'Rows of c that break a constraint' });
    await expect(broken.getByRole('row').filter({ hasText: 'p has no match in p' })).toHaveCount(2);
  };
  const count = page.getByRole('treeitem', { name: /^c/ }).locator('.tree-note');
  await merge();
  await expect(count).toHaveText('3');
  await page.getByRole('button', { name: 'Abort the merge' }).click();
  await expect(page.getByText('No changes')).toBeVisible();
  await expect(count).toHaveText('1');
  await merge();
  await expect(page.getByRole('button', { name: 'Resolve the constraint violations first' })).toBeDisabled();
  await page.getByRole('button', { name: 'Delete the rows' }).click();
  await page.getByRole('button', { name: 'Commit the merge' }).click();
  await expect(page.getByText('No changes')).toBeVisible();
  expect(await ask(page, 'SELECT GROUP_CONCAT(id) FROM c')).toBe('1');
});
