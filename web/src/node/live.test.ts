import { expect } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import { type Change, type Database, type LiveOptions, open, type Result } from './index.ts';

interface Call {
  readonly rows: number | null;
  readonly changes: readonly Change[] | null;
}

/** A live query, and what it was told. */
async function watch(database: Database, sql: string, options: LiveOptions = {}) {
  const calls: Call[] = [];
  let wake = () => {};
  const hear = (result: Result | null, changes: readonly Change[] | null) => {
    calls.push({ rows: result?.rowCount ?? null, changes });
    wake();
  };
  const live = await database.live(sql, hear, options as LiveOptions & { whole: false });
  const next = async (): Promise<Call> => {
    while (calls.length === 0) await new Promise<void>(resolve => (wake = resolve));
    return calls.shift() as Call;
  };
  return { next, calls, live };
}

async function withTable(work: (database: Database) => Promise<void>): Promise<void> {
  await using database = await open({ empty: 'live' });
  const script = `
    CREATE TABLE t (a INT, b INT, name VARCHAR(20), size DOUBLE, bytes BLOB, PRIMARY KEY (a, b));
    INSERT INTO t WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 3000)
      SELECT i, i, CONCAT('row ', i), i / 2, x'00' FROM s;
    CREATE TABLE u (n INT);
    INSERT INTO u VALUES (1)`;
  for await (const _ of database.run(script));
  await work(database);
}

withEngine('a live query over a table of another branch is asked again when that changes', () =>
  withTable(async database => {
    await database.query("CALL dolt_commit('-Am', 'tables')");
    await database.query("CALL dolt_branch('other')");
    await database.query("INSERT INTO dolt_nonlocal_tables VALUES ('there', 'other', 'u', 'immediate')");
    const { next, live } = await watch(database, 'SELECT n FROM there');
    expect(await next()).toEqual({ rows: 1, changes: null });
    await database.query('INSERT INTO there VALUES (2)');
    // Changes from before it began may have it asked once more with the rows as they were.
    let told = await next();
    if (told.rows === 1) told = await next();
    expect(told).toEqual({ rows: 2, changes: null });
    await live.close();
  }),
);

withEngine('a live query that joins a table in a version comment is asked again when that changes', () =>
  withTable(async database => {
    const { next, live } = await watch(database, 'SELECT t.a FROM t /*!50000 JOIN u ON u.n = t.a */');
    expect(await next()).toEqual({ rows: 1, changes: null });
    await database.query('INSERT INTO u VALUES (2)');
    expect(await next()).toEqual({ rows: 2, changes: null });
    await live.close();
  }),
);

withEngine.for([
  "SELECT t.a, '--é' FROM t --no space\n /*! JOIN u ON u.n = t.a */",
  'SELECT t.a FROM t //` \n JOIN u ON u.n = t.a #`',
  "SELECT t.a, 'a''\\' FROM t', \"/*\" FROM t JOIN u ON u.n = t.a -- */",
])('a live query sees the tables that the engine reads in %s', sql =>
  withTable(async database => {
    const { next, live } = await watch(database, sql);
    expect((await next()).rows).toBe(1);
    await database.query('INSERT INTO u VALUES (2)');
    expect((await next()).rows).toBe(2);
    await live.close();
  }),
);

withEngine('a live query over a table that numbers its rows tells which of them are others', () =>
  withTable(async database => {
    await database.query('CREATE TABLE numbered (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20))');
    const { next, live } = await watch(database, 'SELECT * FROM numbered');
    expect(await next()).toEqual({ rows: 0, changes: null });
    await database.query("INSERT INTO numbered (name) VALUES ('one')");
    const to = { id: 1, name: 'one' };
    expect(await next()).toEqual({ rows: 1, changes: [{ table: 'numbered', kind: 'added', from: null, to }] });
    await database.query('ALTER TABLE numbered ADD COLUMN more INT');
    expect(await next()).toEqual({ rows: 1, changes: null });
    await live.close();
  }),
);

withEngine('what the callback of a live query throws is told, and the query goes on', () =>
  withTable(async database => {
    const errors: unknown[] = [];
    let calls = 0;
    const thrown = new Error('of the callback');
    const hear = () => {
      if (++calls === 2) throw thrown;
    };
    const live = await database.live('SELECT n FROM u', hear, { onError: error => errors.push(error) });
    await database.query('INSERT INTO u VALUES (2)');
    await expect.poll(() => errors).toEqual([thrown]);
    await database.query('INSERT INTO u VALUES (3)');
    await expect.poll(() => calls).toBe(3);
    await live.close();
    await expect(
      database.live('SELECT n FROM u', () => {
        throw thrown;
      }),
    ).rejects.toBe(thrown);
  }),
);

