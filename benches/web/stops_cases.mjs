// What stops.mjs runs: every function of docs/functions.md with large arguments and over many rows, and every kind of statement.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/process.mjs';

export const ROWS = 100_000;
const LIST = 200_000;
const BYTES = 1 << 20;

/** @param {number} count @param {(n: number) => string} item @param {string} [between] */
const list = (count, item, between = ', ') => Array.from({ length: count }, (_, n) => item(n)).join(between);
/** Rows 0 … count - 1 of a derived table. @param {number} count */
const numbers = count => {
  const digits = `(${list(10, n => `SELECT ${n} AS n`, ' UNION ALL ')})`;
  const places = [...String(count - 1)].map((_, place) => ({ place, name: `d${place}` }));
  const sum = places.map(({ place, name }) => `${10 ** place} * ${name}.n`).join(' + ');
  const from = places.map(({ name }) => `${digits} ${name}`).join(', ');
  return `(SELECT ${sum} AS i FROM ${from} HAVING i < ${count}) numbers`;
};

/** Names of tables and programs are words of their own, so that a case can be found by them. */
export const SETUP = [
  `CREATE TABLE many (id INT PRIMARY KEY, v INT, s VARCHAR(200), d DATETIME, x DOUBLE, j JSON, g LONGTEXT, h VARCHAR(64), KEY by_v (v))`,
  `INSERT INTO many SELECT i, i % 1000, CONCAT('text ', i, ' Äb,c'), '2024-01-01 10:11:12' + INTERVAL i MINUTE, i / 7,
    JSON_OBJECT('k1', i, 'a', JSON_ARRAY(i, 'b')), CONCAT('LINESTRING(', i % 90, ' 1, 2 ', i % 80, ')'), MD5(i) FROM ${numbers(ROWS)}`,
  'CREATE TABLE other LIKE many',
  'INSERT INTO other SELECT * FROM many',
  'CREATE TABLE target LIKE many',
  'CREATE TABLE log (id INT PRIMARY KEY AUTO_INCREMENT, v INT)',
  'CREATE TABLE big (id INT PRIMARY KEY, t LONGTEXT, b LONGBLOB, j LONGTEXT, l LONGTEXT, g LONGTEXT, p LONGTEXT, w LONGTEXT, n BIGINT, x DOUBLE)',
  `INSERT INTO big SELECT i, REPEAT('Ab,é ', ${BYTES / 6}), UNHEX(REPEAT('00ff41', ${BYTES / 3})),
    CONCAT('[', REPEAT('{"k1": [12345]}, ', ${BYTES / 17}), '1]'), REPEAT('12345,', ${BYTES / 6}),
    CONCAT('LINESTRING(', REPEAT('1 2, 7 5, 3 9, ', ${BYTES / 15}), '0 0)'),
    CONCAT('POLYGON((0 0, ', REPEAT('9 0, 9 9, 0 9, ', ${BYTES / 15}), '0 0))'), CONCAT('[', REPEAT('1.5,', ${BYTES / 4}), '2]'), 50, ${BYTES}.5
    FROM ${numbers(4)}`,
  'CREATE TABLE parent (id INT PRIMARY KEY)',
  `INSERT INTO parent SELECT i FROM ${numbers(100)}`,
  'CREATE TABLE child (id INT PRIMARY KEY, p INT, KEY by_p (p), FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE CASCADE)',
  'INSERT INTO child SELECT id, id % 100 FROM many',
  'CREATE TABLE single (id INT PRIMARY KEY)',
  'INSERT INTO single VALUES (1)',
  `CREATE TABLE kids (id INT PRIMARY KEY, p INT, KEY by_p (p), FOREIGN KEY (p) REFERENCES single (id) ON DELETE CASCADE ON UPDATE CASCADE)`,
  'INSERT INTO kids SELECT id, 1 FROM many',
  'CREATE TABLE watched LIKE many',
  'CREATE TRIGGER watch AFTER INSERT ON watched FOR EACH ROW INSERT INTO log (v) VALUES (NEW.v)',
  'CREATE TABLE heavy (id INT PRIMARY KEY)',
  'CREATE TRIGGER weigh AFTER INSERT ON heavy FOR EACH ROW INSERT INTO log (v) SELECT v FROM many',
  'CREATE TABLE endless (id INT PRIMARY KEY)',
  'CREATE TRIGGER loops BEFORE INSERT ON endless FOR EACH ROW BEGIN WHILE 1 DO SET @x = 1; END WHILE; END',
  'CREATE PROCEDURE spin() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 10000000 DO SET i = i + 1; END WHILE; END',
  'CREATE PROCEDURE inserts() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 100000 DO INSERT INTO log (v) VALUES (i); SET i = i + 1; END WHILE; END',
  `CREATE PROCEDURE fetches() BEGIN DECLARE a INT; DECLARE c CURSOR FOR SELECT id FROM many; DECLARE EXIT HANDLER FOR NOT FOUND BEGIN END;
    OPEN c; LOOP FETCH c INTO a; END LOOP; END`,
  'CREATE PROCEDURE joins() SELECT COUNT(*) FROM many a JOIN many b ON a.s < b.s',
  'CREATE TABLE texts (id INT PRIMARY KEY, s VARCHAR(200), FULLTEXT KEY words (s))',
  'INSERT INTO texts SELECT id, s FROM many WHERE id < 3000',
  `CREATE TABLE wide (id INT PRIMARY KEY, ${list(200, n => `c${n} INT DEFAULT ${n}`)})`,
  `INSERT INTO wide (id) SELECT id FROM many WHERE id < 5000`,
  'CREATE TABLE vectors (id INT PRIMARY KEY, v VECTOR(3))',
  "INSERT INTO vectors SELECT id, STRING_TO_VECTOR(CONCAT('[', id, ',', v, ',1]')) FROM many WHERE id < 10000",
  'CREATE VIEW v0 AS SELECT id, s FROM many',
  ...Array.from({ length: 7 }, (_, n) => `CREATE VIEW v${n + 1} AS SELECT * FROM v${n} UNION ALL SELECT * FROM v${n}`),
  "CALL dolt_commit('-Am', 'base')",
  "CALL dolt_branch('side')",
  "CALL dolt_checkout('side')",
  'UPDATE many SET v = v + 1 WHERE id % 2 = 0',
  'DELETE FROM other WHERE id % 3 = 0',
  "CALL dolt_commit('-Am', 'side')",
  "CALL dolt_checkout('main')",
  "UPDATE many SET v = v + 2, s = CONCAT(s, '.') WHERE id % 2 = 0 OR id % 5 = 0",
  "CALL dolt_commit('-Am', 'ours')",
  "CALL dolt_tag('ready')",
];

