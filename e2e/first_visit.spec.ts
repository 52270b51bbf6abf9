// A first visit with data of one's own: a dump becomes a database that is there after a reload, and nothing is lost unasked.
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright/test';
import { enter, openKept, openSample, results, run, said, schemaTree } from './console_page.ts';
import { expect, test } from './fixtures.ts';

const DUMP = `-- MySQL dump 10.13  Distrib 8.4.0, for Linux (x86_64)
--
-- Host: localhost    Database: garden
CREATE TABLE beds (id INT PRIMARY KEY, plant VARCHAR(20));
INSERT INTO beds VALUES (1,'kale'),(2,'leek');
`;

async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ base64, name }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))], name));
      return transfer;
    },
    { base64: bytes.toString('base64'), name },
  );
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('body', type, { dataTransfer: transfer });
  }
}

const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Import' });

test('a dump that is dropped beside the sample becomes a database of its own, and is there after a reload', async ({
  page,
  console: served,
}) => {
  await page.goto(served.url);
  await expect(page.getByText('This is a sample database.')).toBeVisible();
  await drop(page, 'shop.sql.gz', gzipSync(DUMP));
  const dialog = importDialog(page);
  await expect(dialog.getByRole('button', { name: 'A new database' })).toHaveAttribute('aria-pressed', 'true');
  // It is called as the dump says, not as the file.
  await expect(dialog.getByLabel('Name')).toHaveValue('garden');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(said(page, 'Imported shop.sql.gz: 2 rows')).toBeVisible();
  await expect(schemaTree(page).getByText('beds', { exact: true })).toBeVisible();
  await expect(page.getByText('This is a sample database.')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Database garden' })).toBeVisible();
  await expect(schemaTree(page).getByText('beds', { exact: true })).toBeVisible();
});

test('a dump is imported where no database is open, and what of it failed is listed', async ({
  page,
  console: served,
}) => {
  await page.goto(`${served.url}?open=nothing`);
  await expect(page.getByRole('heading', { name: 'Open a Dolt database' })).toBeVisible();
  await drop(
    page,
    'beds.sql',
    Buffer.from(`${DUMP}INSERT INTO nowhere VALUES (1);\nINSERT INTO beds VALUES (3,'beet');`),
  );
  const dialog = importDialog(page);
  await dialog.getByText('In memory', { exact: true }).click();
  await dialog.getByText('Continue after errors').click();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  const failed = dialog.getByRole('list', { name: 'Failed statements' });
  await expect(failed.getByRole('listitem')).toHaveText([/nowhere.*INSERT INTO nowhere VALUES \(1\)/]);
  // The second of the buttons of that name is the dialog's own.
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await expect(dialog).toHaveCount(0);
  await expect(schemaTree(page).getByRole('treeitem', { name: 'beds' })).toContainText('3');
});

test('rows go in and out by the keyboard alone', async ({ page, console: served }) => {
  await openSample(page, served.url);
  const { keyboard } = page;
  const command = async (name: string) => {
    await keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command, table, branch or column' })).toBeFocused();
    await keyboard.type(name);
    await keyboard.press('Enter');
  };
  const dialog = page.getByRole('dialog');
  /** Goes on by Tab until it is there. */
  const reach = async (name: string) => {
    const button = dialog.getByRole('button', { name, exact: true });
    for (let tabs = 0; tabs < 20 && !(await button.evaluate(one => one === document.activeElement)); tabs += 1)
      await keyboard.press('Tab');
    await expect(button).toBeFocused();
  };
  await command('import a file');
  const file = dialog.getByLabel('File to import');
  await expect(file).toBeFocused();
  // Enter opens the browser's own dialog, which is its business.
  const csv = Buffer.from('id,plant\r\n1,kale\r\n2,leek\r\n');
  await file.setInputFiles({ name: 'beds.csv', mimeType: 'text/csv', buffer: csv });
  await expect(dialog.getByLabel('Table')).toHaveValue('beds');
  await reach('Import');
  await keyboard.press('Enter');
  await expect(said(page, 'Imported 2 rows into beds')).toBeVisible();
  await expect(page.getByLabel('SQL editor')).toBeFocused();
  for (const [presses, name] of [
    [2, 'beds.csv'],
    [0, 'beds.zip'],
  ] as const) {
    await command('export');
    await expect(dialog.getByRole('radio', { name: /^Whole database/ })).toBeFocused();
    for (let press = 0; press < presses; press += 1) await keyboard.press('ArrowDown');
    // Until the tables of the import are read there is none to choose, and Enter does nothing.
    await expect(dialog.getByRole('button', { name: 'Export', exact: true })).toBeEnabled();
    const download = page.waitForEvent('download');
    await keyboard.press('Enter');
    expect((await download).suggestedFilename()).toBe(name);
    await expect(said(page, `Exported ${name}`)).toBeVisible();
    await expect(dialog).toHaveCount(0);
  }
});

test('what was changed in memory does not go without a question', async ({ page, console: served }) => {
  await openSample(page, served.url);
  await enter(page, 'DELETE FROM shipment_lines LIMIT 1');
  await expect(results(page).getByText('Done')).toBeVisible();
  const openNothing = async () => {
    await page.keyboard.press('Control+o');
    await page
      .getByRole('dialog', { name: 'Open a database' })
      .getByRole('button', { name: /^Sample/ })
      .click();
  };
  await openNothing();
  const question = page.getByRole('dialog', { name: 'Leave seed_bank?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(schemaTree(page).getByRole('treeitem', { name: 'shipment_lines' })).toContainText('1,925');
  await openNothing();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(schemaTree(page).getByRole('treeitem', { name: 'shipment_lines' })).toContainText('1,926');
});

test('edits that were not saved do not go without a question, whatever else is kept', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  await schemaTree(page).getByText('vaults', { exact: true }).dblclick();
  await results(page).getByRole('gridcell', { name: 'cryo', exact: true }).dblclick();
  await page.keyboard.type('cold');
  await page.keyboard.press('Enter');
  await expect(results(page)).toContainText('not saved');
  await page.keyboard.press('Control+o');
  await page
    .getByRole('dialog', { name: 'Open a database' })
    .getByRole('button', { name: /^Sample/ })
    .click();
  const question = page.getByRole('dialog', { name: 'Leave seed_bank?' });
  await expect(question).toContainText('Unsaved row edits will be lost');
  await expect(question).not.toContainText('in memory only');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(results(page)).toContainText('not saved');
});

test('the focus comes back from a dialog that was sent off, and goes on in a view that was chosen by its key', async ({
  page,
  console: served,
}) => {
  await page.goto(`${served.url}?open=nothing`);
  await page.getByRole('button', { name: /^Sample/ }).press('Enter');
  await expect(schemaTree(page).getByText('accessions', { exact: true })).toBeVisible();
  await expect(page.getByLabel('SQL editor')).toBeFocused();
  const branch = page.getByRole('banner').getByRole('button', { name: /^Branch main/ });
  await branch.press('Enter');
  await expect(page.getByRole('menuitemradio', { name: 'main' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Branches and tags' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(branch).toBeFocused();
  await branch.press('Enter');
  await page.getByRole('menuitem', { name: 'New branch' }).press('Enter');
  await page.getByRole('dialog', { name: 'New branch' }).getByLabel('Name').fill('autumn');
  await page.getByText('Switch to it').uncheck();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(branch).toBeFocused();
  // Right after Escape, when the browser has not told yet that the dialog is closed.
  for (const [key, title] of [
    ['Control+k', 'Find a command or table'],
    ['F1', 'Keyboard shortcuts'],
    ['Control+o', 'Open a database'],
  ] as const) {
    await Promise.all(['Escape', key].map(pressed => page.keyboard.press(pressed)));
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await expect(branch).toBeFocused();
  await page.getByLabel('SQL editor').focus();
  await page.keyboard.press('Alt+3');
  await expect(page.getByRole('listbox', { name: 'Commits' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  // The button goes with the line that it stood in; the next one is a Tab away.
  await page.keyboard.press('Alt+2');
  await page.getByRole('button', { name: 'Stage species' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Unstage species' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('a page at four times its size keeps everything within reach', async ({ page, console: served }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(served.url);
  await expect(page.getByText('This is a sample database.')).toBeVisible();
  for (const button of await page.getByRole('banner').getByRole('button').all())
    await expect(button).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Keep in this browser' })).toBeInViewport({ ratio: 1 });
  // What lies over the page has the focus, and gives it back.
  await page.getByLabel('SQL editor').focus();
  await page.keyboard.press('Control+b');
  await expect(page.locator('.drawer')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('SQL editor')).toBeFocused();
  // Half of a usual window, twice as large: the grid and the viewer of its cell both have room.
  await page.setViewportSize({ width: 720, height: 450 });
  await enter(page, 'SELECT * FROM species');
  const cell = page.locator('.results [role=row][aria-rowindex="2"] [aria-colindex="3"]');
  await cell.click();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Close the viewer' })).toBeInViewport();
  await expect(cell).toBeInViewport();
  // A tablet: beside the side panel names stand whole, and the query has its tab.
  await page.setViewportSize({ width: 768, height: 800 });
  const names = [page.getByRole('tab', { name: 'Query 1' }), page.getByRole('banner').getByText('seed_bank')];
  for (const name of names) {
    await expect(name).toBeInViewport({ ratio: 1 });
    await expect.poll(() => name.evaluate(element => element.scrollWidth <= element.clientWidth)).toBe(true);
  }
});

test('in a low page most of the room is for the rows', async ({ page, console: served }) => {
  await page.setViewportSize({ width: 720, height: 450 });
  await page.goto(served.url);
  await expect(page.getByText('This is a sample database.')).toBeVisible();
  await enter(page, 'SELECT * FROM species');
  await expect(page.locator('.results [role=row][aria-rowindex="7"] [role=rowheader]')).toBeInViewport({ ratio: 1 });
});

test('what is chosen is seen where the system chooses the colours', async ({ page, console: served }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openSample(page, served.url);
  const background = (name: string) =>
    page
      .getByRole('navigation', { name: 'View' })
      .getByRole('button', { name })
      .evaluate(element => getComputedStyle(element).backgroundColor);
  const [chosen, other] = [await background('Query'), await background('Commits')];
  expect(chosen).not.toBe(other);
});

test('what one tab commits is seen in the tree of the other', async ({ page, context, console: served }) => {
  await openKept(page, served.url, 'shared');
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(schemaTree(other).getByText('No tables')).toBeVisible();
  await run(
    other,
    "CREATE TABLE beds (id INT PRIMARY KEY); INSERT INTO beds VALUES (1), (2); CALL dolt_branch('autumn')",
  );
  await expect(schemaTree(page).getByRole('treeitem', { name: 'beds' })).toContainText('2');
  await expect(schemaTree(page).getByRole('treeitem', { name: 'autumn' })).toBeVisible();
  await run(other, 'INSERT INTO beds VALUES (3)');
  await expect(schemaTree(page).getByRole('treeitem', { name: 'beds' })).toContainText('3');
});
