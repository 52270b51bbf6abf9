import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import { afterAll, expect, test } from 'vitest';
import { emptyDatabase } from '../host/files/empty_database.ts';
import { createTogether } from './disk/create_together.ts';
import { databasesIn } from './disk/databases_in.ts';
import { open } from './index.ts';

const root = mkdtempSync(join(tmpdir(), 'varve-killed-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Kills in CI; more of them with VARVE_KILLS. */
const KILLS = Number(process.env.VARVE_KILLS ?? 12);

/** A number that is over at once, for marks of processes that are gone. */
const GONE = 2 ** 22 + 1;

/** The module as a child can load it. */
async function compiled(): Promise<string> {
  for (const name of ['aside', 'create_together']) {
    const source = readFileSync(new URL(`./disk/${name}.ts`, import.meta.url), 'utf8');
    const { code } = await transformWithOxc(source, `${name}.ts`);
    writeFileSync(
      join(root, `${name}.mjs`),
      code.replace("'./aside.ts'", "'./aside.mjs'").replace('"./aside.ts"', '"./aside.mjs"'),
    );
  }
  return join(root, 'create_together.mjs');
}

/** Runs a program that makes one directory after the other, until it is killed. */
async function killedWhileCreating(directory: string, afterMs: number): Promise<void> {
  const program = `
    const { createTogether } = await import(${JSON.stringify(pathToFileURL(await compiled()).href)});
    const bytes = [100, 50_000, 9].map(length => Buffer.alloc(length, 1));
    const contents = { '.dolt/repo_state.json': bytes[0], '.dolt/noms/journal': bytes[1], '.dolt/noms/manifest': bytes[2] };
    process.send('ready');
    for (let n = 0; ; n++) createTogether(${JSON.stringify(directory)} + '/' + n, '.dolt', contents);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = new Promise(done => child.once('exit', done));
  await new Promise(done => child.once('message', done));
  await new Promise(done => setTimeout(done, afterMs));
  child.kill('SIGKILL');
  await ended;
}

test('a directory is there with all its files or not at all, whenever its maker is killed', {
  timeout: 120_000,
}, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const directory = join(root, `kill${kill}`);
    mkdirSync(directory);
    await killedWhileCreating(directory, 1 + ((kill * 7) % 23));
    for (const made of readdirSync(directory)) {
      const path = join(directory, made);
      if (existsSync(join(path, '.dolt'))) {
        const lengths = ['repo_state.json', 'noms/journal', 'noms/manifest'].map(
          name => statSync(join(path, '.dolt', name)).size,
        );
        expect(lengths).toEqual([100, 50_000, 9]);
        continue;
      }
      expect(databasesIn(path)).toEqual([]);
      createTogether(path, '.dolt', emptyDatabase());
      expect(readdirSync(path)).toEqual(['.dolt']);
      expect(databasesIn(path)).toEqual([path]);
    }
  }
});

test('what earlier versions left of a new database is made anew', async () => {
  const contents = Object.entries(emptyDatabase()).filter(([path]) => !path.endsWith('manifest'));
  for (const [count, cut] of [
    [1, 0],
    [2, 0],
    [2, 700],
  ] as const) {
    const directory = join(root, `left${count}${cut}`);
    mkdirSync(join(directory, '.dolt/noms'), { recursive: true });
    for (const [path, bytes] of contents.slice(0, count)) {
      writeFileSync(join(directory, path), path.includes('noms') && cut > 0 ? bytes.subarray(0, cut) : bytes);
    }
    const database = await open({ path: directory, create: true });
    expect((await database.query('SELECT COUNT(*) AS n FROM dolt_log')).rows).toEqual([{ n: 1n }]);
    await database.close();
  }
});

test('a database without its manifest that has bytes of its own is not made anew', async () => {
  const directory = join(root, 'lost');
  await (await open({ path: directory, create: true })).close();
  rmSync(join(directory, '.dolt/noms/manifest'));
  writeFileSync(join(directory, '.dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv'), 'bytes of its own');
  await expect(open({ path: directory, create: true })).rejects.toThrow(/manifest|\.dolt/);
  expect(existsSync(join(directory, '.dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv'))).toBe(true);
});

test('CREATE DATABASE goes over what a killed process has left', async () => {
  const directory = join(root, 'several');
  const first = await open({ path: join(directory, 'main'), create: true });
  await first.close();
  mkdirSync(join(directory, 'other/.dolt/noms'), { recursive: true });
  writeFileSync(join(directory, 'other/.dolt_safe_to_ignore'), `varve ${GONE}`);
  writeFileSync(join(directory, 'other/.dolt/noms/manifest'), 'half');
  const database = await open({ path: directory });
  expect(database.databases).toEqual(['main']);
  await database.query('CREATE DATABASE other');
  await database.query('CREATE TABLE other.t (a INT)');
  await database.close();
  expect(readdirSync(join(directory, 'other'))).toEqual(['.dolt']);
  const again = await open({ path: directory });
  expect(again.databases).toEqual(['main', 'other']);
  await again.close();
});
