import { expect, test } from 'vitest';
import { HostFailure } from '../host/files/source.ts';
import { WISH } from '../protocol/index.ts';
import { MANIFEST, openFake } from '../testing/fake_database.ts';
import { SqlError, VarveError } from './errors.ts';
import type { Param, StatementOptions } from './types.ts';

/** Waits for what the engine will have come to. */
const soon = (fact: () => unknown) => expect.poll(fact, { interval: 1 });

test('a query gives columns, rows and what it cost', async () => {
  const { database, engine } = await openFake();
  const result = await database.query('rows 25');
  expect(result.columns.map(({ name }) => name)).toEqual(['n']);
  expect(result.rows).toHaveLength(25);
  expect(result.rows[24]).toEqual({ n: 24 });
  expect(result.rowArrays()[1]).toEqual([1]);
  expect(result).toMatchObject({ hasRows: true, rowCount: 25 });
  expect(result.stats.pagesFaulted).toBe(engine.nextCalls);
  expect(engine.openCursors.size + engine.openStatements.size).toBe(0);
});

test('a statement without rows tells what it affected', async () => {
  const { database } = await openFake();
  const result = await database.query('ok');
  expect(result).toMatchObject({ hasRows: false, affectedRows: 3, lastInsertId: 7, columns: [], rows: [] });
});

test('an SQL error carries number, state, message and position', async () => {
  const { database } = await openFake();
  const error = await database.query('fail').catch(caught => caught);
  expect(error).toBeInstanceOf(SqlError);
  expect(error).toMatchObject({ errno: 1064, sqlstate: '42000', message: 'syntax error', position: 3 });
  expect((await database.query('ok')).affectedRows).toBe(3);
});

test('a stream pauses the engine while it is not read', async () => {
  const { database, engine } = await openFake();
  const stream = database.stream('rows 1000', [], { bufferedPages: 2 });
  expect(await stream.columns).toHaveLength(1);
  await soon(() => engine.nextCalls).toBe(2);
  // Whatever may still run has its turn before the answers to these.
  await database.stats();
  await database.stats();
  expect(engine.nextCalls).toBe(2);
  let count = 0;
  for await (const batch of stream) count += batch.rowCount;
  expect(count).toBe(1000);
  expect((await stream.summary).rowCount).toBe(1000);
});

test('buffers of batches that were read as rows go back to the engine, the others stay', async () => {
  const { database, engine } = await openFake();
  const numbers: unknown[] = [];
  for await (const { n } of database.stream('rows 1000').rows()) numbers.push(n);
  expect(numbers).toEqual(Array.from({ length: 1000 }, (_, index) => index));
  expect(engine.takenBack).toBeGreaterThan(50);
  const before = engine.takenBack;
  const batches = [];
  for await (const batch of database.stream('rows 100')) batches.push(batch);
  expect(batches.map(batch => batch.column(0).value(0))).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  expect(engine.takenBack).toBe(before);
});

test('leaving a stream early closes its cursor', async () => {
  const { database, engine } = await openFake();
  const stream = database.stream('rows 1000');
  for await (const batch of stream) {
    expect(batch.rowCount).toBe(10);
    break;
  }
  await soon(() => engine.openCursors.size).toBe(0);
  await expect(stream.summary).rejects.toThrow('not read to its end');
});

test('a query runs while a stream of the same session waits for its reader', async () => {
  const { database } = await openFake();
  const seen: number[] = [];
  for await (const batch of database.stream('rows 30', [], { bufferedPages: 1 })) {
    seen.push(batch.rowCount + (await database.query('rows 5')).rowCount);
  }
  expect(seen).toEqual([15, 15, 15]);
});

test('statements of a session run in the order they were given', async () => {
  const { database, engine } = await openFake();
  await Promise.all(['note a', 'rows 5', 'note b', 'note c'].map(sql => database.query(sql)));
  expect(engine.notes).toEqual(['a', 'b', 'c']);
});

