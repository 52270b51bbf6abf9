import { expect } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import { open } from './index.ts';

// The engine's own tests have the stack frames of the debug build, these have those of the release build on the stack of WebAssembly.
// `VARVE_DEEP=all` runs the statements that take longer, too, and prints what each takes.

const LENGTH = 10_000;
const ALL = process.env.VARVE_DEEP === 'all';
/** No statement takes as long. */
const TIMEOUT_MS = 20_000;

function texts(count: number, between: string, text: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => text(at)).join(between);
}
const around = (count: number, before: string, inner: string, after: string) =>
  before.repeat(count) + inner + after.repeat(count);
const where = (condition: string) => `SELECT COUNT(*) AS n FROM t WHERE ${condition}`;
const chain = (count: number, table: (at: number) => string) =>
  `WITH c0 AS (SELECT 1 AS x), ${texts(count, ', ', at => `c${at + 1} AS (${table(at)})`)} SELECT x FROM c${count}`;

/** Statements over `t` of the rows 1, 2, 3, with their one value; `null`: an answer or an error will do. */
const SHORT: Readonly<Record<string, readonly [sql: string, answer: number | null]>> = {
  UNION: [`SELECT COUNT(*) FROM (${texts(LENGTH, ' UNION ', at => `SELECT ${at} AS a`)}) q`, LENGTH],
  'UNION ALL': [`SELECT COUNT(*) FROM (${texts(LENGTH, ' UNION ALL ', at => `SELECT '${at}' AS a`)}) q`, LENGTH],
  EXCEPT: [`SELECT COUNT(*) FROM (SELECT i FROM t EXCEPT ${texts(LENGTH, ' EXCEPT ', at => `SELECT ${at + 3}`)}) q`, 2],
  INTERSECT: [`SELECT i FROM t INTERSECT ${texts(LENGTH, ' INTERSECT ', () => 'SELECT 2')}`, 2],
  'UNION and EXCEPT by turns': [
    `SELECT COUNT(*) FROM (SELECT 0${texts(LENGTH, '', at => `${[' UNION', ' EXCEPT'][at % 2]} SELECT ${at}`)}) q`,
    null,
  ],
  'common tables': [chain(LENGTH / 2, at => `SELECT x + 1 AS x FROM c${at} WHERE x >= 0`), null],
  'common tables of subqueries': [chain(LENGTH / 2, at => `SELECT (SELECT MAX(x) FROM c${at}) + 1 AS x`), null],
  'subqueries and': [where(texts(LENGTH, ' AND ', () => '(SELECT i) = i')), 3],
  'subqueries or': [
    where(texts(5 * LENGTH, ' OR ', at => `EXISTS (SELECT 1 FROM t u WHERE u.i = t.i + ${at + 2})`)),
    null,
  ],
  and: [where(texts(LENGTH, ' AND ', at => `i <> ${at + 10}`)), 3],
  or: [where(texts(LENGTH, ' OR ', at => `(i = ${at} AND i < 100000)`)), 3],
  sum: [where(`i = 1${' + 0'.repeat(LENGTH)}`), null],
  minus: [`SELECT ${'- '.repeat(LENGTH)}1`, null],
  not: [`SELECT ${'NOT '.repeat(LENGTH)}1`, null],
  parentheses: [`SELECT ${around(LENGTH, '(', '1', ')')}`, null],
  'queries in queries': [`SELECT ${around(LENGTH, '(SELECT ', '1', ')')}`, null],
  calls: [`SELECT ${around(LENGTH, 'ABS(', '1', ')')}`, null],
  'CASE in CASE': [`SELECT ${around(LENGTH, 'CASE WHEN 1 THEN ', '1', ' END')}`, null],
  'long CASE': [`SELECT CASE ${texts(LENGTH, ' ', at => `WHEN ${at} = -1 THEN ${at}`)} ELSE 7 END`, 7],
  'derived tables': [
    `${texts(LENGTH, ' ', at => `SELECT i + ${at} AS i FROM (`)} SELECT 1 AS i ${texts(LENGTH, ' ', at => `) t${at}`)}`,
    null,
  ],
  'rows of VALUES': [`SELECT COUNT(*) FROM (VALUES ${texts(LENGTH, ', ', at => `ROW(${at}, (SELECT 1))`)}) q`, null],
  joins: [`SELECT COUNT(*) FROM ${texts(LENGTH / 10, ', ', at => `(SELECT 1 AS a) t${at}`)}`, null],
  'documents in documents': [`SELECT CAST('${around(LENGTH, '[', '', ']')}' AS JSON)`, null],
  'steps of a path': [`SELECT JSON_EXTRACT('[]', CONCAT('$', REPEAT('[0]', ${LENGTH})))`, null],
  'shapes in shapes': [
    `SELECT ST_GeomFromText(CONCAT(REPEAT('GEOMETRYCOLLECTION(', ${LENGTH}), 'POINT(1 1)', REPEAT(')', ${LENGTH})))`,
    null,
  ],
  'long IN': [where(`i IN (${texts(10 * LENGTH, ',', at => `${at}`)})`), 3],
  'IN of rows': [where(`(i, i) IN (${texts(LENGTH, ',', at => `(${at}, ${at})`)})`), 3],
  'groups of an expression': [`SELECT 'a' REGEXP '${around(LENGTH, '(', 'a', ')')}'`, null],
  'a long name': [`SELECT 1 AS \`${'n'.repeat(100 * LENGTH)}\``, null],
  'a long unknown name': [`SELECT ${'n'.repeat(100 * LENGTH)} FROM t`, null],
  columns: [`SELECT COUNT(*) FROM (SELECT ${texts(LENGTH, ', ', at => `${at} AS a${at}`)}) q`, null],
};

