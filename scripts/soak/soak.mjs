// A long run of one process: sessions, cancelled statements, collections, branches, exports and new openings, against a model of what was
// acknowledged. Memory and open files must not grow with the time.
//
// node scripts/soak/soak.mjs [--minutes 60] [--seed 1]        (after `npm run build`)
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findDolt } from '../dolt.mjs';
import { random } from '../kills/batches.mjs';

/** The package, as it was built. */
const { open } = await import(new URL('../../dist/package/node/index.js', import.meta.url).href);

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const minutes = Number(values.minutes);
const next = random(Number(values.seed));

const SESSIONS = 4;
const TURNS_OF_OPENING = 400;
const KEYS = 20_000;
const ROWS_OF_BATCH = 200;
/** Cut off within this time by a timeout, in milliseconds. */
const TIMEOUT_MS = 100;
const BUDGET_BYTES = 128 * 2 ** 20;
/** What the process may have beside the budget when it idles: as in benches/web/release.mjs. */
const IDLE_BYTES = 128e6;

const directory = join(mkdtempSync(join(tmpdir(), 'varve-soak-')), 'soak');
const dolt = findDolt();

/** Keys and values that were acknowledged. */
const model = new Map();
const counts = { statements: 0, cancelled: 0, rolledBack: 0, collections: 0, merges: 0, openings: 0 };

/** @param {number} end */
const below = end => Math.floor(next() * end);

/** @param {boolean} holds @param {string} what */
function check(holds, what) {
  if (!holds) throw new Error(`${what}, after ${JSON.stringify(counts)}, files in ${directory}`);
}

/** Rows of a statement, and what they make of the model when it is acknowledged. */
function someRows() {
  const rows = new Map();
  for (let row = 0; row < 1 + below(ROWS_OF_BATCH); row++) rows.set(below(KEYS), below(1_000_000));
  return rows;
}

/** @param {Map<number, number>} rows */
const replaceOf = rows =>
  `REPLACE INTO kept VALUES ${[...rows].map(([key, value]) => `(${key}, ${value}, REPEAT('x', ${value % 300}))`).join(', ')}`;

/** @param {any} session */
async function equalsModel(session) {
  const { rows } = await session.query(
    'SELECT COUNT(*) AS n, CAST(COALESCE(SUM(value), 0) AS CHAR) AS total FROM kept',
  );
  let total = 0;
  for (const value of model.values()) total += value;
  const [{ n, total: sum }] = rows;
  check(Number(n) === model.size && sum === String(total), `${n} rows of ${sum} for ${model.size} of ${total}`);
}

/** @param {any} error @param {readonly number[]} numbers */
const isOneOf = (error, numbers) => numbers.includes(error.errno);

/**
 * What a turn does: each takes a session that is in no transaction.
 *
 * @type {((session: any, database: any) => Promise<void>)[]}
 */
