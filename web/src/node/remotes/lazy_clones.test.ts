/** Lazy clones over every transport: what is not here comes when it is needed, a push sends what is new, and the rest can be fetched. */
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { scratchDirectory, withDolt } from '../../testing/built_engine.ts';
import { dolt, doltHome, makeDatabase, runDolt, SqlServer } from '../../testing/native_dolt.ts';
import { copyObjects, S3_KEYS, S3Server } from '../../testing/s3_server.ts';
import { VarveServer } from '../../testing/varve_server.ts';
import { runCommandLine } from '../cli.ts';
import { clone, type Database, open, SqlError } from '../index.ts';

const scratch = scratchDirectory();
const home = dolt === null ? '' : doltHome(scratch);
const USER = 'tester';
const PASSWORD = 'a secret: or not';
/** Of some megabytes in the remote. */
const ROWS = 20_000;

const stops: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

let database = '';
beforeAll(() => {
  if (dolt === null) return;
  database = makeDatabase(scratch, 'original', home);
  runDolt(database, home, 'sql', '-q', 'CREATE TABLE large (id INT PRIMARY KEY, text VARCHAR(200), KEY (text))');
  const numbers = 'WITH RECURSIVE n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 199)';
  const ids = `(${numbers} SELECT 100 * a.i + b.i AS id FROM n a JOIN n b ON b.i < 100) AS ids`;
  runDolt(database, home, 'sql', '-q', `INSERT INTO large SELECT id, CONCAT(MD5(id), MD5(id + 1)) FROM ${ids}`);
  runDolt(database, home, 'add', '.');
  runDolt(database, home, 'commit', '-m', 'large');
  process.env.DOLT_REMOTE_PASSWORD = PASSWORD;
  process.env.AWS_ACCESS_KEY_ID = S3_KEYS.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = S3_KEYS.secretAccessKey;
}, 120_000);

let made = 0;
const fresh = (name: string): string => join(scratch, `${name}-${made++}`);

function served(): string {
  const folder = fresh('served');
  mkdirSync(folder);
  cpSync(database, join(folder, 'db'), { recursive: true });
  // Without that all of it would be in the journal, which comes as a whole.
  runDolt(join(folder, 'db'), home, 'gc');
  runDolt(join(folder, 'db'), home, 'commit', '--allow-empty', '-m', 'in the journal');
  return folder;
}

/** Pushes all of the database to a remote. */
async function pushAll(url: string): Promise<void> {
  const first = await open({ path: database });
  await first.addRemote('there', url);
  expect(await first.push({ remote: 'there', refs: ['main'] })).toMatchObject({ outcome: 'pushed' });
  await first.removeRemote('there');
  await first.close();
}

async function fileRemote(): Promise<string> {
  const path = fresh('remote');
  await pushAll(pathToFileURL(path).href);
  return path;
}

interface Place {
  readonly url: string;
  readonly user?: string;
  /** Whether nothing is pushed there. */
  readonly isRead?: boolean;
  cloned?(): Promise<string>;
}

/** A web server with the files of a directory, in a thread of its own: reads block this one. */
const SERVE = `
const { parentPort, workerData } = require('node:worker_threads');
const { existsSync, readFileSync, statSync } = require('node:fs');
let asked = [];
const server = require('node:http').createServer((request, response) => {
  const path = workerData + decodeURIComponent(request.url);
  asked.push(request.url + ' ' + (request.headers.range ?? ''));
  if (!existsSync(path) || !statSync(path).isFile()) return void response.writeHead(404).end();
  const bytes = readFileSync(path);
  const range = /^bytes=(\\d*)-(\\d*)$/.exec(request.headers.range ?? '');
  if (range === null) return void response.writeHead(200).end(bytes);
  const from = range[1] === '' ? Math.max(0, bytes.length - Number(range[2])) : Number(range[1]);
  const end = range[1] === '' || range[2] === '' ? bytes.length : Math.min(bytes.length, Number(range[2]) + 1);
  if (from >= end) return void response.writeHead(416).end();
  response.writeHead(206, { 'content-range': 'bytes ' + from + '-' + (end - 1) + '/' + bytes.length });
  response.end(bytes.subarray(from, end));
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
parentPort.on('message', () => {
  parentPort.postMessage(asked);
  asked = [];
});
`;

class WebServer {
  readonly url: string;
  readonly #worker: Worker;

