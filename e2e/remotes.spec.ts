// Remotes in the console: a database is pushed, cloned, pulled, and a push that is rejected says what to do.
import { choose, openKept, run, said } from './console_page.ts';
import { expect, test } from './fixtures.ts';

const DATABASE = /^Database/;

test('a database is pushed, a rejected push is explained, and a clone has what was pushed', async ({
  page,
  console: served,
}) => {
  await openKept(page, served.url, 'orchard');
  await run(page, "CREATE TABLE trees (id INT PRIMARY KEY);\nCALL dolt_commit('-Am', 'Plan')");
  await choose(page, DATABASE, 'Remotes');
  const remotes = page.getByRole('dialog', { name: 'Remotes' });
  await expect(remotes.getByText('There are no remotes')).toBeVisible();
  await remotes.getByLabel('URL').fill('opfs://remotes/orchard');
  await remotes.getByRole('button', { name: 'Add', exact: true }).click();
  const line = remotes.getByRole('listitem').filter({ hasText: 'opfs://remotes/orchard' });
  await expect(line.getByText('main not fetched')).toBeVisible();
  await line.getByRole('button', { name: 'Push' }).click();
  await expect(said(page, 'Pushed main to origin')).toBeVisible();
  await expect(line.getByText('up to date')).toBeVisible();
  await page.keyboard.press('Escape');

  // Somebody else pushes.
  await run(
    page,
    "CALL dolt_clone('opfs://remotes/orchard', 'theirs');\nUSE theirs;\nINSERT INTO trees VALUES (1);\nCALL dolt_commit('-am', 'Theirs');\nCALL dolt_push();\nUSE orchard",
  );
  await run(page, "INSERT INTO trees VALUES (2);\nCALL dolt_commit('-am', 'Ours')");
  await choose(page, DATABASE, 'Remotes');
  await expect(line.getByText('1 ahead', { exact: true })).toBeVisible();
  await line.getByRole('button', { name: 'Push' }).click();
  await expect(remotes.getByRole('alert')).toContainText('Pull to merge them, then push again');
  await line.getByRole('button', { name: 'Pull' }).click();
  await expect(said(page, 'Merged origin/main')).toBeVisible();
  await expect(remotes.getByRole('alert')).toBeHidden();
  await line.getByRole('button', { name: 'Push' }).click();
  await expect(line.getByText('up to date')).toBeVisible();
  await page.keyboard.press('Escape');

  await choose(page, DATABASE, 'Clone a remote');
  const clone = page.getByRole('dialog', { name: 'Clone a remote' });
  await clone.getByLabel('URL').fill('opfs://remotes/orchard');
  await clone.getByLabel('Name of the database').fill('copy');
  await clone.getByRole('button', { name: 'Clone' }).click();
  await expect(clone).toBeHidden();
  await expect(page.getByRole('button', { name: /^Database/ })).toContainText('copy');
  await run(page, 'SELECT * FROM trees WHERE id IN (1, 2)');
});
