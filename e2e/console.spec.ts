// The console as a person uses it, in the built page with its Content-Security-Policy.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright/test';
import { ask, enter, go, openEmpty, openSample, results, run, said, schemaTree } from './console_page.ts';
import { expect, sampleDirectory, sampleZip, test } from './fixtures.ts';

const COUNT = 'SELECT COUNT(*) AS lots FROM accessions';
const LOTS = '3408';

/** What the page complains of, filled as it happens. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  return complaints;
}

async function expectLots(page: Page): Promise<void> {
  await enter(page, COUNT);
  await expect(results(page).getByRole('gridcell', { name: LOTS })).toBeVisible();
}

test('the page opens on the sample and a select answers', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await expect(page.getByText('This is a sample database.')).toBeVisible();
  await expectLots(page);
  // Another tab has no introduction, but tables to begin with.
  await page.keyboard.press('Alt+n');
  await expect(results(page)).toContainText('and 3 more in the side panel');
  await expect(page.getByText('This is a sample database.')).toHaveCount(0);
  await results(page).getByRole('button', { name: 'Show the rows of species' }).click();
  await expect(results(page).getByRole('gridcell', { name: 'Allium ursinum' })).toBeVisible();
});

test('the sample is looked at, queried and changed without the deferred module', async ({ page, console: served }) => {
  const asked: string[] = [];
  page.on('request', request => asked.push(new URL(request.url()).pathname));
  await openSample(page, served.url);
  expect(await ask(page, 'SELECT COUNT(*) > 0 FROM accessions')).toBe('1');
  await run(page, 'UPDATE accessions SET seeds = 0 WHERE id = 17');
  for (const view of ['Changes', 'Commits', 'Compare', 'Query'] as const) await go(page, view);
  expect(await ask(page, 'SELECT seeds FROM accessions WHERE id = 17')).toBe('0');
  expect(asked.filter(path => /\/deferred-[^/]*\.wasm$/.test(path))).toEqual([]);
  await run(page, 'CREATE TABLE boxes (id INT PRIMARY KEY)');
  expect(asked.filter(path => /\/deferred-[^/]*\.wasm$/.test(path))).toHaveLength(1);
});

test('what is still read has its place: lines below each other', async ({ page, console: served }) => {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  // The engine: the page's lexer comes with its scripts.
  await page.route('**/core_bg*.wasm', async route => {
    await held;
    await route.continue();
  });
  await page.goto(served.url);
  const lines = page.getByRole('complementary', { name: 'Side panel' }).locator('.skeleton');
  await expect(lines).toHaveCount(6);
  const tops = await lines.evaluateAll(found => found.map(line => line.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(6);
  release();
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
});

test('a table has a menu, by the second button and by its key', async ({ page, console: served }) => {
  await page.goto(served.url);
  const line = schemaTree(page).getByRole('treeitem', { name: /^species/ });
  await line.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Show the definition' }).click();
  await expect(results(page).getByRole('region', { name: 'Definition' })).toContainText('CREATE TABLE `species`');
  await line.focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Show the rows' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Export the rows…' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'species: blame' })).toBeVisible();
  await expect(results(page).getByRole('gridcell', { name: /@/ }).first()).toBeVisible();
  await run(page, 'CREATE PROCEDURE recount() BEGIN SELECT COUNT(*) FROM species; SELECT 2; END');
  const program = schemaTree(page).getByRole('treeitem', { name: /^recount.*procedure/ });
  await program.click();
  await expect(results(page).getByRole('region', { name: 'Definition' })).toContainText('SELECT 2; END');
  await program.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Change the definition' }).click();
  await expect(page.getByLabel('SQL editor')).toContainText('DROP PROCEDURE recount;');
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByRole('tab', { name: /^CREATE PROCEDURE recount/ })).toHaveAttribute('aria-selected', 'true');
  await expect(results(page)).toContainText('Done');
  await expect(program).toBeVisible();
});

