/** Copies of a database whose files change meanwhile, as native Dolt and collections change them. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { scratchDirectory, withEngine } from '../testing/built_engine.ts';
import { type Database, open } from './index.ts';

const scratch = scratchDirectory();
const STORE = '.dolt/noms';
const JOURNAL = 'v'.repeat(32);

async function made(name: string): Promise<{ readonly database: Database; readonly store: string }> {
  const path = join(scratch, name);
  const database = await open({ path, create: true });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY, v TEXT)');
  await database.query("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
  return { database, store: join(path, STORE) };
}

/** The pieces of a zip, with something done once its files are listed. */
async function zipped(database: Database, meanwhile: () => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of database.zip()) {
    if (pieces.length === 0) meanwhile();
    pieces.push(Uint8Array.from(piece));
  }
  return new Blob(pieces);
}

withEngine('a journal that loses its free room while it is copied is whole in the copy', async () => {
  const { database, store } = await made('cut');
  const journal = join(store, JOURNAL);
  const bytes = readFileSync(journal);
  const end = bytes.findLastIndex(byte => byte !== 0) + 1;
  expect(end).toBeLessThan(bytes.length);
  const archive = await zipped(database, () => truncateSync(journal, end));
  await database.close();
  await using copy = await open({ archive });
  expect((await copy.query('SELECT v FROM t ORDER BY id')).rowArrays()).toEqual([['a'], ['b']]);
});

withEngine('the index of a journal, which native Dolt empties meanwhile, is no part of a copy', async () => {
  const { database, store } = await made('index');
  const index = join(store, 'journal.idx');
  writeFileSync(index, new Uint8Array(6554));
  const archive = await zipped(database, () => truncateSync(index, 0));
  await database.close();
  await using copy = await open({ archive });
  expect((await copy.query('SELECT v FROM t ORDER BY id')).rowArrays()).toEqual([['a'], ['b']]);
});

withEngine('a copy whose files are replaced meanwhile is refused', async () => {
  const { database, store } = await made('collected');
  const copying = zipped(database, () => writeFileSync(join(store, `${'0'.repeat(32)}.darc`), 'another one'));
  await expect(copying).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining('replaced while it was copied'),
  });
  await database.close();
});
