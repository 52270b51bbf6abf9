/** The engine over each transport of a network: clone, push, pull, races; and native Dolt on the other side. */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { scratchDirectory, withDolt } from '../../testing/built_engine.ts';
import { dolt, doltHome, makeDatabase, runDolt, runDoltLater, SqlServer } from '../../testing/native_dolt.ts';
import { copyObjects, S3_KEYS, S3Server } from '../../testing/s3_server.ts';
import { VarveServer } from '../../testing/varve_server.ts';
import { clone, open } from '../index.ts';

const scratch = scratchDirectory();
const home = dolt === null ? '' : doltHome(scratch);
const USER = 'tester';
const PASSWORD = 'a secret: or not';
const serving = async (folder: string): Promise<string> => {
  const server = await VarveServer.start(folder, USER, PASSWORD);
  stops.push(() => server.stop());
  return server.url;
};

interface Place {
  readonly url: string;
  readonly user?: string;
  /** What native Dolt clones: `url` by default. It reads no buckets with a manifest of their own, but a directory with their objects. */
  cloned?(): Promise<string>;
  /** The directory on the other side, where there is one that native Dolt can open now. */
  whole(): Promise<string | null>;
}

const stops: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

let database = '';
beforeAll(() => {
  if (dolt === null) return;
  database = makeDatabase(scratch, 'original', home);
  process.env.DOLT_REMOTE_PASSWORD = PASSWORD;
  process.env.AWS_ACCESS_KEY_ID = S3_KEYS.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = S3_KEYS.secretAccessKey;
});

let made = 0;

function served(): string {
  const folder = join(scratch, `served-${made++}`);
  mkdirSync(folder);
  cpSync(database, join(folder, 'db'), { recursive: true });
  return folder;
}

withDolt('the caller is asked who calls, before the environment', async () => {
  const url = `${await serving(served())}/db`;
  const asked: unknown[] = [];
  const answering = (password: string) => (request: unknown) => {
    asked.push(request);
    return { user: USER, password };
  };
  const target = { path: join(scratch, `asked${made++}`) };
  const wrong = clone(url, target, { credentials: answering('wrong') });
  await expect(wrong).rejects.toThrow(/password/);
  const failing = clone(url, target, {
    credentials: () => {
      throw new Error('no');
    },
  });
  await expect(failing).rejects.toThrow(/password|denied/);
  const copy = await clone(url, target, { credentials: answering(PASSWORD) });
  expect((await copy.query('SELECT COUNT(*) AS n FROM t')).rows).toEqual([{ n: 2n }]);
  await copy.query("INSERT INTO t VALUES (9, 'nine')");
  await copy.commit('nine');
  expect(await copy.push()).toMatchObject({ outcome: 'pushed' });
  await copy.close();
  expect(asked[0]).toEqual({ url, scheme: 'http', user: null });
});

const PLACES: Record<string, () => Promise<Place | null>> = {
  async 'a native sql-server'() {
    const folder = served();
    const server = await SqlServer.start(folder, home);
    let isRunning = true;
    const stop = async (): Promise<void> => {
      if (isRunning) await server.stop();
      isRunning = false;
    };
    stops.push(stop);
    return {
      url: `${server.url}/db`,
      async whole() {
        await stop();
        return join(folder, 'db');
      },
    };
  },
  async 'varve serve'() {
    const folder = served();
    return { url: `${await serving(folder)}/db`, user: USER, whole: async () => join(folder, 'db') };
  },
  async 's3://'() {
    const server = await S3Server.start('moto');
    if (server === null) return null;
    stops.push(() => server.stop());
    const bucket = `bucket-${made++}`;
    const url = await server.bucket(bucket);
    const first = await open({ path: database });
    await first.addRemote('bucket', url);
    expect(await first.push({ remote: 'bucket', refs: ['main'] })).toMatchObject({ outcome: 'pushed' });
    await first.removeRemote('bucket');
    await first.close();
    return {
      url,
      cloned: () => copyObjects(server, bucket, join(scratch, `objects-${made++}`)),
      whole: async () => null,
    };
  },
};

describe.each(Object.entries(PLACES))('%s', (_name, start) => {
  withDolt('clones, pushes and pulls; who comes second is told, and nothing is lost', async () => {
    const place = await start();
    if (place === null) return;
    const who = place.user === undefined ? {} : { user: place.user };
    const one = await clone(place.url, { path: join(scratch, `one${made++}`) }, who);
    const two = await clone(place.url, { path: join(scratch, `two${made++}`) }, who);
    expect((await one.query('SELECT name FROM t ORDER BY id')).rows).toEqual([{ name: 'one' }, { name: 'two' }]);
    expect(await one.push(who)).toMatchObject({ outcome: 'up_to_date' });

    await one.query("INSERT INTO t VALUES (3, 'three')");
    await one.commit('three');
    expect(await one.push(who)).toMatchObject({ outcome: 'pushed' });
    await two.query("INSERT INTO t VALUES (4, 'four')");
    await two.commit('four');
    expect(await two.push(who)).toMatchObject({ outcome: 'rejected', reason: 'non_fast_forward' });
    expect(await two.pull(who)).toMatchObject({ outcome: 'merged' });
    expect(await two.push(who)).toMatchObject({ outcome: 'pushed' });
    expect(await one.pull(who)).toMatchObject({ outcome: 'merged', isFastForward: true });
    const rows = [1n, 2n, 3n, 4n].map(id => ({ id }));
    const ids = 'SELECT CAST(id AS SIGNED) AS id FROM t ORDER BY id';
    for (const side of [one, two]) {
      expect((await side.query(ids)).rows).toEqual(rows);
      expect((await side.verify()).isWhole).toBe(true);
    }
    const head = (await one.query('SELECT commit_hash FROM dolt_log LIMIT 1')).rows[0]?.commit_hash as string;
    await one.close();
    await two.close();

    const copy = join(scratch, `native-${made++}`);
    const user = place.user === undefined ? [] : ['--user', place.user];
    const cloned = (await place.cloned?.()) ?? place.url;
    await runDoltLater(scratch, home, PASSWORD, 'clone', ...user, cloned, copy);
    expect(runDolt(copy, home, 'log', '-n', '1')).toContain(head);
    expect(runDolt(copy, home, 'fsck')).toMatch(/no problems/i);
    const other = await place.whole();
    if (other === null) return;
    expect(existsSync(other)).toBe(true);
    expect(runDolt(other, home, 'log', '-n', '1')).toContain(head);
    expect(runDolt(other, home, 'status')).toContain('nothing to commit');
    expect(runDolt(other, home, 'fsck')).toMatch(/no problems/i);
  });
});
