// Aids for queries: search beyond what was fetched, formatting, links, many branches, wide values.
import { readFileSync } from 'node:fs';
import { ask, choose, enter, go, openEmpty, openSample, results, run, said, schemaTree } from './console_page.ts';
import { expect, test } from './fixtures.ts';

test('a text is found in all rows of a table, however few of them are shown', async ({ page, console: served }) => {
  await openSample(page, served.url);
  // The first thousand.
  await schemaTree(page)
    .getByRole('treeitem', { name: /^accessions/ })
    .dblclick();
  await expect(results(page).getByRole('status').first()).toContainText(/1.?000 rows/);
  await page.keyboard.press('Alt+r');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('nsb-0340');
  const search = page.getByRole('search');
  await expect(search.getByRole('status')).toHaveText('Not found');
  await search.getByRole('button', { name: 'Search all rows' }).click();
  await expect(results(page).getByRole('gridcell', { name: 'NSB-03400' })).toBeVisible();
  // It goes on in what was found, and there is no more to look through.
  const field = search.getByRole('textbox', { name: 'Find in results' });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('nsb-0340');
  await expect(search.getByRole('status')).toHaveText('10');
  await expect(search.getByRole('button', { name: 'Search all rows' })).toHaveCount(0);
  await field.press('Enter');
  await expect(search.getByRole('status')).toHaveText('1 of 10');
  // Running the next query keeps the focus.
  await enter(page, 'SELECT code FROM accessions WHERE id = 3401');
  await expect(results(page).getByRole('gridcell', { name: 'NSB-03401' })).toBeVisible();
  await expect(search).toBeVisible();
  await expect(page.getByLabel('SQL editor')).toBeFocused();
});

test('a query that goes on and on makes room for the next one, and a change does not', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  await enter(page, 'SELECT a.id, b.id FROM accessions a, accessions b, accessions c');
  await expect(results(page).getByRole('gridcell').first()).toBeVisible();
  const editor = page.getByLabel('SQL editor');
  await editor.fill("SELECT 'the next one' AS answer");
  await editor.press('Control+Enter');
  await expect(results(page).getByRole('gridcell', { name: 'the next one' })).toBeVisible();
  const endless = 'SELECT SUM(a.seeds + b.seeds + c.seeds) FROM accessions a, accessions b, accessions c';
  await enter(page, `UPDATE sites SET name = (${endless}) WHERE id = 1`);
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  for (let press = 0; press < 2; press += 1) await editor.press('Control+Enter');
  // Said twice, it is read once.
  await expect(said(page, 'A statement is still running')).toHaveText('A statement is still running. Cancel it first.');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(results(page).getByText('Cancelled')).toBeVisible();
  // A double click on Run does not cancel what the first press began.
  await editor.fill(`SELECT (${endless})`);
  await page.getByRole('button', { name: 'Run', exact: true }).dblclick();
  await expect(results(page).getByText(/^Running for/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
});

test('conditions over the rows become a part of the query, and the rest of a table is one press away', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  await schemaTree(page)
    .getByRole('treeitem', { name: /^accessions/ })
    .dblclick();
  const editor = page.getByLabel('SQL editor').locator('.cm-line');
  const facts = results(page).getByRole('status').first();
  await page.getByRole('button', { name: 'of 3,408: all rows' }).click();
  await expect(facts).toContainText('3,408 rows');
  await expect(editor).toHaveText(['SELECT * FROM accessions;']);
  await page.keyboard.press('Control+Shift+f');
  const filter = page.getByRole('form', { name: 'Filter rows' });
  const value = filter.getByRole('textbox', { name: 'Value' });
  await expect(value).toBeFocused();
  await page.keyboard.type('nsb-0340');
  await page.keyboard.press('Enter');
  await expect(facts).toContainText('10 rows');
  await expect(value).toBeFocused();
  // What does not fit the column is said before it is asked.
  await filter.getByRole('combobox', { name: 'Column' }).selectOption('seeds');
  await filter.getByRole('combobox', { name: 'Comparison' }).selectOption('≥');
  await expect(filter.getByText('A whole number')).toBeVisible();
  await value.fill('9000');
  await filter.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(editor).toHaveText(['SELECT * FROM accessions WHERE seeds >= 9000;']);
  // Another order keeps them.
  const first = results(page).getByRole('gridcell').first();
  await first.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Sort descending' }).click();
  await expect(editor).toHaveText(['SELECT * FROM accessions WHERE seeds >= 9000 ORDER BY id DESC;']);
  await filter.getByRole('button', { name: 'Show all' }).click();
  await expect(editor).toHaveText(['SELECT * FROM accessions ORDER BY id DESC;']);
  await page.keyboard.press('Escape');
  await expect(filter).toHaveCount(0);
});

