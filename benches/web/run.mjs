// Runs the web benches in Chromium with a profile on disk, as people have it, and prints their tables.
// With names of workloads only those are measured, against sqlite: `node benches/web/run.mjs point_select`.
// Engines are asked in turn, so that whatever else the machine does hits all of them; figures are medians, in ms.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs';
import { root } from '../../scripts/process.mjs';
import { serve } from '../../scripts/static_server.mjs';
import { filesOf, makeArchive, makeDatabase } from './data.mjs';
import { saveResults } from './results.mjs';
import { median, show, table } from './statistics.mjs';

const REPETITIONS = Number(process.env.REPETITIONS ?? 9);
/** Rounds before those that count: enough for the browser to compile what is hot. */
const WARM_UPS = 4;
const SQLITE = '/benches/web/sqlite_worker.mjs';
const VARVE = '/benches/web/varve_worker.mjs';
const MODES = ['mmap', 'pread', 'mmap-index'];
const CHUNKS = [10_000, 100_000, 1_000_000];
const ONLY = process.argv.slice(2);

const IN_WORKER = ['point_select', 'range_select', 'random_points', 'batch_select', 'index_scan', 'group_by_scan'];
const SCANS = ['table_scan', 'table_scan_100k'];

/** What sqlite-wasm is compared with: bounds that Varve sets itself. */
const BOUNDS = { point_select: 0.35, table_scan: 0.25, 'table_scan as batches': 0.1 };

const results = { engines: {}, samples: {} };

const database = await makeDatabase();
// Isolated from other origins, so that the clock has a resolution of 5 us instead of 100.
const isolated = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const server = await serve({ directory: root, headers: isolated });
const profile = mkdtempSync(join(tmpdir(), 'varve-bench-'));
const context = await chromium.launchPersistentContext(profile, { ...chromiumLaunchOptions(), headless: true });
try {
  const page = context.pages()[0] ?? (await context.newPage());
  page.on('pageerror', error => process.stderr.write(`${error.stack ?? error.message}\n`));
  await page.goto(`${server.url}benches/web/page.html`);
  await page.waitForFunction(() => 'bench' in globalThis);
  const bench = (operation, ...args) =>
    page.evaluate(([name, values]) => globalThis.bench[name](...values), [operation, args]);

  await bench('store', 'sbtest', filesOf(database));
  results.engines.sqlite = await bench('start', 'sqlite', SQLITE);
  await bench('ask', 'sqlite', 'load');

  await againstSqlite(bench);
  if (ONLY.length === 0) {
    await modes(bench);
    await openings(bench);
    await openAndLog(bench);
    await coldConsole();
  }
  results.engines.chromium = context.browser()?.version() ?? '';
} finally {
  await context.close();
  await server.close();
  rmSync(profile, { recursive: true, force: true });
}
if (ONLY.length === 0) saveResults('web', 'npm run bench web', results);

/** @param {string} name @param {number} ms */
function keep(name, ms) {
  results.samples[name] = [...(results.samples[name] ?? []), ms];
}

/** @param {string} name */
function middle(name) {
  return median(results.samples[name] ?? []);
}

/** Both engines inside their workers; scans also delivered to the page. */
async function againstSqlite(bench) {
  const isWanted = name => ONLY.length === 0 || ONLY.includes(name);
  const inWorker = IN_WORKER.filter(isWanted);
  const scans = SCANS.filter(isWanted);
  await bench('start', 'varve', VARVE, 'mmap');
  await bench('openPackage');
  // Both are asked for whole tables first: what is compared is the steady state, caches filled and code compiled.
  for (const engine of ['sqlite', 'varve']) {
    for (const name of scans) await bench('ask', engine, 'sample', name, 0);
  }
  for (let repetition = 1 - WARM_UPS; repetition <= REPETITIONS; repetition += 1) {
    // The first rounds are thrown away.
    const note = (name, { ms }) => repetition > 0 && keep(name, ms);
    for (const name of inWorker) {
      for (const engine of ['sqlite', 'varve']) {
        note(`${name} ${engine}`, await bench('ask', engine, 'sample', name, repetition));
      }
    }
    for (const name of scans) {
      const ofSqlite = await bench('ask', 'sqlite', 'sample', name, repetition);
      const asValues = await bench('stream', name, true);
      if (asValues.values !== ofSqlite.values)
        throw new Error(`${name}: ${asValues.values} values, not ${ofSqlite.values}`);
      note(`${name} sqlite`, ofSqlite);
      note(`${name} varve`, asValues);
      note(`${name} as batches sqlite`, ofSqlite);
      note(`${name} as batches varve`, await bench('stream', name, false));
    }
  }
  await bench('closePackage');
  await bench('stop', 'varve');
  const names = [...inWorker, ...scans.flatMap(name => [name, `${name} as batches`])];
  const rows = names.map(name => {
    const ratio = middle(`${name} varve`) / middle(`${name} sqlite`);
    const bound = BOUNDS[name];
    const verdict = bound === undefined ? '' : `${bound} ${ratio <= bound ? 'kept' : 'missed'}`;
    return [name, show(middle(`${name} sqlite`)), show(middle(`${name} varve`)), ratio.toFixed(2), verdict];
  });
  print('Against sqlite-wasm (opfs-sahpool), 100k rows, ms per operation', [
    ['workload', 'sqlite', 'varve', 'ratio', 'bound'],
    ...rows,
  ]);
}

