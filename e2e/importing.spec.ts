// Files that go into a database: as they are, and after they were mended.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { ask, choose, openEmpty, openKept, results, run, said, schemaTree } from './console_page.ts';
import { expect, test } from './fixtures.ts';

/** From now on only the first piece of a file is there at once, the others when the story says so. */
function holdFiles(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { stream } = Blob.prototype;
    const gate = new Promise<void>(letThrough => Object.assign(window, { letThrough }));
    Blob.prototype.stream = function () {
      const afterFirst = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (piece, control) => {
          control.enqueue(piece);
          return gate;
        },
      });
      return stream.call(this).pipeThrough(afterFirst);
    };
  });
}

/** A look at all rows that is not over is held as well, and an import waits for it. */
function rowsAreLookedAt(page: Page): Promise<void> {
  return expect(page.getByRole('region', { name: 'First rows' })).toHaveAttribute('aria-busy', 'false');
}

function letFilesThrough(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as { letThrough: () => void }).letThrough());
}

test('a file that could not be read whole is mended, chosen again under its name and imported', async ({
  page,
  console: served,
}, info) => {
  await openEmpty(page, served.url, 'mended');
  await choose(page, /^Database mended/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const path = info.outputPath('beds.csv');
  // As a person does: through the button, in the browser's own dialog.
  const pick = async () => {
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByText(/^Choose a/).click();
    await (await chooser).setFiles(path);
  };
  const start = dialog.getByRole('button', { name: 'Import', exact: true });
  writeFileSync(path, 'id,plant\n1,kale\n2,"leek" too much\n');
  await pick();
  await start.click();
  await expect(dialog.getByRole('alert')).toContainText('Row 3 of the file');

  writeFileSync(path, 'id,plant\n1,kale\n2,leek\n3,chard\n');
  await start.click();
  await expect(dialog.getByRole('alert')).toContainText('beds.csv was changed, moved or deleted. Choose it again');
  await pick();
  await expect(dialog.getByRole('cell', { name: 'chard' })).toBeVisible();
  await start.click();
  await expect(said(page, 'Imported 3 rows into beds')).toBeVisible();
  expect(await ask(page, 'SELECT GROUP_CONCAT(plant ORDER BY id) FROM beds')).toBe('kale,leek,chard');
});

test('a script that stops says at which line and statement, and goes on behind it where one asks for that', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'stopped');
  await choose(page, /^Database stopped/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const buffer = Buffer.from(
    'CREATE TABLE beds (id INT PRIMARY KEY);\nINSERT INTO beds VALUES (1);\nINSERT INTO\n  paths VALUES (2);\nINSERT INTO beds VALUES (3);\n',
  );
  await dialog.getByLabel('File to import').setInputFiles({ name: 'garden.sql', mimeType: 'application/sql', buffer });
  const start = dialog.getByRole('button', { name: 'Import', exact: true });
  await start.click();
  await expect(dialog.getByRole('alert')).toHaveText(/^Line 3: .*paths.*\. Earlier statements were executed$/);
  await expect(dialog.getByText(/^INSERT INTO.+paths VALUES \(2\)$/)).toBeVisible();
  await dialog.getByLabel(/^Continue/).check();
  await start.click();
  await expect(dialog.getByRole('list', { name: 'Failed statements' }).getByRole('listitem')).toHaveCount(3);
  await dialog.getByText('Close', { exact: true }).click();
  expect(await ask(page, 'SELECT GROUP_CONCAT(id ORDER BY id) FROM beds')).toBe('1,3');
});

test('a file that is no UTF-8 is shown in the encoding that one chooses, and nothing of it is replaced', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'encodings');
  await choose(page, /^Database encodings/, 'Import a file');
  const dialog = page.getByRole('dialog');
  // Two rows with the same first column: a table without a key.
  const buffer = Buffer.from('town,dish\nK\xf6ln,caf\xe9\nK\xf6ln,tea\n', 'latin1');
  await dialog.getByLabel('File to import').setInputFiles({ name: 'dishes.csv', mimeType: 'text/csv', buffer });
  await expect(dialog.getByRole('cell', { name: 'café' })).toBeVisible();
  await expect(dialog.getByLabel('Primary key')).toHaveValue('none');
  await dialog.getByLabel('Encoding').selectOption('UTF-8');
  await dialog.getByLabel('Primary key').selectOption('none');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('Line 2: the byte 0xF6, after "K", is no UTF-8');
  await dialog.getByLabel('Encoding').selectOption('windows-1252');
  await dialog.getByLabel('Primary key').selectOption('New column id with row numbers');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('grid', { name: 'dishes' })).toHaveAttribute('aria-readonly', 'false');
  expect(await ask(page, "SELECT GROUP_CONCAT(CONCAT(id, ' ', town, ' ', dish) ORDER BY id) FROM dishes")).toBe(
    '1 Köln café,2 Köln tea',
  );
});

