/**
 * Two push to the same branch at the same time, over each transport: Varve beside Varve, and beside native Dolt. The later push is rejected, and no
 * commit whose push was acknowledged is lost. `VARVE_REMOTE_RACES` says how often each of them pushes.
 */
import { pathToFileURL } from 'node:url';
import { describe, expect } from 'vitest';
import { scratchDirectory, withDolt } from '../../testing/built_engine.ts';
import { dolt, doltHome, makeDatabase, runDolt, runDoltLater } from '../../testing/native_dolt.ts';
import { PASSWORD, type RemotePlace, RemotePlaces } from '../../testing/remote_places.ts';
import { clone, open } from '../index.ts';

const PUSHES = Number(process.env.VARVE_REMOTE_RACES ?? 2);
const scratch = scratchDirectory();
const home = dolt === null ? '' : doltHome(scratch);
const places = new RemotePlaces(scratch, home);

async function pushed(url: string): Promise<void> {
  const path = makeDatabase(places.path('first'), 'db', home);
  const first = await open({ path });
  await first.addRemote('there', url);
  expect(await first.push({ remote: 'there', refs: ['main'] })).toMatchObject({ outcome: 'pushed' });
  await first.close();
}

const PLACES: Record<string, () => Promise<RemotePlace | null>> = {
  async 'file://'() {
    const url = pathToFileURL(places.path('file')).href;
    await pushed(url);
    return { url, cloned: async () => url };
  },
  async 's3://'() {
    const place = await places.bucket();
    if (place !== null) await pushed(place.url);
    return place;
  },
  'a native sql-server': () => places.sqlServer(),
  'varve serve': () => places.varveServe(),
};

interface Pushes {
  /** Heads whose push was acknowledged. */
  readonly acknowledged: string[];
  late: number;
  /** What the late were told. */
  readonly told: Set<string>;
}

async function ours({ url, user }: RemotePlace, name: string): Promise<Pushes> {
  const who = user === undefined ? {} : { user };
  const database = await clone(url, { path: places.path('ours') }, who);
  const pushes: Pushes = { acknowledged: [], late: 0, told: new Set() };
  for (let number = 0; number < PUSHES; number++) {
    const head = await database.commit({ message: `${name} ${number}`, allowEmpty: true });
    for (;;) {
      const { outcome, reason } = await database.push(who);
      if (outcome === 'pushed') break;
      expect([outcome, reason]).toEqual(['rejected', 'non_fast_forward']);
      pushes.late++;
      await database.pull(who);
    }
    pushes.acknowledged.push(head);
  }
  expect((await database.verify()).isWhole).toBe(true);
  await database.close();
  return pushes;
}

/** Native Dolt says of some losses that the root moved, or that the lock was taken: what counts is that nothing is lost. */
async function theirs({ url, user }: RemotePlace): Promise<Pushes> {
  const path = places.path('theirs');
  const who = user === undefined ? [] : ['--user', user];
  const run = (...args: string[]): Promise<string> => runDoltLater(path, home, PASSWORD, ...args);
  await runDoltLater(scratch, home, PASSWORD, 'clone', ...who, url, path);
  const pushes: Pushes = { acknowledged: [], late: 0, told: new Set() };
  for (let number = 0; number < PUSHES; number++) {
    await run('commit', '--allow-empty', '-m', `theirs ${number}`);
    const [, head = ''] = (await run('sql', '-r', 'csv', '-q', "SELECT dolt_hashof('HEAD')")).trim().split('\n');
    for (;;) {
      const failure: { stderr: string } | null = await run('push', ...who, 'origin', 'main').then(
        () => null,
        error => error,
      );
      if (failure === null) break;
      pushes.late++;
      pushes.told.add(failure.stderr.trim().split('\n').at(-1) ?? '');
      await run('pull', '--no-edit', ...who, 'origin', 'main').catch(() => {});
    }
    pushes.acknowledged.push(head);
  }
  return pushes;
}

describe.each(Object.entries(PLACES))('%s', (name, start) => {
  const rivals = name === 's3://' ? ['Varve'] : ['Varve', 'native Dolt'];
  for (const rival of rivals) {
    withDolt(
      `Varve and ${rival} push at once: the late are told, and nothing acknowledged is lost`,
      async () => {
        const place = await start();
        if (place === null) return;
        const [left, right] = await Promise.all([
          ours(place, 'ours'),
          rival === 'Varve' ? ours(place, 'others') : theirs(place),
        ]);
        console.info(`${name}: ${left.late} of ours late, ${right.late} of ${rival}`, ...right.told);
        const path = places.path('whole');
        const who = place.user === undefined ? [] : ['--user', place.user];
        await runDoltLater(scratch, home, PASSWORD, 'clone', ...who, await place.cloned(), path);
        expect(runDolt(path, home, 'fsck')).toMatch(/no problems/i);
        const log = new Set(
          runDolt(path, home, 'sql', '-r', 'csv', '-q', 'SELECT commit_hash FROM dolt_log').split('\n'),
        );
        for (const { acknowledged } of [left, right]) {
          expect(acknowledged).toHaveLength(PUSHES);
          expect(acknowledged.filter(head => !log.has(head))).toEqual([]);
        }
      },
      60_000 + 15_000 * PUSHES,
    );
  }
});
