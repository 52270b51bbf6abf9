import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AwsClient } from 'aws4fetch';
import { freePort } from './native_dolt.ts';

/** Servers that speak S3: moto is quick to install, versitygw checks signatures. */
export type S3Kind = 'moto' | 'versitygw';

/** Where they are put, as native Dolt is. */
const MOTO = '.cache/moto';
const MOTO_PACKAGE = 'moto[s3,server]==5.2.5';
const VERSITYGW = '.cache/go/bin/versitygw';
const VERSITYGW_PACKAGE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';

export const S3_KEYS = { accessKeyId: 'varve', secretAccessKey: 'a secret' };

/** A server of S3 with conditional writes. */
export class S3Server {
  readonly endpoint: string;
  readonly #process: ChildProcess;

  private constructor(endpoint: string, child: ChildProcess) {
    this.endpoint = endpoint;
    this.#process = child;
  }

  /** Null, with words, where it is not installed and cannot be. */
  static async start(kind: S3Kind): Promise<S3Server | null> {
    const program = installed(kind);
    if (program === null) return null;
    const port = await freePort();
    const args =
      kind === 'moto'
        ? ['-H', '127.0.0.1', '-p', String(port)]
        : ['--port', `127.0.0.1:${port}`, 'posix', mkdtempSync(join(tmpdir(), 'varve-s3-'))];
    const keys = { ROOT_ACCESS_KEY_ID: S3_KEYS.accessKeyId, ROOT_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey };
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...keys } });
    await new Promise<void>((resolve, reject) => {
      const onData = (data: Buffer): void => {
        if (/Running on|listening on/.test(data.toString())) resolve();
      };
      child.stdout.on('data', onData);
      child.stderr.on('data', onData);
      child.once('exit', code => reject(new Error(`${kind} ended with ${code}`)));
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

/** Copies the objects of a bucket into a directory, which native Dolt reads as a remote. Gives its URL. */
export async function copyObjects(server: S3Server, bucket: string, path: string): Promise<string> {
  mkdirSync(path);
  for (let next = ''; ; ) {
    const listing = await (await server.request(`/${bucket}?list-type=2${next}`)).text();
    for (const [, key] of listing.matchAll(/<Key>([^<]+)<\/Key>/g)) {
      const bytes = await (await server.request(`/${bucket}/${key}`)).arrayBuffer();
      writeFileSync(join(path, basename(key as string)), new Uint8Array(bytes));
    }
    const more = /<NextContinuationToken>([^<]+)</.exec(listing)?.[1];
    if (more === undefined) return pathToFileURL(path).href;
    next = `&continuation-token=${encodeURIComponent(more)}`;
  }
}

function installed(kind: S3Kind): string | null {
  const program = kind === 'moto' ? join(MOTO, 'bin/moto_server') : VERSITYGW;
  if (existsSync(program)) return program;
  if (kind === 'versitygw') {
    // To compile it takes minutes.
    console.warn(`skipped: no versitygw: GOBIN=$PWD/.cache/go/bin go install ${VERSITYGW_PACKAGE}`);
    return null;
  }
  try {
    execFileSync('python3', ['-m', 'venv', MOTO], { stdio: 'ignore' });
    execFileSync(join(MOTO, 'bin/pip'), ['install', '-q', MOTO_PACKAGE], { stdio: 'ignore', timeout: 240_000 });
    return program;
  } catch (error) {
    console.warn(`skipped: no server of S3, because ${MOTO_PACKAGE} cannot be installed: ${(error as Error).message}`);
    return null;
  }
}
