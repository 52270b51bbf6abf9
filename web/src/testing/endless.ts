/** Statements that go on for ever, or for very long, and what is there before: for tests that end them. */
export const BEFORE_ENDLESS = [
  'CREATE TABLE t (id INT PRIMARY KEY, v INT, s VARCHAR(50))',
  `INSERT INTO t WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT i, i % 7, CONCAT('text ', i) FROM n`,
  'CREATE TABLE target (id INT PRIMARY KEY AUTO_INCREMENT, v INT, s VARCHAR(50))',
  'CREATE TABLE parent (id INT PRIMARY KEY)',
  'INSERT INTO parent SELECT id FROM t',
  'CREATE TABLE child (id INT PRIMARY KEY AUTO_INCREMENT, p INT, FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE)',
  'INSERT INTO child (p) SELECT a.id FROM t a, t b WHERE b.id <= 40',
  'CREATE TABLE looping (id INT PRIMARY KEY)',
  'CREATE TRIGGER loops BEFORE INSERT ON looping FOR EACH ROW BEGIN WHILE 1 DO SET @x = 1; END WHILE; END',
  'CREATE PROCEDURE spin() BEGIN WHILE 1 DO SET @x = 1; END WHILE; END',
];

/** What each is, and its text. */
export const ENDLESS: Readonly<Record<string, string>> = {
  'a regular expression over many rows':
    "SELECT COUNT(*) FROM t a, t b, t c WHERE REGEXP_LIKE(CONCAT(a.s, b.s, c.s), '(t|e|x)+.*9.*8.*7')",
  'a lock after a wait': "SELECT SLEEP(1000), GET_LOCK('a', 1000)",
  'many waits': 'SELECT SLEEP(0.001), GET_LOCK(s, 1000) FROM t',
  'LOAD DATA': "LOAD DATA LOCAL INFILE 'rows.csv' INTO TABLE target FIELDS TERMINATED BY ',' (v, s)",
  'a cascade': 'DELETE FROM parent',
  'a procedure': 'CALL spin()',
  'an INSERT': 'INSERT INTO target (v, s) SELECT a.v, b.s FROM t a, t b, t c',
};

/** What goes on for ever in one call: only a host in a thread of its own hears of a cancel. */
export const ENDLESS_CALLS: Readonly<Record<string, string>> = {
  'one value': "SELECT REPEAT('a', 900000) LIKE CONCAT('%', REPEAT('a', 400000), '_b%')",
  'a trigger': 'INSERT INTO looping VALUES (1)',
};

/** Takes all of its steps, and fails then. */
export const LONG_PATTERN = "SELECT REGEXP_LIKE(CONCAT(REPEAT('a', 40), '!'), '^((?=a)a+)+$')";

/** For LOAD DATA. */
export const ENDLESS_FILES = { 'rows.csv': new TextEncoder().encode('1,some text\n'.repeat(300_000)) };

/** What ended statements must have left as it was. */
export const UNCHANGED =
  'SELECT (SELECT COUNT(*) FROM target) + (SELECT COUNT(*) FROM looping) AS added, (SELECT COUNT(*) FROM parent) AS parents';
export const UNCHANGED_ROWS = [{ added: 0n, parents: 900n }];
