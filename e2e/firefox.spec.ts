// The package in Firefox, where one is installed: it lets one tab at a time have a file open. Firefox is started with a page that
// tells what it saw by asking for an address.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'playwright/test';
import { serve } from '../scripts/static_server.mjs';
import { removeProfile, root } from './fixtures.ts';

const firefox = ['firefox-esr', 'firefox'].find(name => {
  try {
    execFileSync('which', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** Runs in the page. Every answer is a line. */
const PAGE = `<!doctype html><title>firefox</title><script type="module">
import { open } from '/package/lib/index.js';
const told = [];
try {
  const memory = await open({ empty: 'in_memory' });
  await memory.query('CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(20))');
  await memory.query("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
  await memory.commit('in memory');
  told.push((await memory.query('SELECT GROUP_CONCAT(name ORDER BY id) AS names FROM t')).rows[0].names);
  await memory.close();

  const sample = await open('/console/sample/seed_bank/');
  told.push(String((await sample.query('SELECT COUNT(*) AS n FROM accessions')).rows[0].n));
  await sample.close();

  const first = await open({ opfs: 'kept', create: true });
  await first.query('CREATE TABLE t (id INT PRIMARY KEY)');
  for (let id = 0; id < 10; id++) await first.query('INSERT INTO t VALUES (?)', [id]);
  await first.commit('kept');
  const second = await open({ opfs: 'kept' });
  await second.query('INSERT INTO t VALUES (10)');
  told.push(String((await first.query('SELECT COUNT(*) AS n FROM t')).rows[0].n));
  await first.close();
  await second.query('INSERT INTO t VALUES (11)');
  await second.query('CALL dolt_gc()');
  await second.close();

  const again = await open({ opfs: 'kept' });
  told.push(String((await again.query('SELECT COUNT(*) AS n FROM t')).rows[0].n));
  told.push((await again.query('SELECT message FROM dolt_log LIMIT 1')).rows[0].message);
  await again.close();
} catch (error) {
  told.push(String(error));
}
await fetch('/told?' + encodeURIComponent(JSON.stringify(told))).catch(() => {});
</script>`;

/** The cache of remote bytes: what each visit read, and why it had no cache. */
const CACHE_PAGE = `<!doctype html><title>firefox</title><script type="module">
import { open } from '/package/lib/index.js';
const told = [];
const URL_OF_SAMPLE = '/console/sample/seed_bank/';
async function read(database) {
  const { rows } = await database.query('SELECT * FROM accessions');
  const bytes = new TextEncoder().encode(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const { cache, bytesFromCache } = await database.stats();
  return { rows: rows.length + ' ' + digest.join(), reason: cache.reason, isCached: bytesFromCache > 0 };
}
async function visit(options) {
  const database = await open(URL_OF_SAMPLE, options);
  const found = await read(database);
  await database.close();
  return found;
}
try {
  told.push(await visit({ cache: false }));
  told.push(await visit());
  const held = await open(URL_OF_SAMPLE);
  told.push(await visit());
  told.push(await read(held));
  await held.close();
  if (told[1].reason === null) {
    const root = await navigator.storage.getDirectory();
    const file = await (await root.getDirectoryHandle('.varve-cache')).getFileHandle('pages-1');
    const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer());
    for (let at = 0; at < bytes.length; at += 5000) bytes[at] = ~bytes[at];
    const stream = await file.createWritable();
    await stream.write(bytes);
    await stream.close();
    told.push(await visit());
  }
} catch (error) {
  told.push(String(error));
}
await fetch('/told?' + encodeURIComponent(JSON.stringify(told))).catch(() => {});
</script>`;

/** Runs a page in a Firefox of its own; gives what it told. */
async function toldBy(page: string, ...options: string[]): Promise<unknown[]> {
  let tell: (told: unknown[]) => void = () => {};
  const told = new Promise<unknown[]>(resolve => {
    tell = resolve;
  });
  const server = await serve({
    directory: join(root, 'dist'),
    also: { '/firefox.html': page },
    onRequest: ({ url = '' }) => {
      if (url.startsWith('/told?')) tell(JSON.parse(decodeURIComponent(url.slice('/told?'.length))));
    },
  });
  const profile = mkdtempSync(join(tmpdir(), 'varve-firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, ...options, `${server.url}firefox.html`];
  const browser = spawn(firefox ?? '', args, { stdio: 'ignore', env: { ...process.env, HOME: profile } });
  const ended = new Promise(resolve => browser.once('exit', resolve));
  try {
    return await told;
  } finally {
    browser.kill();
    await ended;
    await server.close();
    removeProfile(profile);
  }
}

/** Says so where there is no Firefox. */
function isMissing(): boolean {
  if (firefox === undefined) process.stdout.write('skipped: Firefox is not installed\n');
  return firefox === undefined;
}

test('the package reads, writes and commits in Firefox, in memory and in its storage, from two connections', async () => {
  if (isMissing()) return;
  expect(await toldBy(PAGE)).toEqual(['one,two', '3408', '11', '12', 'kept']);
});

test('in Firefox the cache of remote bytes serves one database at a time, and heals when it is damaged', async () => {
  if (isMissing()) return;
  const [truth, first, beside, held, damaged] = (await toldBy(CACHE_PAGE)) as Told[];
  const rows = truth?.rows;
  expect(rows).toMatch(/^3408 /);
  expect(first).toEqual({ rows, reason: null, isCached: expect.any(Boolean) });
  // Another connection has the file.
  expect(beside).toEqual({ rows, reason: expect.stringContaining('Another tab has the cache'), isCached: false });
  expect(held).toEqual({ rows, reason: null, isCached: true });
  expect(damaged).toEqual({ rows, reason: null, isCached: expect.any(Boolean) });
});

test('in a private window of Firefox all rows are right, and the database says whether it has a cache', async () => {
  if (isMissing()) return;
  const told = (await toldBy(CACHE_PAGE, '--private-window')) as Told[];
  const rows = told[0]?.rows;
  expect(rows).toMatch(/^3408 /);
  for (const found of told) {
    expect(found.rows).toBe(rows);
    if (found.reason !== null) expect(found.isCached).toBe(false);
  }
});

interface Told {
  readonly rows: string;
  readonly reason: string | null;
  readonly isCached: boolean;
}