test('a menu that opens while the button is down stays when it goes up, and gives the focus back', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  const line = schemaTree(page).getByRole('treeitem', { name: /^recount-vault-b/ });
  await line.focus();
  const box = await line.boundingBox();
  const at = { clientX: (box?.x ?? 0) + 60, clientY: (box?.y ?? 0) + 10 };
  // As on a Mac, and in Firefox on Linux.
  await page.mouse.move(at.clientX, at.clientY);
  await page.mouse.down();
  await line.dispatchEvent('contextmenu', at);
  const merge = page.getByRole('menuitem', { name: 'Merge into main' });
  await expect(merge).toBeVisible();
  await page.mouse.up();
  await expect(merge).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(merge).toBeHidden();
  await expect(line).toBeFocused();
  await line.click({ button: 'right' });
  await expect(merge).toBeVisible();
  await page.mouse.click(600, 500);
  await expect(merge).toBeHidden();
  await line.click({ button: 'right' });
  await merge.click();
  await expect(page.getByRole('dialog').getByLabel('Branch to merge into main')).toHaveValue('recount-vault-b');
});

test('a commit has a menu, by the second button and by its key', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await go(page, 'Commits');
  await page.getByRole('option').filter({ hasText: 'Tests of the winter' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'New branch here' }).click();
  await expect(page.getByRole('dialog', { name: 'New branch' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox', { name: 'Commits' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Compare with its parent' }).click();
  const compare = page.getByRole('navigation', { name: 'View' }).getByRole('button', { name: 'Compare' });
  await expect(compare).toHaveAttribute('aria-current', 'page');
});

test('a database without tables offers to write one, which runs', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'bare');
  await results(page).getByRole('button', { name: 'Write CREATE TABLE' }).click();
  await expect(page.getByLabel('SQL editor')).toContainText('CREATE TABLE new_table');
  await page.keyboard.press('Control+Enter');
  await expect(schemaTree(page).getByText('new_table', { exact: true })).toBeVisible();
});

test('where a browser gives the page no storage a database is offered as a file', async ({ page, console: served }) => {
  await page.addInitScript(() => {
    navigator.storage.getDirectory = () => Promise.reject(new DOMException('It is insecure.', 'SecurityError'));
  });
  await openSample(page, served.url);
  await page.getByRole('button', { name: 'Keep in this browser' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toContainText('This browser gives pages no storage');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect(dialog.getByRole('radio', { name: /^Whole database/ })).toBeChecked();
});

test('of a long name the end stays in sight, and all of it is read', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'names');
  const name = 'feature/one-of-many-branches-that-begin-alike-2025';
  await run(page, `CALL dolt_branch('${name}')`);
  const line = schemaTree(page).getByRole('treeitem', { name });
  const end = line.getByText('like-2025', { exact: true });
  const [whole, seen] = [await line.boundingBox(), await end.boundingBox()];
  expect((seen?.x ?? 0) + (seen?.width ?? 0)).toBeLessThanOrEqual((whole?.x ?? 0) + (whole?.width ?? 0));
});

test('lines of the tree have room for a finger, one below the other', async ({ page, context, console: served }) => {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: 1200,
    height: 800,
    deviceScaleFactor: 1,
    mobile: true,
  });
  await openSample(page, served.url);
  const [first, second] = await Promise.all(
    [/^accessions/, /^collectors/].map(name => schemaTree(page).getByRole('treeitem', { name }).boundingBox()),
  );
  expect(first?.height).toBe(32);
  expect(second?.y).toBe((first?.y ?? 0) + 32);
});

test('a directory that was picked is opened', async ({ page, console: served }) => {
  await page.goto(`${served.url}?open=nothing`);
  await page.getByLabel('Database directory', { exact: true }).setInputFiles(sampleDirectory);
  await expectLots(page);
});

test('an archive that was picked is opened', async ({ page, console: served }) => {
  await page.goto(`${served.url}?open=nothing`);
  await page.getByLabel('Archive of a database').setInputFiles(sampleZip);
  await expectLots(page);
});

