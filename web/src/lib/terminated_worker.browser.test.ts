import { expect, test } from 'vitest';
import { open } from './index.ts';
import { startWorkerWith } from './start_worker.ts';

const GONE = {
  name: 'VarveError',
  code: 'died',
  message: expect.stringContaining('its worker was terminated, by the page or by the browser'),
};

function startWorker(): Worker {
  const core = fetch(new URL('../../../dist/wasm/core_bg.wasm', import.meta.url));
  return startWorkerWith(WebAssembly.compileStreaming(core));
}

/** A database of 1000 rows, and its worker, which is anybody's to terminate. */
async function openIn(options: { durability?: 'relaxed' } = {}) {
  const worker = startWorker();
  const database = await open({ empty: 'garden' }, { worker, ...options });
  await database.query('CREATE TABLE beds (id INT PRIMARY KEY)');
  await database.query(
    'INSERT INTO beds WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 1000) SELECT i FROM s',
  );
  return { database, worker };
}

test('a worker that is terminated under a query fails it, and all that is asked later', async () => {
  const { database, worker } = await openIn();
  const stream = database.stream('SELECT COUNT(*) FROM beds a, beds b, beds c, beds d WHERE a.id + b.id < c.id * d.id');
  const session = await database.session();
  const running = stream.summary.catch(error => error);
  worker.terminate();
  expect(await running).toMatchObject(GONE);
  expect(await database.closed).toMatchObject(GONE);
  await expect(session.query('SELECT 1')).rejects.toMatchObject(GONE);
  await expect(database.session()).rejects.toMatchObject(GONE);
  await expect(database.query('SELECT 1')).rejects.toMatchObject(GONE);
  await database.close();
});

test('a worker that is terminated when nothing is asked ends its database and live queries, which tell it once', async () => {
  const { database, worker } = await openIn();
  const told: unknown[] = [];
  const options = { onError: (error: unknown) => void told.push(error) };
  await database.live('SELECT COUNT(*) FROM beds', () => {}, options);
  const closed = await database.live('SELECT id FROM beds', () => {}, options);
  await closed.close();
  worker.terminate();
  await expect.poll(() => told).toMatchObject([GONE]);
  expect(await database.closed).toMatchObject(GONE);
  await database.close();
  expect(told).toHaveLength(1);
});

test('a worker that is terminated before it has begun fails what waits for it', async () => {
  const worker = startWorker();
  const opening = open({ empty: 'garden' }, { worker });
  worker.terminate();
  await expect(opening).rejects.toMatchObject(GONE);
});

test('closing a database whose worker is gone fails only where acknowledged commits may be lost', async () => {
  const whole = await openIn();
  whole.worker.terminate();
  await whole.database.close();
  const relaxed = await openIn({ durability: 'relaxed' });
  relaxed.worker.terminate();
  await expect(relaxed.database.close()).rejects.toMatchObject(GONE);
});

test('a database that is closed is not told that its worker is gone', async () => {
  const { database } = await openIn();
  await database.close();
  expect(await database.closed).toBeNull();
  const locks = async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return [...held, ...pending].filter(({ name }) => name?.startsWith('varve-worker:'));
  };
  await expect.poll(locks).toEqual([]);
});
