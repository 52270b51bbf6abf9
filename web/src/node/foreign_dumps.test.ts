/** Dumps that other programs wrote, in other charsets than UTF-8: nothing of them is lost or altered without a word. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { scratchDirectory, withEngine } from '../testing/built_engine.ts';
import { runCommandLine } from './cli.ts';
import { type Database, type ImportWarnings, open } from './index.ts';

const scratch = scratchDirectory();

/** Each character is the byte of its number. */
const raw = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0));

async function fresh(): Promise<Database> {
  return open({ memory: {}, create: true });
}

async function values(database: Database, sql: string): Promise<unknown[][]> {
  return (await database.query(sql)).rowArrays();
}

const LATIN1 = `/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES latin1 */;
/*!40101 SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(40) COMMENT 'caf\xc3\xa9', photo BLOB) DEFAULT CHARSET=latin1;
/*!40101 SET character_set_client = latin1 */;
INSERT INTO people VALUES (1,'Jos\xe9 M\xfcller','\xe9\\0\xff'),(2,'Z\xfcrich \x80',_binary '\xfc');
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
INSERT INTO people VALUES (3,'\xe4\xbd\xa0\xe5\xa5\xbd','\xff\xd8'),(4,'','\xc3\xa9');
`;
const PEOPLE = [
  [1, 'José Müller', 'E900FF'],
  [2, 'Zürich €', 'FC'],
  [3, '你好', 'FFD8'],
  [4, '', 'C3A9'],
];

withEngine('a dump is read in the charsets that it names, and its binary values stay what they are', async () => {
  const database = await fresh();
  await database.importSql(raw(LATIN1));
  expect(await values(database, 'SELECT id, name, hex(photo) FROM people')).toEqual(PEOPLE);
  expect(
    await values(
      database,
      "SELECT column_comment FROM information_schema.columns WHERE table_name = 'people' AND column_name = 'name'",
    ),
  ).toEqual([['café']]);
  // As text of JavaScript there are no bytes to read.
  await database.importSql("SET NAMES latin1; INSERT INTO people VALUES (5, 'José', '')");
  expect(await values(database, 'SELECT name FROM people WHERE id = 5')).toEqual([['José']]);
});

withEngine('the command line reads a dump in its charset, by import, by sql -f and through a pipe', async () => {
  const script = join(scratch, 'latin1.sql');
  // What is no UTF-8 in a comment is no matter.
  writeFileSync(script, raw(`-- Caf\xe9\n${LATIN1.replace("'\xff\xd8'", "_binary '\xff\xd8'")}`));
  for (const words of [
    ['import', 'DB', script],
    ['sql', 'DB', '-f', script],
  ]) {
    const path = join(scratch, words[0] as string);
    const said: string[] = [];
    const output = { out: async () => {}, error: (text: string) => void said.push(text) };
    await (await open({ path, create: true })).close();
    const args = words.map(word => (word === 'DB' ? path : word));
    expect(await runCommandLine(args, { output, input: process.stdin, open, useColor: false })).toBe(0);
    const database = await open({ path });
    expect(await values(database, 'SELECT id, name, hex(photo) FROM people')).toEqual(PEOPLE);
    await database.close();
    expect(said).toEqual([]);
  }
});

withEngine(
  'bytes that are no text where text belongs are an error with their place, whatever the SQL mode',
  async () => {
    for (const mode of ['', 'NO_AUTO_VALUE_ON_ZERO', 'STRICT_TRANS_TABLES']) {
      const database = await fresh();
      const script = `SET sql_mode = '${mode}';\nCREATE TABLE t (a VARCHAR(40), b BLOB);\nINSERT INTO t VALUES\n('x', '\xff'),\n('Jos\xe9', '');\n`;
      await expect(database.importSql(raw(script))).rejects.toMatchObject({
        message: expect.stringContaining('(line 5, byte 6 of it)'),
      });
      expect(await values(database, 'SELECT * FROM t')).toEqual([]);
    }
    const database = await fresh();
    const table = raw('CREATE TABLE `Z\xfcrich` (a INT)');
    await expect(database.importSql(table)).rejects.toMatchObject({ code: 'unreadable', message: /Line 1.*0xFC/ });
  },
);

