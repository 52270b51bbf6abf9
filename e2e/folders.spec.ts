// A folder of the disk as a remote: a page pushes to it, native Dolt clones it and pushes, and the page sees that.
import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type * as Varve from '../web/src/lib/index.ts';
import { dolt, doltHome, runDolt } from '../web/src/testing/native_dolt.ts';
import { ask, choose, openKept, run, said } from './console_page.ts';
import { expect, test } from './fixtures.ts';
import { offerFolder, pickOffered } from './picked_folder.ts';

const DATABASE = /^Database/;

test.use({ allowsFolders: true });

test('a folder is pushed to and cloned from; after a reload it is still known', async ({
  page,
  context,
  console: served,
}, info) => {
  const stick = info.outputPath('stick');
  mkdirSync(stick, { recursive: true });
  await pickOffered(context);
  await offerFolder(page, `${served.url}blank.html`, stick);
  await openKept(page, served.url, 'orchard');
  await run(page, "CREATE TABLE trees (id INT PRIMARY KEY);\nCALL dolt_commit('-Am', 'Plan')");
  await choose(page, DATABASE, 'Remotes');
  const remotes = page.getByRole('dialog', { name: 'Remotes' });
  await remotes.getByRole('button', { name: 'Choose a folder…' }).click();
  await expect(remotes.getByLabel('Folder')).toHaveValue('stick');
  await remotes.getByRole('button', { name: 'Add', exact: true }).click();
  const line = remotes.getByRole('listitem').filter({ hasText: 'Folder stick' });
  await line.getByRole('button', { name: 'Push' }).click();
  await expect(said(page, 'Pushed main to origin')).toBeVisible();
  expect(filesOf(stick)).toEqual(wholeFiles(stick));

  await page.reload();
  await run(page, "INSERT INTO trees VALUES (1);\nCALL dolt_commit('-am', 'A tree')");
  await choose(page, DATABASE, 'Remotes');
  await line.getByRole('button', { name: 'Push' }).click();
  await expect(line.getByText('up to date')).toBeVisible();
  await page.keyboard.press('Escape');

  if (dolt !== null) {
    const home = doltHome(info.outputPath());
    runDolt(info.outputPath(), home, 'clone', `file://${stick}`, 'native');
    const native = info.outputPath('native');
    expect(runDolt(native, home, 'log', '--oneline')).toContain('A tree');
    runDolt(native, home, 'sql', '-q', 'INSERT INTO trees VALUES (2)');
    runDolt(native, home, 'commit', '-am', 'From native Dolt');
    runDolt(native, home, 'push', 'origin', 'main');
    await choose(page, DATABASE, 'Remotes');
    await line.getByRole('button', { name: 'Pull' }).click();
    await expect(said(page, 'Merged origin/main')).toBeVisible();
    await page.keyboard.press('Escape');
    expect(await ask(page, 'SELECT COUNT(*) FROM trees')).toBe('2');
  }

  await choose(page, DATABASE, 'Clone a remote');
  const clone = page.getByRole('dialog', { name: 'Clone a remote' });
  await clone.getByRole('button', { name: 'From a folder…' }).click();
  await expect(clone.getByLabel('Database name')).toHaveValue('stick');
  await clone.getByRole('button', { name: 'Clone' }).click();
  await expect(page.getByRole('button', { name: DATABASE })).toContainText('stick');
  expect(await ask(page, 'SELECT COUNT(*) FROM trees WHERE id = 1')).toBe('1');

  // The stick is pulled out.
  renameSync(stick, `${stick}-elsewhere`);
  await choose(page, DATABASE, 'Remotes');
  await line.getByRole('button', { name: 'Fetch' }).click();
  await expect(said(page, /The folder stick is gone: .*choose the folder again/)).toBeVisible();
});

test('a folder with a database is refused in words', async ({ page, context, console: served }, info) => {
  const folder = info.outputPath('orchard');
  mkdirSync(join(folder, '.dolt'), { recursive: true });
  await pickOffered(context);
  await offerFolder(page, `${served.url}blank.html`, folder);
  await openKept(page, served.url, 'garden');
  await choose(page, DATABASE, 'Remotes');
  const remotes = page.getByRole('dialog', { name: 'Remotes' });
  await remotes.getByRole('button', { name: 'Choose a folder…' }).click();
  await expect(remotes.getByRole('alert')).toContainText('The folder orchard contains a database');
});

