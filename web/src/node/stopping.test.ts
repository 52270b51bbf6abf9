import { expect } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import {
  BEFORE_ENDLESS,
  ENDLESS,
  ENDLESS_CALLS,
  ENDLESS_FILES,
  LONG_PATTERN,
  UNCHANGED,
  UNCHANGED_ROWS,
} from '../testing/endless.ts';
import { type Database, open } from './index.ts';

async function opened(): Promise<Database> {
  const database = await open({ empty: 'stopping' });
  for (const sql of BEFORE_ENDLESS) await database.query(sql);
  return database;
}

withEngine('a statement whose time is over ends, within whatever it is, and nothing of it is done', async () => {
  await using database = await opened();
  for (const [what, sql] of Object.entries({ ...ENDLESS, ...ENDLESS_CALLS, 'a pattern': LONG_PATTERN })) {
    const ended = database.query(sql, [], { timeoutMs: 10, files: ENDLESS_FILES });
    await expect(ended, what).rejects.toMatchObject({ errno: 3024 });
    expect((await database.query(UNCHANGED)).rows, what).toEqual(UNCHANGED_ROWS);
  }
});

withEngine('a statement that is cancelled ends, within whatever it is, and nothing of it is done', async () => {
  await using database = await opened();
  for (const [what, sql] of Object.entries(ENDLESS)) {
    const control = new AbortController();
    const ended = database.query(sql, [], { signal: control.signal, files: ENDLESS_FILES });
    setTimeout(() => control.abort(new Error('enough')), 10);
    await expect(ended, what).rejects.toThrow('enough');
    expect((await database.query(UNCHANGED)).rows, what).toEqual(UNCHANGED_ROWS);
  }
});