test('an archive that was dropped is opened', async ({ page, console: served }) => {
  await page.goto(`${served.url}?open=nothing`);
  await expect(page.getByRole('heading', { name: 'Open a Dolt database' })).toBeVisible();
  const transfer = await page.evaluateHandle(
    ({ base64, name }) => {
      const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    { base64: readFileSync(sampleZip).toString('base64'), name: basename(sampleZip) },
  );
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('body', type, { dataTransfer: transfer });
  }
  await expectLots(page);
});

test('an address on another origin is opened', async ({ page, console: served, remote }) => {
  await page.goto(`${served.url}?open=nothing`);
  await page.getByLabel('URL of a database directory or file remote').fill(remote.url);
  await page.getByRole('button', { name: 'Open URL' }).click();
  await expectLots(page);
});

test('an address without a database is refused in words', async ({ page, console: served }) => {
  await page.goto(`${served.url}?open=nothing`);
  await page.getByLabel('URL of a database directory or file remote').fill(`${served.url}nothing/here`);
  await page.getByRole('button', { name: 'Open URL' }).click();
  await expect(page.getByRole('alert')).toContainText('could not be opened');
  // Nothing is said to be damaged that is not there.
  await expect(page.getByRole('alert')).not.toContainText('damaged');
  // What was typed can be mended.
  await expect(page.getByLabel('URL of a database directory or file remote')).toHaveValue(/nothing\/here$/);
});

test('a cross join is cancelled and the database goes on', async ({ page, console: served }) => {
  await page.goto(served.url);
  await expectLots(page);
  await enter(
    page,
    'SELECT COUNT(*) FROM accessions a, germination_tests b, holdings c WHERE a.seeds + b.sown + c.packets < 0',
  );
  await expect(results(page).getByText(/Running for/)).toBeVisible();
  await page.keyboard.press('Control+.');
  await expect(results(page).getByText('Cancelled', { exact: true })).toBeVisible();
  await expectLots(page);
});

test('a syntax error shows what is wrong, where, and what helps', async ({ page, console: served }) => {
  await page.goto(served.url);
  await expectLots(page);
  await enter(page, 'SELECT * FROM species WHRE id = 1');
  await expect(results(page).getByRole('alert')).toContainText('syntax error');
  await expect(results(page).getByRole('alert')).toContainText('Did you mean WHERE?');
  // Of a plan that cannot be made, too, it is what was written.
  await page.getByRole('button', { name: 'Explain' }).click();
  await expect(results(page).getByRole('alert').locator('pre')).toHaveText('SELECT * FROM species WHRE id = 1');
  await results(page).getByRole('button', { name: 'Show in editor' }).click();
  await expect(page.getByLabel('SQL editor')).toBeFocused();
  // The correction is written, and runs on request.
  await results(page).getByRole('button', { name: 'Replace with “WHERE”' }).click();
  await expect(page.getByLabel('SQL editor').locator('.cm-line')).toHaveText('SELECT * FROM species WHERE id = 1');
  await page.keyboard.press('Control+Enter');
  await expect(results(page).getByRole('gridcell', { name: 'Allium ursinum' })).toBeVisible();
});

test('values and names never become markup', async ({ page, console: served }) => {
  await page.goto(served.url);
  await expectLots(page);
  const markup = '<img src=x onerror="document.title=1"><b>bold</b>';
  await enter(page, `SELECT '${markup}' AS \`<i>name</i>\``);
  await expect(results(page).getByRole('gridcell', { name: markup }).first()).toBeVisible();
  await expect(results(page).getByText('<i>name</i>').first()).toBeVisible();
  await results(page).getByRole('gridcell', { name: markup }).first().dblclick();
  const alien = await page.evaluate(() => document.querySelectorAll('img, b, i, u').length);
  expect(alien).toBe(0);
  expect(await page.title()).not.toBe('1');
});

