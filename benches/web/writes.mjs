// The write half of sysbench in Chromium with a profile on disk: Varve `full` and `relaxed` against sqlite-wasm in three
// ways of being durable, all in one run and in turn. `node benches/web/writes.mjs [WORKLOAD…]`; figures are medians, in ms.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs';
import { root } from '../../scripts/process.mjs';
import { serve } from '../../scripts/static_server.mjs';
import { saveResults } from './results.mjs';
import { median, show, table } from './statistics.mjs';
import { WRITES } from './write_workloads.mjs';

const REPETITIONS = Number(process.env.REPETITIONS ?? 9);
const WARM_UPS = 2;
const ONLY = process.argv.slice(2);
const SQLITE = ['rollback full', 'wal full', 'wal normal'];
const VARVE = ['full', 'relaxed'];

/** What Varve asks of itself: the ratio to a setting of sqlite that it must keep. */
const BOUNDS = [
  ['full', 'rollback full', 0.25],
  ['full', 'wal full', 2.5],
  ['relaxed', 'wal normal', 4],
];

/** @type {Record<string, number[]>} */
const samples = {};
/** @type {Record<string, number>} */
const flushes = {};
const isolated = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const server = await serve({ directory: root, headers: isolated });
const profile = mkdtempSync(join(tmpdir(), 'varve-bench-'));
const context = await chromium.launchPersistentContext(profile, { ...chromiumLaunchOptions(), headless: true });
/** @type {Record<string, string>} */
const engines = {};
try {
  const page = context.pages()[0] ?? (await context.newPage());
  page.on('pageerror', error => process.stderr.write(`${error.stack ?? error.message}\n`));
  await page.goto(`${server.url}benches/web/page.html`);
  await page.waitForFunction(() => 'bench' in globalThis);
  /** @param {string} operation @param {unknown[]} args */
  const bench = (operation, ...args) =>
    page.evaluate(([name, values]) => globalThis.bench[name](...values), [operation, args]);
  for (const setting of SQLITE) {
    engines[setting] = await bench('start', setting, '/benches/web/sqlite_write_worker.mjs', setting);
  }
  for (const setting of VARVE) await bench('start', setting, '/benches/web/varve_write_worker.mjs', setting);
  engines.chromium = context.browser()?.version() ?? '';
  const names = Object.keys(WRITES).filter(name => ONLY.length === 0 || ONLY.includes(name));
  for (let repetition = 1 - WARM_UPS; repetition <= REPETITIONS; repetition += 1) {
    for (const name of names) {
      for (const setting of [...SQLITE, ...VARVE]) {
        const measured = await bench('ask', setting, 'sample', name, repetition + WARM_UPS);
        if (repetition <= 0) continue;
        const key = `${name} ${setting}`;
        samples[key] = [...(samples[key] ?? []), measured.ms];
        if (measured.flushes !== undefined) flushes[key] = measured.flushes;
      }
    }
  }
  print(names);
} finally {
  await context.close();
  await server.close();
  rmSync(profile, { recursive: true, force: true });
}
if (ONLY.length === 0) saveResults('web_writes', 'node benches/web/writes.mjs', { engines, samples, flushes });

/** @param {readonly string[]} names */
function print(names) {
  const middle = (name, setting) => median(samples[`${name} ${setting}`] ?? []);
  const rows = names.map(name => [
    name,
    ...[...SQLITE, ...VARVE].map(setting => show(middle(name, setting))),
    ...BOUNDS.map(([ours, theirs, bound]) => {
      const ratio = middle(name, ours) / middle(name, theirs);
      return `${ratio.toFixed(2)} ${ratio <= bound ? 'kept' : 'missed'}`;
    }),
    (flushes[`${name} full`] ?? Number.NaN).toFixed(2),
  ]);
  const bounds = BOUNDS.map(([ours, theirs, bound]) => `${ours} / ${theirs} (${bound})`);
  const head = ['workload', ...SQLITE.map(setting => `sqlite ${setting}`), ...VARVE.map(setting => `varve ${setting}`)];
  process.stdout.write('\nWrites, ms per operation\n\n');
  process.stdout.write(`${table([[...head, ...bounds, 'flushes'], ...rows])}\n`);
}