/** Puts everything back. */
export const RESET = ['ROLLBACK', "CALL dolt_checkout('main')", "CALL dolt_reset('--hard', 'ready')"];

const queries = [
  'SELECT * FROM many',
  'SELECT * FROM wide',
  'SELECT COUNT(*) FROM many WHERE s LIKE "%9%8%7%"',
  'SELECT * FROM many ORDER BY s',
  'SELECT * FROM many ORDER BY MD5(s), x LIMIT 10',
  'SELECT * FROM many ORDER BY j',
  'SELECT s, COUNT(*), MAX(x), GROUP_CONCAT(id) FROM many GROUP BY s',
  'SELECT v, GROUP_CONCAT(DISTINCT s ORDER BY d) FROM many GROUP BY v',
  'SELECT COUNT(DISTINCT s, d), SUM(DISTINCT x) FROM many',
  'SELECT v, d, SUM(x) FROM many GROUP BY v, d WITH ROLLUP',
  'SELECT JSON_ARRAYAGG(j) FROM many',
  'SELECT JSON_OBJECTAGG(s, j) FROM many',
  'SELECT GROUP_CONCAT(s) FROM many',
  'SELECT DISTINCT s, d FROM many',
  'SELECT COUNT(*) FROM many a JOIN other b ON a.s = b.s',
  'SELECT COUNT(*) FROM many a JOIN other b ON a.id = b.id WHERE a.s <> b.s',
  'SELECT COUNT(*) FROM many a JOIN other b ON MD5(a.s) = MD5(b.s)',
  'SELECT COUNT(*) FROM many a JOIN other b ON REPEAT(a.s, 1000) = REPEAT(b.s, 1000)',
  'SELECT COUNT(*) FROM many a JOIN other b ON a.s < b.s',
  'SELECT COUNT(*) FROM many a LEFT JOIN other b ON a.v = b.v',
  'SELECT COUNT(*) FROM many a RIGHT JOIN other b ON a.s LIKE b.s',
  'SELECT COUNT(*) FROM many a, LATERAL (SELECT COUNT(*) n FROM other b WHERE b.v = a.v AND b.s > a.s) c',
  'SELECT COUNT(*) FROM many WHERE s IN (SELECT s FROM other WHERE x > 3)',
  'SELECT COUNT(*) FROM many a WHERE EXISTS (SELECT 1 FROM other b WHERE b.v = a.v AND b.s < a.s AND b.x > 1e6)',
  'SELECT (SELECT COUNT(*) FROM other b WHERE b.s < a.s) FROM many a',
  'SELECT (SELECT MAX(x) FROM other b WHERE b.v = a.v) FROM many a',
  'SELECT s FROM many UNION SELECT s FROM other',
  'SELECT s FROM many UNION ALL SELECT s FROM other ORDER BY 1',
  'SELECT s FROM many INTERSECT SELECT s FROM other',
  'SELECT s FROM many EXCEPT SELECT s FROM other',
  'SELECT SUM(x) OVER (ORDER BY id) FROM many',
  'SELECT ROW_NUMBER() OVER (ORDER BY s), RANK() OVER (ORDER BY d), LAG(s) OVER (ORDER BY x) FROM many',
  'SELECT SUM(x) OVER (ORDER BY id ROWS BETWEEN 1000 PRECEDING AND 1000 FOLLOWING) FROM many',
  'SELECT MAX(s) OVER (ORDER BY id ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW) FROM many',
  'SELECT SUM(x) OVER (PARTITION BY v ORDER BY d RANGE BETWEEN INTERVAL 9 DAY PRECEDING AND CURRENT ROW) FROM many',
  'SELECT NTILE(7) OVER (ORDER BY s), FIRST_VALUE(s) OVER (PARTITION BY v), CUME_DIST() OVER (ORDER BY s) FROM many',
  'SELECT GROUP_CONCAT(s) OVER (ORDER BY id) FROM many',
  'SELECT JSON_ARRAYAGG(s) OVER (ORDER BY id) FROM many',
  'SELECT COUNT(DISTINCT s) OVER () FROM many',
  'WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r WHERE n < 10000) SELECT SUM(n) FROM r',
  "WITH RECURSIVE r AS (SELECT 1 n, CAST('a' AS CHAR(1000000)) t UNION ALL SELECT n + 1, CONCAT(t, t) FROM r WHERE n < 25) SELECT SUM(LENGTH(t)) FROM r",
  'WITH RECURSIVE r AS (SELECT id n FROM many UNION SELECT n DIV 2 FROM r WHERE n > 0) SELECT COUNT(*) FROM r',
  'WITH c AS (SELECT * FROM many) SELECT COUNT(*) FROM c a JOIN c b ON a.id = b.id + 1',
  'SELECT COUNT(*) FROM v7',
  'SELECT DISTINCT s FROM v7',
  'SELECT COUNT(*) FROM many, JSON_TABLE(j, "$.a[*]" COLUMNS (e VARCHAR(20) PATH "$")) t',
  'SELECT COUNT(*) FROM big, JSON_TABLE(j, "$[*]" COLUMNS (e INT PATH "$.k1[0]", n FOR ORDINALITY)) t',
  'SELECT COUNT(*) FROM texts WHERE MATCH (s) AGAINST ("text 99 äb")',
  'SELECT id FROM vectors ORDER BY VEC_DISTANCE(v, "[1,2,3]") LIMIT 3',
  "SELECT REPEAT('x', 1000000) FROM many",
  'SELECT REPEAT(s, 50000) FROM many',
  'SELECT t, b, big.j FROM big, many',
  'SELECT COUNT(*) FROM many WHERE REGEXP_LIKE(s, "(a|b|c)+.*9.*8")',
  'SELECT COUNT(*) FROM many WHERE REGEXP_REPLACE(REPEAT(s, 100), "[0-9]+", "<$0>") = ""',
  "SELECT REGEXP_LIKE(REPEAT('a', 4000), '^((a?){20}){20}$'), REGEXP_LIKE(REPEAT('a', 1000000), '(a{1,50}){1,20}b')",
  "SELECT REGEXP_LIKE(REPEAT('a',40), '^(a+)+$b')",
  "SELECT REPEAT('a', 1000000) LIKE CONCAT('%', REPEAT('a', 500000), '_b%')",
  "SELECT LOCATE(CONCAT(REPEAT('a', 500000), 'b'), REPEAT('a', 1000000)), REPLACE(REPEAT('a', 1000000), CONCAT(REPEAT('a', 500000), 'b'), 'x')",
  'SELECT JSON_OVERLAPS(a.j, b.j), JSON_CONTAINS(a.j, b.j) FROM big a, big b',
  'SELECT BENCHMARK(100000000, MD5(REPEAT("x", 1000)))',
  'SELECT SLEEP(30)',
  'SELECT SLEEP(0.01) FROM many',
  "SELECT GET_LOCK('a', 30)",
  'SELECT v FROM many FOR UPDATE',
  'SELECT SQL_CALC_FOUND_ROWS s FROM many ORDER BY s LIMIT 1',
  'SELECT MAX(s), MIN(j) INTO @a, @b FROM many',
  'EXPLAIN ANALYZE SELECT COUNT(*) FROM many a JOIN other b ON a.s < b.s',
  'EXPLAIN SELECT COUNT(*) FROM v7',
  'TABLE many ORDER BY s',
  'ANALYZE TABLE many, other',
  'SHOW TABLES',
  'SHOW TABLE STATUS',
  'SHOW CREATE TABLE wide',
  'SHOW COLUMNS FROM wide',
  'SHOW INDEX FROM many',
  'SHOW PROCESSLIST',
  'SHOW STATUS',
  'SHOW VARIABLES',
  'DESCRIBE wide',
  'SELECT COUNT(*) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c',
  'SELECT COUNT(*) FROM information_schema.tables a, information_schema.statistics b, information_schema.columns c, information_schema.columns d',
  'SELECT COUNT(*) FROM dolt_diff_many',
  "SELECT COUNT(*) FROM dolt_diff('side', 'main', 'many') WHERE to_s LIKE '%x%'",
  "SELECT * FROM dolt_patch('side', 'main')",
  "SELECT * FROM dolt_diff_stat('side', 'main')",
  "SELECT * FROM dolt_diff_summary('side', 'main')",
  'SELECT COUNT(*) FROM dolt_history_many',
  'SELECT COUNT(*) FROM dolt_blame_many',
  'SELECT COUNT(*) FROM dolt_commit_diff_many WHERE from_commit = HASHOF("side") AND to_commit = HASHOF("main")',
  "SELECT * FROM dolt_preview_merge_conflicts_summary('main', 'side')",
  "SELECT COUNT(*) FROM dolt_preview_merge_conflicts('main', 'side', 'many')",
  'SELECT COUNT(*) FROM dolt_log, dolt_commits, dolt_branches',
  "SELECT COUNT(*) FROM dolt_query_diff('SELECT * FROM many', 'SELECT * FROM other')",
  "SELECT COUNT(*) FROM many AS OF 'side'",
];

