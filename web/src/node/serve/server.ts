/** `varve serve`: Dolt's remotesapi by gRPC, gRPC-web and Connect on one port with the files, by HTTP/1.1 and HTTP/2. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer as createHttp1, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createServer as createHttp2,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { Code, ConnectError, cors, createContextValues, type Interceptor } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { ChunkStoreService } from '../../host/remotes/remotesapi_pb.ts';
import { chunkStoreService, ORIGIN } from './chunk_store_service.ts';
import type { Databases } from './databases.ts';
import { handleFile } from './file_handler.ts';
import { SealedAddresses } from './sealed_addresses.ts';

export type Request = IncomingMessage | Http2ServerRequest;
export type Response = (ServerResponse | Http2ServerResponse) & {
  writeHead(status: number, headers?: Record<string, string | number>): unknown;
  write(bytes: Uint8Array): boolean;
  end(words?: string): unknown;
};

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** Whose password every call has to have; null where anybody may read. */
  readonly user: { readonly name: string; readonly password: string } | null;
  /** Origins of pages that may call: `https://example.com`. */
  readonly origins: readonly string[];
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Of a message: Dolt's largest, 16,384 hashes, has 360 kB. */
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
/** Of one file: Dolt cuts them at about 1 GiB. */
const UPLOAD_BYTES_MAX = 8 * 1024 ** 3;
const CONNECTIONS_MAX = 1000;
const HEADERS_MS = 30_000;
/** A connection on which nothing happens for so long is closed. */
const SILENCE_MS = 120_000;
/** Of an upload as well. */
const REQUEST_MS = 3600_000;
/** What a client of HTTP/2 says first. */
const HTTP2_PREFACE = 'PRI';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;

export async function serve(databases: Databases, options: ServeOptions): Promise<RunningServer> {
  const addresses = new SealedAddresses();
  const scheme = options.tls === null ? 'http' : 'https';
  const isLoopback = LOOPBACK.test(options.host.includes(':') ? `[${options.host}]` : options.host);
  const rpc = connectNodeAdapter({
    routes: router => router.service(ChunkStoreService, chunkStoreService(databases, addresses, UPLOAD_BYTES_MAX)),
    readMaxBytes: MESSAGE_BYTES_MAX,
    interceptors: options.user === null ? [] : [onlyFor(options.user)],
    contextValues: request => createContextValues().set(ORIGIN, `${scheme}://${hostOf(request)}`),
    fallback: (request, response) => void answerFile(request, response as Response),
  });
  const answerFile = async (request: Request, response: Response): Promise<void> => {
    try {
      await handleFile(request, response, databases, addresses);
    } catch {
      // The client hears that its answer broke off.
      if (response.headersSent) response.destroy();
      else answerEmpty(response, 500);
    }
  };
  const handle = (request: Request, response: Response): void => {
    // A page whose host's name was made to lead here is not one that names this machine.
    const isMisled = isLoopback && !LOOPBACK.test(hostOf(request));
    const { origin } = request.headers;
    if (origin !== undefined && options.origins.includes(origin)) allow(response, origin);
    else if (origin !== undefined || isMisled) {
      answerEmpty(response, 403);
      return;
    }
    if (request.method === 'OPTIONS') answerEmpty(response, 204);
    else rpc(request as IncomingMessage, response as ServerResponse);
  };
  const server = options.tls === null ? plainServer(handle) : secureServer(handle, options.tls);
  server.maxConnections = CONNECTIONS_MAX;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise(resolve => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      await databases.close();
    },
  };
}

type Handle = (request: Request, response: Response) => void;

/** HTTP/1.1 and HTTP/2 on one port: the first bytes tell which. */
function plainServer(handle: Handle): Server {
  const http1 = createHttp1({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS }, handle as never);
  const http2 = createHttp2(handle as never);
  return createTcp(socket => {
    socket.once('data', first => {
      socket.pause();
      const isHttp2 = first.toString('latin1', 0, HTTP2_PREFACE.length) === HTTP2_PREFACE;
      socket.unshift(first);
      (isHttp2 ? http2 : http1).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
}

function secureServer(handle: Handle, tls: { readonly cert: string; readonly key: string }): Server {
  return createSecureServer({ ...tls, allowHTTP1: true }, handle as never) as unknown as Server;
}

/** Calls by one user. Which part of name and password is wrong is not told, not even by the time that it takes. */
function onlyFor({ name, password }: { readonly name: string; readonly password: string }): Interceptor {
  const wanted = digest(`${name}:${password}`);
  return next => async request => {
    const [, basic = ''] = /^Basic (\S+)$/i.exec(request.header.get('authorization') ?? '') ?? [];
    // Dolt writes it with the letters of URLs, which are read as well.
    if (!timingSafeEqual(digest(Buffer.from(basic, 'base64')), wanted)) {
      throw new ConnectError('access denied: the user or the password is wrong, or missing', Code.Unauthenticated);
    }
    return next(request);
  };
}

function digest(text: string | Buffer): Buffer {
  return createHash('sha256').update(text).digest();
}

function hostOf(request: { readonly headers: Request['headers'] }): string {
  return String(request.headers[':authority'] ?? request.headers.host ?? '');
}

const METHODS = [...cors.allowedMethods, 'PUT', 'HEAD'].join(', ');
const ALLOWED = [...cors.allowedHeaders, 'authorization', 'range'].join(', ');
const EXPOSED = [...cors.exposedHeaders, 'content-range', 'content-length'].join(', ');

function allow(response: Response, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'origin');
  response.setHeader('access-control-allow-methods', METHODS);
  response.setHeader('access-control-allow-headers', ALLOWED);
  response.setHeader('access-control-expose-headers', EXPOSED);
  response.setHeader('access-control-max-age', '7200');
}

function answerEmpty(response: Response, status: number): void {
  response.writeHead(status);
  response.end();
}
