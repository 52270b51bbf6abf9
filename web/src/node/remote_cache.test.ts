import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { scratchDirectory, withEngine } from '../testing/built_engine.ts';
import { randomly } from '../testing/random.ts';
import { cacheFolder } from './disk/disk_cache.ts';
import type { Database, OpenOptions } from './index.ts';

// As it was built: an address is opened in a thread, which cannot be started from TypeScript.
const PACKAGE = '../../../dist/package/node/index.js';
const { open, SqlError, VarveError } = (await import(/* @vite-ignore */ PACKAGE)) as typeof import('./index.ts');

const FIXTURE = 'fixtures/databases/b_archive.tar.gz';
/** More find more: 1,000 take a quarter of an hour. */
const SESSIONS = Number(process.env.VARVE_FAULTS ?? 8);
const scratch = scratchDirectory();
execFileSync('tar', ['-xzf', FIXTURE, '-C', scratch]);

/** Answers instead of the server where it returns true. */
type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A static host of the database. */
class Host {
  readonly asked: string[] = [];
  fault: Fault = () => false;
  /** Passed to each answer's bytes. */
  change: (bytes: Buffer) => Buffer = bytes => bytes;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.asked.push(`${request.url} ${request.headers.range ?? ''}`.trim());
      if (!this.fault(request, response)) this.answer(request, response);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/archive/`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  answer(request: IncomingMessage, response: ServerResponse, change = this.change): void {
    const path = join(scratch, decodeURIComponent(request.url ?? ''));
    if (!existsSync(path)) return void response.writeHead(404).end();
    const bytes = readFileSync(path);
    const etag = `"${bytes.length}-${bytes.at(-1) ?? 0}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
    const found = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
    if (found === null) return void response.writeHead(200, { etag }).end(change(bytes));
    const start = found[1] === '' ? Math.max(0, bytes.length - Number(found[2])) : Number(found[1]);
    const end = found[1] === '' ? bytes.length : Math.min(bytes.length, Number(found[2]) + 1);
    if (start >= end) return void response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    response.writeHead(206, { etag, 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` });
    response.end(change(bytes.subarray(start, end)));
  }
}

let host: Host | null = null;
afterEach(() => {
  host?.stop();
  host = null;
});

/** Serves the database, with a cache that is empty. */
async function serve(): Promise<Host> {
  process.env.XDG_CACHE_HOME = join(scratch, 'cache');
  rmSync(process.env.XDG_CACHE_HOME, { recursive: true, force: true });
  host = await new Host().start();
  return host;
}

/** Everything that the tables have. */
async function contentOf(database: Database): Promise<string> {
  const { rows } = await database.query('SHOW TABLES');
  const contents: unknown[] = [];
  for (const row of rows) {
    const { rowArrays } = await database.query(`SELECT * FROM \`${String(Object.values(row)[0])}\``).then(whole);
    contents.push(rowArrays);
  }
  return JSON.stringify(contents, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

function whole(result: { rowArrays(): unknown[][] }): { rowArrays: unknown[][] } {
  return { rowArrays: result.rowArrays() };
}

async function visit(url: string, options: OpenOptions = {}): Promise<{ content: string; database: Database }> {
  const database = await open(url, { networkTimeoutMs: 2000, ...options });
  try {
    return { content: await contentOf(database), database };
  } finally {
    await database.close();
  }
}

const local = await open(join(scratch, 'archive')).then(async database => {
  const content = await contentOf(database).finally(() => database.close());
  return content;
});

withEngine('a second visit fetches nothing that cannot have changed', async () => {
  const { url, asked } = await serve();
  const first = await visit(url);
  expect(first.content).toBe(local);
  expect(first.database.storage).toMatchObject({ cache: { reason: null }, notRevalidated: null });
  const ofFirst = asked.splice(0);
  expect(ofFirst.some(request => request.includes('.darc bytes='))).toBe(true);
  const second = await open(url);
  expect(await contentOf(second)).toBe(local);
  expect(asked.filter(request => /\/[0-9a-u][0-9a-v]{31}/.test(request))).toEqual([]);
  const { stats } = await second.query('SELECT COUNT(*) FROM dolt_log');
  expect(stats).toMatchObject({ requests: 0, bytesFetched: 0 });
  const { bytesFromCache, cache } = await second.stats();
  expect(bytesFromCache).toBeGreaterThan(50_000);
  expect(cache?.usedBytes).toBeGreaterThan(50_000);
  await second.close();
});

withEngine('no range is fetched twice, and no more bytes than the files have', async () => {
  const { url, asked } = await serve();
  expect((await visit(url)).content).toBe(local);
  const bytes = new Map<string, Set<number>>();
  for (const request of asked) {
    const [path = '', range = ''] = request.split(' ');
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    const seen = bytes.get(path) ?? new Set();
    bytes.set(path, seen);
    for (let at = Number(first ?? 0); at <= Number(last ?? -1); at++) {
      expect(seen.has(at)).toBe(false);
      seen.add(at);
    }
  }
});

withEngine('without a network the database opens as it was read last, and says so', async () => {
  const { url } = await serve();
  await visit(url);
  host?.stop();
  const offline = await visit(url);
  expect(offline.content).toBe(local);
  expect(offline.database.storage.notRevalidated).toContain('could not be fetched');
});

withEngine('what was never read is missed without a network, by its address', async () => {
  const { url } = await serve();
  const database = await open(url);
  await database.close();
  host?.stop();
  await expect(visit(url)).rejects.toThrow(new RegExp(`${url.slice(0, 20)}.*could not be fetched`));
});

withEngine('cache: false reads and keeps nothing', async () => {
  const { url } = await serve();
  const { content, database } = await visit(url, { cache: false });
  expect(content).toBe(local);
  expect(database.storage.cache?.reason).toContain('cache: false');
  expect(existsSync(join(scratch, 'cache'))).toBe(false);
});

withEngine('where nothing can be kept the database works without, and says why', async () => {
  const { url } = await serve();
  writeFileSync(join(scratch, 'cache'), 'a file is in the place of the folder');
  const { content, database } = await visit(url);
  expect(content).toBe(local);
  expect(database.storage.cache?.reason).toMatch(/ENOTDIR|EEXIST/);
});

withEngine('a cache that is cleared while a database is open is missed by nothing', async () => {
  const { url } = await serve();
  const database = await open(url);
  rmSync(join(scratch, 'cache'), { recursive: true });
  expect(await contentOf(database)).toBe(local);
  await database.close();
  expect((await visit(url)).content).toBe(local);
});

withEngine('a statement that would fetch more than it may is stopped', async () => {
  const { url } = await serve();
  const database = await open(url);
  const sql = 'SELECT * FROM dolt_history_loans';
  // That nothing is asked for then is tested in host/files/remote.test.ts: here what opening has announced may still arrive.
  await expect(database.query(sql, [], { maxBytes: 100 })).rejects.toMatchObject({ code: 'max_bytes' });
  const { stats } = await database.query(sql, [], { maxBytes: 1_000_000 });
  expect(stats.bytesFetched).toBeGreaterThan(100);
  // What the cache has costs nothing.
  await database.query(sql, [], { maxBytes: 0 });
  await database.close();
});

withEngine('what statements cost is told of the session and of its last statement', async () => {
  const { url } = await serve();
  const database = await open(url);
  const session = await database.session();
  const costs = async (): Promise<Record<string, number>> => {
    const { rows } = await session.query("SHOW STATUS LIKE 'remote_%'");
    return Object.fromEntries(rows.map(row => [String(row.Variable_name), Number(row.Value)]));
  };
  const { stats } = await session.query('SELECT COUNT(*) FROM dolt_history_loans');
  expect(stats.requests).toBeGreaterThan(0);
  expect(stats.rounds).toBeGreaterThan(0);
  const after = await costs();
  expect(after).toMatchObject({ remote_last_requests: stats.requests, remote_requests: stats.requests });
  expect(after).toMatchObject({ remote_last_rounds: stats.rounds, remote_bytes_network: stats.bytesFetched });
  // The last statement is now the one that asked.
  expect(await costs()).toMatchObject({ remote_last_bytes_network: 0, remote_requests: stats.requests });
  const plan = await session.query('EXPLAIN FORMAT=TREE SELECT * FROM loans');
  expect(plan.rows.map(row => String(row.plan)).join('\n')).toMatch(/reads: about \d+ chunks?, \d+ kB, \d+ request/);
  await database.close();
});

withEngine('what was fetched ahead is there without a network', async () => {
  const { url } = await serve();
  const database = await open(url);
  const seen: number[] = [];
  const { chunks, bytesFetched } = await database.prefetch({ onProgress: progress => seen.push(progress.chunks) });
  expect(chunks).toBe(seen.at(-1));
  expect(bytesFetched).toBeGreaterThan(0);
  await expect(database.prefetch({ tables: ['nowhere'] })).rejects.toMatchObject({ errno: 1146 });
  await expect(database.prefetch({ ref: 'nowhere' })).rejects.toBeInstanceOf(SqlError);
  await expect(database.prefetch({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  await database.prefetch({ history: true });
  await database.prefetch({ history: true, tables: ['loans'], ref: 'main' });
  await database.close();
  host?.stop();
  const offline = await open(url, { networkTimeoutMs: 2000 });
  expect(await contentOf(offline)).toBe(local);
  await offline.query('SELECT * FROM dolt_history_loans');
  await offline.close();
});

withEngine('without a cache nothing is fetched ahead', async () => {
  const { url } = await serve();
  const remote = await open(url, { cache: false });
  await expect(remote.prefetch()).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('cache: false'),
  });
  await remote.close();
  const here = await open(join(scratch, 'archive'));
  await expect(here.prefetch()).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('local') });
  await here.close();
});

withEngine('sessions beside each other share the cache', async () => {
  const { url } = await serve();
  // So small that they replace each other's pages.
  const visits = [1, 2, 3].map(() => visit(url, { cacheBytes: 200_000 }));
  for (const { content } of await Promise.all(visits)) expect(content).toBe(local);
  expect((await visit(url)).content).toBe(local);
});

withEngine('damaged cache files are fetched again', async () => {
  const { url } = await serve();
  await visit(url);
  const path = join(scratch, 'cache/varve/pages-1');
  const random = randomly(5);
  for (let round = 0; round < 4; round++) {
    const bytes = readFileSync(path);
    for (let damage = 0; damage < 40; damage++) bytes[random(bytes.length)] = random(256);
    writeFileSync(path, round % 2 === 0 ? bytes : bytes.subarray(0, random(bytes.length)));
    expect((await visit(url)).content).toBe(local);
  }
});

/** A manifest with another root, or with another file. */
function stale(hasOtherFile: boolean): string {
  const fields = readFileSync(join(scratch, 'archive/.dolt/noms/manifest'), 'utf8').split(':');
  fields[hasOtherFile ? 5 : 3] = 'a'.repeat(32);
  return fields.join(':');
}

/** Lets one answer of `every` go wrong, in a way that the seed says. */
function misbehave(server: Host, seed: number, every: number): void {
  const random = randomly(seed);
  server.change = bytes => {
    if (random(every) > 0 || bytes.length === 0) return bytes;
    const wrong = Buffer.from(bytes);
    const at = random(wrong.length);
    wrong[at] = (wrong[at] as number) ^ (1 << random(8));
    return wrong;
  };
  server.fault = (request, response) => {
    if (random(every) > 0) return false;
    switch (random(7)) {
      case 0:
        response.destroy();
        return true;
      case 4:
        // Late: beyond the timeout, or just so.
        setTimeout(() => server.answer(request, response), random(2) === 0 ? 2500 : random(50));
        return true;
      case 5:
        // The same bytes twice, or a part of them once more.
        server.answer(request, response, bytes => Buffer.concat([bytes, bytes.subarray(0, random(bytes.length + 1))]));
        return true;
      case 6:
        if (!request.url?.endsWith('manifest')) return false;
        // As it was before the last commit: what it names is not there any more.
        response.writeHead(200, { etag: '"before"' }).end(stale(random(2) === 0));
        return true;
      case 1:
        response.writeHead([416, 429, 500, 503][random(4)] as number).end();
        return true;
      case 2:
        // Half an answer.
        response.writeHead(206, { 'content-range': 'bytes 0-999/207269', 'content-length': 1000 });
        response.write(Buffer.alloc(random(1000)));
        setImmediate(() => response.destroy());
        return true;
      default:
        // The right answer to another question.
        request.headers.range = 'bytes=0-99';
        return false;
    }
  };
}

test.skipIf(SESSIONS === 0)(
  'behind a faulty proxy rows are right or there is an error, and the cache heals',
  async () => {
    const server = await serve();
    let failed = 0;
    for (let seed = 1; seed <= SESSIONS; seed++) {
      misbehave(server, seed, 3 + (seed % 9));
      try {
        expect((await visit(server.url)).content).toBe(local);
      } catch (error) {
        if (!(error instanceof VarveError || error instanceof SqlError)) throw error;
        failed++;
      }
      if (seed % 4 !== 0) continue;
      server.fault = () => false;
      server.change = bytes => bytes;
      expect((await visit(server.url)).content).toBe(local);
      if (seed % 8 === 0) rmSync(join(scratch, 'cache'), { recursive: true });
    }
    expect(failed).toBeLessThan(SESSIONS);
  },
  4_000_000,
);

test('the cache lies where the platform has caches', () => {
  expect(cacheFolder('linux', {}, '/home/x')).toBe('/home/x/.cache/varve');
  expect(cacheFolder('linux', { XDG_CACHE_HOME: '/tmp/c' }, '/home/x')).toBe('/tmp/c/varve');
  expect(cacheFolder('linux', { XDG_CACHE_HOME: 'c' }, '/home/x')).toBe('/home/x/.cache/varve');
  expect(cacheFolder('darwin', {}, '/Users/x')).toBe('/Users/x/Library/Caches/varve');
  expect(cacheFolder('win32', { LOCALAPPDATA: 'L' }, 'C:')).toContain('L');
});
