import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MemoryScratchStore, Scratch } from '../host/files/scratch.ts';
import { noTraffic } from '../host/files/source.ts';
import type { Credentials, OpenedRemote, RemoteContext } from '../host/remotes/remote_types.ts';
import { ThreadNetwork } from '../node/network.ts';

/** Native Dolt; null where it is missing. */
export const dolt = process.env.VARVE_DOLT || null;

/** What a host lends to a transport, without a cache. */
export function remoteContext(credentials: Credentials | null = null): RemoteContext {
  const scratch = new Scratch(new MemoryScratchStore());
  return {
    canSuspend: false,
    network: () => new ThreadNetwork(),
    traffic: noTraffic(),
    options: {},
    openCache: null,
    cacheBytes: undefined,
    scratch: () => scratch.open(),
    lockTimeoutMs: 10_000,
    credentials: async () => credentials,
  };
}

/** Does what waits for the host, as the scheduler does: prepares, and makes the call again. */
export async function settled<T>(remote: OpenedRemote, call: () => T): Promise<T> {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if ((error as { kind?: string }).kind !== 'wait') throw error;
      await remote.directory.writes?.prepare();
    }
  }
}

export async function taken(remote: OpenedRemote): Promise<void> {
  while (!remote.directory.writes?.take()) await remote.directory.writes?.prepare();
}

/** A database that native Dolt made: a table, some commits, a tag. */
export function makeDatabase(folder: string, name: string, home: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  const run = (...args: string[]): void => void runDolt(path, home, ...args);
  run('init', '-b', 'main');
  run('sql', '-q', "CREATE TABLE t (id INT PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'one'), (2, 'two')");
  run('add', '-A');
  run('commit', '-m', 'rows');
  run('tag', 'v1');
  return path;
}

/** Without the process that sends metrics: it writes into the home directory after a command has ended. */
function environmentOf(home: string): NodeJS.ProcessEnv {
  return { ...process.env, DOLT_ROOT_PATH: home, HOME: home, NO_COLOR: '1', DOLT_DISABLE_EVENT_FLUSH: 'true' };
}

export function runDolt(cwd: string, home: string, ...args: string[]): string {
  const env = environmentOf(home);
  return execFileSync(dolt as string, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The same while this process goes on, which may be the server that it calls. */
export async function runDoltLater(cwd: string, home: string, password: string, ...args: string[]): Promise<string> {
  const env = { ...environmentOf(home), DOLT_REMOTE_PASSWORD: password };
  const { stdout } = await promisify(execFile)(dolt as string, args, { cwd, env });
  return stdout;
}

/** A home directory of native Dolt, with an author. */
export function doltHome(folder: string): string {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  runDolt(home, home, 'config', '--global', '--add', 'user.name', 'tester');
  runDolt(home, home, 'config', '--global', '--add', 'user.email', 'tester@example.com');
  return home;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** A native `sql-server` over the databases of a folder, with its remotesapi. */
export class SqlServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  static async start(folder: string, home: string): Promise<SqlServer> {
    const [port, remotes] = [await freePort(), await freePort()];
    const args = ['sql-server', '-H', '127.0.0.1', '-P', String(port), '--remotesapi-port', String(remotes)];
    const env = environmentOf(home);
    const child = spawn(dolt as string, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      let said = '';
      const onData = (data: Buffer): void => {
        said += data.toString();
        if (said.includes('Server ready')) resolve();
      };
      child.stdout.on('data', onData);
      child.stderr.on('data', onData);
      child.on('exit', code => reject(new Error(`sql-server ended with ${code}: ${said}`)));
    });
    return new SqlServer(`http://127.0.0.1:${remotes}`, child);
  }

  async stop(): Promise<void> {
    const ended = new Promise(resolve => this.#process.once('exit', resolve));
    this.#process.removeAllListeners('exit');
    this.#process.once('exit', () => {});
    const gone = new Promise(resolve => this.#process.once('exit', resolve));
    this.#process.kill();
    await Promise.race([ended, gone]);
  }
}

/** `varve serve` over the databases of a folder, as it was built: a process of its own, for an engine blocks its thread while it reads. */
export class VarveServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  static async start(folder: string, user: string, password: string): Promise<VarveServer> {
    const args = ['bin/varve.js', 'serve', folder, '--port', '0', '--writable', '--user', user];
    const env = { ...process.env, VARVE_SERVE_PASSWORD: password };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (data: Buffer) => resolve(/Serving (\S+)/.exec(data.toString())?.[1] ?? ''));
      child.once('exit', code => reject(new Error(`varve serve ended with ${code}`)));
    });
    return new VarveServer(url, child);
  }

  stop(): Promise<void> {
    const ended = new Promise<void>(resolve => this.#process.once('exit', () => resolve()));
    this.#process.kill();
    return ended;
  }
}
