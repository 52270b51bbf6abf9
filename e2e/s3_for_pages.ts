// A bucket as pages see one: a server of S3 behind the answers of CORS, which looks at signatures as well (moto does neither).
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsClient } from 'aws4fetch';
import { copyObjects, S3_KEYS, S3Server } from '../web/src/testing/s3_server.ts';

export interface PageBucket {
  /** `s3://…`, through the proxy. */
  readonly url: string;
  /** Copies the objects into a new directory, and gives its URL. */
  copyTo(directory: string): Promise<string>;
  stop(): Promise<void>;
}

const BUCKET = 'orchard';

/** What a bucket's rules of CORS say for a page (docs/package.md). */
const CORS = {
  'access-control-allow-methods': 'GET, PUT, POST, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, if-match, if-none-match, range, x-amz-content-sha256, x-amz-date',
  'access-control-expose-headers': 'ETag, Content-Range, Content-Length',
};

/**
 * Starts a server with an empty bucket that one origin may use.
 *
 * @returns null, with words, where no server is installed.
 */
export async function startPageBucket(origin: string): Promise<PageBucket | null> {
  const server = await S3Server.start('moto');
  if (server === null) return null;
  const direct = await server.bucket(BUCKET);
  const proxy = createServer((request, response) => void answer(request, response, new URL(server.endpoint), origin));
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: direct.replace(server.endpoint, endpoint),
    copyTo: directory => copyObjects(server, BUCKET, directory),
    async stop() {
      proxy.close();
      proxy.closeAllConnections();
      await server.stop();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, server: URL, origin: string): Promise<void> {
  const cors = { ...CORS, 'access-control-allow-origin': origin };
  if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end();
  if (!(await isSigned(request))) {
    const code = '<Error><Code>SignatureDoesNotMatch</Code><Message>The signature does not match.</Message></Error>';
    request.resume();
    return void response.writeHead(403, { ...cors, 'content-type': 'application/xml' }).end(code);
  }
  const { method, url, headers } = request;
  const { origin: _origin, ...others } = headers;
  const forwarded = forward({ host: server.hostname, port: server.port, method, path: url, headers: others }, found => {
    response.writeHead(found.statusCode ?? 500, { ...found.headers, ...cors });
    found.pipe(response);
  });
  request.pipe(forwarded);
}

/** Whether a request has the signature that the keys of the bucket give it. */
async function isSigned({ method = '', url = '', headers }: IncomingMessage): Promise<boolean> {
  const address = new URL(url, `http://${headers.host}`);
  const inAddress = address.searchParams.get('X-Amz-Signature');
  const signature = inAddress ?? /Signature=([0-9a-f]+)/.exec(headers.authorization ?? '')?.[1];
  const datetime = inAddress === null ? String(headers['x-amz-date']) : (address.searchParams.get('X-Amz-Date') ?? '');
  address.searchParams.delete('X-Amz-Signature');
  const listed =
    address.searchParams.get('X-Amz-SignedHeaders') ?? /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1];
  const signed = (listed ?? '').split(';').filter(name => name !== 'host' && name !== 'x-amz-date');
  const client = new AwsClient({ ...S3_KEYS, service: 's3', region: 'us-east-1' });
  const again = await client.sign(address.href, {
    method,
    headers: Object.fromEntries(signed.map(name => [name, String(headers[name])])),
    aws: { datetime, signQuery: inAddress !== null, allHeaders: true },
  });
  const expected =
    new URL(again.url).searchParams.get('X-Amz-Signature') ??
    /Signature=([0-9a-f]+)/.exec(again.headers.get('authorization') ?? '')?.[1];
  return signature !== undefined && signature === expected;
}
