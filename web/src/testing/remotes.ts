/** Remotes without an engine, and the server of Varve. */
import { type ChildProcess, spawn } from 'node:child_process';
import { MemoryScratchStore, Scratch } from '../host/files/scratch.ts';
import { noTraffic } from '../host/files/source.ts';
import type { Credentials, OpenedRemote, RemoteContext } from '../host/remotes/remote_types.ts';
import { ThreadNetwork } from '../node/network.ts';

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
