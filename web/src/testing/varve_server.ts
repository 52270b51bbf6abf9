import { type ChildProcess, spawn } from 'node:child_process';

/** `varve serve` as it was built: a process of its own, for an engine blocks its thread while it reads. */
export class VarveServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  /**
   * @param source a folder of databases, or a remote
   * @param origin of pages that may call
   */
  static async start(source: string, user: string, password: string, origin?: string): Promise<VarveServer> {
    const pages = origin === undefined ? [] : ['--origin', origin];
    const args = ['bin/varve.js', 'serve', source, '--port', '0', '--writable', '--user', user, ...pages];
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
