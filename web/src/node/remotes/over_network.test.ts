/** The engine over each transport of a network: clone, push, pull, races; and native Dolt on the other side. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { scratchDirectory, withDolt } from '../../testing/built_engine.ts';
import { dolt, doltHome, makeDatabase, runDolt, runDoltLater } from '../../testing/native_dolt.ts';
import { PASSWORD, type RemotePlace, RemotePlaces, USER } from '../../testing/remote_places.ts';
import { clone, open } from '../index.ts';

const scratch = scratchDirectory();
const home = dolt === null ? '' : doltHome(scratch);
const places = new RemotePlaces(scratch, home);

interface Place extends RemotePlace {
  /** The directory on the other side, where there is one that native Dolt can open now. */
  whole(): Promise<string | null>;
}

let database = '';
beforeAll(() => {
  if (dolt !== null) database = makeDatabase(scratch, 'original', home);
});

withDolt('the caller is asked who calls, before the environment', async () => {
  const { url } = await places.varveServe(places.folder(database));
  const asked: unknown[] = [];
  const answering = (password: string) => (request: unknown) => {
    asked.push(request);
    return { user: USER, password };
  };
  const target = { path: places.path('asked') };
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
    const folder = places.folder(database);
    const place = await places.sqlServer(folder);
    return {
      ...place,
      async whole() {
        await place.stop();
        return join(folder, 'db');
      },
    };
  },
  async 'varve serve'() {
    const folder = places.folder(database);
    return { ...(await places.varveServe(folder)), whole: async () => join(folder, 'db') };
  },
  async 's3://'() {
    const place = await places.bucket();
    if (place === null) return null;
    const first = await open({ path: database });
    await first.addRemote('bucket', place.url);
    expect(await first.push({ remote: 'bucket', refs: ['main'] })).toMatchObject({ outcome: 'pushed' });
    await first.removeRemote('bucket');
    await first.close();
    return { ...place, whole: async () => null };
  },
};

describe.each(Object.entries(PLACES))('%s', (_name, start) => {
  withDolt('clones, pushes and pulls; who comes second is told, and nothing is lost', async () => {
    const place = await start();
    if (place === null) return;
    const who = place.user === undefined ? {} : { user: place.user };
    const one = await clone(place.url, { path: places.path('one') }, who);
    const two = await clone(place.url, { path: places.path('two') }, who);
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

    const copy = places.path('native');
    const user = place.user === undefined ? [] : ['--user', place.user];
    const cloned = await place.cloned();
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