test('sessions take turns', async () => {
  const { database, engine } = await openFake();
  const session = await database.session();
  const endless = database.query('spin', [], { timeoutMs: 200 }).catch(error => error);
  await soon(() => engine.nextCalls).toBeGreaterThan(0);
  await session.query('note other');
  expect(engine.notes).toEqual(['other']);
  expect(await endless).toMatchObject({ errno: 3024 });
  await session.close();
  await soon(() => engine.openSessions.size).toBe(1);
  await expect(session.query('ok')).rejects.toThrow('closed');
});

test('a signal ends a statement that would run for ever, and the database goes on', async () => {
  const { database, engine } = await openFake();
  const controller = new AbortController();
  const endless = database.query('spin', [], { signal: controller.signal });
  await soon(() => engine.nextCalls).toBeGreaterThan(0);
  controller.abort(new Error('enough'));
  await expect(endless).rejects.toThrow('enough');
  // It is said to be cancelled when it is.
  expect(engine.openCursors.size).toBe(0);
  expect((await database.query('rows 1')).rowCount).toBe(1);
});

test('within a call a statement is told to return soon, and ends where a cancel reaches it or its time is over', async () => {
  let isClosed = false;
  const close = () => {
    isClosed = true;
  };
  const reach = { address: 'blob:of the host', isCancelled: () => true, close };
  const { database, engine } = await openFake(undefined, {}, () => reach);
  await expect(database.query('busy')).rejects.toMatchObject({ code: 'aborted' });
  expect([...engine.wishes]).toEqual([WISH.goOn, WISH.yield, WISH.end]);
  expect(isClosed).toBe(true);
  await expect(database.query('busy', [], { timeoutMs: 20 })).rejects.toMatchObject({ errno: 3024 });
  expect((await database.query('rows 1')).rowCount).toBe(1);
});

test('a statement that sleeps waits, calls nothing meanwhile, lets others run, and can be cancelled', async () => {
  const { database, engine } = await openFake();
  const startedMs = performance.now();
  const sleeping = database.query('sleep 60');
  await soon(() => engine.nextCalls).toBeGreaterThan(0);
  const { nextCalls } = engine;
  const session = await database.session();
  await session.query('note other');
  expect(engine.notes).toEqual(['other']);
  await sleeping;
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(59);
  expect(engine.nextCalls - nextCalls).toBeLessThan(10);
  const controller = new AbortController();
  const endless = database.query('sleep 1000000', [], { signal: controller.signal });
  await soon(() => engine.openCursors.size).toBe(1);
  controller.abort(new Error('enough'));
  await expect(endless).rejects.toThrow('enough');
  expect(engine.openCursors.size).toBe(0);
});

