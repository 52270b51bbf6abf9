// The tables as a diagram: what refers to what, what became of it, and the way to the rows.
import { openSample, results, run } from './console_page.ts';
import { expect, test } from './fixtures.ts';

test('a diagram shows what a branch made of the tables, and a press on one shows its rows', async ({
  page,
  console: served,
}) => {
  await openSample(page, served.url);
  await run(
    page,
    `ALTER TABLE species ADD COLUMN red_list VARCHAR(4), DROP COLUMN common_name;
     CREATE TABLE labels (id INT PRIMARY KEY, vault_id TINYINT UNSIGNED, FOREIGN KEY (vault_id) REFERENCES vaults (id));
     DROP TABLE shipment_lines`,
  );
  await page.getByRole('button', { name: 'Table diagram' }).click();
  const diagram = page.getByRole('region', { name: 'Table diagram' });
  const table = (name: string) => diagram.getByRole('article', { name, exact: true });
  await expect(table('accessions')).toContainText('species_id');
  await expect(table('species, changed')).toContainText('+red_list');
  await expect(table('species, changed')).toContainText('−common_name');
  await expect(table('labels, new')).toBeVisible();
  await expect(table('shipment_lines, dropped').getByRole('button')).toBeDisabled();
  const facts = page.getByRole('region', { name: 'Diagram of seed_bank' }).getByRole('status');
  await expect(facts).toHaveText('9 tables, 7 foreign keys, 3 changed');

  // One that has another name is the same table.
  await run(
    page,
    `RENAME TABLE collectors TO people; ALTER TABLE people ADD COLUMN phone VARCHAR(20);
     ALTER TABLE people RENAME COLUMN name TO full_name`,
  );
  await page.getByRole('button', { name: 'Table diagram' }).click();
  await expect(table('people, was collectors')).toContainText('+phone');
  await expect(table('people, was collectors')).toContainText('~full_name was name');
  await expect(table('collectors, dropped')).toHaveCount(0);
  await expect(facts).toHaveText('9 tables, 7 foreign keys, 4 changed');

  await page.getByRole('button', { name: 'Keys', exact: true }).click();
  await expect(table('accessions')).not.toContainText('mass_g');
  await page.getByLabel('Changes since').fill('WORKING');
  await page.getByLabel('Changes since').press('Enter');
  await expect(facts).toHaveText('9 tables, 7 foreign keys');
  await expect(table('species')).toBeVisible();

  // Who moves the diagram by a table does not open it.
  const head = table('accessions').getByRole('button');
  const before = await head.boundingBox();
  if (before === null) throw new Error('the table is not there');
  const [x, y] = [before.x + 40, before.y + 10];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 70, y + 50, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await head.boundingBox())?.y ?? 0).toBeCloseTo(before.y + 50, 1);
  await head.press('Enter');
  await expect(results(page).getByRole('gridcell', { name: 'NSB-00001' })).toBeVisible();

  // Of another branch it is what was made there: what main did since they parted is no change of it.
  await run(page, "CALL dolt_commit('-Am', 'Labels')");
  await page.getByRole('banner').getByRole('button', { name: 'Branch main' }).click();
  await page.getByRole('menuitemradio', { name: 'spring-survey' }).click();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Branch spring-survey' })).toBeVisible();
  await page.keyboard.press('Alt+5');
  await expect(page.getByLabel('Changes since')).toHaveValue('main...');
  await expect(facts).toHaveText('9 tables, 8 foreign keys');
  await page.getByLabel('Changes since').fill('main');
  await page.getByLabel('Changes since').press('Enter');
  await expect(facts).toContainText('changed');

  // A name of another branch's table, beside the branch's own.
  await run(page, "INSERT INTO dolt_nonlocal_tables VALUES ('vaults_of_main', 'main', 'vaults', 'immediate')");
  await page.keyboard.press('Alt+5');
  await page.getByRole('button', { name: 'All columns' }).click();
  const vaults = diagram.getByRole('article', { name: /^vaults/ });
  await expect(vaults.getByRole('listitem').filter({ hasText: /^id/ })).toHaveCount(1);
});