  private constructor(worker: Worker, port: number) {
    this.#worker = worker;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(directory: string): Promise<WebServer> {
    const worker = new Worker(SERVE, { eval: true, workerData: directory });
    const [port] = (await once(worker, 'message')) as [number];
    const server = new WebServer(worker, port);
    stops.push(() => server.stop());
    return server;
  }

  /** What was asked for since the last time. */
  async asked(): Promise<readonly string[]> {
    this.#worker.postMessage('asked');
    return ((await once(this.#worker, 'message')) as [string[]])[0];
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

const PLACES: Record<string, () => Promise<Place | null>> = {
  async 'file://'() {
    return { url: pathToFileURL(await fileRemote()).href };
  },
  async 'a native sql-server'() {
    const server = await SqlServer.start(served(), home);
    stops.push(() => server.stop());
    return { url: `${server.url}/db` };
  },
  async 'varve serve'() {
    const server = await VarveServer.start(served(), USER, PASSWORD);
    stops.push(() => server.stop());
    return { url: `${server.url}/db`, user: USER };
  },
  async 's3://'() {
    const server = await S3Server.start('moto');
    if (server === null) return null;
    stops.push(() => server.stop());
    const bucket = `bucket-${made++}`;
    const url = await server.bucket(bucket);
    await pushAll(url);
    return { url, cloned: () => copyObjects(server, bucket, fresh('objects')) };
  },
};

const count = async (of: Database, table: string): Promise<number> =>
  Number((await of.query(`SELECT COUNT(*) AS n FROM ${table}`)).rows[0]?.n);

function bytesIn(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

describe.each(Object.entries(PLACES))('%s', (name, start) => {
  withDolt(
    'clone, ask, edit, commit, merge, diff, push, open again, complete',
    async () => {
      const place = await start();
      if (place === null) return void process.stdout.write(`skipped: ${name} is missing\n`);
      const who = place.user === undefined ? {} : { user: place.user };
      const path = fresh('lazy');
      const whole = await clone(place.url, { path: fresh('whole') }, who);
      let lazy = await clone(place.url, { path }, { ...who, lazy: true });
      expect(await lazy.lazyClone()).toMatchObject({ url: place.url });
      expect(await whole.lazyClone()).toBe(null);
      const log = 'SELECT commit_hash, message FROM dolt_log';
      expect((await lazy.query(log)).rows).toEqual((await whole.query(log)).rows);
      expect((await lazy.query('SELECT * FROM large WHERE id = 777')).rows).toHaveLength(1);
      // A database that opens natively has its own journal there, which comes at once.
      const local = bytesIn(join(path, '.dolt'));

      await lazy.query("CALL dolt_checkout('-b', 'side')");
      await lazy.query("UPDATE large SET text = 'side' WHERE id = 5");
      await lazy.commit('side');
      await lazy.query("CALL dolt_checkout('main')");
      await lazy.query("INSERT INTO t VALUES (3, 'three')");
      await lazy.commit('three');
      expect(await lazy.merge('side')).toMatchObject({ outcome: 'merged' });
      const changes = [];
      for await (const change of lazy.diff('HEAD~1', 'HEAD')) changes.push(change);
      expect(changes.length).toBeGreaterThan(0);

      const report = await lazy.verify();
      expect(report).toMatchObject({ isWhole: false, problemCount: 0 });
      expect(report.chunksElsewhere).toBeGreaterThan(0);
      await expect(lazy.query('CALL dolt_gc()')).rejects.toThrow(SqlError);
      await expect(lazy.query('CALL dolt_gc()')).rejects.toThrow(/garbage collection needs all.*varve_complete/);
      const backup = pathToFileURL(fresh('backup')).href;
      await expect(lazy.query(`CALL dolt_backup('sync-url', '${backup}')`)).rejects.toThrow(/a backup needs all/);
      await expect(lazy.copyTo({ path: fresh('copy') })).rejects.toMatchObject({ code: 'incomplete' });

      expect(await lazy.push(who)).toMatchObject({ outcome: 'pushed' });
      expect(await lazy.push(who)).toMatchObject({ outcome: 'up_to_date' });
      await lazy.close();
      expect(() => runDolt(path, home, 'log')).toThrow();
      expect(await whole.pull(who)).toMatchObject({ outcome: 'merged', isFastForward: true });
      expect((await whole.query('SELECT text FROM large WHERE id = 5')).rows).toEqual([{ text: 'side' }]);
      await whole.query("INSERT INTO t VALUES (4, 'four')");
      await whole.commit('four');
      expect(await whole.push(who)).toMatchObject({ outcome: 'pushed' });

      lazy = await open({ path });
      expect(await lazy.lazyClone()).not.toBe(null);
      expect(await lazy.pull(who)).toMatchObject({ outcome: 'merged', isFastForward: true });
      expect((await lazy.query(log)).rows).toEqual((await whole.query(log)).rows);
      expect(await count(lazy, 't')).toBe(4);
      const progress: number[] = [];
      await lazy.completeClone({ onProgress: ({ chunks }) => progress.push(chunks) });
      expect(progress.at(-1)).toBeGreaterThan(0);
      expect(await lazy.lazyClone()).toBe(null);
      await lazy.completeClone();
      expect(bytesIn(join(path, '.dolt'))).toBeGreaterThan(name.includes('file') ? local + 400_000 : local);
      expect((await lazy.verify()).isWhole).toBe(true);
      expect(await count(lazy, 'large')).toBe(ROWS);
      await lazy.query("INSERT INTO t VALUES (5, 'five')");
      await lazy.commit('five');
      await lazy.close();
      await whole.close();
      expect(existsSync(join(path, '.dolt/varve_lazy'))).toBe(false);
      expect(runDolt(path, home, 'fsck')).toMatch(/no problems/i);
      expect(runDolt(path, home, 'log', '-n', '1')).toContain('five');
      expect(runDolt(path, home, 'sql', '-q', 'SELECT COUNT(*) AS n FROM large', '-r', 'csv')).toBe(`n\n${ROWS}\n`);
    },
    240_000,
  );
});

withDolt('a web server is asked for what is needed, and for nothing that is in the cache', async () => {
  const remote = await fileRemote();
  const server = await WebServer.start(remote);
  const { url } = server;
  // One in which nothing is.
  process.env.XDG_CACHE_HOME = fresh('cache');
  const bytes = bytesIn(remote);
  const path = fresh('lazy');
  let lazy = await clone(url, { path }, { lazy: true });
  const first = (await lazy.query('SELECT text FROM large WHERE id = 9')).rows;
  const { bytesFetched } = await lazy.stats();
  expect(bytesFetched).toBeLessThan(bytes / 2);
  await lazy.close();
  // The second visit.
  await server.asked();
  lazy = await open({ path });
  expect((await lazy.query('SELECT text FROM large WHERE id = 9')).rows).toEqual(first);
  expect((await lazy.stats()).bytesFetched).toBeLessThan(4_096);
  expect((await server.asked()).filter(request => /^\/[0-9a-v]{32}.* bytes=/.test(request))).toEqual([]);
  await lazy.close();
  // Without a network: what was read is there, the rest is an error that names the remote, and changes are made.
  await server.stop();
  lazy = await open({ path });
  expect((await lazy.query('SELECT text FROM large WHERE id = 9')).rows).toEqual(first);
  const asking = lazy.query('SELECT SUM(LENGTH(text)) FROM large');
  await expect(asking).rejects.toMatchObject({ errno: 1429 });
  await expect(asking).rejects.toThrow(url);
  await lazy.query("INSERT INTO t VALUES (3, 'offline')");
  await lazy.commit('offline');
  await expect(lazy.completeClone()).rejects.toThrow(url);
  await expect(lazy.completeClone()).rejects.toThrow(SqlError);
  expect(await lazy.lazyClone()).toMatchObject({ url });
  await lazy.close();
});

withDolt('a remote that is gone, or was collected, is named; what it still has is fetched', async () => {
  const remote = await fileRemote();
  const url = pathToFileURL(remote).href;
  const paths = [fresh('lazy'), fresh('lazy')] as const;
  for (const path of paths) await (await clone(url, { path }, { lazy: true })).close();
  renameSync(remote, `${remote}-away`);
  let lazy = await open({ path: paths[0] });
  const asking = lazy.query('SELECT COUNT(*) FROM large');
  await expect(asking).rejects.toMatchObject({ errno: 1429 });
  await expect(asking).rejects.toThrow(`${url}, which could not be read`);
  await lazy.close();
  // The same chunks in another file, as after a collection of the remote.
  const again = await open({ path: database });
  await again.query("INSERT INTO t VALUES (50, 'after')");
  await again.commit('after');
  await again.addRemote('again', url);
  await again.push({ remote: 'again', refs: ['main'] });
  await again.removeRemote('again');
  await again.query("CALL dolt_reset('--hard', 'HEAD~1')");
  await again.close();
  lazy = await open({ path: paths[0] });
  await expect(lazy.query('SELECT COUNT(*) FROM large')).rejects.toThrow(/not there any more.*varve_complete/);
  await lazy.completeClone();
  expect(await count(lazy, 'large')).toBe(ROWS);
  await lazy.close();
  expect(runDolt(paths[0], home, 'fsck')).toMatch(/no problems/i);
  // A remote with nothing of it.
  rmSync(remote, { recursive: true });
  lazy = await open({ path: paths[1] });
  await expect(lazy.completeClone()).rejects.toMatchObject({ errno: 1429 });
  await lazy.close();
});

withDolt('without its cache it is as whole as before', async () => {
  const server = await WebServer.start(await fileRemote());
  const cache = fresh('cache');
  process.env.XDG_CACHE_HOME = cache;
  const path = fresh('lazy');
  const letters = async (of: Database): Promise<number> =>
    Number((await of.query('SELECT SUM(LENGTH(text)) AS n FROM large')).rows[0]?.n);
  let lazy = await clone(server.url, { path }, { lazy: true });
  expect((await lazy.query('SELECT id FROM large WHERE id = 9')).rows).toHaveLength(1);
  rmSync(cache, { recursive: true });
  expect(await letters(lazy)).toBe(64 * ROWS);
  await lazy.close();
  rmSync(cache, { recursive: true, force: true });
  lazy = await open({ path });
  expect(await letters(lazy)).toBe(64 * ROWS);
  expect((await lazy.stats()).bytesFetched).toBeGreaterThan(100_000);
  await lazy.completeClone();
  await lazy.close();
  expect(runDolt(path, home, 'fsck')).toMatch(/no problems/i);
});

withDolt('it is not served', async () => {
  const folder = fresh('served');
  mkdirSync(folder);
  const url = pathToFileURL(await fileRemote()).href;
  await (await clone(url, { path: join(folder, 'db') }, { lazy: true })).close();
  const server = await VarveServer.start(folder, USER, PASSWORD);
  stops.push(() => server.stop());
  const cloning = clone(`${server.url}/db`, { path: fresh('refused') }, { user: USER });
  await expect(cloning).rejects.toThrow(/lazy clone.*varve complete/);
});

withDolt('what cannot be a lazy clone is refused, and nothing stays of it', async () => {
  const url = pathToFileURL(await fileRemote()).href;
  const path = fresh('refused');
  await expect(clone(url, { path }, { lazy: true, depth: 1 })).rejects.toThrow(/leave out either --lazy or --depth/);
  const nothing = pathToFileURL(fresh('nothing')).href;
  await expect(clone(nothing, { path }, { lazy: true })).rejects.toThrow(/no Dolt data/);
  await expect(clone(url, { path }, { lazy: true, branch: 'nope' })).rejects.toThrow(/branch not found/);
  expect(existsSync(join(path, '.dolt'))).toBe(false);
  await (await clone(url, { path }, { lazy: true })).close();
  await expect(clone(url, { path }, { lazy: true })).rejects.toThrow(/has a \.dolt directory already/);
  const server = await VarveServer.start(served(), USER, PASSWORD);
  stops.push(() => server.stop());
  const wrong = { lazy: true, user: USER, credentials: () => ({ user: USER, password: 'wrong' }) };
  await expect(clone(`${server.url}/db`, { path: fresh('refused') }, wrong)).rejects.toThrow(/password/);
});

withDolt('the command line clones lazily, says so, and completes', async () => {
  const url = pathToFileURL(await fileRemote()).href;
  const path = fresh('lazy');
  const [said, errors]: [string[], string[]] = [[], []];
  const output = { out: async (text: string) => void said.push(text), error: (text: string) => void errors.push(text) };
  const run = (...args: string[]) =>
    runCommandLine(args, { open, output, input: process.stdin, useColor: false, environment: {} });
  expect(await run('clone', '--lazy', url, path)).toBe(0);
  expect(await run('fsck', path)).toBe(1);
  expect(said.join('')).toMatch(/No problems found in what is here.*lazy clone.*varve complete/);
  expect(await run('complete', path)).toBe(0);
  expect(said.at(-1)).toBe(`Complete: nothing is read from ${url} any more\n`);
  expect(await run('complete', path)).toBe(0);
  expect(said.at(-1)).toBe('Nothing is lacking\n');
  expect(await run('fsck', path)).toBe(0);
  expect(runDolt(path, home, 'fsck')).toMatch(/no problems/i);
});
