// Imports CSV files of 100,000 and of a million rows, durably, in Node and into Chromium's OPFS, and prints how fast that was and what
// linear memory it took: beside the engine the larger one may need little more, however long it is. `node benches/web/csv_import.mjs`
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { open } from '../../dist/package/node/index.js';
import { root } from '../../scripts/process.mjs';
import { openBenchPage } from './chromium.mjs';
import { saveResults } from './results.mjs';
import { sbtestRow } from './rows.mjs';
import { table } from './statistics.mjs';

const ROWS = [100_000, 1_000_000];
/** Rows a second that we set ourselves as a bound. */
const RATE_BOUND = 100_000;
/** Half of the budget is for pages of files, which an import hardly reads. */
const BUDGET_BYTES = 128 * 2 ** 20;
/** The engine itself. */
const BESIDE_BYTES = 16 * 2 ** 20;

const cache = join(root, '.cache/bench');
mkdirSync(cache, { recursive: true });

/** @param {number} rows */
async function makeFile(rows) {
  const path = join(cache, `sbtest-${rows}.csv`);
  if (existsSync(path)) return path;
  const out = createWriteStream(path);
  out.write('id,k,c,pad\n');
  for (let id = 1; id <= rows; id += 1) {
    if (!out.write(`${sbtestRow(id).join(',')}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  return path;
}

/** @param {string} file */
async function inNode(file) {
  const directory = mkdtempSync(join(cache, 'import-'));
  const database = await open({ path: join(directory, 'db'), create: true }, { budgetBytes: BUDGET_BYTES });
  const start = performance.now();
  const input = createReadStream(file, { highWaterMark: 1 << 20 });
  await database.importRows(input, { table: 't', format: 'csv', create: true });
  const seconds = (performance.now() - start) / 1000;
  const { memory_bytes: memoryBytes } = (await database.stats()).counters;
  await database.close();
  rmSync(directory, { recursive: true });
  return { seconds, memoryBytes };
}

const results = { runs: [] };
const { bench, close } = await openBenchPage();
try {
  for (const rows of ROWS) {
    const file = await makeFile(rows);
    results.runs.push({ where: 'Node', rows, ...(await inNode(file)) });
    results.runs.push({ where: 'Chromium', rows, ...(await bench('importCsv', basename(file), BUDGET_BYTES)) });
  }
} finally {
  await close();
}

const mebibytes = bytes => `${Math.round(bytes / 2 ** 20)} MiB`;
const lines = results.runs.map(({ where, rows, seconds, memoryBytes }) => [
  where,
  String(rows),
  Math.round(rows / seconds).toLocaleString('en'),
  mebibytes(memoryBytes),
]);
const title = 'CSV into a new table, one durable commit';
process.stdout.write(`${title}\n\n${table([['in', 'rows', 'rows a second', 'linear memory'], ...lines])}\n`);
const holds = ({ rows, seconds, memoryBytes }) =>
  rows / seconds >= RATE_BOUND && memoryBytes <= BUDGET_BYTES + BESIDE_BYTES;
process.exitCode = results.runs.filter(({ rows }) => rows === ROWS.at(-1)).every(holds) ? 0 : 1;
saveResults('csv_import', 'node benches/web/csv_import.mjs', results);
