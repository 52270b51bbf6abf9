import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { freePort } from './remotes.ts';

/** Where the server is put, as native Dolt is, by `npm test` or by the first test that wants it. */
const FOLDER = '.cache/moto';
const PACKAGE = 'moto[s3,server]==5.2.5';

export const S3_KEYS = { accessKeyId: 'varve', secretAccessKey: 'a secret' };

/** A server that speaks S3 (moto, from PyPI), with conditional writes. */
export class S3Server {
  readonly endpoint: string;
  readonly #process: ChildProcess;

  private constructor(endpoint: string, child: ChildProcess) {
    this.endpoint = endpoint;
    this.#process = child;
  }

  /** Null, with words, where it cannot be installed. */
  static async start(): Promise<S3Server | null> {
    const program = installed();
    if (program === null) return null;
    const port = await freePort();
    const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], { stdio: ['ignore', 'pipe', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      const onData = (data: Buffer): void => {
        if (data.toString().includes('Running on')) resolve();
      };
      child.stdout.on('data', onData);
      child.stderr.on('data', onData);
      child.once('exit', code => reject(new Error(`moto ended with ${code}`)));
    });
    return new S3Server(`http://127.0.0.1:${port}`, child);
  }

  /** Makes a bucket, and gives the URL of a remote in it. */
  async bucket(name: string): Promise<string> {
    await this.request(`/${name}`, { method: 'PUT' });
    return `s3://${name}/a/db?endpoint=${this.endpoint}&region=us-east-1&path-style=true`;
  }

  async request(path: string, init?: RequestInit): Promise<Response> {
    return new AwsClient({ ...S3_KEYS, service: 's3', region: 'us-east-1' }).fetch(this.endpoint + path, init);
  }

  stop(): Promise<void> {
    this.#process.removeAllListeners('exit');
    const ended = new Promise<void>(resolve => this.#process.once('exit', () => resolve()));
    this.#process.kill();
    return ended;
  }
}

function installed(): string | null {
  const program = join(FOLDER, 'bin/moto_server');
  try {
    if (!existsSync(program)) {
      execFileSync('python3', ['-m', 'venv', FOLDER], { stdio: 'ignore' });
      execFileSync(join(FOLDER, 'bin/pip'), ['install', '-q', PACKAGE], { stdio: 'ignore', timeout: 240_000 });
    }
    return program;
  } catch (error) {
    console.warn(`skipped: no server of S3, because ${PACKAGE} cannot be installed: ${(error as Error).message}`);
    return null;
  }
}
