import { expect, test } from 'vitest';
import { comparingProblem } from './comparable.ts';

test('queries have answers, other statements do not', () => {
  for (const sql of ['SELECT 1', ' (select 1) UNION (select 2)', 'WITH a AS (SELECT 1) TABLE a', 'SHOW TABLES'])
    expect(comparingProblem(sql)).toBeUndefined();
  for (const sql of ['UPDATE beds SET id = 1', 'CALL dolt_gc()', 'selected', ''])
    expect(comparingProblem(sql)).toMatch(/^Only queries/);
});

test('a variable of the session has no value elsewhere; an address in quotes is no variable', () => {
  expect(comparingProblem('SELECT * FROM beds WHERE id = @id')).toContain('@id');
  expect(comparingProblem("SELECT 'a@b.c', `x@y`, @@version /* @z */ --@w")).toBeUndefined();
  expect(comparingProblem('SELECT 1 /*! + @z */')).toContain('@z');
});