/** Those that take more than a second. */
const LONG: typeof SHORT = {
  'common tables of groups': [
    chain(
      LENGTH / 2,
      at => `SELECT x + 1 AS x FROM c${at} WHERE x > 0 GROUP BY x HAVING COUNT(*) > 0 ORDER BY x LIMIT 5`,
    ),
    null,
  ],
  'INTERSECT and UNION': [
    `SELECT COUNT(*) FROM (SELECT i FROM t INTERSECT ${texts(LENGTH, ' INTERSECT ', () => 'SELECT 3 UNION SELECT 2')}) q`,
    null,
  ],
  'correlated subqueries': [where(texts(LENGTH, ' AND ', () => '(SELECT MAX(i) FROM t u WHERE u.i <= t.i) = i')), null],
  'lists of subqueries': [where(texts(LENGTH, ' OR ', at => `i IN (SELECT u.i + ${at + 1} FROM t u)`)), null],
  'subqueries as columns': [
    `SELECT COUNT(*) FROM (SELECT ${texts(LENGTH / 10, ', ', at => `(SELECT MAX(i) + ${at} FROM t) AS a${at}`)}) q`,
    1,
  ],
  'subqueries of an outer join': [
    `SELECT COUNT(*) FROM t a LEFT JOIN t b ON ${texts(LENGTH, ' AND ', () => '(SELECT a.i) = b.i')}`,
    null,
  ],
  'outer joins': [
    `SELECT COUNT(*) FROM t${texts(LENGTH / 10, '', at => ` LEFT JOIN t t${at} ON t${at}.i = t.i`)}`,
    null,
  ],
  UPDATE: [`UPDATE t SET i = i WHERE ${texts(LENGTH, ' AND ', () => '(SELECT t.i) = t.i')}`, null],
  DELETE: [`DELETE FROM t WHERE ${texts(LENGTH, ' AND ', at => `EXISTS (SELECT 1 FROM t u WHERE u.i = ${at})`)}`, null],
  EXPLAIN: [`EXPLAIN ${where(texts(LENGTH, ' AND ', () => '(SELECT i) = i'))}`, null],
  windows: [
    `SELECT ${texts(LENGTH / 100, ', ', at => `SUM(i) OVER (ORDER BY i ROWS ${at} PRECEDING) AS w${at}`)} FROM t`,
    null,
  ],
};

/** Objects that name others, or themselves, with a statement that goes through all of them. */
const CHAINS: readonly (readonly [what: string, make: readonly string[], run: string])[] = [
  [
    'procedures',
    ['SET max_sp_recursion_depth = 255', 'CREATE PROCEDURE deep(n INT) BEGIN CALL deep(n + 1); END'],
    'CALL deep(1)',
  ],
  [
    'programs of statements',
    ['CREATE PROCEDURE again(n INT) BEGIN PREPARE p FROM "CALL again(1)"; EXECUTE p; END'],
    'CALL again(1)',
  ],
  [
    'triggers',
    [
      ...Array.from({ length: 40 }, (_, at) => `CREATE TABLE f${at} (i INT PRIMARY KEY)`),
      ...Array.from(
        { length: 39 },
        (_, at) => `CREATE TRIGGER g${at} AFTER INSERT ON f${at} FOR EACH ROW INSERT INTO f${at + 1} VALUES (NEW.i)`,
      ),
    ],
    'INSERT INTO f0 VALUES (1)',
  ],
  [
    'foreign keys',
    [
      'CREATE TABLE k0 (i INT PRIMARY KEY)',
      ...Array.from(
        { length: 39 },
        (_, at) =>
          `CREATE TABLE k${at + 1} (i INT PRIMARY KEY, FOREIGN KEY (i) REFERENCES k${at} (i) ON DELETE CASCADE)`,
      ),
      ...Array.from({ length: 40 }, (_, at) => `INSERT INTO k${at} VALUES (1)`),
    ],
    'DELETE FROM k0',
  ],
];

withEngine('statements that are deep or long are answered or refused, and the session goes on', async () => {
  await using database = await open({ empty: 'deep' });
  const session = await database.session();
  for (const sql of ['CREATE TABLE t (i INT PRIMARY KEY)', 'INSERT INTO t VALUES (1), (2), (3)'])
    await session.query(sql);
  const check = async (what: string, sql: string, answer: number | null) => {
    const startMs = performance.now();
    const told = await session.query(sql, [], { timeoutMs: TIMEOUT_MS }).then(
      ({ rows }) => ({ value: Number(Object.values(rows[0] ?? {})[0]) }),
      (error: { errno?: number; message: string }) => error,
    );
    if (ALL) console.log(what, Math.round(performance.now() - startMs), 'ms', told);
    if (answer !== null) expect.soft(told, what).toEqual({ value: answer });
    else if (!('value' in told))
      expect.soft([what, told.errno, told.message]).toEqual([what, expect.any(Number), expect.any(String)]);
    expect((await session.query('SELECT COUNT(*) AS n FROM t')).rows, what).toEqual([{ n: 3n }]);
  };
  for (const [what, [sql, answer]] of Object.entries(ALL ? { ...SHORT, ...LONG } : SHORT))
    await check(what, sql, answer);
  for (const [what, make, run] of CHAINS) {
    for (const sql of make) await session.query(sql);
    await check(what, run, null);
  }
});
