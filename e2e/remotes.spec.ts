// Remotes in the console: a database is pushed, cloned, pulled, and a push that is rejected says what to do.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { dolt, doltHome, makeDatabase, runDolt, SqlServer } from '../web/src/testing/native_dolt.ts';
import { S3_KEYS } from '../web/src/testing/s3_server.ts';
import { VarveServer } from '../web/src/testing/varve_server.ts';
import { ask, choose, openKept, run, said } from './console_page.ts';
import { expect, test } from './fixtures.ts';
import { startPageBucket } from './s3_for_pages.ts';

const DATABASE = /^Database/;

test('a database is pushed, a rejected push is explained, and a clone has what was pushed', async ({
  page,
  console: served,
}) => {
  await openKept(page, served.url, 'orchard');
  await run(page, "CREATE TABLE trees (id INT PRIMARY KEY);\nCALL dolt_commit('-Am', 'Plan')");
  await choose(page, DATABASE, 'Remotes');
  const remotes = page.getByRole('dialog', { name: 'Remotes' });
  await expect(remotes.getByText('No remotes')).toBeVisible();
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
  await clone.getByLabel('Database name').fill('copy');
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
  const server = await VarveServer.start(directory, USER, PASSWORD, new URL(served.url).origin);
  try {
    await page.goto(`${served.url}?open=nothing`);
    await page.getByRole('button', { name: /^Clone a remote/ }).click();
    const clone = page.getByRole('dialog', { name: 'Clone a remote' });
    await clone.getByLabel('URL').fill(`${server.url}/garden`);
    await clone.getByLabel('Database name').fill('garden');
    await clone.getByRole('button', { name: 'Clone' }).click();
    await signIn(page, 'wrong');
    await expect(clone.getByRole('alert')).toContainText(/password/i);
    await clone.getByRole('button', { name: 'Clone' }).click();
    await signIn(page);
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

test('a database is pushed to a bucket, cloned from it, edited, and pushed again; wrong keys are asked for again', async ({
  page,
  console: served,
}, info) => {
  const bucket = await startPageBucket(new URL(served.url).origin);
  if (bucket === null) return;
  try {
    await openKept(page, served.url, 'orchard');
    await run(page, "CREATE TABLE trees (id INT PRIMARY KEY);\nCALL dolt_commit('-Am', 'Plan')");
    await choose(page, DATABASE, 'Remotes');
    const remotes = page.getByRole('dialog', { name: 'Remotes' });
    await remotes.getByLabel('URL').fill(bucket.url);
    await remotes.getByRole('button', { name: 'Add', exact: true }).click();
    await remotes.getByRole('button', { name: 'Push' }).click();
    await giveKeys(page, 'wrong');
    await expect(said(page, /SignatureDoesNotMatch/)).toBeVisible();
    await remotes.getByRole('button', { name: 'Push' }).click();
    await giveKeys(page, S3_KEYS.secretAccessKey);
    await expect(said(page, 'Pushed main to origin')).toBeVisible();
    await page.keyboard.press('Escape');

    // What was given is known until the page is left.
    await choose(page, DATABASE, 'Clone a remote');
    const clone = page.getByRole('dialog', { name: 'Clone a remote' });
    await clone.getByLabel('URL').fill(bucket.url);
    await clone.getByLabel('Database name').fill('copy');
    await clone.getByRole('button', { name: 'Clone' }).click();
    await expect(page.getByRole('button', { name: DATABASE })).toContainText('copy');
    await run(page, "INSERT INTO trees VALUES (1), (2);\nCALL dolt_commit('-am', 'Two trees')");
    await choose(page, DATABASE, 'Remotes');
    await remotes.getByRole('button', { name: 'Push' }).click();
    await expect(remotes.getByText('up to date')).toBeVisible();

    if (dolt === null) return;
    // Native Dolt reads no such buckets: it has the objects in a directory.
    const home = doltHome(info.outputPath());
    runDolt(info.outputPath(), home, 'clone', await bucket.copyTo(info.outputPath('objects')), 'native');
    expect(runDolt(info.outputPath('native'), home, 'log', '--oneline')).toContain('Two trees');
  } finally {
    await bucket.stop();
  }
});

test('a large database is cloned lazily, asked, edited and pushed; after a reload the rest of it is fetched', async ({
  page,
  console: served,
}, info) => {
  const directory = info.outputPath('served');
  mkdirSync(directory, { recursive: true });
  const garden = join(directory, 'garden');
  const varve = (...args: string[]): void => {
    const { status, stderr } = spawnSync('node', ['bin/varve.js', ...args], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  };
  varve('init', garden, '--name', 'a', '--email', 'a@b.c');
  const numbers = 'WITH RECURSIVE n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 199)';
  const rows = `${numbers} SELECT 100 * a.i + b.i, MD5(100 * a.i + b.i) FROM n a JOIN n b ON b.i < 100`;
  const made = `CREATE TABLE plants (id INT PRIMARY KEY, name VARCHAR(40)); INSERT INTO plants ${rows}`;
  varve('sql', garden, '-q', `${made}; CALL dolt_commit('-Am', 'Plants', '--author', 'a <a@b.c>')`);
  // What is in a journal comes at once.
  varve('gc', garden);
  const server = await VarveServer.start(directory, USER, PASSWORD, new URL(served.url).origin);
  const remotes = page.getByRole('dialog', { name: 'Remotes' });
  const rest = remotes.getByRole('region', { name: 'Lazy clone' });
  try {
    await page.goto(`${served.url}?open=nothing`);
    await page.getByRole('button', { name: /^Clone a remote/ }).click();
    const clone = page.getByRole('dialog', { name: 'Clone a remote' });
    await clone.getByLabel('URL').fill(`${server.url}/garden`);
    await clone.getByLabel('Fetch rows on demand (lazy clone)').check();
    await clone.getByRole('button', { name: 'Clone' }).click();
    await signIn(page);
    await expect(clone).toBeHidden();
    expect(await ask(page, 'SELECT name = MD5(id) FROM plants WHERE id = 12345')).toBe('1');
    await run(page, "UPDATE plants SET name = 'medlar' WHERE id = 12345;\nCALL dolt_commit('-am', 'Medlar')");
    await choose(page, DATABASE, 'Remotes');
    await expect(rest).toContainText('Some rows are not downloaded yet');
    await remotes.getByRole('button', { name: 'Push' }).click();
    await expect(said(page, 'Pushed main to origin')).toBeVisible();
    await page.keyboard.press('Escape');

    // What was given for the clone is forgotten with the page.
    await page.reload();
    await expect(page.getByRole('button', { name: DATABASE })).toContainText('garden');
    expect(await ask(page, 'SELECT name FROM plants WHERE id = 12345')).toBe('medlar');
    await choose(page, DATABASE, 'Remotes');
    await rest.getByRole('button', { name: 'Complete' }).click();
    await signIn(page);
    await expect(said(page, 'Complete: all rows are in this browser')).toBeVisible();
    await expect(rest).toBeHidden();
    await page.keyboard.press('Escape');
  } finally {
    await server.stop();
  }
  const log = spawnSync('node', ['bin/varve.js', 'log', garden, '--oneline'], { encoding: 'utf8' });
  expect(log.stdout).toContain('Medlar');
  // Without the server.
  await page.reload();
  expect(await ask(page, 'SELECT COUNT(DISTINCT name) FROM plants')).toBe('20000');
});

/** Answers the question for the keys of a bucket. */
async function giveKeys(page: Page, secret: string): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Bucket access keys' });
  await question.getByLabel('Access key ID').fill(S3_KEYS.accessKeyId);
  await question.getByLabel('Secret access key').fill(secret);
  await question.getByRole('button', { name: 'Use keys' }).click();
}

test('a page pushes through varve serve to a native sql-server, which sees the commit', async ({
  page,
  console: served,
}, info) => {
  if (dolt === null) {
    process.stdout.write('skipped: native Dolt is missing\n');
    return;
  }
  const home = doltHome(info.outputPath());
  const folder = info.outputPath('native');
  makeDatabase(folder, 'garden', home);
  const native = await SqlServer.start(folder, home);
  const server = await VarveServer.start(`${native.url}/garden`, USER, PASSWORD, new URL(served.url).origin);
  try {
    await page.goto(`${served.url}?open=nothing`);
    await page.getByRole('button', { name: /^Clone a remote/ }).click();
    const clone = page.getByRole('dialog', { name: 'Clone a remote' });
    await clone.getByLabel('URL').fill(`${server.url}/garden`);
    await clone.getByRole('button', { name: 'Clone' }).click();
    await signIn(page);
    await expect(clone).toBeHidden();
    expect(await ask(page, 'SELECT COUNT(*) FROM t')).toBe('2');
    await run(page, "INSERT INTO t VALUES (3, 'three');\nCALL dolt_commit('-am', 'From a page')");
    await choose(page, DATABASE, 'Remotes');
    const remotes = page.getByRole('dialog', { name: 'Remotes' });
    await remotes.getByRole('button', { name: 'Push' }).click();
    await expect(remotes.getByText('up to date')).toBeVisible();
  } finally {
    await server.stop();
    await native.stop();
  }
  const database = join(folder, 'garden');
  expect(runDolt(database, home, 'log', '--oneline')).toContain('From a page');
  expect(runDolt(database, home, 'sql', '-q', 'SELECT COUNT(*) AS n FROM t', '-r', 'csv')).toBe('n\n3\n');
  expect(runDolt(database, home, 'status')).toContain('nothing to commit');
});

const USER = 'gardener';
const PASSWORD = 'a secret: or not';

async function signIn(page: Page, password = PASSWORD): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Sign in' });
  await question.getByLabel('User').fill(USER);
  await question.getByLabel('Password').fill(password);
  await question.getByRole('button', { name: 'Sign in' }).click();
}