test('the policy of the page holds and nothing breaks it', async ({ page, console: served }) => {
  const elsewhere: string[] = [];
  const complaints = complaintsOf(page);
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== new URL(served.url).origin)
      elsewhere.push(request.url());
  });
  await page.goto(served.url);
  await expectLots(page);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain("'unsafe-eval'");
  expect(policy).not.toContain("'unsafe-inline'");
  expect(complaints).toEqual([]);
  expect(elsewhere).toEqual([]);
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.body.append(script);
    return 'injected' in window;
  });
  expect(ran).toBe(false);
});

test('text that comes before the editor hears of a selection replaces it, within the policy', async ({
  page,
  console: served,
}) => {
  const complaints = complaintsOf(page);
  await page.goto(served.url);
  const editor = page.getByLabel('SQL editor');
  await editor.fill('SELECT id FROM accessions');
  await editor.evaluate(element => {
    // As it is for a moment after any change of the selection.
    window.addEventListener('selectionchange', event => event.stopImmediatePropagation(), true);
    element.focus();
    document.getSelection()?.selectAllChildren(element);
  });
  await page.keyboard.insertText('SELECT 1');
  await expect(editor).toHaveText('SELECT 1');
  expect(complaints).toEqual([]);
});

test('every row of a long result can be reached', async ({ page, console: served }) => {
  await page.goto(served.url);
  await expectLots(page);
  await enter(page, 'SELECT id, started FROM germination_tests ORDER BY id');
  const grid = results(page).getByRole('grid');
  await expect(grid.getByRole('gridcell', { name: '2001-02-05' }).first()).toBeVisible();
  await expect(results(page).getByRole('status')).toContainText(/8.?932 rows/);
  await grid.focus();
  await page.keyboard.press('Control+End');
  await expect(grid.getByRole('gridcell', { name: '8940' })).toBeVisible();
  // On paper they are all there, as far as one would want so many sheets.
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(5001);
  await expect(results(page)).toContainText('SELECT id, started FROM germination_tests ORDER BY id');
  await expect(results(page)).toContainText('The first 5,000 of 8,932 rows');
  await expect(page.getByLabel('SQL editor')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(grid.getByRole('gridcell', { name: '8940' })).toBeVisible();
});

test('a text is found among all rows of a result, from place to place', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await enter(page, 'SELECT id, started, method FROM germination_tests ORDER BY id DESC');
  const grid = results(page).getByRole('grid');
  await expect(results(page).getByRole('status').first()).toContainText(/8.?932 rows/);
  await expect(grid.getByRole('columnheader', { name: /^id/ })).toHaveAttribute('aria-sort', 'descending');
  await grid.focus();
  await page.keyboard.press('Control+f');
  const field = page.getByRole('search').getByRole('textbox', { name: 'Find in results' });
  await expect(field).toBeFocused();
  // Far below what is drawn.
  await page.keyboard.type('2001-0');
  const count = page.getByRole('search').getByRole('status');
  await expect(count).toHaveText(/^1 of \d+$/);
  const active = grid.locator('[role=gridcell].active');
  await expect(active).toHaveText(/^2001-0/);
  await expect(active).toBeInViewport();
  const first = await active.getAttribute('id');
  await page.keyboard.press('Enter');
  await expect(count).toHaveText(/^2 of \d+$/);
  await page.keyboard.press('Shift+Enter');
  await expect(active).toHaveAttribute('id', first ?? '');
  await page.keyboard.press('Shift+Enter');
  await expect(count).toHaveText(/^(\d+) of \1$/);
  await field.fill('no such text');
  await expect(count).toHaveText('Not found');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('search')).toHaveCount(0);
  await expect(grid).toBeFocused();
});

