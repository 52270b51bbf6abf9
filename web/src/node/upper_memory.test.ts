import { join } from 'node:path';
import { expect } from 'vitest';
import { scratchDirectory, withEngine } from '../testing/built_engine.ts';
import { loadCore } from './core.ts';
import { open } from './index.ts';

const directory = scratchDirectory();
const HALF_PAGES = 2 ** 31 / 65_536;
const ROWS = 20_000;

withEngine('what is written and read is right where the engine lies beyond 2 GiB of its memory', async () => {
  // What is not touched costs nothing. What the engine asks for from here on is in the upper half, whose addresses are negative numbers.
  const core = await loadCore();
  core.exports.memory.grow(HALF_PAGES);
  // It is not given back in the middle.
  core.settled();
  const path = join(directory, 'upper');
  const long = 'é'.repeat(1_000_000);
  const bytes = Uint8Array.from({ length: 3_000_000 }, (_, at) => at % 251);
  const csv = `id,name\n${Array.from({ length: ROWS }, (_, id) => `${id},the name of row ${id}`).join('\n')}\n`;

  const database = await open({ path, create: true });
  await database.query('CREATE TABLE longs (id INT PRIMARY KEY, t LONGTEXT, b LONGBLOB)');
  await database.query('INSERT INTO longs VALUES (?, ?, ?)', [1, long, bytes]);
  await database.query(`INSERT INTO longs VALUES (2, '${long}', NULL)`);
  await database.importRows(csv, { table: 'names', format: 'csv', create: true });
  await database.importSql("CREATE TABLE script (id INT); INSERT INTO script VALUES (1), (2); SELECT 'x'");
  await database.commit('Write it');
  await database.query('CALL dolt_gc()');
  await database.close();

  await using again = await open(path);
  const { rows } = await again.query('SELECT t, b FROM longs ORDER BY id');
  expect(rows[0]?.t === long && rows[1]?.t === long).toBe(true);
  expect(Buffer.compare(rows[0]?.b as Uint8Array, bytes)).toBe(0);
  const names = await again.query(
    "SELECT COUNT(*) AS n, MAX(id) AS last FROM names WHERE name REGEXP '^the name of row [0-9]+$'",
  );
  expect(names.rows).toEqual([{ n: BigInt(ROWS), last: ROWS - 1 }]);
  expect((await again.query('SELECT SUM(id) AS sum FROM script')).rows).toEqual([{ sum: 3 }]);
  expect((await again.query('SELECT a.name FROM names a JOIN names b USING (name) ORDER BY name')).rows).toHaveLength(
    ROWS,
  );
  await expect(again.query('SELECT nowhere')).rejects.toThrow('nowhere');
  expect((await again.stats()).memoryBytes).toBeGreaterThan(2 ** 31);
});
