// A static file server with correct types and byte ranges: serves the built console, and stands for a static web host in tests.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/**
 * What a page cannot say of itself: the rest of its policy is in index.html. Other sites cannot put the console into a frame and have
 * a person click in it.
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy': "frame-ancestors 'self'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/**
 * @typedef {object} ServerOptions
 * @property {string} directory what is served
 * @property {number} [port] 0, the default, takes any free one
 * @property {boolean} [ranges] whether `Range` is honoured, as nearly every host does; default true
 * @property {boolean} [cors] whether pages of other origins may read; default false
 * @property {number} [delayMs] waited before every answer, for the round trip of a distant host
 * @property {Record<string, string>} [headers] sent with every answer
 * @property {Record<string, string>} [also] files that lie in no directory, by path (`/page.html`)
 * @property {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => unknown} [onRequest] told of every request; a promise that it
 *   gives is waited for before the answer
 */

/**
 * @typedef {object} RunningServer
 * @property {string} url with a slash at its end
 * @property {() => Promise<void>} close
 */

/**
 * Starts serving on the loopback interface.
 *
 * @param {ServerOptions} options
 * @returns {Promise<RunningServer>}
 */
export function serve(options) {
  const root = resolve(options.directory);
  const server = createServer((request, response) => {
    void Promise.resolve(options.onRequest?.(request, response)).then(() =>
      setTimeout(() => answer(root, options, request, response), options.delayMs ?? 0),
    );
  });
  return new Promise((started, failed) => {
    server.once('error', failed);
    server.listen(options.port ?? 0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      started({
        url: `http://127.0.0.1:${port}/`,
        close: () =>
          new Promise(closed => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

/**
 * @param {string} root
 * @param {ServerOptions} options
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function answer(root, options, request, response) {
  for (const [name, value] of Object.entries(options.headers ?? {})) response.setHeader(name, value);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  for (const [name, value] of Object.entries(PAGE_HEADERS))
    if (!response.hasHeader(name)) response.setHeader(name, value);
  if (options.cors === true) {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', 'Range');
    response.setHeader('Access-Control-Expose-Headers', 'Content-Range, Content-Length, ETag');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    return;
  }
  const also = options.also?.[request.url ?? '/'];
  if (also !== undefined) {
    response.writeHead(200, { 'Content-Type': TYPES[extname(request.url ?? '')] ?? 'text/plain' }).end(also);
    return;
  }
  const found = findFile(root, request.url ?? '/');
  if (found === undefined) {
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('not found\n');
    return;
  }
  const { path, sizeBytes, modifiedMs } = found;
  response.setHeader('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
  response.setHeader('ETag', `"${sizeBytes.toString(36)}-${Math.round(modifiedMs).toString(36)}"`);
  response.setHeader('Cache-Control', 'no-cache');
  const wantsRanges = options.ranges !== false;
  if (wantsRanges) response.setHeader('Accept-Ranges', 'bytes');
  if (request.headers['if-none-match'] === response.getHeader('ETag')) {
    response.writeHead(304).end();
    return;
  }
  const range = wantsRanges ? readRange(request.headers.range, sizeBytes) : undefined;
  if (range === 'outside') {
    response.writeHead(416, { 'Content-Range': `bytes */${sizeBytes}` }).end();
    return;
  }
  const start = range?.start ?? 0;
  const end = range?.end ?? sizeBytes;
  if (range !== undefined) response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${sizeBytes}`);
  response.writeHead(range === undefined ? 200 : 206, { 'Content-Length': end - start });
  if (request.method === 'HEAD' || end === start) {
    response.end();
    return;
  }
  createReadStream(path, { start, end: end - 1 })
    .on('error', () => response.destroy())
    .pipe(response);
}

/**
 * @param {string} root
 * @param {string} url
 * @returns {{ path: string, sizeBytes: number, modifiedMs: number } | undefined}
 */
function findFile(root, url) {
  try {
    const name = decodeURIComponent(url.split(/[?#]/)[0] ?? '/');
    const path = join(root, name.endsWith('/') ? `${name}index.html` : name);
    if (path !== root && !path.startsWith(root + sep)) return undefined;
    const status = statSync(path);
    return status.isFile() ? { path, sizeBytes: status.size, modifiedMs: status.mtimeMs } : undefined;
  } catch {
    return undefined; // No such file, or a name that is no text.
  }
}

/**
 * Reads a header of one range; several ranges are answered with the whole file, which HTTP allows.
 *
 * @param {string | undefined} header
 * @param {number} sizeBytes
 * @returns {{ start: number, end: number } | 'outside' | undefined} `end` is exclusive
 */
function readRange(header, sizeBytes) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') return { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes };
  const start = Number(first);
  const end = last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  return start < sizeBytes && start < end ? { start, end } : 'outside';
}