test('a dump in latin1 is read and shown as it says, and what it alters is told', async ({ page, console: served }) => {
  await openEmpty(page, served.url, 'charsets');
  await choose(page, /^Database charsets/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const script = `/*!40101 SET NAMES latin1 */;
/*!40101 SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(12));
INSERT INTO people VALUES (1,'Jos\xe9 M\xfcller'),(2,'Z\xfcrich');
INSERT IGNORE INTO people VALUES (3,'a name that is too long');
`;
  await dialog.getByLabel('File to import').setInputFiles({
    name: 'people.sql',
    mimeType: 'application/sql',
    buffer: Buffer.from(script, 'latin1'),
  });
  await expect(dialog.getByText('José Müller')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByText('Imported people.sql with 1 warning')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Warnings' })).toContainText('Line 5:');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(await ask(page, 'SELECT GROUP_CONCAT(name ORDER BY id) FROM people')).toBe('José Müller,Zürich,a name that ');
});

test('rows of a spreadsheet that are separated by semicolons come as they are, and are shown', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'spreadsheet');
  await choose(page, /^Database spreadsheet/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const text = 'Order #;"Name; full";Total;;Total\r\n7;"Müller, A";9,50;x;1\r\n8;"B ""C""";1,00;;2\r\n';
  const file = { name: 'Orders (1).csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await dialog.getByLabel('File to import').setInputFiles(file);
  await expect(dialog.getByLabel('Delimiter')).toHaveValue(';');
  await expect(dialog.getByRole('columnheader')).toHaveText(['Order #', 'Name; full', 'Total', 'column_4', 'Total']);
  await expect(dialog.getByLabel('Primary key')).toHaveValue('=Order #');
  await expect(dialog.getByLabel('Numbers such as 9,50')).toHaveValue(',');
  // The titles are one field then, and the longest row has three.
  await dialog.getByLabel('Delimiter').selectOption(',');
  await expect(dialog.getByRole('columnheader')).toHaveText([text.split('\r')[0] ?? '', 'column_2', 'column_3']);
  await dialog.getByLabel('Delimiter').selectOption(';');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(said(page, 'Imported 2 rows into orders_1')).toBeVisible();
  await expect(results(page).getByRole('gridcell', { name: 'Müller, A' })).toBeVisible();
  await expect(results(page).getByRole('columnheader', { name: /^Total_2/ })).toBeVisible();

  // Rows without titles are those of the table that takes them, or get numbers.
  await choose(page, /^Database spreadsheet/, 'Import a file');
  const more = { name: 'more.csv', mimeType: 'text/csv', buffer: Buffer.from('9;Cyd;3,00;;5\n10;Dan;4,00;y;6\n') };
  await dialog.getByLabel('File to import').setInputFiles(more);
  await expect(dialog.getByLabel('Header row')).toHaveValue('values');
  await expect(dialog.getByRole('columnheader').first()).toHaveText('column_1');
  await dialog.getByLabel('Table').fill('orders_1');
  await expect(dialog.getByRole('columnheader').nth(1)).toHaveText('Name; full');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(said(page, 'Imported 2 rows into orders_1')).toBeVisible();
  expect(
    await ask(page, "SELECT GROUP_CONCAT(CONCAT(`Name; full`, ' ', Total) ORDER BY `Order #`) FROM orders_1"),
  ).toBe('Müller, A 9.5,B "C" 1,Cyd 3,Dan 4');
});

test('a few texts among numbers are told with their row before an import, and can be NULL; types can be chosen', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'strays');
  await choose(page, /^Database strays/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const text = 'id,weight,house\n1,12,1\n2,n/a,2\n3,7,3\n4,n/a,4\n5,9,5\n';
  const file = { name: 'lots.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await dialog.getByLabel('File to import').setInputFiles(file);
  const weight = dialog.getByLabel('Type of weight');
  await expect(weight).toHaveValue('longtext');
  await expect(
    dialog.getByText('weight becomes text (longtext): row 3 has “n/a” among numbers, and 1 other row.'),
  ).toBeVisible();
  // A column of numbers takes no texts: the row is named, and nothing is imported.
  await weight.selectOption('int');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText("Row 3 of the file: 'n/a' is not a valid value for 'int'");
  await weight.selectOption('longtext');
  await dialog.getByRole('button', { name: 'Treat “n/a” as NULL' }).click();
  await expect(weight).toHaveValue('int');
  await expect(dialog.getByLabel('Treat as NULL')).toHaveValue('n/a');
  await dialog.getByLabel('Type of house').selectOption('varchar(255)');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(said(page, 'Imported 5 rows into lots')).toBeVisible();
  expect(await ask(page, "SELECT CONCAT(SUM(weight), ' of ', COUNT(weight)) FROM lots")).toBe('28 of 3');
  const types =
    "SELECT GROUP_CONCAT(column_type ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'lots'";
  expect(await ask(page, types)).toBe('int,int,varchar(255)');
  // A table that is there is held against the rows, too.
  await choose(page, /^Database strays/, 'Import a file');
  const more = Buffer.from('id,weight,house\n6,1,x\n7,?,7\n8,2,8\n');
  await dialog.getByLabel('File to import').setInputFiles({ name: 'lots.csv', mimeType: 'text/csv', buffer: more });
  await expect(dialog.getByText('weight cannot be int as it is: row 3 has “?” among numbers.')).toBeVisible();
  await expect(dialog.getByText(/^house/)).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Treat “?” as NULL' }).click();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(said(page, 'Imported 3 rows into lots')).toBeVisible();
  expect(await ask(page, "SELECT CONCAT(SUM(weight), ' of ', COUNT(weight)) FROM lots")).toBe('31 of 5');
});

test('columns are matched to those of a table that is there, by name and by hand, and rows that do not fit are listed and saved', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'matched');
  await run(
    page,
    `CREATE TABLE people (id INT PRIMARY KEY, full_name VARCHAR(20) NOT NULL, age INT, height INT DEFAULT 7,
     next INT AS (age + 1) STORED NOT NULL)`,
  );
  await choose(page, /^Database matched/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const text = 'ID,Name,Age,notes\n1,"Ann\nB",3,x\n2,Bob,old,y\n1,Cid,4,z\n5,Dan,5,w\n';
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await dialog.getByLabel('File to import').setInputFiles(file);
  const into = (name: string) => dialog.getByLabel(`Column for ${name}`);
  await expect(into('ID')).toHaveValue('id');
  await expect(into('Age')).toHaveValue('age');
  await expect(into('Name')).toHaveValue('');
  const start = dialog.getByRole('button', { name: 'Import', exact: true });
  await expect(dialog.getByText('full_name has no default and no column of the file')).toBeVisible();
  await expect(start).toBeDisabled();
  await into('Age').selectOption('full_name');
  await into('Name').selectOption('full_name');
  await expect(into('Age')).toHaveValue('');
  await into('Age').selectOption('age');
  await expect(dialog.getByText('Skipped: people has no column notes')).toBeVisible();
  await expect(dialog.getByText('Not in the file: height (7)')).toBeVisible();
  await start.click();
  await expect(dialog.getByRole('alert')).toContainText("Row 3 of the file: 'old' is not a valid value for 'int'");
  await expect(dialog.getByText(/^Fix this in the file, treat it as NULL/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Skip invalid rows and import' }).click();
  await expect(dialog.getByText('Imported 2 rows of people.csv into people. Skipped 2 rows')).toBeVisible();
  await expect(dialog.getByText('Close', { exact: true })).toBeFocused();
  await expect(dialog.getByRole('list', { name: 'Skipped rows' }).getByRole('listitem')).toHaveText([
    /^Line 4: 'old' is not a valid value for 'int'2,Bob,old,y$/,
    /^Line 5: duplicate primary key given: \[1\]1,Cid,4,z$/,
  ]);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save these rows to a file' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('people.left_out.csv');
  expect(readFileSync(await saved.path(), 'utf8')).toBe('ID,Name,Age,notes\n2,Bob,old,y\n1,Cid,4,z\n');
  await dialog.getByText('Close', { exact: true }).click();
  await expect(page.getByRole('grid', { name: 'people' })).toBeVisible();
  const rows = "SELECT GROUP_CONCAT(CONCAT_WS(' ', id, full_name, age, height) ORDER BY id SEPARATOR '; ') FROM people";
  expect(await ask(page, rows)).toBe('1 Ann↵B 3 7; 5 Dan 5 7');
});

test('a text far behind the first rows is told before the import, also to who is faster than the look at all rows', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'far');
  await holdFiles(page);
  await choose(page, /^Database far/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const lines = Array.from({ length: 100_000 }, (_, id) => `${id},${id === 90_000 ? 'n/a' : id % 7},${id}`);
  const buffer = Buffer.from(`id,weight,big\n${lines.join('\n')}\n100000,1,12345678901\n`);
  await dialog.getByLabel('File to import').setInputFiles({ name: 'lots.csv', mimeType: 'text/csv', buffer });
  const weight = dialog.getByLabel('Type of weight');
  await expect(weight).toHaveValue('int');
  const start = dialog.getByRole('button', { name: 'Import', exact: true });
  await start.click();
  await expect(start).toBeDisabled();
  await letFilesThrough(page);
  await expect(dialog.getByRole('alert')).toContainText('weight (int) would become text');
  await expect(dialog.getByText('row 90,002 has “n/a” among numbers.')).toBeVisible();
  await expect(dialog.getByLabel('Type of big')).toHaveValue('bigint');
  await dialog.getByRole('button', { name: 'Treat “n/a” as NULL' }).click();
  await expect(weight).toHaveValue('int');
  await start.click();
  await expect(said(page, 'Imported 100,001 rows into lots')).toBeVisible();
  expect(await ask(page, "SELECT CONCAT(COUNT(weight), ' ', MAX(big)) FROM lots")).toBe('100000 12345678901');
  // What seemed to be the key is none when a row far behind has the same; who wants one of the two has it again.
  await choose(page, /^Database far/, 'Import a file');
  const twice = Buffer.from(`id,weight\n${Array.from({ length: 9000 }, (_, id) => `${id},1`).join('\n')}\n0,2\n`);
  await dialog.getByLabel('File to import').setInputFiles({ name: 'twice.csv', mimeType: 'text/csv', buffer: twice });
  const key = dialog.getByLabel('Primary key');
  await expect(dialog.getByText('id cannot be the key: row 9,002 has “0” again.')).toBeVisible();
  await expect(key).toHaveValue('none');
  await key.selectOption('id');
  await expect(dialog.getByRole('alert')).toContainText('id cannot be the key: row 9,002');
  await dialog.getByLabel('On duplicate key').selectOption('Replace the existing row');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await start.click();
  await expect(said(page, /^Imported .* into twice$/)).toBeVisible();
  expect(await ask(page, "SELECT CONCAT(COUNT(*), ' ', MAX(weight)) FROM twice")).toBe('9000 2');
  // Who changes their mind before all rows were looked at imports nothing.
  await holdFiles(page);
  await choose(page, /^Database far/, 'Import a file');
  const few = Buffer.from(`id,weight\n${lines.slice(0, 9000).join('\n').replaceAll(/,\d+$/gm, '')}\n`);
  await dialog.getByLabel('File to import').setInputFiles({ name: 'few.csv', mimeType: 'text/csv', buffer: few });
  await expect(weight).toHaveValue('int');
  await start.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await letFilesThrough(page);
  expect(await ask(page, 'SLEEP(0.5)')).toBe('0');
  await expect(schemaTree(page).getByText('few', { exact: true })).toHaveCount(0);
});

test('objects of JSON are shown, and their types chosen, as those of CSV; members of later ones are columns, too', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'objects');
  await choose(page, /^Database objects/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const choice = (name: string, text: string) =>
    dialog.getByLabel('File to import').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  // What its name says is one thing, what it is another.
  await choice('one.json', '{"id": 1, "plant": "kale"}');
  await expect(dialog.getByLabel('Format')).toHaveValue('jsonl');
  await expect(dialog.getByRole('cell', { name: 'kale' })).toBeVisible();
  await choice('none.csv', '\n');
  await expect(dialog.getByLabel('Format')).toHaveValue('csv');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('The text is empty');
  const objects = Array.from({ length: 1500 }, (_, id) => ({
    house: `${id}`,
    id,
    weight: id === 1200 ? 'n/a' : id % 9,
    ...(id === 1400 && { late: [1] }),
  }));
  const buffer = Buffer.from(objects.map(object => JSON.stringify(object)).join('\n'));
  await dialog.getByLabel('File to import').setInputFiles({ name: 'lots.jsonl', mimeType: 'text/plain', buffer });
  await expect(dialog.getByRole('columnheader')).toHaveText(['house', 'id', 'weight', 'late']);
  await expect(dialog.getByText('row 1,201 has “n/a” among numbers.')).toBeVisible();
  await expect(dialog.getByLabel('Type of late')).toHaveValue('json');
  await dialog.getByLabel('Type of house').selectOption('varchar(255)');
  await dialog.getByLabel('Primary key').selectOption('id');
  await dialog.getByRole('button', { name: 'Treat “n/a” as NULL' }).click();
  await expect(dialog.getByLabel('Type of weight')).toHaveValue('int');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(said(page, 'Imported 1,500 rows into lots')).toBeVisible();
  const types =
    "SELECT GROUP_CONCAT(CONCAT(column_name, ' ', column_type, column_key) ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'lots'";
  expect(await ask(page, types)).toBe('house varchar(255),id intPRI,weight int,late json');
  expect(await ask(page, "SELECT CONCAT(COUNT(weight), ' ', COUNT(late)) FROM lots")).toBe('1499 1');
});

test('an import is over when its rows are there, whatever is read again after it; one that is cancelled says so', async ({
  page,
  console: served,
}) => {
  await openEmpty(page, served.url, 'over');
  const dialog = page.getByRole('dialog');
  const start = dialog.getByRole('button', { name: 'Import', exact: true });
  const pick = async (name: string) => {
    await choose(page, /^Database over/, 'Import a file');
    const buffer = Buffer.from('id,plant\n1,kale\n2,leek\n');
    await dialog.getByLabel('File to import').setInputFiles({ name, mimeType: 'text/csv', buffer });
    await expect(dialog.getByLabel('Type of plant')).toHaveValue('longtext');
  };
  await pick('beds.csv');
  // What has changed is asked for, and not answered.
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, transfer) {
      if (!String(message.statement).includes('dolt_merge_status'))
        postMessage.call(this, message, transfer as StructuredSerializeOptions);
    };
  });
  await start.click();
  await expect(said(page, 'Imported 2 rows into beds')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(results(page).getByRole('gridcell', { name: 'leek' })).toBeVisible();

  await openEmpty(page, served.url, 'over');
  await pick('paths.csv');
  await rowsAreLookedAt(page);
  await holdFiles(page);
  await start.click();
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('button', { name: 'Cancelling…' })).toBeVisible();
  await letFilesThrough(page);
  await expect(dialog.getByRole('alert')).toHaveText('The import was cancelled.');
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(schemaTree(page).getByText('No tables')).toBeVisible();
});

