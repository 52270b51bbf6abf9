/** HTTP handler of data files: ranged downloads and uploads, authorized by sealed addresses. */
import type { Databases } from './databases.ts';
import type { Grant, SealedAddresses } from './sealed_addresses.ts';
import { Refusal } from './served_database.ts';
import type { Request, Response } from './server.ts';

const PIECE_BYTES = 1 << 20;

export async function handleFile(
  request: Request,
  response: Response,
  databases: Databases,
  addresses: SealedAddresses,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
  const grant = addresses.open(pathname, searchParams);
  // One that has ended is answered as native Dolt does.
  if (grant === null) return end(response, 400, 'no address of a file, or one that has ended');
  if (request.method === 'PUT' || request.method === 'POST') return receive(request, response, databases, grant);
  if ((request.method !== 'GET' && request.method !== 'HEAD') || grant.method !== 'GET') return end(response, 405, '');
  const snapshot = await databases.find(grant.database)?.snapshot();
  const file = snapshot?.files.find(({ name }) => name === grant.name);
  if (file === undefined) return end(response, 404, 'the file is no longer listed');
  const range = rangeOf(request.headers.range, file.length);
  const headers = { 'accept-ranges': 'bytes', 'content-type': 'application/octet-stream', 'cache-control': 'private' };
  if (range === null) {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${file.length}` });
    response.end();
    return;
  }
  const { start, end: stop, isPart } = range;
  const place = isPart ? { 'content-range': `bytes ${start}-${stop - 1}/${file.length}` } : {};
  response.writeHead(isPart ? 206 : 200, { ...headers, ...place, 'content-length': stop - start });
  if (request.method === 'HEAD') return void response.end();
  for (let at = start; at < stop && !response.destroyed; at += PIECE_BYTES) {
    const piece = await file.read(at, Math.min(PIECE_BYTES, stop - at));
    if (!response.write(piece)) await drained(response);
  }
  response.end();
}

async function receive(request: Request, response: Response, databases: Databases, grant: Grant): Promise<void> {
  const writes = databases.find(grant.database)?.writes;
  if (grant.method !== 'PUT' || writes === undefined) return end(response, 403, 'nothing is written here');
  const said = request.headers['content-length'];
  if (said !== undefined && Number(said) !== grant.length)
    return end(response, 400, `the file has ${said} bytes, and ${grant.length} were announced`);
  try {
    await writes.receive(grant.name, grant.length, request);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return end(response, 400, error.message);
  }
  end(response, 200, '');
}

/** The bytes that a header asks for; null when the file has none of them. */
function rangeOf(header: string | undefined, length: number) {
  if (header === undefined) return { start: 0, end: length, isPart: false };
  const found = /^bytes=(\d*)-(\d*)$/.exec(header);
  const [, first = '', last = ''] = found ?? [];
  if (found === null || (first === '' && last === '')) return { start: 0, end: length, isPart: false };
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length : Math.min(Number(last) + 1, length);
  return start < end ? { start, end, isPart: true } : null;
}

function drained(response: Response): Promise<void> {
  return new Promise(resolve => {
    const go = (): void => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.on('drain', go);
    response.on('close', go);
  });
}

function end(response: Response, status: number, words: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' });
  response.end(words);
}