test('the numbers of selected cells are added up, to the last digit', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await enter(
    page,
    'SELECT id, CAST(id AS DECIMAL(30, 2)) / 4 AS quarter, code FROM accessions WHERE id <= 4 ORDER BY id',
  );
  const cells = results(page).getByRole('gridcell');
  await cells.first().click();
  await cells.last().click({ modifiers: ['Shift'] });
  const facts = page.locator('.selection-facts');
  await expect(facts).toContainText('4 × 3 selected');
  await expect(facts).toContainText('sum 12.500000');
});

test('a row of many columns is read below each other, row by row', async ({ page, console: served }) => {
  await openSample(page, served.url);
  const columns = Array.from({ length: 60 }, (_, index) => `id * ${index} AS column_${index}`).join(', ');
  await enter(page, `SELECT ${columns} FROM species ORDER BY id`);
  await results(page).getByRole('gridcell').first().click();
  await page.keyboard.press('Enter');
  const viewer = page.getByRole('complementary', { name: 'Value' });
  await viewer.getByRole('button', { name: 'Row', exact: true }).click();
  await viewer.getByRole('button', { name: 'Next row' }).click();
  await expect(viewer).toContainText('row 2 of 133');
  await viewer.getByLabel('Filter columns').fill('_57');
  await expect(viewer.getByRole('definition')).toHaveText(['114']);
  // The grid goes along.
  await viewer.getByRole('button', { name: 'column_57' }).click();
  const active = results(page).getByRole('grid').locator('[role=gridcell].active');
  await expect(active).toHaveText('114');
  await expect(active).toBeInViewport();
});

test('a long text is shown whole, a million characters at a time', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await enter(page, "SELECT CONCAT(REPEAT('seed', 300000), 'last') AS story");
  await results(page).getByRole('gridcell').first().click();
  await page.keyboard.press('Enter');
  const viewer = page.getByRole('complementary', { name: 'Value' });
  await expect(viewer).toContainText('1,200,004 characters');
  await viewer.getByRole('button', { name: '200,004 more characters' }).click();
  const text = viewer.locator('.viewer-text');
  expect(await text.evaluate(({ textContent }) => textContent?.length)).toBe(1_200_004);
  await text.focus();
  await page.keyboard.press('End');
  await expect(text.locator('.viewer-piece').last()).toBeInViewport();
});

test('a query is saved in the database, found again, replaced and deleted', async ({ page, console: served }) => {
  await openSample(page, served.url);
  const editor = page.getByLabel('SQL editor');
  const save = async (text: string, verb: string) => {
    await editor.fill(text);
    await editor.press('Control+Shift+s');
    const dialog = page.getByRole('dialog', { name: 'Save the query' });
    await dialog.getByLabel('Name').fill('Old lots');
    await dialog.getByRole('button', { name: verb, exact: true }).click();
    await expect(said(page, 'Saved Old lots').last()).toBeVisible();
    await expect(dialog).toHaveCount(0);
  };
  await save("SELECT * FROM accessions WHERE collected < '2000-01-01'", 'Save');
  await expect(page.getByRole('tab', { name: 'Old lots' })).toBeVisible();
  await page.getByRole('tab', { name: 'Saved' }).click();
  const list = page.getByRole('list', { name: 'Saved queries' });
  await expect(list.getByRole('listitem')).toHaveText([/Old lots.*2000-01-01/]);
  await save("SELECT * FROM accessions WHERE collected < '2005-01-01'", 'Replace');
  await expect(list.getByRole('listitem')).toHaveText([/Old lots.*2005-01-01/]);
  // It is a change as any other, and goes with the branch.
  await page.getByRole('navigation', { name: 'View' }).getByRole('button', { name: 'Changes' }).click();
  await expect(page.getByRole('region', { name: 'Changed tables' })).toContainText('dolt_query_catalog');
  await editor.fill('', { force: true });
  await list.getByRole('button', { name: /^Old lots/ }).click();
  await expect(editor).toContainText("collected < '2005-01-01'");
  await list.getByRole('button', { name: 'Delete the query Old lots' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the query' }).click();
  await expect(list).toHaveCount(0);
});
