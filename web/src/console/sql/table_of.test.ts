import { expect, test } from 'vitest';
import {
  countsOfResult,
  countsOfTable,
  orderOf,
  readsOneTable,
  refined,
  refinedResult,
  tableOf,
  wholeTable,
  withoutLimit,
} from './table_of.ts';

function check(sql: string, expected: string): void {
  const found = tableOf(sql);
  const told = found.kind === 'none' ? found.reason : `${found.database ?? ''}.${found.table} ${found.alias}`;
  expect(told, sql).toBe(expected);
}

test('a plain query reads one table', () => {
  check('SELECT * FROM t', '.t t');
  check('select a, b+1 from `my table` AS x where a in (select a from u) order by b limit 10;', '.my table x');
  check('SELECT EXTRACT(DAY FROM d) FROM `db/branch`.t q', 'db/branch.t q');
  check('TABLE t LIMIT 3', '.t t');
  check('-- names, and more\nSELECT * /* FROM u */ FROM t # all', '.t t');
  check("SELECT 'FROM u, v' FROM t WHERE a = ' GROUP BY '", '.t t');
  check('SELECT * FROM t USE INDEX (i) WHERE a = 1', '.t t');
  check('SELECT 1--, u\n FROM t //, v', '.t t');
  check('SELECT * FROM t /*! JOIN u */', 'The query joins several tables');
});

test('other queries say why their rows are none of a table', () => {
  check('SHOW TABLES', 'Only the rows of a SELECT from one table can be edited');
  check('WITH c AS (SELECT 1) SELECT * FROM c', 'Only the rows of a SELECT from one table can be edited');
  check('SELECT 1', 'The rows come from no table');
  check('SELECT * FROM t, u', 'The query joins several tables');
  check('SELECT * FROM t x JOIN u ON x.a = u.a', 'The query joins several tables');
  check('SELECT * FROM t LEFT JOIN u USING (a)', 'The query joins several tables');
  check('SELECT DISTINCT a FROM t', 'DISTINCT makes one row of several');
  check('SELECT a, COUNT(*) FROM t WHERE b GROUP BY a', 'The query groups rows');
  check('SELECT a FROM t UNION SELECT a FROM t', 'The rows come from several queries');
  check("SELECT * FROM t AS OF 'HEAD~1'", 'These are rows of an earlier version');
  check("SELECT * FROM t AS OF 'HEAD~1' AS x", 'These are rows of an earlier version');
  check('SELECT * FROM (SELECT * FROM t) x', 'The rows come from a subquery');
  check("SELECT * FROM dolt_diff('a', 'b', 't')", 'The rows come from a function');
  check('SELECT * FROM t PIVOT x y z', 'Not a plain SELECT from one table');
});

test('a query is asked for fewer rows, or for another order', () => {
  expect(refined('SELECT * FROM t LIMIT 1000;', { orderBy: 'a DESC' })).toBe(
    'SELECT * FROM t ORDER BY a DESC LIMIT 1000',
  );
  expect(refined('SELECT * FROM t', { where: 'a = 1' })).toBe('SELECT * FROM t WHERE a = 1');
  const asked = "SELECT a FROM t WHERE a = 1 OR b IN (SELECT c FROM u WHERE d ORDER BY e) ORDER BY a, 'LIMIT' LIMIT 5";
  expect(refined(asked, { where: 'b IS NULL' })).toBe(
    "SELECT a FROM t WHERE (a = 1 OR b IN (SELECT c FROM u WHERE d ORDER BY e)) AND b IS NULL ORDER BY a, 'LIMIT' LIMIT 5",
  );
  expect(refined(asked, { orderBy: 'b' })).toBe(
    'SELECT a FROM t WHERE a = 1 OR b IN (SELECT c FROM u WHERE d ORDER BY e) ORDER BY b LIMIT 5',
  );
});

