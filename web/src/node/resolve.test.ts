import { expect } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import { type Conflict, type Database, open } from './index.ts';

/** Two branches that changed the same rows of `t`, and of `u`; `main` is merged with the other one. */
async function withConflicts(work: (database: Database) => Promise<void>): Promise<void> {
  await using database = await open({ empty: 'conflicts' });
  const script = `
    CREATE TABLE t (a INT, b INT, name VARCHAR(20), PRIMARY KEY (a, b));
    INSERT INTO t VALUES (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three'), (4, 4, 'four'), (5, 5, 'five');
    CREATE TABLE u (id INT PRIMARY KEY, name VARCHAR(20));
    INSERT INTO u VALUES (1, 'one');
    CALL dolt_commit('-Am', 'base');
    CALL dolt_branch('side');
    UPDATE t SET name = CONCAT('our ', name) WHERE a < 4;
    DELETE FROM t WHERE a >= 4;
    UPDATE u SET name = 'ours';
    CALL dolt_commit('-am', 'ours');
    CALL dolt_checkout('side');
    UPDATE t SET name = CONCAT('their ', name) WHERE a <> 3;
    DELETE FROM t WHERE a = 3;
    UPDATE u SET name = 'theirs';
    CALL dolt_commit('-am', 'theirs');
    CALL dolt_checkout('main')`;
  for await (const _ of database.run(script));
  const { outcome, conflicts } = await database.merge('side');
  expect(outcome).toBe('conflicts');
  expect(conflicts.map(({ table, count }) => [table, count])).toEqual([
    ['t', 5],
    ['u', 1],
  ]);
  for await (const { base, ours, theirs } of database.conflicts('u')) {
    expect([base, ours, theirs].map(row => row?.name)).toEqual(['one', 'ours', 'theirs']);
    expect(Object.keys(ours ?? {})).toEqual(['id', 'name']);
  }
  await work(database);
}

async function conflictsOf(database: Database, table: string): Promise<Conflict[]> {
  const found: Conflict[] = [];
  for await (const conflict of database.conflicts(table)) found.push(conflict);
  return found.sort((one, other) => Number(one.base?.a ?? 0) - Number(other.base?.a ?? 0));
}

withEngine('conflicts are resolved row by row: by either side, deleted rows included, and by a row of one’s own', () =>
  withConflicts(async database => {
    const [one, two, three, four, five] = (await conflictsOf(database, 't')).map(({ id }) => id);
    await database.resolveRows('t', [
      { id: one as string, take: 'ours' },
      { id: two as string, take: 'theirs' },
      { id: three as string, take: 'theirs' },
      { id: four as string, take: 'theirs' },
    ]);
    expect(await conflictsOf(database, 't')).toHaveLength(1);
    await database.resolveRows('t', [{ id: five as string, row: { a: 5, b: 5, name: 'edited' } }]);
    await database.resolve('theirs', ['u']);
    await database.commit('merged');
    expect((await database.query('SELECT a, name FROM t ORDER BY a')).rowArrays()).toEqual([
      [1, 'our one'],
      [2, 'their two'],
      [4, 'their four'],
      [5, 'edited'],
    ]);
    expect((await database.query('SELECT name FROM u')).rowArrays()).toEqual([['theirs']]);
    const [merged] = (await database.query("SELECT parents FROM dolt_log('--parents') LIMIT 1")).rowArrays();
    expect(String(merged?.[0]).split(', ')).toHaveLength(2);
  }),
);

withEngine('a row of one’s own may be none, or have edited cells; one that cannot be leaves all conflicts', () =>
  withConflicts(async database => {
    const ids = (await conflictsOf(database, 't')).map(({ id }) => id);
    const wrong = database.resolveRows('t', [
      { id: ids[0] as string, row: null },
      { id: ids[1] as string, row: { name: 'a name that is far too long for its column' } },
    ]);
    await expect(wrong).rejects.toThrow(/too (large|long)/i);
    expect(await conflictsOf(database, 't')).toHaveLength(5);
    await database.resolveRows('t', [
      { id: ids[0] as string, row: null },
      { id: ids[1] as string, row: { name: 'shorter' } },
    ]);
    expect((await database.query('SELECT a, name FROM t ORDER BY a')).rowArrays()).toEqual([
      [2, 'shorter'],
      [3, 'our three'],
    ]);
    await expect(database.resolveRows('t', [{ id: 'nothing', row: null }])).rejects.toThrow('no conflict');
  }),
);

withEngine('two thousand conflicts are resolved in one go', async () => {
  await using database = await open({ empty: 'many' });
  const script = `
    CREATE TABLE t (id INT PRIMARY KEY, n INT);
    INSERT INTO t WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 2000) SELECT i, 0 FROM s;
    CALL dolt_commit('-Am', 'base');
    CALL dolt_branch('side');
    UPDATE t SET n = 1;
    CALL dolt_commit('-am', 'ours');
    CALL dolt_checkout('side');
    UPDATE t SET n = 2;
    CALL dolt_commit('-am', 'theirs');
    CALL dolt_checkout('main')`;
  for await (const _ of database.run(script));
  await database.merge('side');
  const ids = (await conflictsOf(database, 't')).map(({ id }) => id);
  expect(ids).toHaveLength(2000);
  await database.resolveRows(
    't',
    ids.map((id, index) => ({ id, take: index % 2 === 0 ? 'ours' : 'theirs' })),
  );
  const { rows } = await database.query('SELECT n, COUNT(*) AS rows_of FROM t GROUP BY n ORDER BY n');
  expect(rows).toEqual([
    { n: 1, rows_of: 1000n },
    { n: 2, rows_of: 1000n },
  ]);
});

withEngine('their row has its values of columns with defaults, and computes what is computed', async () => {
  await using database = await open({ empty: 'defaults' });
  const script = `
    CREATE TABLE t (id INT PRIMARY KEY, n INT DEFAULT (1 + 1), made DATETIME DEFAULT CURRENT_TIMESTAMP,
      twice INT GENERATED ALWAYS AS (n * 2) STORED);
    INSERT INTO t (id, n, made) VALUES (1, 1, '2001-01-01'), (2, 1, '2001-01-01');
    CALL dolt_commit('-Am', 'base');
    CALL dolt_branch('side');
    UPDATE t SET n = 5, made = '2005-05-05' WHERE id = 1;
    DELETE FROM t WHERE id = 2;
    CALL dolt_commit('-am', 'ours');
    CALL dolt_checkout('side');
    UPDATE t SET n = 7, made = '2007-07-07';
    CALL dolt_commit('-am', 'theirs');
    CALL dolt_checkout('main')`;
  for await (const _ of database.run(script));
  await database.merge('side');
  const found = await conflictsOf(database, 't');
  expect(found).toHaveLength(2);
  await database.resolveRows(
    't',
    found.map(({ id }) => ({ id, take: 'theirs' as const })),
  );
  expect((await database.query('SELECT id, n, DATE(made), twice FROM t ORDER BY id')).rowArrays()).toEqual([
    [1, 7, '2007-07-07', 14],
    [2, 7, '2007-07-07', 14],
  ]);
});
