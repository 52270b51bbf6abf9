import { expect, test } from 'vitest';
import { open } from './index.ts';

/** Takes as many steps as a call may. */
const ENDLESS = "CONCAT(REPEAT('a', 40), '!'), '^((?=a)a+)+$'";

test('a pattern that blows up in a browser has an answer, and one that exceeds its steps an error', async () => {
  await using database = await open({ empty: 'patterns' });
  const { rows } = await database.query("SELECT REGEXP_LIKE(REPEAT('a', 40), '^(a+)+$b') AS is_found");
  expect(rows).toEqual([{ is_found: 0 }]);
  await expect(database.query(`SELECT REGEXP_LIKE(${ENDLESS})`)).rejects.toMatchObject({ errno: 3699 });
  expect((await database.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('a pattern that the text of the statement does not mention is evaluated, too', async () => {
  await using database = await open({ empty: 'patterns' });
  await database.query('CREATE TABLE words (word VARCHAR(20))');
  await database.query("SET @text = CONCAT('SELECT ''abc'' REG', 'EXP ''b'' AS is_found')");
  await database.query('PREPARE hidden FROM @text');
  expect((await database.query('EXECUTE hidden')).rows).toEqual([{ is_found: 1 }]);
});
