import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import { type Database, open, type StatementOptions } from './index.ts';

const LOAD = "LOAD DATA LOCAL INFILE 'seeds.csv' INTO TABLE t FIELDS TERMINATED BY ','";
const CSV = '1,one\n2,two\n3,three\n';

async function withTable(work: (database: Database) => Promise<void>): Promise<void> {
  await using database = await open({ empty: 'loads' });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(20))');
  await work(database);
}

async function loaded(files: StatementOptions['files']): Promise<unknown[][]> {
  let rows: unknown[][] = [];
  await withTable(async database => {
    const { affectedRows } = await database.query(LOAD, [], { ...(files && { files }) });
    rows = (await database.query('SELECT * FROM t ORDER BY id')).rowArrays();
    expect(affectedRows).toBe(rows.length);
  });
  return rows;
}

const THREE = [
  [1, 'one'],
  [2, 'two'],
  [3, 'three'],
];

withEngine('LOAD DATA LOCAL reads bytes, a blob and a file of the disk', async () => {
  expect(await loaded({ 'seeds.csv': new TextEncoder().encode(CSV) })).toEqual(THREE);
  expect(await loaded({ 'seeds.csv': new Blob([CSV]) })).toEqual(THREE);
  const directory = mkdtempSync(join(tmpdir(), 'varve-load-'));
  try {
    const path = join(directory, 'any name.csv');
    writeFileSync(path, CSV);
    expect(await loaded({ 'seeds.csv': { path } })).toEqual(THREE);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

withEngine('LOAD DATA LOCAL reads what came along with the statement, and nothing else', () =>
  withTable(async database => {
    await expect(database.query(LOAD)).rejects.toThrow("File 'seeds.csv' not found");
    const other = { files: { 'other.csv': new TextEncoder().encode(CSV) } };
    await expect(database.query(LOAD, [], other)).rejects.toThrow("File 'seeds.csv' not found");
    await expect(database.query(LOAD.replace('seeds.csv', '/etc/passwd'), [], other)).rejects.toThrow('not found');
    const gone = { files: { 'seeds.csv': { path: '/nowhere/seeds.csv' } } };
    await expect(database.query(LOAD, [], gone)).rejects.toThrow(/seeds\.csv.*ENOENT/);
  }),
);

withEngine('a prepared LOAD DATA LOCAL gets its files at each run, of any size', () =>
  withTable(async database => {
    const statement = await database.prepare(LOAD);
    const lines = (from: number, count: number): Uint8Array =>
      new TextEncoder().encode(Array.from({ length: count }, (_, index) => `${from + index},row\n`).join(''));
    await statement.query([], { files: { 'seeds.csv': lines(0, 30_000) } });
    await statement.query([], { files: { 'seeds.csv': lines(30_000, 30_000) } });
    await statement.close();
    expect((await database.query('SELECT COUNT(*) AS n, MAX(id) AS last FROM t')).rows).toEqual([
      { n: 60_000n, last: 59_999 },
    ]);
  }),
);
