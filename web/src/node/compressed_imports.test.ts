/** Files compressed by gzip import as they are. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { scratchDirectory, withEngine } from '../testing/built_engine.ts';
import { runCommandLine } from './cli.ts';
import { open } from './index.ts';

const scratch = scratchDirectory();
const CSV = `id,name\n${Array.from({ length: 5000 }, (_, id) => `${id},name ${id * 7919}`).join('\n')}\n`;
const DUMP = "CREATE TABLE t (id INT PRIMARY KEY, name TEXT);\nINSERT INTO t VALUES (1,'Zürich'),(2,'x');\n";

async function* byOne(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
}

const half = CSV.length >> 1;
const members = Buffer.concat([gzipSync(CSV.slice(0, half)), gzipSync(CSV.slice(half))]);

withEngine('rows are decompressed from bytes, files, streams and several members', async () => {
  await using database = await open({ memory: {}, create: true });
  const inputs = [gzipSync(CSV), new Blob([gzipSync(CSV)]), byOne(gzipSync(CSV)), members, new Blob([members])];
  for (const [at, input] of inputs.entries()) {
    const table = `t${at}`;
    const { rows } = await database.importRows(input, { table, format: 'csv', create: true });
    expect(rows).toBe(5000);
    const sum = (await database.query(`SELECT MIN(name), SUM(id) FROM ${table}`)).rowArrays();
    expect(sum).toEqual([['name 0', 12497500]]);
  }
});

withEngine('a script is decompressed, before its charset is looked for', async () => {
  await using database = await open({ memory: {}, create: true });
  await database.importSql(gzipSync(Buffer.from(`SET NAMES latin1;\n${DUMP}`, 'latin1')));
  expect((await database.query('SELECT name FROM t ORDER BY id')).rowArrays()).toEqual([['Zürich'], ['x']]);
});

withEngine('compressed data that is damaged or cut is an error that says so', async () => {
  await using database = await open({ memory: {}, create: true });
  const whole = gzipSync(CSV);
  for (const bytes of [
    whole.subarray(0, whole.length - 9),
    Buffer.concat([whole.subarray(0, 2000), whole.subarray(2200)]),
  ]) {
    const importing = database.importRows(bytes, { table: 't', format: 'csv', create: true });
    await expect(importing).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(
        /^The gzip data is damaged after \d+ decompressed bytes: .+ Download the file again$/,
      ),
    });
  }
  expect((await database.query('SHOW TABLES')).rowArrays()).toEqual([]);
});

withEngine('the command line imports them by their names', async () => {
  const path = join(scratch, 'shop');
  writeFileSync(join(scratch, 'plants.csv.gz'), gzipSync(CSV.replaceAll(',', ';')));
  writeFileSync(join(scratch, 'dump.sql.gz'), gzipSync(DUMP));
  await (await open({ path, create: true })).close();
  const output = { out: () => {}, error: () => {} };
  const line = { output, input: process.stdin, open, useColor: false };
  expect(await runCommandLine(['import', path, 'plants', join(scratch, 'plants.csv.gz'), '-c'], line)).toBe(0);
  expect(await runCommandLine(['import', path, join(scratch, 'dump.sql.gz')], line)).toBe(0);
  await using database = await open({ path });
  const counts = await database.query('SELECT (SELECT COUNT(name) FROM plants), (SELECT COUNT(*) FROM t)');
  expect(counts.rowArrays()).toEqual([[5000n, 2n]]);
});
