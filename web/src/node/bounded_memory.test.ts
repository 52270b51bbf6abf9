import type * as fs from 'node:fs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import { DOLT, dolt, scratchDirectory, withEngine } from '../testing/built_engine.ts';
import { open } from './index.ts';

/** The engine as it was built, with so little memory that statements use it up in no time: 128 MiB. */
const PAGES_MAX = 128 * 16;
vi.mock('node:fs', async original => {
  const real = await original<typeof fs>();
  const readFileSync = (file: fs.PathOrFileDescriptor, options?: undefined) => {
    const read = real.readFileSync(file, options);
    return String(file).endsWith('core_bg.wasm') ? withPagesMax(read as Buffer, PAGES_MAX) : read;
  };
  return { ...real, readFileSync };
});
afterAll(() => vi.restoreAllMocks());

const directory = scratchDirectory();

/** A WebAssembly module with another maximum of its memory. */
function withPagesMax(module: Buffer, pages: number): Uint8Array {
  const MEMORY_SECTION = 5;
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = module[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  const written = (value: number): number[] =>
    value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...written(value >>> 7)];
  while (at < module.length) {
    const start = at;
    const section = module[at++];
    const end = number() + at;
    if (section === MEMORY_SECTION) {
      at += 2;
      const memory = [1, 1, ...written(number()), ...written(pages)];
      return Buffer.concat([
        module.subarray(0, start),
        Buffer.from([section, memory.length, ...memory]),
        module.subarray(end),
      ]);
    }
    at = end;
  }
  throw new Error('the module has no memory section');
}

const NUMBERS = 'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 200)';
const TEXT = "CONCAT(i, REPEAT('a', 1000000))";
const doubling = (first: string, next: string) => [first, ...Array.from({ length: 10 }, () => next)];

/** Statements that need several times the memory that there is; the last of each is one that fails. */
const GREEDY: Record<string, readonly string[]> = {
  values: [`${NUMBERS} SELECT i, MAX(${TEXT}) FROM n GROUP BY i`],
  'text of rows': [
    'SET SESSION group_concat_max_len = 4000000000',
    `${NUMBERS} SELECT LENGTH(GROUP_CONCAT(REPEAT('a', 1000000) ORDER BY i)) FROM n`,
  ],
  'array of rows': [`${NUMBERS} SELECT JSON_LENGTH(JSON_ARRAYAGG(${TEXT})) FROM n`],
  'object of rows': [`${NUMBERS} SELECT JSON_LENGTH(JSON_OBJECTAGG(i, ${TEXT})) FROM n`],
  'many small values': [`${NUMBERS} SELECT JSON_LENGTH(JSON_ARRAYAGG(a.i)) FROM n a, n b, n c`],
  'a text that doubles': doubling("SET @s = REPEAT('a', 1000000)", 'SET @s = CONCAT(@s, @s)'),
  'a document that doubles': doubling(
    "SET @j = CONCAT('[', REPEAT('1,', 100000), '1]')",
    'SET @j = JSON_MERGE_PRESERVE(@j, @j)',
  ),
  'a table that doubles a text': [
    `WITH RECURSIVE c AS (SELECT CAST('abcdefghij' AS CHAR(100000000)) AS t, 1 AS i UNION ALL SELECT CONCAT(t, t), i + 1 FROM c WHERE i < 40)
     SELECT MAX(LENGTH(t)) FROM c`,
  ],
  variables: Array.from({ length: 40 }, (_, n) => `SET @v${n} = REPEAT('a', 10000000)`),
  'a wide row': [`SELECT ${Array.from({ length: 40 }, () => "REPEAT('a', 10000000)").join(', ')}`],
  'a long statement': [`SELECT 1${'+1'.repeat(2_000_000)}`],
  'a long document': ["SELECT JSON_LENGTH(CAST(CONCAT('[', REPEAT('1,', 10000000), '1]') AS JSON))"],
  'a program': ['CALL p()'],
};

/** Never ends, whatever errors it handles. */
const PROGRAM = `CREATE PROCEDURE p() BEGIN
  DECLARE s LONGTEXT DEFAULT 'abcdefghij';
  DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
  WHILE LENGTH(s) > 0 DO SET s = CONCAT(s, s); END WHILE;
END`;

withEngine(
  'a statement that needs more memory than there is fails, and the session and its database go on',
  async () => {
    const path = join(directory, 'small');
    const database = await open({ path, create: true });
    await database.query('CREATE TABLE t (id INT PRIMARY KEY, v LONGTEXT)');
    await database.query("INSERT INTO t VALUES (1, 'kept')");
    await database.query(PROGRAM);
    await database.commit('Write it');
    for (const [what, statements] of Object.entries(GREEDY)) {
      const session = await database.session();
      await session.query('START TRANSACTION');
      await session.query("INSERT INTO t VALUES (2, 'not committed')");
      const failed: { errno?: number; message: string }[] = [];
      for (const sql of statements) {
        try {
          for await (const batch of session.stream(sql)) batch.release();
        } catch (error) {
          failed.push(error as { errno?: number; message: string });
        }
      }
      expect(failed.length, what).toBeGreaterThan(0);
      // 1301: longer than max_allowed_packet.
      for (const error of failed) expect([1041, 1301], `${what}: ${error.message}`).toContain(error.errno);
      // The transaction goes on without the statement.
      expect((await session.query('SELECT COUNT(*) AS n FROM t')).rows, what).toEqual([{ n: 2n }]);
      await session.query('ROLLBACK');
      await session.close();
    }
    expect((await database.query('SELECT * FROM t')).rows).toEqual([{ id: 1, v: 'kept' }]);
    await database.query("INSERT INTO t VALUES (3, 'after')");
    await database.commit('Write more');
    await database.close();
    if (existsSync(DOLT))
      expect(dolt(path, 'sql', '-r', 'csv', '-q', 'SELECT * FROM t')).toBe('id,v\n1,kept\n3,after\n');
    else console.warn('native Dolt does not read the database: there is none');
  },
);
