import { expect, test } from 'vitest';
import { isBuilt } from '../built_engine.ts';
import { Browser } from './browser.ts';
import { CorePool } from './cores.ts';
import { Storage } from './opfs.ts';
import { startingStorage } from './start.ts';
import { Tab } from './tab.ts';
import { Actor, World } from './world.ts';

test.skipIf(!isBuilt)('a tab whose lock is stolen while it opens the database says so', async () => {
  const pool = new CorePool();
  await pool.prepare(2);
  const start = await startingStorage(pool);
  const world = new World(1);
  const browser = new Browser(world, new Storage(world, start.copy(), false));
  const restore = browser.install();
  const tab = new Tab(world, new Actor('tab'), false, pool);
  try {
    let outcome: unknown;
    const open = () =>
      tab.open(1000, 'full').then(
        () => 'opened',
        error => error,
      );
    world.post(tab.actor, 0, () => void open().then(told => (outcome = told)));
    for (let atMs = 0; atMs < 100; atMs += 0.25) world.post(null, atMs, () => browser.locks.steal('varve:shop', 100));
    await world.run(Infinity, () => outcome !== undefined);
    expect(outcome).toMatchObject({
      code: 'locked',
      message: expect.stringMatching(/^shop could not be opened: another program took its lock away/),
    });
  } finally {
    tab.end(pool);
    restore();
  }
});
