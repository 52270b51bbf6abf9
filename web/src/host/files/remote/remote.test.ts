import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { HostFile } from '../file.ts';
import { noTraffic } from '../source.ts';
import type { BlockingNetwork, HttpAnswer } from './http.ts';
import { LineSpeed } from './line_speed.ts';
import { WINDOW_BYTES_MAX } from './read_ahead.ts';
import { RemoteDirectory } from './remote.ts';
import { REMOTE_PAGE_BYTES } from './remote_file.ts';
import { openUrl } from './url_source.ts';

const CONTEXT = { canSuspend: true, readOnly: false, lockTimeoutMs: 1000, onProgress() {}, onMoved() {} };

interface Serving {
  readonly base: URL;
  readonly asked: string[];
}

type Manner = 'ranges' | 'whole' | 'empty_ok' | 'html_for_absent' | 'unplaced';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

/** A static host of `files`, in one of the manners that are out there. `failures` first answers are 503. */
async function serve(files: Record<string, Uint8Array>, manner: Manner = 'ranges', failures = 0): Promise<Serving> {
  const asked: string[] = [];
  let left = failures;
  server = createServer((request, response) => {
    const { range } = request.headers;
    asked.push(`${request.method} ${request.url} ${range ?? ''}`.trim());
    if (left-- > 0) return response.writeHead(503).end();
    const bytes = files[decodeURIComponent(request.url ?? '').slice(1)];
    if (bytes === undefined) {
      if (manner === 'html_for_absent') return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      return response.writeHead(404).end();
    }
    const found = /^bytes=(\d*)-(\d*)$/.exec(range ?? '');
    if (found === null || manner === 'whole') return response.writeHead(200).end(bytes);
    if (bytes.length === 0) return response.writeHead(416, { 'content-range': 'bytes */0' }).end();
    const start = found[1] === '' ? Math.max(0, bytes.length - Number(found[2])) : Number(found[1]);
    const end = found[1] === '' || found[2] === '' ? bytes.length : Math.min(bytes.length, Number(found[2]) + 1);
    const place = { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` };
    return response.writeHead(206, manner === 'unplaced' ? {} : place).end(bytes.subarray(start, end));
  });
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
  return { base: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), asked };
}

const big = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 8)) & 255);

async function readLater(file: HostFile | null, offset: number, length: number): Promise<Uint8Array> {
  const dest = new Uint8Array(length);
  await file?.readLater?.(offset, length, () => dest);
  return dest;
}

test('the end comes with the first answer, other ranges when they are read', async () => {
  const { base, asked } = await serve({ 'table file': big });
  const traffic = noTraffic();
  const file = await new RemoteDirectory(base, null, traffic).openLater('table file');
  expect(file?.length).toBe(big.length);
  expect(await readLater(file, big.length - 20, 20)).toEqual(big.subarray(-20));
  expect(asked).toEqual(['GET /table%20file bytes=-65536']);
  expect(await readLater(file, 1000, 500)).toEqual(big.subarray(1000, 1500));
  expect(asked[1]).toBe('GET /table%20file bytes=1000-1499');
  expect(traffic).toMatchObject({ requests: 2, bytes: 65536 + 500, cachedBytes: 0 });
});

test('more bytes than a statement may fetch are not asked for', async () => {
  const { base, asked } = await serve({ f: big });
  const traffic = noTraffic();
  const file = await new RemoteDirectory(base, null, traffic).openLater('f');
  traffic.limitBytes = traffic.bytes + 500;
  file?.willNeed?.([{ start: 0, end: 501 }]);
  await expect(readLater(file, 0, 501)).rejects.toThrow('more bytes than the statement may fetch');
  expect(traffic.isOverLimit).toBe(true);
  expect(asked.length).toBe(1);
  expect(await readLater(file, 0, 500)).toEqual(big.subarray(0, 500));
  expect(asked.length).toBe(2);
});

test('a read over a known and an unknown part asks for the unknown one only', async () => {
  const { base, asked } = await serve({ f: big });
  const file = await new RemoteDirectory(base, null, noTraffic()).openLater('f');
  const offset = big.length - 65536 - 100;
  expect(await readLater(file, offset, 200)).toEqual(big.subarray(offset, offset + 200));
  expect(asked[1]).toBe(`GET /f bytes=${offset}-${offset + 99}`);
});

test('announced ranges are fetched side by side, merged, and not again', async () => {
  const { base, asked } = await serve({ f: big });
  const file = await new RemoteDirectory(base, null, noTraffic()).openLater('f');
  file?.willNeed?.([
    { start: 0, end: 100 },
    { start: 200, end: 300 },
    { start: 150_000, end: 150_100 },
  ]);
  expect(await readLater(file, 250, 50)).toEqual(big.subarray(250, 300));
  expect(await readLater(file, 150_000, 100)).toEqual(big.subarray(150_000, 150_100));
  expect(asked.slice(1).sort()).toEqual(['GET /f bytes=0-299', 'GET /f bytes=150000-150099']);
});

test('reading in order asks for more at a time', async () => {
  const { base, asked } = await serve({ f: big });
  const file = await new RemoteDirectory(base, null, noTraffic()).openLater('f');
  for (let offset = 0; offset < 200_000; offset += 10_000) {
    expect(await readLater(file, offset, 10_000)).toEqual(big.subarray(offset, offset + 10_000));
  }
  expect(asked.length).toBeLessThan(10);
});

test('what is absent is null, and asked for once', async () => {
  const { base, asked } = await serve({});
  const directory = new RemoteDirectory(base, null, noTraffic());
  expect(await directory.openLater('oldgen/manifest')).toBeNull();
  expect(await directory.openLater('oldgen/manifest')).toBeNull();
  expect(asked).toHaveLength(1);
});

test("a page where a file should be is the host's way of saying absent", async () => {
  const { base } = await serve({}, 'html_for_absent');
  expect(await new RemoteDirectory(base, null, noTraffic()).openLater('manifest')).toBeNull();
});

test.each(['whole', 'unplaced'] as const)('a host that answers ranges in the manner "%s" works', async manner => {
  const { base } = await serve({ f: big }, manner);
  const file = await new RemoteDirectory(base, null, noTraffic()).openLater('f');
  expect(file?.length).toBe(big.length);
  const dest = new Uint8Array(10);
  file?.read(299_990, dest);
  expect(dest).toEqual(big.subarray(299_990));
});

test('an empty file has no bytes and is there', async () => {
  const { base } = await serve({ 'journal.idx': new Uint8Array() });
  expect((await new RemoteDirectory(base, null, noTraffic()).openLater('journal.idx'))?.length).toBe(0);
});

test('a passing failure is tried again', async () => {
  const { base, asked } = await serve({ f: big }, 'ranges', 1);
  const file = await new RemoteDirectory(base, null, noTraffic()).openLater('f');
  expect(file?.length).toBe(big.length);
  expect(asked).toHaveLength(2);
});

test('a host that cannot be reached is a fault that names the address', async () => {
  const { base } = await serve({});
  server?.close();
  server?.closeAllConnections();
  const directory = new RemoteDirectory(base, null, noTraffic());
  // A page is not told why; Node is, and no other site's rules matter to it.
  await expect(directory.openLater('manifest')).rejects.toThrow(
    new RegExp(`^${base.href}manifest could not be fetched: .*ECONNREFUSED[^()]*$`),
  );
});

test('a waiting read ends when it is interrupted', async () => {
  const { base } = await serve({ f: big });
  const directory = new RemoteDirectory(base, null, noTraffic());
  const file = await directory.openLater('f');
  const reading = readLater(file, 0, 100);
  directory.interrupt();
  await expect(reading).rejects.toMatchObject({ kind: 'cancelled' });
  expect(await readLater(file, 0, 100)).toEqual(big.subarray(0, 100));
});

/** A network that blocks and sends at most 60,000 bytes at a time. `asked` has what was asked, `waited` what was waited for. */
function blockingNetwork(isParallel: boolean) {
  const asked: string[] = [];
  const waited: string[] = [];
  const network: BlockingNetwork = {
    isParallel,
    ask: (_, range) => {
      asked.push(String(range));
      const wait = () => {
        waited.push(String(range));
        return answerOf(String(range));
      };
      return { hasCome: () => false, wait };
    },
    close: () => {},
  };
  const answerOf = (range: string): HttpAnswer => {
    const [, first = '', last = ''] = /bytes=(\d*)-(\d+)/.exec(range) ?? [];
    const start = first === '' ? big.length - Number(last) : Number(first);
    const end = first === '' ? big.length : Math.min(Number(last) + 1, start + 60_000);
    const place = `bytes ${start}-${end - 1}/${big.length}`;
    return { status: 206, header: name => (name === 'content-range' ? place : null), bytes: big.slice(start, end) };
  };
  const directory = new RemoteDirectory(new URL('http://host/'), network, noTraffic());
  expect(directory.suspends).toBe(false);
  return { file: directory.open('f'), asked, waited };
}

test('a blocking network that works in the background is asked at once', () => {
  const { file, asked, waited } = blockingNetwork(true);
  file?.willNeed?.([{ start: 200_000, end: 200_100 }]);
  expect(asked).toEqual(['bytes=-65536', 'bytes=200000-200099']);
  const dest = new Uint8Array(100_000);
  file?.read(0, dest);
  expect(dest).toEqual(big.subarray(0, 100_000));
  // The host sends at most 60,000 bytes at a time, so the rest is asked for again.
  expect(asked.slice(2)).toEqual(['bytes=0-99999', 'bytes=60000-99999']);
  file?.read(200_000, dest.subarray(0, 100));
  expect(dest.subarray(0, 100)).toEqual(big.subarray(200_000, 200_100));
  expect(asked).toHaveLength(4);
  expect(waited.at(-1)).toBe('bytes=200000-200099');
});

test('another blocking network is asked for what is near, with what is read', () => {
  const { file, asked } = blockingNetwork(false);
  file?.willNeed?.([
    { start: 1000, end: 1100 },
    { start: 200_000, end: 200_100 },
  ]);
  const dest = new Uint8Array(100);
  file?.read(0, dest);
  expect(dest).toEqual(big.subarray(0, 100));
  expect(asked).toEqual(['bytes=-65536', 'bytes=0-1099']);
});

describe('a large file', () => {
  const PAGE_BYTES = 64 * 1024;
  const large = new Uint8Array(24 * 1024 * 1024).map((_, index) => (index >> 16) ^ index);
  const pages = Array.from({ length: large.length / PAGE_BYTES }, (_, index) => index);

  /** A line whose speed is not known, unless there is a clock. */
  async function readPages(order: readonly number[], clock = () => 0) {
    const { base, asked } = await serve({ f: large });
    const traffic = noTraffic();
    const file = await new RemoteDirectory(base, null, traffic, {}, null, new LineSpeed(clock)).openLater('f');
    for (const page of order) {
      const bytes = await readLater(file, page * PAGE_BYTES, PAGE_BYTES);
      expect(Buffer.compare(bytes, large.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES))).toBe(0);
    }
    return { asked: asked.length, bytes: traffic.bytes };
  }

  test('read from front to back is a few large requests, and no byte comes twice', async () => {
    const { asked, bytes } = await readPages(pages);
    expect(asked).toBeLessThan(40);
    expect(bytes).toBe(large.length);
  });

  test('read at two places by turns is as few', async () => {
    const half = pages.length / 2;
    const { asked, bytes } = await readPages(pages.slice(0, half).flatMap(page => [page, page + half]));
    expect(asked).toBeLessThan(50);
    // The first reader looks beyond where the second began.
    expect(bytes).toBeLessThanOrEqual(large.length + WINDOW_BYTES_MAX);
  });

  test('read with a look at its end now and then is as few', async () => {
    const last = pages.length - 1;
    const { asked } = await readPages(pages.flatMap(page => (page % 20 === 0 ? [page, last - page / 20] : [page])));
    expect(asked).toBeLessThan(70);
  });

  test('read here and there asks for what is read', async () => {
    const { asked, bytes } = await readPages([7, 200, 3, 90, 300, 150]);
    expect(asked).toBe(7);
    expect(bytes).toBe(7 * PAGE_BYTES);
  });

  test('of which every eighth page is read in order is not fetched as a whole', async () => {
    const { bytes } = await readPages(pages.filter(page => page % 8 === 0));
    // Twice what was read, and 16 MiB.
    expect(bytes).toBeLessThan(large.length / 4 + 16 * 1024 * 1024 + 8 * REMOTE_PAGE_BYTES);
  });

  test('comes as a whole where the line brings the rest in a few round trips, and no byte twice', async () => {
    let now = 0;
    const ticking = () => now++;
    const { asked, bytes } = await readPages(
      pages.filter(page => page % 4 === 0),
      ticking,
    );
    expect(bytes).toBe(large.length);
    expect(asked).toBeLessThan(60);
    now = 0;
    expect((await readPages(pages.slice(0, 10), ticking)).bytes).toBeLessThan(40 * PAGE_BYTES);
  });

  test('of which the beginning is read is not fetched as a whole', async () => {
    const { bytes } = await readPages(pages.slice(0, 10));
    expect(bytes).toBeLessThan(40 * PAGE_BYTES);
  });
});

test('a database directory, its .dolt, and a remote are all found at their address', async () => {
  const { base } = await serve({ 'my shop/.dolt/noms/manifest': big, 'remote/manifest': big });
  const open = (path: string) => openUrl(new URL(path, base).href, null, CONTEXT);
  for (const path of ['my%20shop', 'my%20shop/', 'my%20shop/.dolt', 'my%20shop/.dolt/noms/']) {
    const { databases, storage } = await open(path);
    expect(databases.map(({ name }) => name)).toEqual(['my shop']);
    expect(storage).toMatchObject({ kind: 'url', remote: true });
  }
  expect((await open('remote')).databases[0]?.name).toBe('remote');
  await expect(open('elsewhere')).rejects.toMatchObject({ failure: { code: 'not_a_database' } });
});

test('opening fetches what the manifests list in rounds, and the engine then asks for nothing', async () => {
  const id = (letter: string) => letter.repeat(32);
  const manifest = (...ids: string[]) =>
    new TextEncoder().encode(`5:__DOLT__:${id('a')}:${id('b')}:${id('0')}${ids.map(name => `:${name}:7`).join('')}`);
  const { base, asked } = await serve({
    '.dolt/noms/manifest': manifest(id('v'), id('c'), id('d')),
    [`.dolt/noms/${id('v')}`]: big,
    '.dolt/noms/journal.idx': new Uint8Array(),
    [`.dolt/noms/${id('c')}`]: big,
    [`.dolt/noms/${id('d')}.darc`]: big,
    '.dolt/noms/oldgen/manifest': manifest(id('e')),
    [`.dolt/noms/oldgen/${id('e')}.darc`]: big,
    '.dolt/repo_state.json': new Uint8Array([123, 125]),
  });
  const { databases } = await openUrl(base.href, null, CONTEXT);
  const directory = databases[0]?.directory;
  const count = asked.length;
  const paths = [
    id('v'),
    'journal.idx',
    id('c'),
    id('d'),
    `${id('d')}.darc`,
    'oldgen/manifest',
    `oldgen/${id('e')}.darc`,
  ];
  const found = await Promise.all(paths.map(path => directory?.openLater?.(`.dolt/noms/${path}`)));
  expect(found.map(file => file?.length ?? null)).toEqual([
    big.length,
    0,
    big.length,
    null,
    big.length,
    manifest(id('e')).length,
    big.length,
  ]);
  expect(await readLater(found[2] ?? null, big.length - 100, 100)).toEqual(big.subarray(-100));
  expect(asked).toHaveLength(count);
});
