import { expect, test } from 'vitest';
import { outlineOf, splitStatements, tokensOf } from './lexer.ts';
import { isExplainable, readsOnly, resplitStatements, statementAt, statementTitle } from './statement.ts';

function texts(script: string): string[] {
  return splitStatements(script).map(({ from, to }) => script.slice(from, to));
}

test('statements end at semicolons', () => {
  expect(texts('SELECT 1; SELECT 2 ;\n\nSELECT 3')).toEqual(['SELECT 1', 'SELECT 2', 'SELECT 3']);
  expect(texts('')).toEqual([]);
  expect(texts(' ;; \n')).toEqual([]);
});

test('semicolons in strings, names and comments do not count', () => {
  expect(texts(`SELECT 'a;''b;\\';', "x;y", \`c;d\`; SELECT 2`)).toEqual([
    `SELECT 'a;''b;\\';', "x;y", \`c;d\``,
    'SELECT 2',
  ]);
  expect(texts('-- one; two\nSELECT 1 /* ; */ + 2 # ;\n; SELECT 3')).toEqual(['SELECT 1 /* ; */ + 2', 'SELECT 3']);
  // As the engine reads it, a comment needs no space behind its dashes.
  expect(texts('SELECT 5--3; SELECT 1')).toEqual(['SELECT 5']);
  expect(texts('SELECT 1 // one; two\n + 2; SELECT 3')).toEqual(['SELECT 1 // one; two\n + 2', 'SELECT 3']);
  expect(texts('/*! SELECT 1 */; /*!40101 SELECT 2 */; /* 3 */')).toEqual(['/*! SELECT 1 */', '/*!40101 SELECT 2 */']);
});

test('an unfinished string swallows the rest and does not fail', () => {
  expect(texts("SELECT 'abc; SELECT 2")).toEqual(["SELECT 'abc; SELECT 2"]);
  expect(texts("SELECT 'abc\\")).toEqual(["SELECT 'abc\\"]);
  expect(texts('SELECT 1 /* open')).toEqual(['SELECT 1']);
});

test('DELIMITER changes what ends a statement', () => {
  expect(texts('DELIMITER //\nSELECT 1; SELECT 2//\nDELIMITER ;\nSELECT 3;')).toEqual([
    'SELECT 1; SELECT 2',
    'SELECT 3',
  ]);
});

test('the body of a procedure is one statement', () => {
  const body = `CREATE PROCEDURE p(n INT) BEGIN
    IF n > 1 THEN SELECT CASE n WHEN 2 THEN 'a' END; END IF;
    WHILE n > 0 DO SET n = n - 1; END WHILE;
    CASE n WHEN 0 THEN SELECT 1; END CASE;
  END`;
  expect(texts(`${body}; SELECT 2`)).toEqual([body, 'SELECT 2']);
});

test('CASE outside of a body counts for nothing', () => {
  expect(texts('CREATE TABLE t AS SELECT CASE 1 WHEN 1 THEN 2 END; SELECT 1')).toHaveLength(2);
});

test('after any change the statements are those of the whole text', () => {
  let seed = 11;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const PARTS = [
    'SELECT 1',
    ';',
    '; ',
    '\n',
    "'",
    '"',
    '`',
    '-- ',
    '/*',
    '*/',
    '//',
    ' ',
    'x',
    'DELIMITER //\n',
    'use a',
    'source b;',
  ];
  PARTS.push('\nDELIMITER ;\n', 'CREATE PROCEDURE p() BEGIN', ' END', ' IF', 'CASE 1', '#');
  let text = '';
  let known = splitStatements(text);
  for (let step = 0; step < 4000; step += 1) {
    const from = random(text.length + 1);
    const removed = text.length > 300 ? random(200) : random(4);
    const inserted = PARTS.slice(random(PARTS.length)).slice(0, random(4)).join('');
    const before = text.length;
    text = text.slice(0, from) + inserted + text.slice(from + removed);
    known = resplitStatements(known, text, { from, to: from + inserted.length, delta: text.length - before });
    expect(known).toEqual(splitStatements(text));
  }
});

test('the cursor means the statement around it, then the one before it on the line, then the next', () => {
  const script = 'SELECT 1;  \n\nSELECT 2;\n';
  const statements = splitStatements(script);
  const at = (position: number) => {
    const found = statementAt(statements, position, script);
    return found && script.slice(found.from, found.to);
  };
  expect(at(3)).toBe('SELECT 1');
  expect(at(9)).toBe('SELECT 1');
  expect(at(10)).toBe('SELECT 1');
  expect(at(12)).toBe('SELECT 2');
  expect(at(script.length)).toBe('SELECT 2');
  expect(statementAt([], 0, '')).toBeUndefined();
});

test('titles are short and say the table', () => {
  expect(statementTitle('select * from `my db`.`people`  where id = 1')).toBe('my db.people');
  expect(statementTitle('SHOW   TABLES')).toBe('SHOW TABLES');
  expect(statementTitle("SELECT 'FROM a', (SELECT 1 FROM b) /* FROM c */ FROM d")).toBe('d');
  expect(statementTitle('x'.repeat(50))).toHaveLength(32);
});

test('offsets are those of the string, whatever its characters', () => {
  expect(texts("SELECT '😀;é' -- 漢;\n; SELECT `ü`;")).toEqual(["SELECT '😀;é'", 'SELECT `ü`']);
  expect(tokensOf("SELECT '😀', ü").map(({ text }) => text)).toEqual(['SELECT', "'😀'", ',', 'ü']);
  expect(outlineOf('EXPLAIN /* 😀 */ SELECT 1').explained).toBe(17);
  // Half of a character, as a text has it while it is typed.
  expect(texts("SELECT '\ud83d'; SELECT 2")).toEqual(["SELECT '\ud83d'", 'SELECT 2']);
});

test('a statement reads or changes whatever comes before its verb', () => {
  for (const sql of [
    '((SELECT 1))',
    '--1\n#2\n//3\nTABLE t',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    '/*! SHOW TABLES */',
  ])
    expect(readsOnly(sql), sql).toBe(true);
  for (const sql of ['WITH a AS (SELECT 1) DELETE FROM t', "'SELECT'", '/*! DELETE FROM t */', 'SELECTED', '-- SELECT'])
    expect(readsOnly(sql), sql).toBe(false);
});

test('only statements with a plan can be explained', () => {
  expect(isExplainable(' (SELECT 1)')).toBe(true);
  expect(isExplainable('SHOW TABLES')).toBe(false);
});