const WORKS = [
  async session => {
    const rows = someRows();
    await session.query(replaceOf(rows));
    for (const [key, value] of rows) model.set(key, value);
  },
  async session => {
    const first = below(KEYS);
    await session.query('DELETE FROM kept WHERE id BETWEEN ? AND ?', [first, first + 50]);
    for (let key = first; key <= first + 50; key++) model.delete(key);
  },
  async session => {
    await session.query('START TRANSACTION');
    await session.query(replaceOf(someRows()));
    await session.query('ROLLBACK');
    counts.rolledBack++;
    await equalsModel(session);
  },
  async session => {
    try {
      await session.query('UPDATE kept a, kept b, kept c SET a.value = -1 WHERE a.value + b.value * c.value = -5', [], {
        timeoutMs: TIMEOUT_MS,
      });
    } catch (error) {
      check(isOneOf(error, [3024, 1317]), `a timeout ended as ${error}`);
      counts.cancelled++;
    }
  },
  async session => {
    const control = new AbortController();
    const asked = session.query('SELECT COUNT(*) FROM kept a, kept b, kept c', [], { signal: control.signal });
    setTimeout(() => control.abort(), below(50));
    await asked.then(
      () => {},
      () => counts.cancelled++,
    );
    await equalsModel(session);
  },
  async session => {
    let n = 0;
    for await (const batch of session.stream('SELECT id, value, text FROM kept ORDER BY text, id')) {
      n += batch.rowCount;
      batch.release();
    }
    check(n === model.size, `${n} rows were streamed of ${model.size}`);
  },
  async session => {
    await session.query("CALL dolt_commit('-A', '--allow-empty', '-m', 'soak')");
  },
  async session => {
    await session.query("CALL dolt_commit('-A', '--allow-empty', '-m', 'before a branch')");
    await session.query("CALL dolt_checkout('-b', 'aside')");
    const rows = someRows();
    await session.query(replaceOf(rows));
    await session.query("CALL dolt_commit('-A', '--allow-empty', '-m', 'aside')");
    await session.query("CALL dolt_checkout('main')");
    await session.query("CALL dolt_merge('aside')");
    await session.query("CALL dolt_branch('-D', 'aside')");
    for (const [key, value] of rows) model.set(key, value);
    counts.merges++;
  },
  async session => {
    await session.query(next() < 0.2 ? "CALL dolt_gc('--full')" : 'CALL dolt_gc()');
    counts.collections++;
  },
  async session => {
    await session.query("SELECT LENGTH(REPEAT('x', 50000000))");
  },
  async (_, database) => {
    const copy = await open({ empty: 'copy' });
    for await (const sql of database.dump({ tables: ['kept'] })) await copy.importSql(sql);
    await equalsModel(copy);
    await copy.close();
  },
];

const openFiles = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);

const end = Date.now() + minutes * 60_000;
const started = Date.now();
let filesAtFirst = 0;
for (let opening = 0; Date.now() < end; opening++) {
  const database = await open({ path: directory, create: opening === 0 }, { budgetBytes: BUDGET_BYTES });
  counts.openings++;
  await database.query(
    'CREATE TABLE IF NOT EXISTS kept (id INT PRIMARY KEY, value BIGINT NOT NULL, text VARCHAR(300), KEY (value))',
  );
  await equalsModel(database);
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => database.session()));
  for (let turn = 0; turn < TURNS_OF_OPENING && Date.now() < end; turn++) {
    const work = WORKS[below(WORKS.length)];
    await work?.(sessions[below(SESSIONS)], database);
    counts.statements++;
  }
  const { problems } = await database.verify();
  check(problems.length === 0, `verify finds ${JSON.stringify(problems)}`);
  await Promise.all(sessions.map(session => session.close()));
  await database.releaseMemory();
  await database.close();
  if (dolt !== undefined) {
    const run = (/** @type {string[]} */ ...words) => execFileSync(dolt, words, { cwd: directory, encoding: 'utf8' });
    run('fsck');
    const line = run('sql', '-r', 'csv', '-q', 'SELECT COUNT(*) FROM kept').trim().split('\n')[1];
    check(Number(line) === model.size, `native Dolt counts ${line} rows of ${model.size}`);
  }
  const rss = process.memoryUsage.rss();
  filesAtFirst ||= openFiles();
  check(openFiles() <= filesAtFirst + 4, `${openFiles()} files are open, ${filesAtFirst} were after the first opening`);
  check(rss < BUDGET_BYTES + IDLE_BYTES + 128e6, `${(rss / 1e6).toFixed(0)} MB are resident`);
  console.log(
    `${((Date.now() - started) / 60_000).toFixed(1)} min, ${(rss / 1e6).toFixed(0)} MB, ${JSON.stringify(counts)}`,
  );
}
rmSync(join(directory, '..'), { recursive: true });
console.log(dolt === undefined ? 'whole (native Dolt was not there to look)' : 'whole, native Dolt agrees');
