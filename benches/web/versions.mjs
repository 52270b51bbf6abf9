// Version control over a table of a million rows: Varve and DoltLite in Chromium, native Dolt over its wire protocol.
// `node benches/web/versions.mjs` prints the table; figures are medians in ms.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openBenchPage } from './chromium.mjs';
import { filesOf, makeSales } from './data.mjs';
import { dolt } from './native_dolt.mjs';
import mysql from './node_modules/mysql2/promise.js';
import { saveResults } from './results.mjs';
import { ORDERS } from './rows.mjs';
import { median, show, table } from './statistics.mjs';

const REPETITIONS = Number(process.env.REPETITIONS ?? 21);
const WARM_UPS = 2;
const COMMITS = Number(process.env.COMMITS ?? 10_000);
const PORT = 13_477;
const BOUNDS = { doltlite: 0.5, native: 1 };
/** What takes less than a millisecond is measured so many times in a row, or the clock's ticks and the message would be part of it. */
const BRANCHES = 8;
const LOGS = 50;
/** A commit to the large table may take so many times as long as one to a table of 10,000 rows. */
const GROWTH_BOUND = 1.5;
const FEW_ORDERS = 10_000;
const NAMES = ['commit of 1 row', 'branch', 'diff of 10 rows', 'merge of 10 + 10 rows'];

/** @typedef {(sql: string) => Promise<{ ms: number, rows: number }>} Ask */
/** @typedef {(sqls: readonly string[]) => Promise<{ ms: number }>} Each asks them after each other, and gives the time of one */
/** @typedef {{ ask: Ask, each: Each, call: (procedure: string, ...args: string[]) => string, diff: string, repeat: (sql: string, times: number) => Promise<void> }} Subject */

const results = { samples: {} };
/** @param {string} name @param {number} ms */
const keep = (name, ms) => {
  results.samples[name] = [...(results.samples[name] ?? []), ms];
};
/** @param {string} name */
const middle = name => median(results.samples[name] ?? []);

/** @param {string[]} args */
const quoted = args => args.map(arg => `'${arg}'`).join(', ');
const MYSQL_DIFF = "SELECT * FROM dolt_diff('HEAD~1', 'HEAD', 'orders')";

