import { expect } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import { open } from './index.ts';

/** What a statement says of lengths that the addresses of the engine cannot count, in 32 bits: 4,294,967,297 would be 1. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  "left('hello', 4294967297)": 'hello',
  "right('hello', 4294967297)": 'hello',
  "substring('hello', 2, 4294967297)": 'ello',
  "insert('hello', 2, 4294967297, 'i')": 'hi',
  "cast('hello' as char(4294967297))": 'hello',
  "repeat('', 4294967297)": '',
  "repeat('hello', 4294967297)": null,
  'space(4294967297)': null,
  "lpad('hello', 4294967297, 'x')": null,
  "rpad('hello', 4294967297, 'x')": null,
  "cast('hello' as binary(4294967295))": null,
  "length(replace(repeat('a', 70000), 'a', repeat('b', 70000)))": null,
};

withEngine('lengths beyond the memory of the engine are what they say, and what would be as long is NULL', async () => {
  await using database = await open({ empty: 'lengths' });
  for (const [expression, answer] of Object.entries(ANSWERS)) {
    const { rows } = await database.query(`SELECT ${expression} AS answer`);
    expect([expression, rows[0]?.answer]).toEqual([expression, answer]);
  }
});

withEngine('a limit beyond 32 bits is no limit', async () => {
  await using database = await open({ empty: 'lengths' });
  await database.query('CREATE TABLE points (id INT PRIMARY KEY, place VECTOR(2) NOT NULL, VECTOR INDEX (place))');
  await database.query("INSERT INTO points VALUES (1, '[1, 1]'), (2, '[3, 3]'), (3, '[2, 2]')");
  const ids = async (sql: string): Promise<unknown[]> => (await database.query(sql)).rows.map(row => row.id);
  expect(await ids('SELECT id FROM points ORDER BY id LIMIT 4294967297')).toEqual([1, 2, 3]);
  const nearest = "SELECT id FROM points ORDER BY vec_distance(place, '[0, 0]') LIMIT";
  expect(await ids(`${nearest} 4294967296`)).toEqual([1, 3, 2]);
  expect(await ids(`${nearest} 4294967296 OFFSET 4294967297`)).toEqual([]);
});