test('a script is laid out, and back again by undo', async ({ page, console: served }) => {
  await openSample(page, served.url);
  const editor = page.getByLabel('SQL editor');
  await editor.fill("select count(*) from species where family='Rosaceae'; select 1 -- one");
  await editor.press('Alt+Shift+f');
  await expect(editor.locator('.cm-line')).toHaveText([
    "SELECT count(*) FROM species WHERE family = 'Rosaceae';",
    'SELECT 1 -- one',
  ]);
  await editor.press('Control+z');
  await expect(editor.locator('.cm-line')).toHaveCount(1);
});

test('long lines are whole or broken, as one likes, also after the page is opened again', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  const editor = page.getByLabel('SQL editor');
  await editor.fill(
    `SELECT ${Array.from({ length: 80 }, (_, index) => `code AS c${index}`).join(', ')} FROM accessions;`,
  );
  const isBroken = () => editor.evaluate(content => content.scrollWidth <= (content.parentElement?.clientWidth ?? 0));
  await expect.poll(isBroken).toBe(false);
  await editor.press('Alt+z');
  await expect.poll(isBroken).toBe(true);
  await page.reload();
  await expect(editor).toContainText('c79');
  await expect.poll(isBroken).toBe(true);
  await page.getByRole('button', { name: 'More query actions' }).click();
  await page.getByRole('menuitem', { name: /Toggle word wrap/ }).click();
  await expect.poll(isBroken).toBe(false);
});

test('statements about a table are written from its menu, and it is exported from there', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  const menuOf = async (entry: string) => {
    await schemaTree(page)
      .getByRole('treeitem', { name: /^vaults/ })
      .click({ button: 'right' });
    await page.getByRole('menuitem', { name: entry, exact: true }).click();
  };
  await menuOf('INSERT');
  const editor = page.getByLabel('SQL editor');
  await expect(editor).toContainText(
    'INSERT INTO vaults (id, letter, purpose, temperature_c, humidity_percent, opened)',
  );
  // Nothing ran: the values are asked for.
  await expect(editor).toBeFocused();
  await expect(page.getByRole('textbox', { name: /letter/ })).toBeVisible();
  await menuOf('Export the rows…');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByRole('radio', { name: /^CSV/ })).toBeChecked();
  await expect(dialog.getByRole('combobox', { name: 'Table' })).toHaveValue('vaults');
});

