/** `varve serve`: options of the server. */
import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { noTraffic } from '../../host/files/source.ts';
import type { RemoteContext } from '../../host/remotes/remote_types.ts';
import { scratch } from '../core.ts';
import { openDiskCache } from '../disk/disk_cache.ts';
import { environmentCredentials } from '../remotes/environment_credentials.ts';
import { openNodeRemote } from '../remotes/node_remotes.ts';
import { type Databases, LocalDatabases, UpstreamDatabases } from '../serve/databases.ts';
import { type RunningServer, type ServeOptions, serve } from '../serve/server.ts';
import { type Output, UsageError } from './output.ts';

/** Native Dolt's default is 8000. */
const PORT = 50051;
const LOOPBACK = '127.0.0.1';
const PASSWORD = 'VARVE_SERVE_PASSWORD';
/** A pusher waits so long for the lock of an upstream that has one. */
const LOCK_WAIT_MS = 10_000;

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  writable: { type: 'boolean' },
  user: { type: 'string' },
  'upstream-user': { type: 'string' },
  origin: { type: 'string', multiple: true },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Serves a directory, or a remote elsewhere, until `until` resolves. */
export async function serveCommand(
  args: readonly string[],
  output: Output,
  environment: Environment,
  until: Promise<void> = untilStopped(),
): Promise<number> {
  const server = await startServing(args, output, environment);
  await until;
  await server.close();
  return 0;
}

async function startServing(args: readonly string[], output: Output, environment: Environment): Promise<RunningServer> {
  const { values, positionals } = parsed(args);
  const [source = '.', ...more] = positionals;
  if (more.length > 0) throw new UsageError('serve takes one directory or remote');
  const isRemote = /^[a-z][a-z0-9+.-]+:\/\//i.test(source);
  const writable = values.writable === true;
  if (writable && values.user === undefined) throw new UsageError('--writable needs --user NAME: who may write');
  if (values['upstream-user'] !== undefined && !isRemote)
    throw new UsageError('--upstream-user is of a remote elsewhere');
  const options: ServeOptions = {
    host: values.host ?? LOOPBACK,
    port: portOf(values.port),
    user: userOf(values.user, environment),
    origins: (values.origin ?? []).map(originOf),
    tls: tlsOf(values['tls-cert'], values['tls-key']),
  };
  const databases = isRemote
    ? upstream(source, values['upstream-user'], writable, environment)
    : new LocalDatabases(directoryOf(source), writable);
  const server = await serve(databases, options);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const url = `${options.tls === null ? 'http' : 'https'}://${host}:${server.port}`;
  const what = databases instanceof LocalDatabases ? databases.names() : [nameOf(source)];
  const access = `${writable ? 'read and write' : 'read-only'}, ${options.user === null ? 'for anybody who can reach it' : `for ${options.user.name}`}`;
  await output.out(
    `Serving ${url} (${access})\n${what.map(name => `  ${url}/${encodeURIComponent(name)}\n`).join('')}`,
  );
  return server;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** In front of a remote: its pages stay in the user's cache. No credentials of clients are forwarded. */
function upstream(url: string, user: string | undefined, writable: boolean, environment: Environment): Databases {
  const context: RemoteContext = {
    canSuspend: true,
    network() {
      throw new Error('reads are asynchronous here');
    },
    traffic: noTraffic(),
    options: {},
    openCache: openDiskCache,
    cacheBytes: undefined,
    scratch: () => scratch.open(),
    lockTimeoutMs: LOCK_WAIT_MS,
    credentials: request => environmentCredentials(request, environment),
  };
  const request = { url, user: user ?? null, create: writable };
  return new UpstreamDatabases(nameOf(url), () => openNodeRemote(request, context), writable);
}

/** What clients call a remote elsewhere: the last part of its path. */
function nameOf(url: string): string {
  const parts = new URL(url).pathname.split('/').filter(part => part !== '');
  return decodeURIComponent(parts.at(-1) ?? 'db');
}

function directoryOf(source: string): string {
  if (!statSync(source, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${source} is no directory`);
  return source;
}

function portOf(word: string | undefined): number {
  const port = Number(word ?? PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`${word} is no port`);
  return port;
}

function userOf(name: string | undefined, environment: Environment): ServeOptions['user'] {
  if (name === undefined) return null;
  const password = environment[PASSWORD];
  if (!password)
    throw new UsageError(`--user takes the password from ${PASSWORD} in the environment, which is not set`);
  return { name, password };
}

function originOf(word: string): string {
  if (URL.canParse(word) && new URL(word).origin === word) return word;
  throw new UsageError(`${word} is no origin: give scheme and host of a page, as https://example.com`);
}

function tlsOf(cert: string | undefined, key: string | undefined): ServeOptions['tls'] {
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined) throw new UsageError('--tls-cert and --tls-key go together');
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

function untilStopped(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
