/** Native Dolt beside the tests: databases that it makes, its commands, its server. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Native Dolt; null where it is missing. */
export const dolt = process.env.VARVE_DOLT || null;

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

  stop(): Promise<void> {
    const ended = new Promise<void>(resolve => this.#process.once('exit', () => resolve()));
    this.#process.kill();
    return ended;
  }
}