const changes = [
  'INSERT INTO target SELECT * FROM many',
  'INSERT INTO target SELECT id, v, REPEAT(s, 5), d, x, j, g, h FROM many ORDER BY h',
  'INSERT IGNORE INTO other SELECT * FROM many',
  'INSERT INTO many SELECT * FROM other ON DUPLICATE KEY UPDATE v = VALUES(v) + 1, s = CONCAT(many.s, "y")',
  `INSERT INTO log (v) VALUES ${list(ROWS, n => `(${n})`)}`,
  `INSERT INTO log (v) VALUES ${list(ROWS, n => `(${n} + 1)`)}`,
  'REPLACE INTO many SELECT id, v + 1, s, d, x, j, g, h FROM other',
  'UPDATE many SET v = v + 1',
  'UPDATE many SET id = id + 1000000, s = CONCAT(s, MD5(s))',
  'UPDATE many SET j = JSON_SET(j, "$.k1", s), d = d + INTERVAL 1 DAY ORDER BY s LIMIT 90000',
  'UPDATE many a JOIN other b ON a.id = b.id SET a.v = b.v + 5, b.s = a.h',
  'UPDATE many SET s = (SELECT MAX(h) FROM other WHERE other.v = many.v)',
  'UPDATE texts SET s = CONCAT(s, " new words")',
  'INSERT INTO texts SELECT id + 1000000, s FROM many',
  'DELETE FROM many',
  'DELETE FROM many WHERE MD5(s) < "8"',
  'DELETE a, b FROM many a JOIN other b ON a.id = b.id',
  'DELETE FROM many ORDER BY h LIMIT 50000',
  'TRUNCATE TABLE many',
  'INSERT INTO watched SELECT * FROM many',
  'INSERT INTO heavy SELECT id FROM many',
  'INSERT INTO heavy VALUES (1)',
  'INSERT INTO endless VALUES (1)',
  'DELETE FROM parent',
  'UPDATE parent SET id = id + 1000',
  'DELETE FROM single',
  'UPDATE single SET id = 7',
  'CALL spin()',
  'CALL inserts()',
  'CALL fetches()',
  'CALL joins()',
  'CREATE TABLE made AS SELECT * FROM many',
  'CREATE TEMPORARY TABLE passing AS SELECT * FROM many',
  'CREATE INDEX by_s ON many (s, x)',
  'CREATE UNIQUE INDEX by_h ON many (h)',
  'CREATE FULLTEXT INDEX in_s ON many (s, h)',
  'CREATE VECTOR INDEX near ON vectors (v)',
  'ALTER TABLE many ADD COLUMN w VARCHAR(100) NOT NULL DEFAULT "w"',
  'ALTER TABLE many ADD COLUMN w VARCHAR(100) AS (CONCAT(s, h)) STORED',
  'ALTER TABLE many ADD COLUMN w INT NOT NULL AUTO_INCREMENT UNIQUE',
  'ALTER TABLE many ADD CHECK (MD5(s) <> "")',
  'ALTER TABLE many MODIFY COLUMN v BIGINT',
  'ALTER TABLE many MODIFY COLUMN s TEXT',
  'ALTER TABLE many MODIFY COLUMN d VARCHAR(40)',
  'ALTER TABLE many MODIFY COLUMN v INT NOT NULL',
  'ALTER TABLE many DROP COLUMN s',
  'ALTER TABLE many RENAME COLUMN s TO z',
  'ALTER TABLE many DROP PRIMARY KEY',
  'ALTER TABLE many DROP PRIMARY KEY, ADD PRIMARY KEY (h)',
  'ALTER TABLE many ADD UNIQUE KEY (h)',
  'ALTER TABLE many ADD FOREIGN KEY (id) REFERENCES other (id)',
  'ALTER TABLE many RENAME TO renamed',
  'ALTER TABLE many CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci',
  'ALTER TABLE many COLLATE utf8mb4_0900_ai_ci',
  'DROP TABLE many',
  'DROP INDEX by_v ON many',
  "CALL dolt_merge('side')",
  "CALL dolt_merge('--no-ff', 'side', '-m', 'merged')",
  "CALL dolt_cherry_pick('side')",
  "CALL dolt_revert('HEAD')",
  "CALL dolt_rebase('side')",
  "CALL dolt_reset('--hard', 'side')",
  "CALL dolt_reset('--soft', 'HEAD~1')",
  "CALL dolt_checkout('side')",
  "CALL dolt_checkout('HEAD~1', '--', 'many')",
  "CALL dolt_commit('-Am', 'all')",
  "CALL dolt_stash('push', 'mine')",
  'CALL dolt_clean()',
  "CALL dolt_branch('-c', 'main', 'copied')",
  'CALL dolt_gc()',
  "CALL dolt_gc('--shallow')",
  'CALL dolt_fsck()',
  'CALL dolt_verify_constraints("--all")',
  "CALL dolt_update_column_tag('many', 'v', 77)",
  "CALL dolt_add('-A')",
  'COMMIT',
];

