// Imports SQL dumps of 250,000 rows (50 MB) in the forms that mysqldump and `dolt dump` write, durably, into a table with an index, and
// prints how fast that was, what linear memory it took and how often it flushed; beside it SQLite runs the same dump, in memory and
// so without any flush. `node benches/web/dump_import.mjs`
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from '../../dist/package/node/index.js';
import { root } from '../../scripts/process.mjs';
import { saveResults } from './results.mjs';
import { sbtestRow } from './rows.mjs';
import { table } from './statistics.mjs';

const ROWS = 250_000;
/** Bytes from which a statement takes no further row. */
const FORMS = { 'a megabyte of rows a statement': 1 << 20, 'a row a statement': 1 };
/** Half of the budget is for pages of files, which an import hardly reads. */
const BUDGET_BYTES = 128 * 2 ** 20;
/** The engine itself. */
const BESIDE_BYTES = 16 * 2 ** 20;
const FLUSHES_MAX = 10;

const CREATE = {
  varve:
    'CREATE TABLE `sbtest1` (`id` int NOT NULL, `k` int NOT NULL, `c` char(125) NOT NULL, `pad` char(60) NOT NULL, PRIMARY KEY (`id`), KEY `k_1` (`k`))',
  sqlite:
    'CREATE TABLE sbtest1 (id INTEGER PRIMARY KEY, k INTEGER NOT NULL, c TEXT NOT NULL, pad TEXT NOT NULL); CREATE INDEX k_1 ON sbtest1 (k)',
};

const cache = join(root, '.cache/bench');
mkdirSync(cache, { recursive: true });

/** The statements that fill the table, the same for both. @param {number} statementBytes */
function inserts(statementBytes) {
  const path = join(cache, `sbtest-${ROWS}-${statementBytes}.sql`);
  if (existsSync(path)) return path;
  const parts = [];
  let length = 0;
  for (let id = 1; id <= ROWS; id += 1) {
    const [, k, c, pad] = sbtestRow(id);
    const row = `(${id},${k},'${c} it''s','${pad}')`;
    parts.push(length === 0 ? `INSERT INTO \`sbtest1\` VALUES ${row}` : `,${row}`);
    length += row.length;
    if (length < statementBytes && id < ROWS) continue;
    parts.push(';\n');
    length = 0;
  }
  writeFileSync(path, parts.join(''));
  return path;
}

/** @param {string} path */
async function ofVarve(path) {
  const directory = mkdtempSync(join(cache, 'dump-'));
  const database = await open({ path: join(directory, 'db'), create: true }, { budgetBytes: BUDGET_BYTES });
  await database.query(CREATE.varve);
  const { store_flushes: before } = (await database.stats()).counters;
  const start = performance.now();
  const used = process.cpuUsage();
  await database.importSql(createReadStream(path, { highWaterMark: 1 << 20 }));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(used);
  const { memory_bytes: memoryBytes, store_flushes: flushes } = (await database.stats()).counters;
  await database.close();
  rmSync(directory, { recursive: true });
  return { seconds, cpuSeconds: (user + system) / 1e6, memoryBytes, flushes: flushes - before };
}

/** @param {string} path */
async function ofSqlite(path) {
  const { default: init } = await import('@sqlite.org/sqlite-wasm');
  const sqlite3 = await init({ print: () => {}, printErr: () => {} });
  const database = new sqlite3.oo1.DB(':memory:');
  database.exec(CREATE.sqlite);
  // Read into memory before the clock; SQLite takes statements that are whole.
  const statements = readFileSync(path, 'utf8').split(';\n').slice(0, -1);
  const start = performance.now();
  database.exec('BEGIN');
  for (const sql of statements) database.exec(sql);
  database.exec('COMMIT');
  const seconds = (performance.now() - start) / 1000;
  if (database.selectValue('SELECT COUNT(*) FROM sbtest1') !== ROWS) throw new Error('rows are missing');
  database.close();
  return seconds;
}

const results = { rows: ROWS, runs: [] };
for (const [form, statementBytes] of Object.entries(FORMS)) {
  const path = inserts(statementBytes);
  results.runs.push({ form, ...(await ofVarve(path)), sqliteSeconds: await ofSqlite(path) });
}

const lines = results.runs.map(({ form, seconds, cpuSeconds, sqliteSeconds, memoryBytes, flushes }) => [
  form,
  Math.round(ROWS / seconds).toLocaleString('en'),
  cpuSeconds.toFixed(2),
  Math.round(ROWS / sqliteSeconds).toLocaleString('en'),
  `${Math.round(memoryBytes / 2 ** 20)} MiB`,
  String(flushes),
]);
const head = ['dump', 'rows a second', 'CPU s', 'SQLite in memory', 'linear memory', 'flushes'];
process.stdout.write(`SQL dump into a table with an index, durably\n\n${table([head, ...lines])}\n`);
const isBounded = run => run.flushes <= FLUSHES_MAX && run.memoryBytes <= BUDGET_BYTES + BESIDE_BYTES;
process.exitCode = results.runs.every(isBounded) ? 0 : 1;
saveResults('dump_import', 'node benches/web/dump_import.mjs', results);
