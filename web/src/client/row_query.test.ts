import { expect, test } from 'vitest';
import { rowQuery } from './row_query.ts';

test('a query over rows of one table is taken apart', () => {
  expect(rowQuery('SELECT * FROM t')).toEqual({ selected: '*', table: 't', alias: 't', condition: '' });
  expect(
    rowQuery("select a, upper(b) AS c from `my ``t` as x where a > 1 and b <> 'limit 3' order by c desc;"),
  ).toEqual({
    selected: 'a, upper(b) AS c',
    table: 'my `t',
    alias: 'x',
    condition: "a > 1 and b <> 'limit 3'",
  });
  expect(rowQuery('SELECT id FROM t u ORDER BY id')).toEqual({ selected: 'id', table: 't', alias: 'u', condition: '' });
  expect(rowQuery('SELECT (a + 1) FROM t -- every one\nWHERE (b IN (1, 2)) /* or so */')?.condition).toBe(
    '(b IN (1, 2))',
  );
  expect(rowQuery('SELECT a -- the first\n, b -- the last\nFROM t')?.selected).toBe('a -- the first\n, b');
  expect(rowQuery('SELECT `count`, now FROM t WHERE `limit` = ?')?.condition).toBe('`limit` = ?');
});

test.each([
  'SELECT COUNT(*) FROM t',
  'SELECT DISTINCT a FROM t',
  'SELECT a FROM t GROUP BY a',
  'SELECT a FROM t LIMIT 3',
  'SELECT a FROM t, u',
  'SELECT a FROM t JOIN u USING (id)',
  'SELECT a FROM other.t',
  'SELECT a FROM (SELECT 1 AS a) AS t',
  'SELECT a FROM t WHERE a IN (SELECT a FROM u)',
  'SELECT a FROM t UNION SELECT a FROM u',
  'SELECT a, NOW() FROM t',
  'SELECT a, CURRENT_TIMESTAMP FROM t',
  'SELECT a, RANK() OVER (ORDER BY a) FROM t',
  'SELECT @n := @n + 1 FROM t',
  "SELECT a FROM t AS OF 'HEAD'",
  'SELECT a FROM t; DROP TABLE t',
  'SELECT /*! SQL_NO_CACHE */ a FROM t',
  'SELECT 1',
  'TABLE t',
  'WITH c AS (SELECT 1) SELECT * FROM c',
  '',
])('%s is not', sql => {
  expect(rowQuery(sql)).toBeNull();
});
