// The write half of sysbench in Chromium, each commit durable: Varve, SQLite with its rollback journal and with a WAL, DoltLite.
// `node benches/web/writes.mjs` prints the table; engines are asked in turn, figures are medians in ms.
import { openBenchPage } from './chromium.mjs';
import { filesOf, makeDatabase } from './data.mjs';
import { saveResults } from './results.mjs';
import { median, show, table } from './statistics.mjs';
import { WRITES } from './write_workloads.mjs';

/** A sample takes 20 to 60 ms, and the disk makes it a quarter longer or shorter: medians of 15 went apart by a tenth. */
const REPETITIONS = Number(process.env.REPETITIONS ?? 31);
/** Rounds before those that count. */
const WARM_UPS = 3;

/** Engines: the worker, and what its `open` is told. */
const ENGINES = {
  varve: ['/benches/web/varve_writes_worker.mjs', 'writes-full', 'full'],
  'varve relaxed': ['/benches/web/varve_writes_worker.mjs', 'writes-relaxed', 'relaxed'],
  rollback: ['/benches/web/sqlite_writes_worker.mjs', 'rollback'],
  wal: ['/benches/web/sqlite_writes_worker.mjs', 'wal'],
  'wal normal': ['/benches/web/sqlite_writes_worker.mjs', 'wal_normal'],
  doltlite: ['/benches/web/sqlite_writes_worker.mjs', 'doltlite'],
};

/** Ours, the peer, and the ratio that we set ourselves as a bound. */
const BOUNDS = [
  ['varve', 'doltlite', 0.5],
  ['varve', 'rollback', 0.25],
  ['varve', 'wal', 2.5],
  ['varve relaxed', 'wal normal', 4],
];

/**
 * What one engine has written may keep the disk busy for a while: each comes first in its turn, so that none always follows the same.
 *
 * @param {readonly string[]} engines
 * @param {number} by
 */
const rotated = (engines, by) => engines.map((_, at) => engines[(at + by) % engines.length]);

const results = { engines: {}, samples: {} };
/** @param {string} name @param {number} ms */
const keep = (name, ms) => {
  results.samples[name] = [...(results.samples[name] ?? []), ms];
};
/** @param {string} name */
const middle = name => median(results.samples[name] ?? []);

const database = await makeDatabase();
const { bench, version, close } = await openBenchPage();
try {
  for (const name of ['writes-full', 'writes-relaxed']) await bench('store', name, filesOf(database), 'oltp');
  for (const [engine, [url, ...args]] of Object.entries(ENGINES)) {
    results.engines[engine] = await bench('start', engine, url, ...args);
    await bench('ask', engine, 'warm');
  }
  for (let repetition = 1 - WARM_UPS; repetition <= REPETITIONS; repetition += 1) {
    for (const workload of Object.keys(WRITES)) {
      for (const engine of rotated(Object.keys(ENGINES), repetition + WARM_UPS)) {
        const { ms } = await bench('ask', engine, 'sample', workload, repetition + WARM_UPS);
        if (repetition > 0) keep(`${workload} ${engine}`, ms);
      }
    }
  }
  results.engines.chromium = version;
} finally {
  await close();
}

const rows = Object.keys(WRITES).map(workload => [
  workload,
  ...Object.keys(ENGINES).map(engine => show(middle(`${workload} ${engine}`))),
  ...BOUNDS.map(([ours, peer, bound]) => {
    const ratio = middle(`${workload} ${ours}`) / middle(`${workload} ${peer}`);
    return `${ratio.toFixed(2)} ${ratio <= bound ? 'kept' : 'missed'}`;
  }),
]);
const title = 'Writes to 100k rows, every commit durable (relaxed and normal: flushed later), ms per operation';
const bounds = BOUNDS.map(([ours, peer, bound]) => `${ours} / ${peer} (${bound})`);
process.stdout.write(`\n${title}\n\n${table([['workload', ...Object.keys(ENGINES), ...bounds], ...rows])}\n`);
saveResults('writes', 'node benches/web/writes.mjs', results);