withEngine('a live query over one table tells which of its rows are others', () =>
  withTable(async database => {
    const { next, live } = await watch(database, 'SELECT name, size FROM t AS x WHERE size < ? ORDER BY a', {
      params: [10],
    });
    expect(await next()).toEqual({ rows: 19, changes: null });
    await database.query("UPDATE t SET name = 'two' WHERE a = 2");
    expect(await next()).toEqual({
      rows: 19,
      changes: [{ table: 't', kind: 'modified', from: { name: 'row 2', size: 1 }, to: { name: 'two', size: 1 } }],
    });
    await database.query("INSERT INTO t VALUES (0, 0, 'new', 0, NULL)");
    expect((await next()).changes).toEqual([{ table: 't', kind: 'added', from: null, to: { name: 'new', size: 0 } }]);
    await database.query('DELETE FROM t WHERE a = 0');
    expect((await next()).changes).toEqual([{ table: 't', kind: 'removed', from: { name: 'new', size: 0 }, to: null }]);
    // In and out of the result, by its condition.
    await database.query('UPDATE t SET size = CASE a WHEN 1 THEN 100 ELSE 3 END WHERE a IN (1, 50)');
    const moved = (await next()).changes?.map(({ kind, from, to }) => [kind, (from ?? to)?.name]);
    expect(moved?.sort()).toEqual([
      ['added', 'row 50'],
      ['removed', 'row 1'],
    ]);
    await live.close();
  }),
);

withEngine('what changes no row of the result is no news', () =>
  withTable(async database => {
    const { next, calls, live } = await watch(database, 'SELECT name FROM t WHERE a < 10');
    await next();
    await database.query('UPDATE t SET size = size + 1 WHERE a < 500');
    await database.query("UPDATE t SET name = 'far' WHERE a = 2000");
    await database.query("UPDATE t SET name = 'near' WHERE a = 3");
    const { changes } = await next();
    expect(changes?.map(({ to }) => to?.name)).toEqual(['near']);
    expect(calls).toEqual([]);
    await live.close();
  }),
);

withEngine('without the whole result only what has changed is asked for', () =>
  withTable(async database => {
    const { next, live } = await watch(database, 'SELECT * FROM t', { whole: false });
    expect(await next()).toEqual({ rows: 3000, changes: null });
    await database.query('UPDATE t SET bytes = ? WHERE a = 7', [new Uint8Array([1, 2])]);
    const { rows, changes } = await next();
    expect(rows).toBeNull();
    expect(changes).toHaveLength(1);
    expect(changes?.[0]?.to).toMatchObject({ a: 7, b: 7, bytes: new Uint8Array([1, 2]) });
    await live.close();
  }),
);

withEngine('the whole result comes where changed rows are not known', () =>
  withTable(async database => {
    const watched = await watch(database, 'SELECT * FROM t', { whole: false });
    const joined = await watch(database, 'SELECT COUNT(*) AS n FROM t JOIN u', { whole: false });
    const keyless = await watch(database, 'SELECT n FROM u', { whole: false });
    for (const { next } of [watched, joined, keyless]) await next();
    await database.query('UPDATE t SET size = 0 WHERE a <= 1500');
    expect(await watched.next()).toEqual({ rows: 3000, changes: null });
    expect(await joined.next()).toEqual({ rows: 1, changes: null });
    await database.query('ALTER TABLE t ADD COLUMN more INT');
    expect(await watched.next()).toEqual({ rows: 3000, changes: null });
    await joined.next();
    await database.query('INSERT INTO u VALUES (2)');
    expect(await keyless.next()).toEqual({ rows: 2, changes: null });
    await watched.live.refresh();
    expect(await watched.next()).toEqual({ rows: 3000, changes: null });
    for (const { live } of [watched, joined, keyless]) await live.close();
  }),
);

withEngine('a commit is no change of rows, and a merge is one', () =>
  withTable(async database => {
    await database.commit('base');
    const { next, calls, live } = await watch(database, 'SELECT a, name FROM t');
    await next();
    await database.query("CALL dolt_branch('side')");
    const side = await database.session();
    await side.query('USE `live/side`');
    await side.query("UPDATE t SET name = 'from the side' WHERE a = 5");
    await side.query("CALL dolt_commit('-am', 'side')");
    await side.close();
    expect(calls).toEqual([]);
    await database.merge('side');
    expect((await next()).changes).toEqual([
      { table: 't', kind: 'modified', from: { a: 5, name: 'row 5' }, to: { a: 5, name: 'from the side' } },
    ]);
    await live.close();
  }),
);

withEngine('a signal ends a live query: before its first result, and later', () =>
  withTable(async database => {
    const reason = new Error('no longer shown');
    const never = database.live('SELECT n FROM u', () => {}, { signal: AbortSignal.abort(reason) });
    await expect(never).rejects.toBe(reason);
    const control = new AbortController();
    const { next, calls } = await watch(database, 'SELECT n FROM u', { signal: control.signal });
    const other = await watch(database, 'SELECT n FROM u');
    await next();
    await other.next();
    control.abort();
    await database.query('INSERT INTO u VALUES (2)');
    expect(await other.next()).toMatchObject({ rows: 2 });
    expect(calls).toEqual([]);
    await other.live.close();
  }),
);