test('an import whose page was closed leaves no table, and the other tab says so', async ({
  page,
  context,
  console: served,
}) => {
  await openKept(page, served.url, 'broken');
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(schemaTree(other).getByText('No tables')).toBeVisible();
  await page.bringToFront();
  await choose(page, /^Database broken/, 'Import a file');
  const dialog = page.getByRole('dialog');
  const lines = Array.from({ length: 30_000 }, (_, id) => `${id},lot ${id}`);
  const buffer = Buffer.from(`id,name\n${lines.join('\n')}\n`);
  await dialog.getByLabel('File to import').setInputFiles({ name: 'lots.csv', mimeType: 'text/csv', buffer });
  await expect(dialog.getByLabel('Type of name')).toHaveValue('longtext');
  const start = dialog.getByRole('button', { name: 'Import', exact: true });
  await rowsAreLookedAt(page);
  await holdFiles(page);
  await start.click();
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  await other.bringToFront();
  await page.close({ runBeforeUnload: false });
  await expect(
    other.getByText(/The import of lots.csv stopped when its page was closed: lots was not created/),
  ).toBeVisible();
  await expect(schemaTree(other).getByText('No tables')).toBeVisible();
  await other.reload();
  await expect(schemaTree(other).getByText('No tables')).toBeVisible();
  await expect(other.getByRole('dialog')).toHaveCount(0);
});
