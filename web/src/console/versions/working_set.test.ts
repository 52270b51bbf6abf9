import { expect, test } from 'vitest';
import type { Database } from '../../lib/index.ts';
import { eventually } from '../testing/eventually.ts';
import { WorkingSet } from './working_set.ts';

test('what is committed between the first reading and the subscription is read, too', async () => {
  let root = 'before';
  const database = {
    storage: { readOnly: false },
    query: async (sql: string) => ({ rows: [], rowArrays: () => (sql.includes('dolt_hashof_db') ? [[root]] : []) }),
    live: async (_sql: string, tell: () => void) => {
      root = 'after';
      tell();
      return { close: async () => {} };
    },
  };
  const set = new WorkingSet(database as unknown as Database);
  await set.start();
  await eventually(() => expect(set.state.value?.roots).toBe('after'));
  set.close();
});

test('tables that differ are there before their rows are counted, and what is changed meanwhile is read', async () => {
  let tables = ['beds'];
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const rows: Record<string, () => readonly object[]> = {
    dolt_status: () => tables.map(table_name => ({ table_name, staged: 0, status: 'modified' })),
    dolt_diff_summary: () =>
      tables.map(name => ({ from_table_name: name, to_table_name: name, data_change: 1, schema_change: 0 })),
  };
  const answer = (sql: string) => {
    const [, found] = Object.entries(rows).find(([name]) => sql.includes(name)) ?? [];
    return { rows: found?.() ?? [], rowArrays: () => [[tables.join()]], warnings: [] };
  };
  const database = {
    storage: { readOnly: true },
    query: async (sql: string) => answer(sql),
    session: async () => ({
      query: async () => {
        await held;
        return { rows: tables.map(table_name => ({ table_name, rows_added: 2 })) };
      },
      close: async () => {},
    }),
  };
  const set = new WorkingSet(database as unknown as Database);
  const counts = () => set.state.value?.unstaged.map(({ table, rows }) => [table, rows]);
  await set.start();
  expect(counts()).toEqual([['beds', 'counting']]);
  tables = ['beds', 'lots'];
  await set.read();
  expect(counts()).toEqual([
    ['beds', 'counting'],
    ['lots', 'counting'],
  ]);
  release();
  const two = { added: 2, removed: 0, modified: 0 };
  await eventually(() =>
    expect(counts()).toEqual([
      ['beds', two],
      ['lots', two],
    ]),
  );
  set.close();
});

test('many commits one after the other are one reason to read', async () => {
  let readings = 0;
  let root = 'before';
  const database = {
    storage: { readOnly: false },
    query: async (sql: string) => {
      const isOfRoots = sql.includes('dolt_hashof_db');
      if (isOfRoots) readings += 1;
      return { rows: [], rowArrays: () => (isOfRoots ? [[root]] : []) };
    },
    live: async (_sql: string, tell: () => void) => {
      for (let commit = 0; commit < 100; commit += 1) tell();
      root = 'after';
      return { close: async () => {} };
    },
  };
  const set = new WorkingSet(database as unknown as Database);
  await set.start();
  await eventually(() => expect(set.state.value?.roots).toBe('after'));
  expect(readings).toBe(2);
  set.close();
});