const PACKAGE = '/package/lib/index.js';

test('a push that is killed before the manifest gets its name leaves the folder whole', async ({
  library,
  context,
}, info) => {
  const stick = info.outputPath('stick');
  mkdirSync(stick, { recursive: true });
  await pickOffered(context);
  await offerFolder(library, library.url(), stick);
  const push = (table: string, worker: string | null): Promise<string> =>
    library.evaluate(
      async ({ path, table, worker }) => {
        const { open, remoteFolder }: typeof Varve = await import(path);
        const url = await remoteFolder(await window.showDirectoryPicker());
        const stalled = new Promise<string>(resolve => {
          new BroadcastChannel('stalled').onmessage = () => resolve('stalled');
        });
        const options = worker === null ? {} : { worker: new Worker(worker, { type: 'module' }) };
        const database = await open({ opfs: 'orchard', create: true }, options);
        if ((await database.remotes()).length === 0) await database.addRemote('origin', url);
        await database.query(`CREATE TABLE ${table} (id INT PRIMARY KEY)`);
        await database.commit({ message: table, all: true });
        const pushed = database.push({ remote: 'origin', refs: ['main'] }).then(({ outcome }) => outcome);
        const outcome = await Promise.race([pushed, stalled]);
        if (outcome !== 'stalled') await database.close();
        return outcome;
      },
      { path: PACKAGE, table, worker },
    );
  expect(await push('a', null)).toBe('pushed');
  const before = filesOf(stick);
  expect(before).toEqual(wholeFiles(stick));
  const manifest = readFileSync(join(stick, 'manifest'), 'utf8');

  expect(await push('b', '/stalling_worker.js')).toBe('stalled');
  await library.reload();
  expect(readFileSync(join(stick, 'manifest'), 'utf8')).toBe(manifest);
  expect(filesOf(stick)).toEqual(expect.arrayContaining(before));
  if (dolt !== null) {
    const home = doltHome(info.outputPath());
    runDolt(info.outputPath(), home, 'clone', `file://${stick}`, 'native');
    expect(runDolt(info.outputPath('native'), home, 'log', '--oneline')).not.toContain(' b');
  }
  expect(await push('c', null)).toBe('pushed');
  expect(wholeFiles(stick).every(name => filesOf(stick).includes(name))).toBe(true);
});

test.describe('without permission', () => {
  test.use({ allowsFolders: false });

  test('a push is refused with what to do, and the folder stays as it is', async ({ library, context }, info) => {
    const stick = info.outputPath('stick');
    mkdirSync(stick, { recursive: true });
    await pickOffered(context);
    await offerFolder(library, library.url(), stick);
    const told = await library.evaluate(async path => {
      const { open, remoteFolder, SqlError }: typeof Varve = await import(path);
      const database = await open({ opfs: 'orchard', create: true });
      const failureOf = async (url: string): Promise<string> => {
        const name = `r${Math.random().toString(36).slice(2)}`;
        await database.addRemote(name, url);
        const error = await database.push({ remote: name, refs: ['main'] }).catch(error => error);
        return error instanceof SqlError ? `${error.errno} ${error.sqlstate} ${error.message}` : String(error);
      };
      const failures = [
        await failureOf(await remoteFolder(await window.showDirectoryPicker())),
        await failureOf('directory://0123456789abcdef/attic'),
      ];
      await database.close();
      return failures;
    }, PACKAGE);
    expect(told).toEqual([
      expect.stringMatching(/^1045 28000 .*The folder stick may not be written to: .*allowRemoteFolder\(\) on a click/),
      expect.stringMatching(/^1017 HY000 .*The folder attic was chosen in another browser, .*choose it again/),
    ]);
    expect(filesOf(stick)).toEqual([]);
  });
});

function filesOf(directory: string): string[] {
  return readdirSync(directory).sort();
}

/** The manifest, and the files that it lists. */
function wholeFiles(directory: string): string[] {
  const listed = readFileSync(join(directory, 'manifest'), 'utf8').split(':').slice(5);
  const files = filesOf(directory);
  const ids = listed.filter((_, at) => at % 2 === 0);
  return [...ids.map(id => (files.includes(id) ? id : `${id}.darc`)), 'manifest'].sort();
}
