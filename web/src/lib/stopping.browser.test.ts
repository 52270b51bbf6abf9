import { expect, test } from 'vitest';
import {
  BEFORE_ENDLESS,
  ENDLESS,
  ENDLESS_CALLS,
  ENDLESS_FILES,
  UNCHANGED,
  UNCHANGED_ROWS,
} from '../testing/endless.ts';
import { open } from './index.ts';

test('a statement that is cancelled in a worker ends, within whatever it is, and nothing of it is done', async () => {
  await using database = await open({ empty: 'stopping' });
  for (const sql of BEFORE_ENDLESS) await database.query(sql);
  for (const [what, sql] of Object.entries({ ...ENDLESS, ...ENDLESS_CALLS })) {
    const control = new AbortController();
    const ended = database.query(sql, [], { signal: control.signal, files: ENDLESS_FILES });
    setTimeout(() => control.abort(new Error('enough')), 10);
    await expect(ended, what).rejects.toThrow('enough');
    expect((await database.query(UNCHANGED)).rows, what).toEqual(UNCHANGED_ROWS);
  }
});
