import { expect, test } from 'vitest';
import { SessionMemory } from './session_memory.ts';

function after(...statements: string[]): SessionMemory {
  const memory = new SessionMemory();
  for (const sql of statements) memory.note({ sql, params: [] });
  return memory;
}

test('variables are set again, other statements are not run again', () => {
  const memory = after(
    '/* of the page */ SET @a = 1',
    'INSERT INTO t VALUES (1)',
    // It may name a table, whose changes would be lost once more.
    "CALL dolt_checkout('t')",
    'USE shop',
  );
  expect(memory.setup.map(({ sql }) => sql)).toEqual(['SET @a = 1']);
});

test('what is set time and again is set once, unless something between looks at it', () => {
  const on = "SET @@dolt_allow_commit_conflicts = 1, @@names = 'x'";
  const off = 'SET @@dolt_allow_commit_conflicts = 0';
  expect(after(on, off, on, off).setup.map(({ sql }) => sql)).toEqual([on, off]);
  const copied = ['SET @a = 1', 'SET @b = @a', 'SET @a = 1'];
  expect(after(...copied).setup.map(({ sql }) => sql)).toEqual(copied);
});

test('settings that could not be brought back are told once', () => {
  const memory = after('SET @a = (SELECT COUNT(*) FROM t)');
  memory.restart();
  memory.notRestored('SET @a = (SELECT COUNT(*) FROM t)');
  expect(memory.missing('SELECT 1')).toBe('what "SET @a = (SELECT COUNT(*) FROM t)" had set');
  expect(memory.missing('SELECT 1')).toBeUndefined();
  const many = after(...Array.from({ length: 1001 }, (_, index) => `SET @a${index} = 1`));
  expect(many.missing('SELECT @a0')).toBeUndefined();
  many.restart();
  expect(many.missing('SELECT @a0')).toBe('what "SET @a0 = 1" had set');
});

test('a transaction is known until its end', () => {
  expect(after('start transaction').isInTransaction).toBe(true);
  expect(after('BEGIN', 'ROLLBACK TO s').isInTransaction).toBe(true);
  expect(after('BEGIN', 'COMMIT').isInTransaction).toBe(false);
  expect(after('SET autocommit = 0', 'COMMIT').isInTransaction).toBe(true);
  expect(after('SET @@autocommit = off', 'SET autocommit = ON').isInTransaction).toBe(false);
});

test('what was prepared by a statement is prepared again', () => {
  const memory = after("PREPARE s FROM 'SELECT ?'", 'SET @a = 1', 'EXECUTE s USING @a', 'DEALLOCATE PREPARE s');
  expect(memory.setup.map(({ sql }) => sql)).toEqual([
    "PREPARE s FROM 'SELECT ?'",
    'SET @a = 1',
    'DEALLOCATE PREPARE s',
  ]);
});

test('temporary tables are missing after a restart until they are made again', () => {
  const memory = after(
    'CREATE TEMPORARY TABLE IF NOT EXISTS `Mine` (a INT)',
    'create temporary table other as select 1',
  );
  expect(memory.missing('SELECT * FROM mine')).toBeUndefined();
  memory.restart();
  expect(memory.missing('SELECT * FROM t JOIN `mine` ON 1')).toBe('the temporary table `mine`');
  expect(memory.missing("INSERT INTO t VALUES ('FROM mine')")).toBeUndefined();
  expect(memory.missing('SELECT mine.a FROM miners')).toBeUndefined();
  expect(memory.missing('INSERT INTO shop.mine VALUES (1)')).toBe('the temporary table `mine`');
  // A table of the database with that name is not dropped in its place.
  expect(memory.missing('DROP TABLE other')).toBe('the temporary table `other`');
  expect(memory.missing('SELECT * FROM other')).toBeUndefined();
  expect(memory.missing('CREATE TEMPORARY TABLE mine (a INT)')).toBeUndefined();
  expect(memory.missing('SELECT * FROM mine')).toBeUndefined();
  expect(after('CREATE TEMPORARY TABLE x (a INT)', 'DROP TABLE x').missing('SELECT * FROM x')).toBeUndefined();
});

test('variables that a query has set are missing until they are set again', () => {
  const memory = after('SELECT COUNT(*) INTO @count FROM t', 'SELECT @sum := 3', 'SET @sum = 4');
  memory.restart();
  expect(memory.missing('SELECT @sum, @counts')).toBeUndefined();
  expect(memory.missing('SELECT @count + 1')).toBe('the variable @count');
  expect(memory.missing('SET @count = 0')).toBeUndefined();
  expect(memory.missing('SELECT @count + 1')).toBeUndefined();
});

test('a session that begins anew stands where the other one does, and remembers nothing else', () => {
  const memory = after('SET @a = 1', 'SET autocommit = 0', 'CREATE TEMPORARY TABLE t (i INT)');
  const beside = after('SET @b = 2');
  beside.place = 'shop';
  memory.renew(beside);
  expect(memory.place).toBe('shop');
  expect(memory.setup).toEqual([]);
  expect(memory.isInTransaction).toBe(false);
  memory.restart();
  expect(memory.missing('SELECT * FROM t')).toBeUndefined();
});
