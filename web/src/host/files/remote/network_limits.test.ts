/** Servers that send more than they were asked for, nothing, or for ever: typed errors that name the address, and bounded memory. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ThreadNetwork } from '../../../node/network/network.ts';
import { noTraffic } from '../source.ts';
import { type ByteLimit, get, NETWORK_TIMEOUT_MS, wholeLimit } from './http.ts';
import { RemoteDirectory } from './remote.ts';
import { openUrl } from './url_source.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

async function serve(answer: RequestListener): Promise<URL> {
  server = createServer(answer);
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

/** Sends until the client stops reading. */
const endlessly =
  (status: number): RequestListener =>
  (_, response) => {
    const piece = new Uint8Array(64 * 1024).fill(97);
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', more);
    };
    response.writeHead(status);
    more();
  };
const endless = endlessly(200);

const silent: RequestListener = () => {};
const stalled: RequestListener = (_, response) => void response.writeHead(200).write('some');

const CONTEXT = { canSuspend: true, readOnly: false, lockTimeoutMs: 1000, onProgress() {}, onMoved() {} };
const traffic = () => noTraffic();
const PART: ByteLimit = { partBytes: 100, wholeBytes: 1000, isBeginningEnough: true };

test('a manifest without an end is refused while it is read', async () => {
  const base = await serve(endless);
  await expect(openUrl(base.href, null, CONTEXT)).rejects.toThrow(
    /noms\/(oldgen\/)?manifest: the server sends more than the 1,048,576 bytes/,
  );
});

test('a whole file where a part was asked for is read as far as it is needed', async () => {
  const base = await serve(endless);
  const counted = traffic();
  const answer = await get(base.href, 'bytes=900-999', 'immutable', counted, PART);
  expect(answer.bytes.length).toBe(1000);
  expect(counted.bytes).toBeLessThan(1024 * 1024);
});

test('a part that is longer than what was asked for is cut', async () => {
  const base = await serve((_, response) => {
    response.writeHead(206, { 'content-range': 'bytes 0-999/1000' }).end(new Uint8Array(1000));
  });
  const { bytes } = await get(base.href, 'bytes=0-99', 'immutable', traffic(), PART);
  expect(bytes.length).toBe(100);
});

test.each([
  ['does not answer', silent],
  ['stops in the middle', stalled],
])('a server that %s is asked twice, and then told of', async (_, listener) => {
  const base = await serve(listener);
  const counted = traffic();
  const asked = get(base.href, null, 'mutable', counted, wholeLimit(100), { timeoutMs: 60 });
  await expect(asked).rejects.toThrow(`${base.href}: the server sent nothing for 0.06 s`);
  expect(counted.requests).toBe(2);
  expect(NETWORK_TIMEOUT_MS).toBe(30_000);
});

test('a signal ends a request that waits', async () => {
  const base = await serve(silent);
  const controller = new AbortController();
  const counted = traffic();
  const asked = get(base.href, null, 'mutable', counted, wholeLimit(100), { signal: controller.signal });
  controller.abort();
  await expect(asked).rejects.toMatchObject({ name: 'FileFault', kind: 'cancelled' });
  expect(counted.requests).toBe(1);
});

test('the body of an answer that is no file is not read', async () => {
  const base = await serve(endlessly(404));
  const directory = new RemoteDirectory(base, null, traffic());
  expect(await directory.openLater('manifest')).toBeNull();
  expect(directory.traffic.bytes).toBe(0);
});

describe('the network of a thread', () => {
  test.each([
    ['too much', endless, wholeLimit(1000), 'the server sends more than the 1,000 bytes'],
    ['nothing', silent, wholeLimit(1000), 'the server sent nothing for 0.06 s'],
    ['half', stalled, wholeLimit(1000), 'the server sent nothing for 0.06 s'],
  ])('refuses %s', async (_, listener, limit, words) => {
    const base = await serve(listener);
    const network = new ThreadNetwork(60);
    const pending = network.ask(base.href, null, traffic(), limit);
    await expect.poll(() => pending.hasCome(), { interval: 5 }).toBe(true);
    expect(() => pending.wait()).toThrow(`${base.href}: ${words}`);
    network.close();
  });

  test('reads a whole file as far as it is needed', async () => {
    const base = await serve(endless);
    const network = new ThreadNetwork();
    const pending = network.ask(base.href, 'bytes=0-99', traffic(), PART);
    await expect.poll(() => pending.hasCome(), { interval: 5 }).toBe(true);
    expect(pending.wait().bytes.length).toBe(1000);
    network.close();
  });
});
