// Remotes in the console: a database is pushed, cloned, pulled, and a push that is rejected says what to do.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
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

  // Another copy pushes.
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

test('a database behind varve serve is cloned and pushed to; the user is asked for, and a wrong password again', async ({
  page,
  console: served,
}, info) => {
  const directory = info.outputPath('served');
  mkdirSync(directory, { recursive: true });
  const made = spawnSync('node', [
    'bin/varve.js',
    'init',
    join(directory, 'garden'),
    '--name',
    'a',
    '--email',
    'a@b.c',
  ]);
  expect(made.status).toBe(0);
  const server = await serve(directory, new URL(served.url).origin);
  try {
    await page.goto(`${served.url}?open=nothing`);
    await page.getByRole('button', { name: /^Clone a remote/ }).click();
    const clone = page.getByRole('dialog', { name: 'Clone a remote' });
    await clone.getByLabel('URL').fill(`${server.url}/garden`);
    await clone.getByLabel('Name of the database').fill('garden');
    await clone.getByRole('button', { name: 'Clone' }).click();
    const question = page.getByRole('dialog', { name: 'Sign in' });
    await question.getByLabel('User').fill('gardener');
    await question.getByLabel('Password').fill('wrong');
    await question.getByRole('button', { name: 'Sign in' }).click();
    await expect(clone.getByRole('alert')).toContainText(/password/i);
    await clone.getByRole('button', { name: 'Clone' }).click();
    await question.getByLabel('User').fill('gardener');
    await question.getByLabel('Password').fill(PASSWORD);
    await question.getByRole('button', { name: 'Sign in' }).click();
    await expect(clone).toBeHidden();
    await run(page, "CREATE TABLE plants (id INT PRIMARY KEY);\nCALL dolt_commit('-Am', 'Plants')");
    await choose(page, DATABASE, 'Remotes');
    await page.getByRole('dialog', { name: 'Remotes' }).getByRole('button', { name: 'Push' }).click();
    // What was given for the clone is known.
    await expect(said(page, 'Pushed main to origin')).toBeVisible();
  } finally {
    await server.stop();
  }
  const log = spawnSync('node', ['bin/varve.js', 'log', join(directory, 'garden'), '--oneline'], { encoding: 'utf8' });
  expect(log.stdout).toContain('Plants');
});

const PASSWORD = 'a secret: or not';

/** `varve serve` over a directory of databases, for pages of an origin. */
async function serve(directory: string, origin: string) {
  const args = [
    'bin/varve.js',
    'serve',
    directory,
    '--port',
    '0',
    '--writable',
    '--user',
    'gardener',
    '--origin',
    origin,
  ];
  const child = spawn('node', args, {
    env: { ...process.env, VARVE_SERVE_PASSWORD: PASSWORD },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (told: Buffer) => resolve(/Serving (\S+)/.exec(told.toString())?.[1] ?? ''));
    child.once('exit', status => reject(new Error(`varve serve ended with ${status}`)));
  });
  const stop = (): Promise<void> =>
    new Promise(resolve => {
      child.once('exit', () => resolve());
      child.kill();
    });
  return { url, stop };
}
