/** Dumps that other programs wrote, in other charsets than UTF-8: nothing of them is lost or altered without a word. */
import { writeFileSync } from 'node:fs';
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
    [3, expect.stringContaining('the view is left out: table not found: gone')],
    [4, expect.stringContaining('the view is left out: table not found: gone')],
    [7, expect.stringContaining('the view is left out: table not found: bad')],
  ]);
  expect(await values(database, 'SELECT * FROM good')).toEqual([[1]]);
  // Anything else that reads a table that is not there ends it.
  await expect(database.importSql('INSERT INTO t SELECT * FROM gone')).rejects.toThrow('gone');
  await expect(database.importSql('CREATE TABLE view_of AS SELECT * FROM gone')).rejects.toThrow('gone');
});
