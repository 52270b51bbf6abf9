/** Servers of remotes that tests over a network share: native Dolt's `sql-server`, `varve serve`, buckets. */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { makeDatabase, SqlServer } from './native_dolt.ts';
import { copyObjects, S3_KEYS, S3Server } from './s3_server.ts';
import { VarveServer } from './varve_server.ts';

/** Who may write to `varve serve`. */
export const USER = 'tester';
export const PASSWORD = 'a secret: or not';

/** A remote, and how native Dolt clones it. */
export interface RemotePlace {
  readonly url: string;
  readonly user?: string;
  /** What native Dolt clones: it reads no bucket with a manifest of its own, but a directory with the objects. */
  cloned(): Promise<string>;
}

/** Places in a directory of a test file. What it starts ends with the tests of the file. */
export class RemotePlaces {
  readonly #scratch: string;
  readonly #home: string;
  readonly #stops: (() => unknown)[] = [];
  #made = 0;

  /** @param home of native Dolt; empty where that is missing */
  constructor(scratch: string, home: string) {
    this.#scratch = scratch;
    this.#home = home;
    process.env.DOLT_REMOTE_PASSWORD = PASSWORD;
    process.env.AWS_ACCESS_KEY_ID = S3_KEYS.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = S3_KEYS.secretAccessKey;
    afterAll(async () => {
      for (const stop of this.#stops.reverse()) await stop();
    });
  }

  /** Ends with the tests, before what was started earlier. */
  atEnd(stop: () => unknown): void {
    this.#stops.push(stop);
  }

  /** A path at which nothing is yet. */
  path(name: string): string {
    return join(this.#scratch, `${name}-${this.#made++}`);
  }

  /** A folder with a database `db`. @param original what it is a copy of; a new one by default */
  folder(original?: string): string {
    const folder = this.path('served');
    mkdirSync(folder);
    if (original === undefined) makeDatabase(folder, 'db', this.#home);
    else cpSync(original, join(folder, 'db'), { recursive: true });
    return folder;
  }

  /** A native `sql-server` over the databases of a folder. `stop` may be called before the end. */
  async sqlServer(folder = this.folder()): Promise<RemotePlace & { readonly origin: string; stop(): Promise<void> }> {
    const server = await SqlServer.start(folder, this.#home);
    let stopped: Promise<void> | null = null;
    const stop = (): Promise<void> => {
      stopped ??= server.stop();
      return stopped;
    };
    this.atEnd(stop);
    const url = `${server.url}/db`;
    return { url, origin: server.url, cloned: async () => url, stop };
  }

  /** `varve serve --writable` over the databases of a folder. */
  async varveServe(folder = this.folder()): Promise<RemotePlace & { readonly origin: string }> {
    const server = await VarveServer.start(folder, USER, PASSWORD);
    this.atEnd(() => server.stop());
    const url = `${server.url}/db`;
    return { url, origin: server.url, user: USER, cloned: async () => url };
  }

  /** An empty bucket; null where the server is not installed. */
  async bucket(): Promise<(RemotePlace & { readonly origin: string }) | null> {
    const server = await S3Server.start('moto');
    if (server === null) return null;
    this.atEnd(() => server.stop());
    return this.bucketOf(server);
  }

  async bucketOf(server: S3Server): Promise<RemotePlace & { readonly origin: string }> {
    const bucket = `bucket-${this.#made++}`;
    const url = await server.bucket(bucket);
    return { url, origin: server.endpoint, cloned: () => copyObjects(server, bucket, this.path('objects')) };
  }
}