test('the result of any query can be refined, and again', () => {
  const once = refinedResult('SELECT a.id, b.n FROM a JOIN b USING (id) LIMIT 5;', ['id', 'n'], { orderBy: 'n DESC' });
  expect(once).toBe('SELECT * FROM (\nSELECT a.id, b.n FROM a JOIN b USING (id) LIMIT 5\n) AS result ORDER BY n DESC');
  expect(refinedResult(`${once};`, ['id', 'n'], { where: 'id = 3' })).toBe(
    'SELECT * FROM (\nSELECT a.id, b.n FROM a JOIN b USING (id) LIMIT 5\n) AS result WHERE id = 3 ORDER BY n DESC',
  );
  expect(refinedResult('SELECT a.id, b.ID FROM a, b', ['id', 'ID'], {})).toBeUndefined();
  expect(refinedResult('SHOW TABLES', ['Tables_in_x'], {})).toBeUndefined();
});

test('the order of a query is told by its columns, as far as it goes', () => {
  const told = (sql: string) => orderOf(sql).map(({ by, isDescending }) => `${by}${isDescending ? ' down' : ''}`);
  expect(told('SELECT * FROM t')).toEqual([]);
  expect(told('SELECT a FROM t ORDER BY `the name` DESC, t.b, 12 desc LIMIT 3')).toEqual([
    'the name down',
    'b',
    '12 down',
  ]);
  expect(told('SELECT * FROM (SELECT 1 ORDER BY x) AS q WHERE a > 1')).toEqual([]);
  expect(told('SELECT *, ROW_NUMBER() OVER (ORDER BY c) FROM t ORDER BY a, LENGTH(b), c;')).toEqual(['a']);
  expect(told('SELECT * FROM t ORDER BY a + 1, b')).toEqual([]);
});

test('a LIMIT is taken away, and what stands in texts and subqueries is not one', () => {
  expect(withoutLimit('SELECT * FROM t ORDER BY a LIMIT 10')).toBe('SELECT * FROM t ORDER BY a');
  expect(withoutLimit("SELECT 'LIMIT 1' FROM (SELECT 1 LIMIT 2) x")).toBe("SELECT 'LIMIT 1' FROM (SELECT 1 LIMIT 2) x");
});

test('a query without conditions gives the whole table', () => {
  expect(wholeTable('SELECT * FROM t LIMIT 10')).toBe('t');
  expect(wholeTable('SELECT * FROM t WHERE a LIMIT 10')).toBeUndefined();
  expect(wholeTable('SELECT * FROM `db/b`.t LIMIT 10')).toBeUndefined();
});

test('rows of the past are those of one table', () => {
  expect(readsOneTable("SELECT * FROM t AS OF 'HEAD~1' LIMIT 1000")).toBe(true);
  expect(readsOneTable("SELECT * FROM t AS OF 'HEAD~1' x JOIN u ON x.a = u.a")).toBe(false);
});

test('the values of a column are counted, of a table in all of its rows', () => {
  const after = 'GROUP BY a ORDER BY times DESC, a LIMIT 1000';
  expect(countsOfTable('SELECT * FROM t x WHERE b > 1 ORDER BY c LIMIT 10;', 'a')).toBe(
    `SELECT a, COUNT(*) AS times FROM t x WHERE b > 1 ${after}`,
  );
  expect(countsOfTable('TABLE t', 'times')).toBe(
    'SELECT times, COUNT(*) AS how_often FROM t GROUP BY times ORDER BY how_often DESC, times LIMIT 1000',
  );
  expect(countsOfResult('SELECT a, b FROM t JOIN u LIMIT 5', ['a', 'b'], 'a')).toBe(
    `SELECT a, COUNT(*) AS times FROM (\nSELECT a, b FROM t JOIN u LIMIT 5\n) AS result ${after}`,
  );
  expect(countsOfResult('SELECT 1, 1', ['1', '1'], '`1`')).toBeUndefined();
});
