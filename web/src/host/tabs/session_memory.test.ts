import { expect, test } from 'vitest';
import { SessionMemory } from './session_memory.ts';

function after(...statements: string[]): SessionMemory {
  const memory = new SessionMemory();
  for (const sql of statements) memory.note({ sql, params: [] });
  return memory;
}

test('places and variables are set again, other statements are not run again', () => {
  const memory = after(
    'USE shop',
    'SET @a = 1',
    'INSERT INTO t VALUES (1)',
    "CALL dolt_checkout('side')",
    "CALL dolt_checkout('-b', 'x')",
  );
  expect(memory.setup.map(({ sql }) => sql)).toEqual(['USE shop', 'SET @a = 1', "CALL dolt_checkout('side')"]);
});

test('a transaction is known until its end', () => {
  expect(after('start transaction').isInTransaction).toBe(true);
  expect(after('BEGIN', 'ROLLBACK TO s').isInTransaction).toBe(true);
  expect(after('BEGIN', 'COMMIT').isInTransaction).toBe(false);
  expect(after('SET autocommit = 0', 'COMMIT').isInTransaction).toBe(true);
  expect(after('SET @@autocommit = off', 'SET autocommit = ON').isInTransaction).toBe(false);
});