/** One database in the three modes of the region. */
async function modes(bench) {
  const names = ['point_select', 'range_select', 'batch_select'];
  for (const mode of MODES) await bench('start', mode, VARVE, mode);
  for (let repetition = 0; repetition <= REPETITIONS; repetition += 1) {
    for (const name of names) {
      for (const mode of MODES) {
        const { ms } = await bench('ask', mode, 'sample', name, repetition);
        if (repetition > 0) keep(`${name} ${mode}`, ms);
      }
    }
  }
  for (const mode of MODES) await bench('stop', mode);
  const rows = names.map(name => [
    name,
    ...MODES.map(mode => show(middle(`${name} ${mode}`))),
    (middle(`${name} pread`) / middle(`${name} mmap`)).toFixed(2),
  ]);
  print('Modes of the region, ms per operation', [['workload', ...MODES, 'pread / mmap'], ...rows]);
}

/** From nothing to the first row of a database that is there. */
async function openings(bench) {
  await bench('stop', 'sqlite');
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    keep('first row sqlite', await bench('firstRowOf', SQLITE));
    keep('first row varve', await bench('firstRow'));
  }
  const ratio = middle('first row varve') / middle('first row sqlite');
  print('First row of an existing database, worker and wasm included, ms', [
    ['', 'sqlite', 'varve', 'ratio'],
    ['first row', show(middle('first row sqlite')), show(middle('first row varve')), ratio.toFixed(2)],
  ]);
}

/** Archives of growing size around one small database: what opening costs must not grow with them. */
async function openAndLog(bench) {
  for (const chunks of CHUNKS) await bench('store', `archive-${chunks}`, filesOf(makeArchive(chunks)));
  /** @type {Record<string, { pages: number, bytes: number }>} */
  const read = {};
  for (let repetition = 0; repetition <= REPETITIONS; repetition += 1) {
    for (const mode of MODES) {
      for (const chunks of CHUNKS) {
        const name = `log of ${chunks} ${mode}`;
        const { ms, pages, bytes } = await bench('openAndLog', `archive-${chunks}`, mode);
        read[name] = { pages, bytes };
        if (repetition > 0) keep(name, ms);
      }
    }
  }
  const rows = MODES.flatMap(mode =>
    CHUNKS.map(chunks => {
      const name = `log of ${chunks} ${mode}`;
      const growth = middle(name) / middle(`log of ${CHUNKS[0]} ${mode}`);
      return [
        mode,
        String(chunks),
        show(middle(name)),
        String(read[name].pages),
        String(read[name].bytes),
        growth.toFixed(2),
      ];
    }),
  );
  print('Open in a fresh worker and log -n 1 over an archive of that many chunks, ms (bounds: 48 pages, growth 1.5)', [
    ['mode', 'chunks', 'ms', 'pages', 'bytes', 'growth'],
    ...rows,
  ]);
}

/** A person's first visit: nothing cached, until the first query has been asked and answered. */
async function coldConsole() {
  const visited = await serve({ directory: join(root, 'dist/console') });
  for (let repetition = 0; repetition < 5; repetition += 1) {
    const empty = mkdtempSync(join(tmpdir(), 'varve-cold-'));
    const visit = await chromium.launchPersistentContext(empty, { ...chromiumLaunchOptions(), headless: true });
    const page = visit.pages()[0] ?? (await visit.newPage());
    const start = performance.now();
    await page.goto(visited.url);
    // The statement at the cursor is the sample's first: a join of two tables.
    await page.getByRole('treeitem').first().waitFor();
    await page.getByLabel('SQL editor').press('Control+Enter');
    await page.locator('[role="grid"] [role="gridcell"]').first().waitFor();
    keep('console cold', performance.now() - start);
    await visit.close();
    rmSync(empty, { recursive: true, force: true });
  }
  await visited.close();
  print('The console, cold: from navigation to the rows of the first query, ms (bound 1500)', [
    ['', 'median', 'worst'],
    ['console', show(middle('console cold')), show(Math.max(...results.samples['console cold']))],
  ]);
}

/** @param {string} title @param {string[][]} rows */
function print(title, rows) {
  process.stdout.write(`\n${title}\n\n${table(rows)}\n`);
}