const sales = await makeSales();
const home = mkdtempSync(join(tmpdir(), 'varve-versions-'));
const native = await startNative();
const { bench, close } = await openBenchPage();
try {
  await bench('store', 'versions', filesOf(sales), 'sales');
  await bench('start', 'varve', '/benches/web/varve_writes_worker.mjs', 'versions', 'full');
  await bench('start', 'doltlite', '/benches/web/sqlite_writes_worker.mjs', 'doltlite', 'versions');
  /** @param {string} engine */
  const inPage = engine => ({
    ask: sql => bench('ask', engine, 'statement', sql),
    each: sqls => bench('ask', engine, 'each', sqls),
    repeat: (sql, times) => bench('ask', engine, 'repeat', sql, times),
  });
  /** @type {Record<string, Subject>} */
  const subjects = {
    varve: { ...inPage('varve'), call: (name, ...args) => `CALL ${name}(${quoted(args)})`, diff: MYSQL_DIFF },
    doltlite: {
      ...inPage('doltlite'),
      call: (name, ...args) => `SELECT ${name}(${quoted(args)})`,
      diff: "SELECT * FROM dolt_diff_orders WHERE from_commit = dolt_hashof('HEAD~1') AND to_commit = dolt_hashof('HEAD')",
    },
    native: { ...native, call: (name, ...args) => `CALL ${name}(${quoted(args)})`, diff: MYSQL_DIFF },
  };
  // DoltLite has just filled its table; the others have it in their caches, too, before they are asked.
  for (const { ask } of Object.values(subjects)) await ask('SELECT COUNT(*), SUM(amount), SUM(price) FROM orders');
  for (let round = 1 - WARM_UPS; round <= REPETITIONS; round += 1) {
    for (const [name, subject] of Object.entries(subjects)) await work(name, subject, round);
  }
  await compareSizes(subjects.varve);
  for (const { repeat, call } of Object.values(subjects)) {
    await repeat(call('dolt_commit', '--allow-empty', '-m', 'empty'), COMMITS);
  }
  for (let round = 1 - WARM_UPS; round <= REPETITIONS; round += 1) {
    for (const [name, { each }] of Object.entries(subjects)) {
      const { ms } = await each(Array(LOGS).fill('SELECT * FROM dolt_log LIMIT 1'));
      if (round > 0) keep(`log -n 1 ${name}`, ms);
    }
  }
} finally {
  await close();
  await native.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

const rows = [...NAMES, 'log -n 1'].map(name => [
  name,
  ...['varve', 'doltlite', 'native'].map(engine => show(middle(`${name} ${engine}`))),
  ...Object.entries(BOUNDS).map(([peer, bound]) => {
    const ratio = middle(`${name} varve`) / middle(`${name} ${peer}`);
    return `${ratio.toFixed(2)} ${ratio <= bound ? 'kept' : 'missed'}`;
  }),
]);
const bounds = Object.entries(BOUNDS).map(([peer, bound]) => `varve / ${peer} (${bound})`);
const title = `A table of ${ORDERS} rows; the log of ${COMMITS} commits, ms`;
process.stdout.write(`\n${title}\n\n${table([['', 'varve', 'doltlite', 'native', ...bounds], ...rows])}\n`);
const sizes = ['UPDATE', 'UPDATE and dolt_commit'].map(what => {
  const [large, small] = ['orders', 'few'].map(name => middle(`${what} of 1 row of ${name} varve`));
  return [
    what,
    show(small),
    show(large),
    `${(large / small).toFixed(2)} ${large / small <= GROWTH_BOUND ? 'kept' : 'missed'}`,
  ];
});
const growth = table([
  ['one row, durable', `${FEW_ORDERS} rows`, `${ORDERS} rows`, `ratio (${GROWTH_BOUND})`],
  ...sizes,
]);
process.stdout.write(`\n${growth}\n`);
saveResults('versions', 'node benches/web/versions.mjs', results);

/** Commits of one changed row, in turns to the large table and to a small one of the same columns. @param {Subject} varve */
async function compareSizes({ ask, call }) {
  await ask('CREATE TABLE few LIKE orders');
  await ask(`INSERT INTO few SELECT * FROM orders WHERE id <= ${FEW_ORDERS}`);
  await ask(call('dolt_commit', '-Am', 'few'));
  for (let round = 1 - WARM_UPS; round <= 2 * REPETITIONS; round += 1) {
    for (const [name, rows] of Object.entries({ orders: ORDERS, few: FEW_ORDERS })) {
      const id = 1 + ((7919 * (round + WARM_UPS)) % rows);
      const update = await ask(`UPDATE ${name} SET amount = amount + 1 WHERE id = ${id}`);
      const commit = await ask(call('dolt_commit', '-a', '-m', 'one row'));
      if (round <= 0) continue;
      keep(`UPDATE of 1 row of ${name} varve`, update.ms);
      keep(`UPDATE and dolt_commit of 1 row of ${name} varve`, update.ms + commit.ms);
    }
  }
}

/** One round: what is timed, and between it what makes it possible. @param {string} name @param {Subject} subject @param {number} round */
async function work(name, { ask, each, call, diff }, round) {
  const first = 1000 * (round + WARM_UPS);
  const ids = from => Array.from({ length: 10 }, (_, index) => (first + from + index * 99_000) % ORDERS).join(', ');
  const note = (what, { ms }) => round > 0 && keep(`${what} ${name}`, ms);
  const branch = `b${round + WARM_UPS}`;
  await ask(`UPDATE orders SET amount = amount + 1 WHERE id = ${first}`);
  note(NAMES[0], await ask(call('dolt_commit', '-a', '-m', 'one row')));
  const branches = Array.from({ length: BRANCHES }, (_, index) => (index === 0 ? branch : `${branch}_${index}`));
  note(NAMES[1], await each(branches.map(made => call('dolt_branch', made))));
  await ask(`UPDATE orders SET amount = amount + 1 WHERE id IN (${ids(1)})`);
  await ask(call('dolt_commit', '-a', '-m', 'ten rows'));
  const changes = await ask(diff);
  if (changes.rows !== 10) throw new Error(`${name}: ${changes.rows} changes, not 10`);
  note(NAMES[2], changes);
  await ask(call('dolt_checkout', branch));
  await ask(`UPDATE orders SET amount = amount + 2 WHERE id IN (${ids(500)})`);
  await ask(call('dolt_commit', '-a', '-m', 'ten others'));
  await ask(call('dolt_checkout', 'main'));
  note(NAMES[3], await ask(call('dolt_merge', branch)));
}

/** Native Dolt's server over a copy of the same database. */
async function startNative() {
  const databases = join(home, 'databases');
  cpSync(sales, join(databases, 'sales'), { recursive: true });
  const env = { ...process.env, HOME: home, DOLT_DISABLE_EVENT_FLUSH: '1' };
  for (const pair of [
    ['user.name', 'bench'],
    ['user.email', 'bench@example.org'],
  ]) {
    spawnSync(dolt, ['config', '--global', '--add', ...pair], { env, cwd: home });
  }
  const args = [
    'sql-server',
    '--host',
    '127.0.0.1',
    '--port',
    String(PORT),
    '--data-dir',
    databases,
    '--loglevel',
    'fatal',
  ];
  const process_ = spawn(dolt, args, { env, cwd: databases, stdio: 'ignore' });
  const connection = await connect();
  const ask = async sql => {
    const start = performance.now();
    const [answer] = await connection.query(sql);
    return { ms: performance.now() - start, rows: Array.isArray(answer) ? answer.length : 0 };
  };
  const each = async sqls => {
    const start = performance.now();
    for (const sql of sqls) await connection.query(sql);
    return { ms: (performance.now() - start) / sqls.length };
  };
  const repeat = async (sql, times) => {
    for (let index = 0; index < times; index += 1) await connection.query(sql);
  };
  const stop = async () => {
    connection.destroy();
    process_.kill();
    await once(process_, 'exit');
  };
  return { ask, each, repeat, stop };
}

async function connect() {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await mysql.createConnection({ host: '127.0.0.1', port: PORT, user: 'root', database: 'sales' });
    } catch (error) {
      if (attempt === 100) throw error;
      await wait(100);
    }
  }
}
