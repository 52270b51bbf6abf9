import { expect } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import { type Database, open } from './index.ts';

const SAMPLE = 'web/public/sample/seed_bank';

async function withSample(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await open(SAMPLE, { readOnly: true });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

withEngine('the log comes newest first, from anywhere, and stops where it is told', () =>
  withSample(async database => {
    const commits = await all(database.log());
    expect(commits.length).toBeGreaterThan(2);
    expect(commits.at(-1)?.parents).toEqual([]);
    const [newest, older] = commits;
    expect(newest?.parents).toContain(older?.hash);
    expect(newest?.hash).toMatch(/^[0-9a-v]{32}$/);
    expect(await all(database.log({ limit: 2 }))).toEqual(commits.slice(0, 2));
    expect((await all(database.log({ from: older?.hash ?? '', limit: 1 })))[0]).toEqual(older);
  }),
);

withEngine('branches, and views of them', () =>
  withSample(async database => {
    const branches = await database.branches();
    expect(branches.filter(({ isCurrent }) => isCurrent).map(({ name }) => name)).toEqual(['main']);
    const [newest] = await all(database.log({ limit: 1 }));
    expect(branches.find(({ name }) => name === 'main')?.hash).toBe(newest?.hash);
    const first = (await all(database.log())).at(-1)?.hash ?? '';
    const view = await database.at(first);
    expect(view.ref).toBe(first);
    expect((await view.query('SHOW TABLES')).rowCount).toBe(0);
    await view.close();
    const [, second] = await all(database.log({ limit: 2 }));
    await using before = await database.at('HEAD~1');
    const { rows } = await before.query<{ hash: string }>("SELECT dolt_hashof('HEAD') AS hash");
    expect(rows.map(({ hash }) => hash)).toEqual([second?.hash]);
    await expect(database.at('no_such_branch')).rejects.toThrow('no_such_branch');
    expect((await database.query('SHOW TABLES')).rowCount).toBeGreaterThan(0);
  }),
);

withEngine('a diff streams changes of one table or of all, and can be narrowed', () =>
  withSample(async database => {
    const commits = await all(database.log());
    const [to, from] = [commits[0]?.hash ?? '', commits.at(-1)?.hash ?? ''];
    let table = '';
    for await (const change of database.diff(from, to)) {
      expect(change.kind).toBe('added');
      expect(change.from).toBeNull();
      table = change.table;
      // The rest is not read.
      break;
    }
    expect(table).not.toBe('');
    const lots = await all(database.diff(from, to, { table: 'accessions', where: 'to_id <= 20' }));
    expect(lots.map(({ kind }) => kind)).toEqual(lots.map(() => 'added'));
    expect(lots.map(({ to: row }) => row?.id).sort((a, b) => Number(a) - Number(b))[0]).toBe(1);
    expect(Object.keys(lots[0]?.to ?? {})).not.toContain('commit');
    expect((await all(database.diff(to, from, { table: 'accessions', where: 'from_id = 1' })))[0]?.kind).toBe(
      'removed',
    );
  }),
);

withEngine('a live query tells its result at once, and again when it is asked to', () =>
  withSample(async database => {
    // Who knows the rows says so, as with `query`.
    const counts: (bigint | undefined)[] = [];
    const live = await database.live<{ lots: bigint }>('SELECT COUNT(*) AS lots FROM accessions', ({ rows }) =>
      counts.push(rows[0]?.lots),
    );
    expect(counts).toHaveLength(1);
    await live.refresh();
    expect(counts).toHaveLength(2);
    await live.close();
    await live.refresh();
    expect(counts).toHaveLength(2);
    await expect(database.live('SELECT nothing FROM nowhere', () => {})).rejects.toThrow('nowhere');
  }),
);