test('a signal that fired before costs nothing', async () => {
  const { database, engine } = await openFake();
  await expect(database.query('note no', [], { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  expect(engine.notes).toEqual([]);
});

test('a statement past its time ends with error 3024, its time in a queue counted', async () => {
  const { database } = await openFake();
  const first = database.query('spin', [], { timeoutMs: 40 }).catch(error => error);
  const second = database.query('ok', [], { timeoutMs: 20 }).catch(error => error);
  expect(await second).toMatchObject({ errno: 3024, sqlstate: 'HY000' });
  expect(await first).toMatchObject({ errno: 3024 });
});

test('nothing enters the engine while a statement is suspended', async () => {
  const { database } = await openFake();
  const session = await database.session();
  const [slow, fast] = await Promise.all([database.query('slow'), session.query('rows 3'), session.prepare('ok ?')]);
  expect(slow.rowCount).toBe(3);
  expect(fast.rowCount).toBe(3);
});

test('a suspended statement can be cancelled', async () => {
  const { database, engine } = await openFake();
  const stream = database.stream('slow');
  await soon(() => engine.suspended).toBeGreaterThan(0);
  await stream.cancel();
  expect((await database.query('rows 1')).rowCount).toBe(1);
  expect(engine.suspended).toBe(0);
});

test('a prepared statement runs with its parameters until it is closed', async () => {
  const { database, engine } = await openFake();
  const statement = await database.prepare('params ? ?');
  expect(statement.parameterCount).toBe(2);
  const result = await statement.query([1n, new Date(0)]);
  expect(result.rows.map(row => row.p)).toEqual(['1', '1970-01-01 00:00:00.000']);
  await statement.close();
  await soon(() => engine.openStatements.size).toBe(0);
  expect(() => statement.stream()).toThrow('closed');
});

test('parameters that are no SQL values are refused', async () => {
  const { database } = await openFake();
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const refused = [
    Number.NaN,
    new Date(Number.NaN),
    new Date('+012345-01-01'),
    new Map(),
    new Set(),
    'a\ud800b',
    circular,
    Promise.resolve(1),
    { of: new Map([[1, 2]]) },
    [new Set([1])],
    { bytes: new Uint8Array([1]), digits: 1n },
    { none: Number.NaN },
    { pattern: /x/ },
  ];
  for (const value of refused) expect(() => database.stream('params ?', [value as Param])).toThrow(VarveError);
  const signal = AbortSignal.abort() as StatementOptions;
  await expect(database.query('ok', [], signal)).rejects.toThrow('A signal is an option');
  const result = await database.query('params ? ? ?', [undefined, true, { a: [1] }]);
  expect(result.rows.map(row => row.p)).toEqual(['null', 'true', '{"a":[1]}']);
  const documents = [
    { a: null, b: {}, at: new Date(0), no: undefined },
    { digits: 2n ** 64n, of: [{}, null, '{}'] },
  ];
  expect((await database.query('params ? ?', documents)).rows.map(row => row.p)).toEqual([
    '{"a":null,"b":{},"at":"1970-01-01T00:00:00.000Z"}',
    '{"digits":18446744073709551616,"of":[{},null,"{}"]}',
  ]);
});

test('what is refused within a document is named', async () => {
  const { database } = await openFake();
  const forgotten = { plant: { name: Promise.resolve('kale') } };
  await expect(database.query('params ?', [forgotten as unknown as Param])).rejects.toThrow(
    'a Promise cannot be bound as JSON (it is name of a document): await it',
  );
});

test('a statement as a tag binds what stands in it', async () => {
  const { database } = await openFake();
  const { rows } = await database.sql<{ p: string }>`params ${"it's"} ${[1, { a: 2 }]} ${null}`;
  expect(rows.map(({ p }) => p)).toEqual(["it's", '[1,{"a":2}]', 'null']);
  const text = "params 'written into it'" as unknown as TemplateStringsArray;
  await expect(database.sql(text)).rejects.toThrow('sql is a tag');
});

test('what a page gets is no plain object, which frameworks would wrap in proxies', async () => {
  const { database } = await openFake();
  const result = await database.query('rows 1');
  const given = {
    Database: database,
    Session: await database.session(),
    Statement: await database.prepare('ok'),
    ResultStream: database.stream('ok'),
    Result: result,
    ResultSet: result.results[0],
    Batch: result.batches[0],
    BatchColumn: result.batches[0]?.column(0),
  };
  for (const [name, object] of Object.entries(given)) expect(String(object)).toBe(`[object ${name}]`);
});

test('a script runs statement by statement and stops at the first error', async () => {
  const { database, engine } = await openFake();
  const seen: string[] = [];
  const run = async () => {
    for await (const result of database.run('note a; rows 3;\n fail; note b'))
      seen.push(`${result.start} ${result.sql}`);
  };
  await expect(run()).rejects.toThrow('syntax error');
  expect(seen).toEqual(['0 note a', '8 rows 3']);
  expect(engine.notes).toEqual(['a']);
});

test('a statement that ends the engine fails with a typed error, and the others go on in another one', async () => {
  const { database, engine } = await openFake();
  const waiting = database.query('spin').catch(error => error);
  const session = await database.session();
  const statement = await session.prepare('rows 3');
  for (let time = 1; time <= 5; time++) {
    const trapped = session.query('trap').catch(error => error);
    const behind = session.query('ok');
    expect(await trapped).toMatchObject({
      errno: 1041,
      message: expect.stringContaining('Out of memory'),
    });
    expect((await behind).affectedRows).toBe(3);
    expect((await statement.query()).rows).toHaveLength(3);
    expect(engine.restarts).toBe(time);
  }
  expect(await waiting).toMatchObject({ errno: 2013 });
  expect((await database.stats()).counters).toMatchObject({ engine_lost: 5, engine_released: 0 });
});

test('an engine that cannot be started again ends the database with a typed error, and another can be opened', async () => {
  const { database, engine } = await openFake();
  engine.canRestart = false;
  const waiting = database.query('ok').catch(error => error);
  await waiting;
  const session = await database.session();
  await expect(session.query('trap')).rejects.toMatchObject({ errno: 1041 });
  expect(await database.closed).toBeInstanceOf(VarveError);
  await expect(database.query('ok')).rejects.toMatchObject({ code: 'died' });
  await database.close();
  const again = await openFake();
  expect((await again.database.query('ok')).affectedRows).toBe(3);
});

test('close ends what runs and gives the engine back', async () => {
  const { database, engine } = await openFake();
  const waiting = database.query('spin').catch(error => error);
  await soon(() => engine.nextCalls).toBeGreaterThan(0);
  await database.close();
  expect(await waiting).toMatchObject({ code: 'closed' });
  expect(engine.isClosed).toBe(true);
  expect(await database.closed).toBeNull();
  await expect(database.query('ok')).rejects.toMatchObject({ code: 'closed' });
});

test('a close that loses acknowledged commits says so, and closes all the same', async () => {
  const { database, engine } = await openFake();
  engine.flush = () => {
    throw new HostFailure({ kind: 'varve', code: 'no_space', message: 'The disk is full' });
  };
  await expect(database.close()).rejects.toMatchObject({ code: 'no_space', message: 'The disk is full' });
  expect(engine.isClosed).toBe(true);
  expect(await database.closed).toBeNull();
  await expect(database.query('ok')).rejects.toMatchObject({ code: 'closed' });
});

test('a session closes the statements that were prepared in it', async () => {
  const { database, engine } = await openFake();
  const session = await database.session();
  const statement = await session.prepare('rows 3');
  const closedBefore = await session.prepare('ok');
  await closedBefore.close();
  const underWay = session.prepare('ok');
  await session.close();
  await expect(underWay).rejects.toMatchObject({ code: 'closed' });
  await expect(statement.query()).rejects.toMatchObject({ code: 'closed' });
  await soon(() => engine.openStatements.size).toBe(0);
  expect(engine.openSessions.size).toBe(1);
});

test('await using closes', async () => {
  const { database, engine } = await openFake();
  await database[Symbol.asyncDispose]();
  expect(engine.isClosed).toBe(true);
});

test('every database of a source is attached; a damaged one is named', async () => {
  const memory = {
    ...MANIFEST,
    'broken/.dolt/noms/LOCK': new Uint8Array(),
    'more/.dolt/noms/manifest': new Uint8Array(),
  };
  const { database } = await openFake({ memory });
  expect(database.name).toBe('more');
  expect(database.databases).toEqual(['more', 'shop']);
  expect(database.unreadable).toEqual([{ name: 'broken', message: 'broken: no manifest' }]);
});

test('a source without a database, and one that is damaged, cannot be opened', async () => {
  await expect(openFake({ memory: { 'a.txt': new Uint8Array() } })).rejects.toMatchObject({ code: 'not_a_database' });
  const damaged = { memory: { 'a/.dolt/noms/LOCK': new Uint8Array() } };
  await expect(openFake(damaged)).rejects.toMatchObject({ code: 'unreadable', message: 'a: no manifest' });
});

test('opening can be given up', async () => {
  await expect(openFake(undefined, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
});

test('statistics and completion come from the engine', async () => {
  const { database } = await openFake();
  expect(await database.stats()).toMatchObject({ memoryBytes: 65536, requests: 0, counters: { region_faults: 0 } });
  expect((await database.complete('SEL', 3)).items[0]?.label).toBe('SELECT');
});
