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

test('the package reads, writes and commits in Firefox, in memory and in its storage, from two connections', async () => {
  // biome-ignore lint/suspicious/noSkippedTests: it says so itself, on machines without Firefox.
  test.skip(firefox === undefined, 'Firefox is not installed');
  let tell: (told: string[]) => void = () => {};
  const told = new Promise<string[]>(resolve => {
    tell = resolve;
  });
  const server = await serve({
    directory: join(root, 'dist'),
    also: { '/firefox.html': PAGE },
    onRequest: ({ url = '' }) => {
      if (url.startsWith('/told?')) tell(JSON.parse(decodeURIComponent(url.slice('/told?'.length))));
    },
  });
  const profile = mkdtempSync(join(tmpdir(), 'varve-firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, `${server.url}firefox.html`];
  const browser = spawn(firefox ?? '', args, { stdio: 'ignore', env: { ...process.env, HOME: profile } });
  const ended = new Promise(resolve => browser.once('exit', resolve));
  try {
    expect(await told).toEqual(['one,two', '3408', '11', '12', 'kept']);
  } finally {
    browser.kill();
    await ended;
    await server.close();
    removeProfile(profile);
  }
});