withEngine(
  'an import tells what its statements have altered: how often, and the first ones with their lines',
  async () => {
    const database = await fresh();
    const ignored = (n: number): string => `INSERT IGNORE INTO t VALUES (${n}, 'much too long for it');`;
    const script = `DROP TABLE IF EXISTS t;\nCREATE TABLE t (a INT, b CHAR(3));\n\n${Array.from({ length: 12 }, (_, n) => ignored(n)).join('\n')}`;
    const { warnings } = await database.importSql(script);
    expect(warnings.count).toBe(12);
    expect(warnings.first.map(({ line }: ImportWarnings['first'][number]) => line)).toEqual([
      4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
    ]);
    expect(warnings.first[0]).toMatchObject({ message: expect.stringContaining("for column 'b'") });
    expect((await database.importSql('SELECT 1; INSERT INTO t VALUES (1, 2)')).warnings).toEqual({
      count: 0,
      first: [],
    });
  },
);

withEngine('rows that are ignored are those whose key is there: values that do not fit are refused', async () => {
  const database = await fresh();
  await database.query('CREATE TABLE t (id INT PRIMARY KEY, a INT)');
  await database.query('INSERT INTO t VALUES (1, 1)');
  const ignore = { table: 't', format: 'csv', duplicates: 'ignore' } as const;
  await database.importRows('id,a\n1,7\n2,2\n', ignore);
  await expect(database.importRows('id,a\n3,abc\n', ignore)).rejects.toThrow(/Row 2/);
  await expect(database.importRows('id,a\n3,40000000000\n', ignore)).rejects.toThrow(/out of range/i);
  expect(await values(database, 'SELECT * FROM t')).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

withEngine('a view whose table is gone is left out of an import and told, and all else comes in', async () => {
  const database = await fresh();
  const script = `CREATE TABLE t (a INT);
CREATE VIEW good AS SELECT * FROM t;
CREATE VIEW bad AS SELECT * FROM gone;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=\`root\`@\`localhost\` SQL SECURITY DEFINER */
/*!50001 VIEW \`worse\` AS select \`gone\`.\`a\` AS \`a\` from \`gone\` */;
CREATE OR REPLACE VIEW worst AS SELECT * FROM bad;
INSERT INTO t VALUES (1);
`;
  const { warnings } = await database.importSql(script);
  expect(warnings.first.map(({ line, message }) => [line, message])).toEqual([
    [3, expect.stringContaining('the view is skipped: table not found: gone')],
    [4, expect.stringContaining('the view is skipped: table not found: gone')],
    [7, expect.stringContaining('the view is skipped: table not found: bad')],
  ]);
  expect(await values(database, 'SELECT * FROM good')).toEqual([[1]]);
  // Anything else that reads a table that is not there ends it.
  await expect(database.importSql('INSERT INTO t SELECT * FROM gone')).rejects.toThrow('gone');
  await expect(database.importSql('CREATE TABLE view_of AS SELECT * FROM gone')).rejects.toThrow('gone');
});

/** Runs the command line on a database of its own with files around it. */
async function runWith(
  files: Readonly<Record<string, string | Uint8Array>>,
  words: (database: string, at: (file: string) => string) => readonly string[],
) {
  const directory = join(scratch, `files${runs++}`);
  mkdirSync(join(directory, 'parts'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const path = join(directory, 'db');
  await (await open({ path, create: true })).close();
  let [out, told] = ['', ''];
  const output = {
    out: async (text: string) => {
      out += text;
    },
    error: (text: string) => {
      told += text;
    },
  };
  const args = words(path, file => join(directory, file));
  const status = await runCommandLine([...args], { output, input: process.stdin, open, useColor: false });
  const database = await open({ path });
  const rows = (await database.query('SHOW TABLES')).rowCount === 0 ? [] : await values(database, 'SELECT a FROM t');
  await database.close();
  return { status, out, told, rows: rows.flat().sort() };
}
let runs = 0;

const BY_COMMANDS = [
  ['import', (path: string, at: (file: string) => string) => ['import', path, at('main.sql')]],
  ['sql -f', (path: string, at: (file: string) => string) => ['sql', path, '-f', at('main.sql')]],
] as const;

for (const [name, words] of BY_COMMANDS) {
  withEngine(
    `${name} reads the files that a script names, relative to it, and passes over other commands`,
    async () => {
      const files = {
        'main.sql': `CREATE TABLE t (a INT);
SOURCE parts/one.sql ;
pager less -S
\\. parts/it's.sql
DeLiMiTeR //
INSERT INTO t VALUES (10)//
delimiter ;
INSERT INTO t VALUES (11);
`,
        'parts/one.sql': 'INSERT INTO t VALUES (1);\nsource two.sql\nINSERT INTO t VALUES (3)',
        'parts/two.sql': raw("SET NAMES latin1;\nINSERT INTO t VALUES (if('\xe9' = 'x', 0, 2));\nsystem rm -rf x\n"),
        "parts/it's.sql": 'INSERT INTO t VALUES (4);\nquit\nINSERT INTO t VALUES (5);',
      };
      const { status, told, rows } = await runWith(files, words);
      expect([status, rows]).toEqual([0, [1, 10, 11, 2, 3, 4]]);
      expect(told).toContain('line 3: pager is skipped: pager is a command of the mysql client, not SQL');
      expect(told).toContain('line 3 of two.sql: system is skipped');
      expect(told).not.toContain('syntax');
    },
  );

  withEngine(`${name} reads a file in the charset of the script that names it`, async () => {
    const files = {
      'main.sql': raw(`CREATE TABLE t (a VARCHAR(9));
SET NAMES latin1;
INSERT INTO t VALUES ('\xe9');
source parts/one.sql
\\. parts/two.sql
`),
      'parts/one.sql': raw("INSERT INTO t VALUES ('\xfc');\nsource deep.sql\nSET NAMES cp1251;\n"),
      'parts/deep.sql': raw("INSERT INTO t VALUES ('\x80');\n"),
      'parts/two.sql': raw("INSERT INTO t VALUES ('\xe9');\nSET NAMES utf8;\nINSERT INTO t VALUES ('\xc3\xa9')"),
    };
    const { status, told, rows } = await runWith(files, words);
    expect([status, told.match(/error.*/)?.[0], rows]).toEqual([0, undefined, ['é', 'é', 'ü', 'й', '€'].sort()]);
  });

  withEngine(`${name} says where a file has bytes that are no text in the script's charset`, async () => {
    const { status, told, rows } = await runWith(
      {
        'main.sql': 'CREATE TABLE t (a VARCHAR(9));\nSET NAMES utf8mb4;\nsource parts/one.sql\n',
        'parts/one.sql': raw("INSERT INTO t VALUES ('a');\nSELECT '\xfc';\n"),
      },
      words,
    );
    expect(status).toBe(1);
    expect(rows.length).toBeLessThan(2);
    expect(told).toContain('one.sql');
    expect(told).toMatch(/line 2: the byte 0xFC/i);
  });

  withEngine(`${name} refuses files that are not there and those that name each other without end`, async () => {
    const first = 'CREATE TABLE t (a INT);\nINSERT INTO t VALUES (1);\n';
    const missing = await runWith({ 'main.sql': `${first}source gone.sql\nINSERT INTO t VALUES (2);` }, words);
    expect([missing.status, missing.rows]).toEqual([1, [1]]);
    expect(missing.told).toMatch(/line 3 .*gone.sql does not exist/s);
    const circle = { 'main.sql': `${first}source parts/a.sql`, 'parts/a.sql': 'SELECT 1;\nsource ../main.sql\n' };
    const round = await runWith(circle, words);
    expect([round.status, round.rows]).toEqual([1, [1]]);
    expect(round.told).toMatch(/line 2 of parts.a.sql .*is read already/s);
    const deep = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`parts/${at}.sql`, `INSERT INTO t VALUES (${at});\nsource ${at + 1}.sql`]),
    );
    const long = await runWith({ ...deep, 'main.sql': 'CREATE TABLE t (a INT);\nsource parts/0.sql' }, words);
    expect([long.status, long.rows.length]).toEqual([1, 16]);
    expect(long.told).toContain('more than 16 deep');
  });

  withEngine(`${name} leaves out views of what is not there and stored functions, and imports the rest`, async () => {
    const script = `CREATE TABLE t (a INT);
CREATE VIEW v AS SELECT * FROM gone;
CREATE FUNCTION f(i INT) RETURNS INT DETERMINISTIC RETURN i + 1;
DELIMITER $$
CREATE DEFINER=\`root\`@\`localhost\` FUNCTION g(i INT) RETURNS INT BEGIN RETURN i + 1; END$$
delimiter ;
CREATE VIEW w AS SELECT f(a) FROM t;
/*!50003 CREATE*/ /*!50020 DEFINER=\`root\`@\`localhost\`*/ /*!50003 FUNCTION \`h\`() RETURNS int RETURN 1 */;
DROP FUNCTION IF EXISTS h;
INSERT INTO t VALUES (1);
`;
    const { status, told, rows } = await runWith({ 'main.sql': script }, words);
    expect([status, rows]).toEqual([0, [1]]);
    for (const line of [
      'line 2: the view is skipped: table not found: gone',
      'line 3: the function is skipped: there are no stored functions here (CREATE FUNCTION f)',
      'line 5: the function is skipped: there are no stored functions here (CREATE FUNCTION g)',
      "line 7: the view is skipped: function: 'f' not found",
      'line 8: the function is skipped: there are no stored functions here (CREATE FUNCTION `h`)',
    ])
      expect(told).toContain(line);
    // A typed query fails with an error.
    const typed = await runWith({}, path => ['sql', path, '-q', 'CREATE VIEW v AS SELECT * FROM gone']);
    expect(typed.status).toBe(1);
  });
}

withEngine('\\G ends a statement, and shows its rows one below the other', async () => {
  const { out, told } = await runWith({ 'q.sql': "SELECT 1 AS a\\G\nSELECT '\\\\G' AS b\\g\n" }, (path, at) => [
    ...['sql', path, '-f', at('q.sql')],
  ]);
  expect(told).toBe('');
  expect(out).toMatch(/\*+ 1\. row \*+\na: 1\n[\s\S]*\| b +\|/);
});

withEngine('all functions that are left out are listed, however many', async () => {
  const database = await fresh();
  const functions = Array.from({ length: 25 }, (_, at) => `CREATE FUNCTION f${at}() RETURNS INT RETURN ${at};`);
  const { warnings } = await database.importSql(functions.join('\n'));
  expect([warnings.count, warnings.first.length]).toEqual([25, 25]);
  expect(warnings.first.at(-1)?.message).toContain('CREATE FUNCTION f24');
});

withEngine('without files at hand an import lists what a script names, and imports the rest', async () => {
  const database = await fresh();
  const script = 'CREATE TABLE t (a INT);\nsource more.sql\n\\! ls\nINSERT INTO t VALUES (1);\n';
  const { warnings } = await database.importSql(script);
  expect(warnings.first.map(({ line, message }) => [line, message])).toEqual([
    [
      2,
      'source more.sql is skipped: source is a command of the mysql client, not SQL: import the file that it names by itself',
    ],
    [3, '\\! is skipped: \\! is a command of the mysql client, not SQL'],
  ]);
  expect(await values(database, 'SELECT a FROM t')).toEqual([[1]]);
  const more = {
    source: (file: string, from: readonly string[]) => `INSERT INTO t VALUES (${file.length + from.length})`,
  };
  await database.importSql('source four', more);
  expect(await values(database, 'SELECT a FROM t ORDER BY a')).toEqual([[1], [4]]);
  await expect(database.importSql('source x', { source: () => 5 as never })).rejects.toThrow('source x: the text is');
  await expect(database.importSql('x', { source: 5 } as never)).rejects.toThrow('source is a function');
  await expect(database.query('source more.sql')).rejects.toMatchObject({
    message: expect.stringContaining('a command of the mysql client'),
    hint: expect.stringContaining('by itself'),
  });
});

withEngine(
  'geometries of MariaDB, whose bytes are a string without _binary, come in also where they happen to be UTF-8',
  async () => {
    const database = await fresh();
    const point = (coordinates: string) => `\\0\\0\\0\\0\x01\x01\\0\\0\\0${coordinates}`;
    const [one, other] = [
      `${'\\0'.repeat(6)}B@${'\\0'.repeat(6)}N@`,
      `${'\\0'.repeat(6)}\xf0\xbf${'\\0'.repeat(6)}\xf0?`,
    ];
    await database.importSql(
      raw(`SET NAMES utf8mb4;
CREATE TABLE places (id INT PRIMARY KEY, p POINT NOT NULL, g GEOMETRY);
INSERT INTO places VALUES (1,'${point(one)}','${point(other)}'),(2,'${point(other)}',NULL);
`),
    );
    expect(await values(database, 'SELECT id, ST_AsText(p), ST_AsText(g) FROM places')).toEqual([
      [1, 'POINT(36 60)', 'POINT(-1 1)'],
      [2, 'POINT(-1 1)', null],
    ]);
    for (const text of ['', 'POINT(1 2)', '\\0\\0\\0\\0\x01\x01']) {
      const insert = database.importSql(raw(`INSERT INTO places VALUES (3,'${text}',NULL)`));
      await expect(insert, text).rejects.toThrow('Cannot get geometry object');
    }
  },
);

withEngine('a key of MariaDB that deletes rows with stored columns computed from it is a key here', async () => {
  const database = await fresh();
  const child = (actions: string) =>
    `CREATE TABLE child (id INT PRIMARY KEY, parent INT, label VARCHAR(20) GENERATED ALWAYS AS (concat('#',parent)) STORED,
  CONSTRAINT child_of FOREIGN KEY (parent) REFERENCES parent (id) ${actions});`;
  await database.importSql(`CREATE TABLE parent (id INT PRIMARY KEY); ${child('ON DELETE CASCADE')}
INSERT INTO parent VALUES (1), (2); INSERT INTO child (id, parent) VALUES (1, 1), (2, 2); DELETE FROM parent WHERE id = 1;`);
  expect(await values(database, 'SELECT id, label FROM child')).toEqual([[2, '#2']]);
  await database.query('DROP TABLE child');
  // What would compute the column anew is refused, as MariaDB does.
  for (const actions of ['ON UPDATE CASCADE', 'ON DELETE SET NULL', 'ON DELETE CASCADE ON UPDATE CASCADE'])
    await expect(database.importSql(child(actions)), actions).rejects.toThrow('stored generated column');
});

withEngine("a dump of a whole server comes in without the server's own tables, which one warning tells", async () => {
  const database = await open({ empty: 'shop' });
  const { warnings } = await database.importSql(`CREATE DATABASE /*!32312 IF NOT EXISTS*/ \`mysql\`;
USE \`mysql\`;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE IF NOT EXISTS \`slow_log\` (\`start_time\` timestamp(6) NOT NULL) ENGINE=CSV;
DROP TABLE IF EXISTS \`user\`;
CREATE TABLE \`user\` (\`Host\` char(255) NOT NULL DEFAULT '', PRIMARY KEY (\`Host\`));
LOCK TABLES \`user\` WRITE;
/*!40000 ALTER TABLE \`user\` DISABLE KEYS */;
INSERT INTO \`user\` VALUES ('localhost');
UNLOCK TABLES;
CREATE DATABASE IF NOT EXISTS \`shop\`;
USE \`shop\`;
CREATE TABLE t (id INT PRIMARY KEY);
INSERT INTO t VALUES (1);
`);
  expect(warnings.first.map(({ line, message }) => [line, message])).toEqual([
    [2, 'statements about the tables of the database mysql are left out'],
  ]);
  expect(await values(database, 'SELECT * FROM shop.t')).toEqual([[1]]);
  // Elsewhere the database has tables to be read, and takes none.
  await expect(database.query('CREATE TABLE mysql.t (id INT)')).rejects.toThrow('mysql');
});

withEngine(
  'values that MariaDB dumps for generated columns are passed over, where its mode is not strict',
  async () => {
    const database = await fresh();
    const table = `CREATE TABLE g (id INT PRIMARY KEY, twice INT GENERATED ALWAYS AS (id * 2) VIRTUAL, label VARCHAR(20) GENERATED ALWAYS AS (concat('#', id)) STORED, v INT);
`;
    await database.importSql(`/*!40101 SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
${table}INSERT INTO g VALUES (1,2,'#1',10),
(2,4,'other',20);
INSERT INTO g (id, twice, label, v) VALUES (3,7,NULL,30), (4,DEFAULT,DEFAULT,40 + 1);
REPLACE INTO g VALUES (1,2,'#1',11);
`);
    expect(await values(database, 'SELECT * FROM g')).toEqual([
      [1, 2, '#1', 11],
      [2, 4, '#2', 20],
      [3, 6, '#3', 30],
      [4, 8, '#4', 41],
    ]);
    const strict = "SET SQL_MODE='STRICT_TRANS_TABLES'; INSERT INTO g VALUES (5,10,'#5',50);";
    await expect(database.importSql(strict)).rejects.toThrow('generated column "twice"');
    await expect(database.query("INSERT INTO g VALUES (5,10,'#5',50)")).rejects.toThrow('generated column "twice"');
  },
);

withEngine.each([
  [
    'SQLite',
    'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT);\nCOMMIT;\n',
  ],
  ['PostgreSQL', '--\n-- PostgreSQL database dump\n--\nSET statement_timeout = 0;\nCREATE TABLE public.t (a int);\n'],
  ['SQL Server', 'USE [shop]\r\nGO\r\nSET ANSI_NULLS ON\r\nGO\r\n'],
  ['Oracle', 'CREATE TABLE t (a VARCHAR2(10 CHAR));\n'],
])('an error in a script of %s says what it is', async (name, script) => {
  const database = await fresh();
  await expect(database.importSql(script)).rejects.toMatchObject({ hint: new RegExp(`one of ${name},.*CSV`) });
  const hints: unknown[] = [];
  await database.importSql('SELECT 1;\nSELEC 2;\n', {
    onError: error => hints.push((error as Error & { hint?: string }).hint),
  });
  expect(hints).toHaveLength(1);
  expect(String(hints[0])).not.toContain(name);
});
