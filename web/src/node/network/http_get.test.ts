import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { nodeFetch, nodeGet } from './http_get.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer);
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('a redirect is followed with the headers of the request, or given as it is', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/old') response.writeHead(302, { Location: '../new' }).end('moved');
    else response.writeHead(206, { 'Content-Range': 'bytes 1-2/9' }).end(request.headers.range);
  });
  const headers = { Range: 'bytes=1-2' };
  const answer = await nodeGet(`${url}old`, { headers });
  expect(answer.status).toBe(206);
  expect(answer.headers['content-range']).toBe('bytes 1-2/9');
  expect(await textOf(answer.body)).toBe('bytes=1-2');
  const first = await nodeGet(`${url}old`, { headers, redirect: 'manual' });
  expect(first.status).toBe(302);
  first.drop();
});

test('redirects without an end are refused', async () => {
  const url = await serve((_, response) => void response.writeHead(307, { Location: '/again' }).end());
  await expect(nodeGet(url)).rejects.toThrow('more than 20 redirects');
});

test('a body that a server compresses unasked is given as it was', async () => {
  let accepted: string | string[] | undefined;
  const url = await serve((request, response) => {
    accepted = request.headers['accept-encoding'];
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('5:__DOLT__:…'));
  });
  expect(await textOf((await nodeGet(url)).body)).toBe('5:__DOLT__:…');
  expect(accepted).toBe('identity');
});

test('a compressed body that is damaged fails, as one that is cut', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/cut') {
      response.writeHead(200, { 'Content-Length': '100' }).write('some');
      setImmediate(() => response.destroy());
    } else response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('x'.repeat(1000)).subarray(0, 20));
  });
  await expect(nodeGet(url).then(({ body }) => textOf(body))).rejects.toThrow();
  await expect(nodeGet(`${url}cut`).then(({ body }) => textOf(body))).rejects.toThrow();
});

test('requests one after the other have one connection, whether their bodies are read or dropped', async () => {
  const url = await serve((_, response) => void response.end('short'));
  let connections = 0;
  server?.on('connection', () => connections++);
  for (let turn = 0; turn < 3; turn++) {
    const read = await nodeFetch(url, {});
    const reader = read.body?.getReader();
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read());
    const dropped = await nodeFetch(url, {});
    await dropped.body?.cancel();
    // The end of the body is read in a turn of its own.
    await new Promise(resolve => setImmediate(resolve));
  }
  expect(connections).toBeLessThanOrEqual(2);
});

test('a signal ends a request that waits and one that reads', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/some') response.writeHead(200).write('some');
  });
  for (const path of ['', 'some']) {
    const giveUp = new AbortController();
    const got = nodeGet(url + path, { signal: giveUp.signal }).then(({ body }) => textOf(body));
    server?.once('request', () => setImmediate(() => giveUp.abort()));
    await expect(got).rejects.toThrow();
  }
});