test('a query goes on as a link, which opens the same database and runs nothing by itself', async ({
  page,
  context,
  console: served,
  remote,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${served.url}?open=${encodeURIComponent(remote.url)}`);
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
  await page.getByLabel('SQL editor').fill('SELECT COUNT(*) AS `lots & more` FROM accessions');
  await page.getByRole('button', { name: 'More query actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy a link to the query' }).click();
  await expect(said(page, 'Copied a link')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByRole('tab', { name: 'From link' })).toHaveAttribute('aria-selected', 'true');
  await expect(schemaTree(other).getByText('accessions', { exact: true })).toBeVisible();
  await expect(results(other).getByRole('grid')).toHaveCount(0);
  // What is in the editor by now is not in the address any more.
  await expect(other).not.toHaveURL(/#/);
  await other.getByLabel('SQL editor').press('Control+Enter');
  await expect(results(other).getByRole('columnheader', { name: /lots & more/ })).toBeVisible();
  await expect(results(other).getByRole('gridcell', { name: '3408' })).toBeVisible();

  // A link to what is not there says so, and where it leads instead.
  await other.goto(`${link.replace('#', '&at=seed_bank/gone#')}`);
  await expect(said(other, 'There is no branch gone of seed_bank (any more): this is main')).toBeVisible();
  await other.goto(`${served.url}?open=browser:elsewhere#sql=SELECT+1`);
  await expect(other.getByRole('alert')).toContainText('elsewhere could not be opened');
  await expect(other.getByRole('alert')).toContainText('comes from another browser');
});

test('a commit and a comparison go on as links, too', async ({ page, context, console: served, remote }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${served.url}?open=${encodeURIComponent(remote.url)}`);
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
  await go(page, 'Commits');
  await page.getByRole('option').filter({ hasText: 'Survey: early collections' }).click();
  const detail = page.getByRole('article', { name: /^Commit / });
  await expect(detail.getByRole('heading', { level: 2 })).toHaveText('Survey: early collections');
  await detail.getByRole('button', { name: 'Copy a link to the commit' }).click();
  await expect(said(page, 'Copied a link')).toBeVisible();
  const toCommit = await page.evaluate(() => navigator.clipboard.readText());
  await detail.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('button', { name: 'Copy a link to the comparison' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain('from=');
  const toComparison = await copied();

  const other = await context.newPage();
  await other.goto(toCommit);
  await expect(other.getByRole('article', { name: /^Commit / }).getByRole('heading', { level: 2 })).toHaveText(
    'Survey: early collections',
  );
  // The page's own address leads there, too.
  await expect(other).toHaveURL(/view=log&commit=[0-9a-v]{32}$/);
  await other.goto(toComparison);
  await expect(other.getByLabel('To', { exact: true })).toHaveValue(/^[0-9a-v]{32}$/);
  await expect(other.getByRole('status').filter({ hasText: /^\d+ tables?$/ })).toBeVisible();
});

test('a picture in a column of bytes is seen, and its bytes one press away', async ({ page, console: served }) => {
  await openSample(page, served.url);
  const picture =
    '89504e470d0a1a0a0000000d49484452000000030000000208020000001216f14d000000104944415478da6338216703410c701600475406cdc48798f10000000049454e44ae426082';
  await enter(page, `SELECT x'${picture}' AS picture`);
  await results(page)
    .getByRole('gridcell', { name: /^0x8950/ })
    .click();
  await page.keyboard.press('Enter');
  const viewer = page.getByRole('complementary', { name: 'Value' });
  await expect(viewer.getByRole('img', { name: 'PNG of this value' })).toBeVisible();
  await expect(viewer).toContainText('PNG, 3 × 2 pixels');
  await viewer.getByRole('button', { name: 'Hex' }).click();
  await expect(viewer).toContainText('89 50 4E 47');
});

test('among many branches and tables one is found by a few letters', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'many');
  const branches = Array.from({ length: 20 }, (_, index) => `CALL dolt_branch('feature/${index + 10}')`);
  await run(
    page,
    [...branches, 'CREATE TABLE beds (id INT PRIMARY KEY)', 'CREATE TABLE plants (id INT PRIMARY KEY)'].join(';\n'),
  );
  const tree = schemaTree(page);
  await expect(tree.getByText('feature/29', { exact: true })).toBeVisible();
  await page.getByLabel('Filter tables').fill('bed');
  await expect(tree.getByRole('treeitem')).toHaveText([/many/, /main/, /beds/]);
  await page.getByLabel('Filter tables').fill('/17');
  await expect(tree.getByRole('treeitem')).toHaveText([/many/, /main/, /No match/, 'feature/17']);
  await page.getByLabel('Filter tables').fill('plan');
  await page.keyboard.press('ArrowDown');
  await expect(tree.getByRole('treeitem', { name: 'plants' })).toBeFocused();
  await page.getByLabel('Filter tables').press('Enter');
  await expect(page.getByRole('tab', { name: 'plants' })).toHaveAttribute('aria-selected', 'true');
  await page.getByLabel('Filter tables').fill('');

  await choose(page, /^Branch/, 'Switch to another of 21 branches');
  const dialog = page.getByRole('dialog', { name: 'Switch to a branch' });
  await dialog.getByRole('combobox').fill('17');
  await expect(dialog.getByRole('option')).toHaveText(['feature/17']);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('banner').getByRole('button', { name: 'Branch feature/17: switch' })).toBeVisible();
  await page.keyboard.press('Alt+b');
  await page.keyboard.type('main');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('banner').getByRole('button', { name: 'Branch main: switch' })).toBeVisible();
});

test('columns are as wide as the rows far below need', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await enter(
    page,
    "SELECT CONCAT('lot ', REPEAT('x', id DIV 200)) AS lot FROM accessions WHERE id <= 3000 ORDER BY id",
  );
  await expect(results(page).getByRole('status').first()).toContainText(/rows/);
  const head = results(page).getByRole('columnheader', { name: /^lot/ });
  // Nineteen letters of the last row, where the first hundred rows have four.
  await expect.poll(async () => (await head.boundingBox())?.width).toBeGreaterThan(19 * 7);
  await results(page).getByRole('grid').focus();
  await page.keyboard.press('Control+End');
  const last = results(page)
    .getByRole('gridcell', { name: `lot ${'x'.repeat(15)}` })
    .last();
  await expect(last).toBeVisible();
  expect(await last.evaluate(cell => cell.scrollWidth <= cell.clientWidth)).toBe(true);
});

test('what cannot be changed where it lies says so, and offers a copy', async ({ page, console: served, remote }) => {
  await page.goto(`${served.url}?open=${encodeURIComponent(remote.url)}`);
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
  await enter(page, 'UPDATE accessions SET seeds = 1 WHERE id = 1');
  const alert = results(page).getByRole('alert');
  await expect(alert).toContainText('Error 1290');
  await alert.getByRole('button', { name: 'Make an editable copy' }).click();
  await expect(page.getByRole('dialog', { name: /Keep/ })).toBeVisible();
});

test('the result of any query is saved as a file', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await enter(
    page,
    "SELECT s.name AS `the name`, COUNT(*) AS lots FROM accessions a JOIN species s ON s.id = a.species_id WHERE s.name LIKE 'Al%' GROUP BY s.name ORDER BY s.name LIMIT 1",
  );
  await expect(results(page).getByRole('gridcell', { name: /^Al/ })).toBeVisible();
  const saved = async (format: string) => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Copy the result' }).click();
    await page.getByRole('menuitem', { name: format, exact: true }).last().click();
    const file = await download;
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
  };
  const csv = await saved('CSV');
  expect(csv.name).toBe('accessions.csv');
  expect(csv.text).toMatch(/^the name,lots\r\nAl[^,]*,\d+\r\n$/);
  const { text } = await saved('JSON lines');
  expect(Object.keys(JSON.parse(text))).toEqual(['the name', 'lots']);
});

test('the answers of a query at two commits are compared row by row', async ({ page, console: served }) => {
  await openSample(page, served.url);
  const editor = page.getByLabel('SQL editor');
  await editor.fill('SELECT id, priority, name FROM species;\nUPDATE species SET name = 1');
  await editor.press('Alt+Shift+D');
  await expect(said(page, 'Only queries can be compared')).toBeVisible();
  // Uncommitted changes are the likely reason to look.
  await editor.press('Control+Home');
  await editor.press('Alt+Shift+D');
  const from = results(page).getByLabel('From', { exact: true });
  await expect(from).toHaveValue('HEAD');
  await expect(results(page).getByLabel('To', { exact: true })).toHaveValue('WORKING');
  const changed = page.getByRole('grid', { name: 'Rows that differ' });
  await expect(changed.getByRole('row', { name: 'Before 93 normal' })).toBeVisible();
  await expect(changed.getByRole('row', { name: 'After 93 high' })).toBeVisible();
  await expect(said(page, '1 modified')).toContainText('of 133 and 133 rows');

  // By another key the same rows are others.
  await results(page).getByRole('button', { name: 'Match rows by' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'priority' }).click();
  await expect(said(page, '1 added, 1 removed')).toBeVisible();

  await from.fill('WORKING');
  await from.press('Enter');
  await expect(results(page).getByText('Both results are the same: 133 rows.')).toBeVisible();
  await from.fill('nowhere');
  await from.press('Enter');
  await expect(results(page).getByRole('alert')).toContainText('branch not found: nowhere');

  // Where a table is missing on one side, that side is named; the session of the person stays where it is.
  await run(page, 'CREATE TABLE beds (id INT PRIMARY KEY)');
  await editor.fill('TABLE beds');
  await editor.press('Alt+Shift+D');
  await expect(results(page).getByRole('alert')).toContainText('HEAD: table not found: beds');
  await results(page).getByRole('button', { name: 'Back to result' }).click();
  await expect(results(page).getByRole('gridcell', { name: 'done' })).toBeVisible();
  expect(await ask(page, 'SELECT active_branch()')).toBe('main');
});

test('a query asks for the values of its parameters, and knows them when it is there again', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  const query = 'SELECT name FROM species WHERE family = :family AND id > ? ORDER BY name LIMIT :n';
  await enter(page, query);
  const value = (label: string) => page.getByRole('textbox', { name: label, exact: true });
  await expect(value(':family')).toBeFocused();
  await page.keyboard.type('Rosaceae');
  await page.keyboard.press('Enter');
  await expect(value('?1')).toBeFocused();
  await page.keyboard.type('122');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Enter a value');
  await expect(value(':n')).toBeFocused();
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await expect(results(page).getByRole('gridcell')).toHaveText(['Dryas octopetala', 'Filipendula ulmaria']);
  await expect(value(':n')).toBeFocused();
  // A type that was chosen is what the value has.
  await page.getByRole('combobox', { name: 'Type of :n' }).selectOption('Text');
  await value(':n').press('Enter');
  await expect(results(page).getByRole('alert')).toBeVisible();
  await page.getByRole('combobox', { name: 'Type of :n' }).selectOption('Number');
  await value(':n').fill('1');
  await value(':n').press('Enter');
  await expect(results(page).getByRole('gridcell')).toHaveText(['Dryas octopetala']);

  // What is wrong behind a value is marked where it stands.
  await enter(page, 'SELECT name FROM species WHERE family = :family AND nmae = 1');
  await expect(page.locator('.cm-error')).toHaveText('nmae');
  // The values are those of the text, wherever it comes from.
  await page.getByLabel('SQL editor').fill(query);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('varve.tabs'))).toContain('LIMIT :n');
  await page.reload();
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
  await page.getByLabel('SQL editor').press('Control+Enter');
  await expect(results(page).getByRole('gridcell')).toHaveText(['Dryas octopetala']);
  await expect(value(':family')).toHaveValue('Rosaceae');
});

test('a result is drawn as the chart that its columns ask for, and saved as a picture', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  await enter(page, 'SELECT habit, COUNT(*) AS kinds FROM species GROUP BY habit ORDER BY kinds DESC');
  await expect(results(page).getByRole('gridcell').first()).toBeVisible();
  await page.keyboard.press('Alt+c');
  const chart = page.getByRole('region', { name: 'Chart of species' });
  await expect(chart.getByRole('button', { name: 'Bars' })).toHaveAttribute('aria-pressed', 'true');
  const drawing = chart.getByRole('application');
  await expect(drawing.locator('rect.chart-mark')).toHaveCount(5);
  await drawing.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(drawing.getByRole('status')).toHaveText(/^[a-z]+: \d+$/);

  // The next result is a chart as well, of what it has.
  await enter(page, 'SELECT collected, seeds, site_id FROM accessions WHERE id <= 50');
  const points = page.getByRole('region', { name: 'Chart of accessions' });
  await expect(points.getByRole('button', { name: 'Points' })).toHaveAttribute('aria-pressed', 'true');
  await points.getByLabel('by', { exact: true }).selectOption('site_id');
  await points.getByLabel('Show', { exact: true }).selectOption('number of rows');
  await points.getByLabel('colours').selectOption('site_id');
  await points.getByRole('button', { name: 'Bars' }).click();
  await expect(points.locator('.chart-label.title').filter({ hasText: 'rows' })).toBeVisible();

  for (const [format, start] of [
    ['SVG', '<svg'],
    ['PNG', '\ufffdPNG'],
  ] as const) {
    const download = page.waitForEvent('download');
    await points.getByRole('button', { name: 'Save the chart' }).click();
    await page.getByRole('menuitem', { name: format }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`accessions.${format.toLowerCase()}`);
    const text = readFileSync(await file.path(), 'utf8');
    expect(text.slice(0, 4)).toBe(start);
    // With its colours, and what they mean.
    if (format === 'SVG') expect([text.includes('fill="rgb('), text.includes('>others</text>')]).toEqual([true, true]);
  }
  // The focus moves from the chart to the rows.
  await points.getByRole('application').focus();
  await page.keyboard.press('Alt+c');
  await expect(results(page).getByRole('grid')).toBeFocused();
});

test('a join is written by its foreign key, and its plan is measured by one press', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  const editor = page.getByLabel('SQL editor');
  await editor.fill('');
  await editor.pressSequentially('SELECT s.family, COUNT(*) FROM accessions a JOIN species s ON ');
  await editor.press('Control+Space');
  const offers = page.getByRole('listbox', { name: 'Completions' });
  await expect(offers.getByRole('option').first()).toContainText('s.id = a.species_id');
  await offers.getByRole('option').first().click();
  await expect(editor).toContainText('ON s.id = a.species_id');
  await editor.press('End');
  await page.keyboard.type(' GROUP BY s.family');
  await page.keyboard.press('Escape');
  await editor.press('Control+Alt+Enter');
  const plan = page.getByRole('region', { name: 'Plan' });
  await expect(plan).toContainText('Aggregate');
  await expect(plan).not.toContainText('ms');
  await results(page).getByRole('button', { name: 'Measure' }).click();
  await expect(plan.getByText('3,408 rows', { exact: true }).first()).toBeVisible();
  await expect(results(page).getByRole('button', { name: 'Measure' })).toHaveCount(0);
  await expect(editor).toContainText('SELECT s.family');
});

test('in a wide result a column is found by its name', async ({ page, console: served }) => {
  await openSample(page, served.url);
  const columns = Array.from({ length: 200 }, (_, index) => `${index} AS column_${index}`);
  await enter(page, `SELECT ${columns.join(', ')}`);
  await expect(results(page).getByRole('gridcell', { name: '0', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('column_177');
  await page.keyboard.press('Enter');
  await expect(results(page).getByRole('grid')).toBeFocused();
  await expect(results(page).getByRole('gridcell', { name: '177', exact: true })).toBeInViewport();
});

test('rows of a table have the room that their short query does not need, and either height is as one likes it', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  const pane = page.locator('.split.rows > .pane').first();
  const height = async () => (await pane.boundingBox())?.height ?? 0;
  const written = await height();
  await schemaTree(page).getByText('vaults', { exact: true }).dblclick();
  await expect(results(page).getByRole('gridcell').first()).toBeVisible();
  await expect.poll(height).toBeLessThan(written / 2);
  const bar = page.getByRole('separator', { name: 'Height of the editor' });
  await bar.press('ArrowDown');
  const chosen = await height();
  await page.getByRole('tab', { name: 'Query 1' }).click();
  await expect.poll(height).toBe(written);
  await page.getByRole('tab', { name: 'vaults' }).click();
  await expect.poll(height).toBe(chosen);
  // The tab in front is seen where there is room for one, too.
  for (const name of ['sites', 'shipments', 'species']) {
    await page.getByLabel('SQL editor').fill('SELECT 1');
    await schemaTree(page).getByText(name, { exact: true }).dblclick();
  }
  await page.setViewportSize({ width: 640, height: 400 });
  await expect(page.getByRole('tab', { name: 'species' })).toBeInViewport({ ratio: 0.9 });
});

test('of many tables those that are seen are drawn, and keys reach all of them', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'many');
  const tables = Array.from({ length: 150 }, (_, index) => `CREATE TABLE t${index} (id INT PRIMARY KEY);`);
  await choose(page, /^Database many/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const buffer = Buffer.from(tables.join('\n'));
  await dialog.getByLabel('File to import').setInputFiles({ name: 'many.sql', mimeType: 'application/sql', buffer });
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const lines = schemaTree(page).getByRole('treeitem');
  await schemaTree(page).getByText('t3', { exact: true }).click();
  await page.keyboard.press('End');
  await expect(lines.filter({ hasText: 't149' })).toBeFocused();
  await expect(schemaTree(page).getByText('t3', { exact: true })).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 't149' })).toBeVisible();
  await page.keyboard.press('Home');
  await expect(lines.first()).toBeFocused();
  expect(await lines.count()).toBeLessThan(120);
});
