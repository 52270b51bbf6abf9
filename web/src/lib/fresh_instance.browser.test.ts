import { expect, test } from 'vitest';
import { open } from './index.ts';

test('a worker gives back the memory that one statement needed, and its sessions go on', async () => {
  await using database = await open({ empty: 'garden' }, { budgetBytes: 32 * 2 ** 20 });
  const session = await database.session();
  await session.query('CREATE TABLE beds (id INT PRIMARY KEY)');
  await session.query('INSERT INTO beds VALUES (1)');
  await session.query("SET @name = 'rose'");
  const prepared = await session.prepare('SELECT @name AS name, id FROM beds WHERE id = ?');
  await session.query("SELECT LENGTH(CONCAT(REPEAT('a', 100000000), REPEAT('b', 50000000)))");
  expect(await database.releaseMemory()).toBeGreaterThan(100 * 2 ** 20);
  expect((await prepared.query([1])).rows).toEqual([{ name: 'rose', id: 1 }]);
  expect((await database.stats()).counters).toMatchObject({ engine_released: 1 });
});