/** Changes that are there before such a case. */
const PREPARED = [
  [
    ['UPDATE many SET v = v + 3', 'DELETE FROM other WHERE id % 7 = 0'],
    /dolt_(commit|stash|reset|add|clean|checkout)\(|SELECT \* FROM dolt_status/,
  ],
  [['SET @@autocommit = 0', 'UPDATE many SET v = v + 3'], /^COMMIT$/],
  [["SELECT GET_LOCK('a', 0)"], /GET_LOCK/],
];

const lists = [
  ['NOT IN of texts', `SELECT COUNT(*) FROM many WHERE s NOT IN (${list(LIST, n => `'word ${(n * 7919) % LIST}'`)})`],
  ['IN of texts', `SELECT COUNT(*) FROM many WHERE s IN (${list(LIST, n => `'word ${n}'`)})`],
  [
    'NOT IN of an indexed column',
    `SELECT COUNT(*) FROM many WHERE v NOT IN (${list(LIST, n => `${(n * 7919) % LIST}`)})`,
  ],
  ['IN of keys', `SELECT COUNT(*) FROM many WHERE id IN (${list(LIST, n => `${(n * 7919) % LIST}`)})`],
  ['IN of an indexed column', `SELECT COUNT(*) FROM many WHERE v IN (${list(LIST, n => `${(n * 7919) % LIST}`)})`],
  ['IN of pairs', `SELECT COUNT(*) FROM many WHERE (id, v) IN (${list(LIST, n => `(${n}, ${n})`)})`],
  ['IN of expressions', `SELECT COUNT(*) FROM many WHERE v IN (${list(LIST, n => `x + ${n}`)})`],
  ['OR of keys', `SELECT COUNT(*) FROM many WHERE ${list(LIST, n => `id = ${n}`, ' OR ')}`],
  ['OR of pairs', `SELECT COUNT(*) FROM many WHERE ${list(LIST, n => `id = ${n} AND v = ${n}`, ' OR ')}`],
  ['OR of texts', `SELECT COUNT(*) FROM many WHERE ${list(LIST, n => `s = '${n}'`, ' OR ')}`],
  [
    'OR of bounds',
    `SELECT COUNT(*) FROM many WHERE ${list(LIST, n => `id > ${n * 10} AND id < ${n * 10 + 5}`, ' OR ')}`,
  ],
  [
    'OR of two columns',
    `SELECT COUNT(*) FROM many WHERE ${list(LIST, n => `${n % 2 === 0 ? 'id' : 'v'} = ${n}`, ' OR ')}`,
  ],
  ['AND', `SELECT COUNT(*) FROM many WHERE ${list(LIST, n => `v <> ${n}`, ' AND ')}`],
  ['AND of texts', `SELECT COUNT(*) FROM many WHERE ${list(LIST, n => `s <> 'word ${n}'`, ' AND ')}`],
  ['AND of LIKE', `SELECT COUNT(*) FROM many WHERE ${list(LIST / 10, n => `s NOT LIKE '%${n}%'`, ' AND ')}`],
  ['CASE', `SELECT CASE v ${list(LIST, n => `WHEN ${n} THEN ${n}`, ' ')} END FROM many`],
  ['CONCAT', `SELECT CONCAT(${list(LIST, n => `v + ${n}`)}) FROM many`],
  ['VALUES', `SELECT COUNT(*) FROM (VALUES ${list(LIST, n => `ROW(${n})`)}) x`],
  ['columns', `SELECT ${list(4096, n => `v + ${n} AS c${n}`)} FROM many`],
  ['ORDER BY of 1,000', `SELECT id FROM many ORDER BY ${list(1000, n => `v + ${n}`)}`],
  ['GROUP BY of 1,000', `SELECT COUNT(*) FROM many GROUP BY ${list(1000, n => `v + ${n}`)}`],
  ['a table of 4,096 columns', `CREATE TABLE broad (${list(4096, n => `c${n} INT`)})`],
  ['UNION ALL of 1,000', list(1000, n => `SELECT ${n} FROM many`, ' UNION ALL ')],
  [
    'a join of 60',
    `SELECT COUNT(*) FROM many t0 ${list(59, n => `JOIN many t${n + 1} ON t${n + 1}.id = t${n}.v`, ' ')}`,
  ],
  [
    'a join of 30 in any order',
    `SELECT COUNT(*) FROM ${list(30, n => `other t${n}`)} WHERE ${list(29, n => `t${n}.v = t${n + 1}.v`, ' AND ')}`,
  ],
  ['subqueries of 1,000', `SELECT ${list(1000, n => `(SELECT MAX(id) + ${n} FROM many)`)}`],
  [
    'CTEs of 500',
    `WITH c0 AS (SELECT id FROM many) ${list(499, n => `, c${n + 1} AS (SELECT id + 1 AS id FROM c${n})`, '')} SELECT COUNT(*) FROM c499`,
  ],
  [
    'CTEs of 18 doubling',
    `WITH c0 AS (SELECT 1 AS x) ${list(18, n => `, c${n + 1} AS (SELECT a.x FROM c${n} a JOIN c${n} b)`, '')} SELECT COUNT(*) FROM c18`,
  ],
  ['INSERT of expressions', `INSERT INTO log (v) VALUES ${list(LIST, n => `(${n} + LENGTH(REPEAT('x', 1000)))`)}`],
  ['UPDATE of a list', `UPDATE many SET v = 1 WHERE id IN (${list(LIST, n => `${n}`)})`],
  ['DELETE of a list', `DELETE FROM many WHERE (id, v) IN (${list(LIST, n => `(${n}, ${n % 1000})`)})`],
  [
    'a program of 20,000 statements',
    `CREATE PROCEDURE long_one() BEGIN ${list(20_000, n => `SET @a = ${n};`, ' ')} END`,
  ],
  ['a text of 8 MB', `SELECT LENGTH('${'x'.repeat(8 << 20)}')`],
  ['a document of 8 MB', `SELECT JSON_LENGTH('[${list(1_000_000, n => `${n}`, ',')}]')`],
  ['SET of 20,000 variables', `SET ${list(20_000, n => `@v${n} = ${n}`)}`],
];

const csv = list(ROWS, n => `${n},${n % 1000},text ${n},2024-01-01,1.5,{},x,y`, '\n');
const loads = [
  ['LOAD DATA', "LOAD DATA LOCAL INFILE 'rows.csv' INTO TABLE target FIELDS TERMINATED BY ','"],
  [
    'LOAD DATA REPLACE',
    "LOAD DATA LOCAL INFILE 'rows.csv' REPLACE INTO TABLE many FIELDS TERMINATED BY ',' (id, v, @s, d, x, j, g, h) SET s = MD5(REPEAT(@s, 1000))",
  ],
];

/** @returns every kind of statement: its name, its text, what goes before it, files that it reads */
export function statements() {
  const plain = [...queries, ...changes].map(sql => [sql.length > 300 ? `${sql.slice(0, 80)}…` : sql, sql]);
  const cases = [...plain, ...lists, ...loads].map(([name, sql]) => ({
    name,
    sql,
    before: PREPARED.find(([, on]) => on.test(sql))?.[0] ?? [],
    files: sql.startsWith('LOAD') ? { 'rows.csv': csv } : {},
    changes: !/^(SELECT|SHOW|EXPLAIN|DESCRIBE|WITH|TABLE)/.test(sql),
  }));
  return cases;
}

/** Arguments, of which each function gets several lists. */
const LARGE = [
  ['t', 't', 't', 't'],
  ['l', "','", 'n', 'l'],
  ['t', "'b'", "'bcdefgh'", 't'],
  ['t', 'n', "'xy'", 't'],
  ['t', '3', 'n', "'b'"],
  ['b', 'b', '3', 'b'],
  ['j', "'$[*].k1'", 'j', "'$[3]'"],
  ['j', "'one'", "'%1%'", 'NULL'],
  ['j', 'j', "'all'", 'j'],
  ['CAST(j AS JSON)', "'$[*].k1'", 'CAST(j AS JSON)', "'$[3]'"],
  ['CAST(j AS JSON)', 'CAST(j AS JSON)', "'$[3]'", 'j'],
  ["'1'", 'l', 'l', 'l'],
  ['n', 't', 't', 't'],
  ['n', 'b', 't', 't'],
  ['x', 'n', '2', '3'],
  ['ST_GeomFromText(g)', 'ST_GeomFromText(g)', '1', '2'],
  ['ST_GeomFromText(p)', 'ST_GeomFromText(p)', '1', '2'],
  ['g', '1', '2', '3'],
  ['p', '1', '2', '3'],
  ['ST_AsWKB(ST_GeomFromText(g))', '0', '2', '3'],
  ['ST_AsGeoJSON(ST_GeomFromText(g))', '1', '2', '3'],
  ['w', 'w', "'cosine'", '3'],
  ['STRING_TO_VECTOR(w)', 'STRING_TO_VECTOR(w)', "'cosine'", '3'],
  ["'2024-01-01'", 't', 'n', 'n'],
  ['COMPRESS(t)', '1', '2', '3'],
  ['TO_BASE64(b)', '1', '2', '3'],
];

const SHORT = [
  ['s', 's', 's', 's'],
  ['s', 'v', "'xy'", 's'],
  ['d', 'd', 'v', 'v'],
  ['v', 'v', '3', 'v'],
  ['x', 'v', '2', '3'],
  ['j', "'$.k1'", 'v', "'$.a'"],
  ['j', "'one'", "'%1%'", 'NULL'],
  ['ST_GeomFromText(g)', 'ST_GeomFromText(g)', '1', '2'],
  ['REPEAT(s, 50)', 'REPEAT(h, 50)', 'REPEAT(s, 50)', 'h'],
];

/** What the binder writes otherwise, and forms of their own. `$` is an argument. */
const FORMS = [
  'CONVERT($ USING utf16)',
  'CONVERT($ USING latin1)',
  'CAST($ AS JSON)',
  'CAST($ AS CHAR(10))',
  'CAST($ AS BINARY)',
  'CAST($ AS SIGNED)',
  'CAST($ AS DATETIME)',
  'CAST($ AS DECIMAL(30,5))',
  '$ + 1',
  '-$',
  'NOT $',
  '$ AND 1',
  "$ LIKE '%a%b%c%d%e%f%g%'",
  "$ LIKE CONCAT('%', $, '%')",
  '$ = $',
  '$ < $',
  '$ IN ($, 1)',
  '$ COLLATE utf8mb4_0900_ai_ci < $ COLLATE utf8mb4_0900_ai_ci',
  "TRIM(LEADING 'A' FROM $)",
  "TRIM(BOTH 'Ab' FROM $)",
  'CHAR($, $ USING utf8mb4)',
  "'2024-01-01' + INTERVAL $ DAY",
  '$ - INTERVAL 1 DAY',
  "CASE WHEN $ = 'x' THEN 1 ELSE $ END",
  'IF($, $, 1)',
  '$ REGEXP "a.*b.*c[^x]*y"',
  '$ SOUNDS LIKE $',
  '$ BETWEEN $ AND $',
  'EXTRACT(YEAR FROM $)',
  'REGEXP_REPLACE($, "[a-z]|é", "<$0>")',
  'REGEXP_INSTR($, "(b,?)+.{3,90}x")',
  'REGEXP_SUBSTR($, ".*x")',
  'REPLACE($, "b", "bcdefgh")',
  "JSON_SEARCH(CAST($ AS JSON), 'all', '%1%')",
  'INSERT($, 2, 5, $)',
  "SUBSTRING_INDEX($, ',', -3)",
  'BINARY $ = $',
  'HEX($)',
  'WEIGHT_STRING($)',
  '$ MEMBER OF (CAST($ AS JSON))',
];

/** Functions of docs/functions.md. @returns {{ name: string, least: number, most: number, isAggregate: boolean }[]} */
function functions() {
  const found = [];
  let section = '';
  for (const line of readFileSync(join(root, 'docs/functions.md'), 'utf8').split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3);
    const row = /^\| `(\w+)` \| (\d+)(?: (?:to (\d+)|(or more)))? \| (.*) \|$/.exec(line);
    if (row === null || row[5].includes('not called by its name')) continue;
    const least = Number(row[2]);
    const most = row[4] !== undefined ? least + 1 : Number(row[3] ?? least);
    found.push({ name: row[1], least, most, isAggregate: section === 'Aggregates' });
  }
  return found;
}

/** @returns every function with arguments of 1 MB over few rows, and with short ones over many */
export function calls() {
  const cases = new Set();
  const add = (expression, isAggregate, table) => {
    cases.add(
      isAggregate || table === 'big'
        ? `SELECT ${expression} FROM ${table}`
        : `SELECT COUNT(${expression}) FROM ${table}`,
    );
    if (isAggregate) cases.add(`SELECT ${expression} OVER (ORDER BY id) FROM ${table}`);
  };
  for (const [table, palette] of [
    ['big', LARGE],
    ['many', SHORT],
  ]) {
    for (const { name, least, most, isAggregate } of functions()) {
      for (let arity = Math.max(least, 1); arity <= Math.min(most, Math.max(least, 1) + 1, 4); arity += 1)
        for (const values of palette) add(`${name}(${values.slice(0, arity).join(', ')})`, isAggregate, table);
      if (least === 0) add(`${name}()`, isAggregate, table);
    }
    for (const form of FORMS) for (const [value] of palette) add(form.replaceAll(/\$(?!\d)/g, value), false, table);
  }
  return [...cases].map(sql => ({ name: sql, sql, before: [], files: {}, changes: false }));
}
