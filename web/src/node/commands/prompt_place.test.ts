import { expect, test } from 'vitest';
import { isBuilt } from '../../testing/built_engine.ts';
import { open } from '../index.ts';
import { PromptPlace } from './prompt_place.ts';

test.skipIf(!isBuilt)('the prompt follows the session, and leaves it as it is', async () => {
  const database = await open({ empty: 'shop' });
  const place = new PromptPlace(database);
  const after = async (sql: string) => {
    await database.query(sql);
    await place.after(sql);
    return place.words;
  };
  await place.read();
  expect(place.words).toBe('shop/main');
  expect(await after('CREATE TABLE t (n INT)')).toBe('shop/main*');
  expect(await after('INSERT INTO t VALUES (1), (2), (3)')).toBe('shop/main*');
  expect((await database.query('SELECT ROW_COUNT() AS n')).rows).toEqual([{ n: 3n }]);
  expect(await after("CALL dolt_commit('-Am', 't')")).toBe('shop/main');
  expect(await after("CALL dolt_checkout('-b', 'next')")).toBe('shop/next');
  expect(await after('USE `shop/main`')).toBe('shop/main');
  expect(await after('USE information_schema')).toBe('information_schema');
  await place.close();
  await database.close();
});
