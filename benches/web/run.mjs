// Runs the web benches in Chromium with a profile on disk, as people have it, and prints their tables.
// With names of workloads only those are measured, against sqlite: `node benches/web/run.mjs point_select`.
// Engines are asked in turn, so that whatever else the machine does hits all of them; figures are medians, in ms.
import { join } from 'node:path';
import { must, root } from '../../scripts/process.mjs';
import { serve } from '../../scripts/static_server.mjs';
import { openBenchPage, openChromium } from './chromium.mjs';
import { filesOf, makeArchive, makeDatabase, makeSales } from './data.mjs';
import { saveResults } from './results.mjs';
import { median, show, table } from './statistics.mjs';
import { ANALYTICS, OLTP, SCANS } from './workloads.mjs';

const REPETITIONS = Number(process.env.REPETITIONS ?? 9);
/** Rounds before those that count: enough for the browser to compile what is hot. */
const WARM_UPS = 4;
const SQLITE = '/benches/web/sqlite_worker.mjs';
const VARVE = '/benches/web/varve_worker.mjs';
const MODES = ['mmap', 'pread', 'mmap-index'];
const CHUNKS = [10_000, 100_000, 1_000_000];
const ONLY = process.argv.slice(2);

const DUCKDB = '/.cache/bench/duckdb/duckdb_worker.js';
/** Rounds of the analytical queries, some of which take SQLite seconds. */
const ANALYTICAL_REPETITIONS = Math.min(REPETITIONS, 5);

/** Of sqlite-wasm's time at most: bounds that Varve sets itself. */
const OLTP_BOUND = 0.4;
const SCAN_BOUND = 0.2;
const BOUNDS = { point_select: 0.35, covering_index_scan: 0.05 };
/** Of DuckDB's time at most. */
const DUCKDB_BOUND = 2;

const results = { engines: {}, samples: {} };

const database = await makeDatabase();
const sales = await makeSales();
must('node_modules/.bin/rolldown', [
  'benches/web/duckdb_worker.mjs',
  '--format',
  'esm',
  '--dir',
  '.cache/bench/duckdb',
]);
const { bench, inFreshPage, version, close } = await openBenchPage();
try {
  await bench('store', 'oltp', filesOf(database));
  await bench('store', 'sales', filesOf(sales));
  await oltp(bench);
  await analytics(bench);
  if (ONLY.length === 0) {
    await modes(bench);
    await openings();
    await openAndLog(bench);
    await coldConsole();
  }
  results.engines.chromium = version;
} finally {
  await close();
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

/** @param {string} name */
function isWanted(name) {
  return ONLY.length === 0 || ONLY.includes(name);
}

/** @param {number} ratio @param {number} bound */
function verdict(ratio, bound) {
  return `${bound} ${ratio <= bound ? 'kept' : 'missed'}`;
}

/** The engines inside their workers; of whole tables ours gives the page every value, SQLite has them in its worker. */
async function oltp(bench) {
  const inWorker = Object.keys(OLTP).filter(isWanted);
  const scans = Object.keys(SCANS).filter(isWanted);
  if (inWorker.length + scans.length === 0) return;
  for (const kind of ['sqlite', 'doltlite']) {
    results.engines[kind] = await bench('start', kind, SQLITE, kind, 'oltp');
    await bench('ask', kind, 'load', 'oltp');
  }
  await bench('start', 'varve', VARVE, 'mmap', 'oltp');
  await bench('openPackage');
  // All are asked for whole tables first: what is compared is the steady state, caches filled and code compiled.
  for (const engine of ['sqlite', 'doltlite', 'varve']) {
    for (const name of Object.keys(SCANS)) await bench('ask', engine, 'sample', name, 0);
  }
  for (let repetition = 1 - WARM_UPS; repetition <= REPETITIONS; repetition += 1) {
    // The first rounds are thrown away.
    const note = (name, { ms }) => repetition > 0 && keep(name, ms);
    for (const name of inWorker) {
      for (const engine of ['sqlite', 'doltlite', 'varve']) {
        note(`${name} ${engine}`, await bench('ask', engine, 'sample', name, repetition));
      }
    }
    for (const name of scans) {
      const ofSqlite = await sampleAlone(bench, 'sqlite', name, repetition);
      const asValues = await bench('stream', name, true);
      await bench('collectGarbage');
      if (asValues.values !== ofSqlite.values)
        throw new Error(`${name}: ${asValues.values} values, not ${ofSqlite.values}`);
      note(`${name} sqlite`, ofSqlite);
      note(`${name} doltlite`, await sampleAlone(bench, 'doltlite', name, repetition));
      note(`${name} varve`, asValues);
      note(`${name} batches`, await bench('stream', name, false));
    }
    if (repetition > 0 && inWorker.length > 0) {
      const { fresh, again, seen } = await bench('ask', 'varve', 'planning', repetition);
      keep('planning fresh', fresh);
      keep('planning again', again);
      keep('planning alone', fresh - again);
      keep('planning seen', seen);
    }
  }
  await bench('closePackage');
  for (const engine of ['varve', 'doltlite', 'sqlite']) await bench('stop', engine);
  const rows = [...inWorker, ...scans].map(name => {
    const ratio = middle(`${name} varve`) / middle(`${name} sqlite`);
    const bound = BOUNDS[name] ?? (scans.includes(name) ? SCAN_BOUND : OLTP_BOUND);
    const times = ['sqlite', 'doltlite', 'varve', 'batches'].map(engine => show(middle(`${name} ${engine}`)));
    return [name, ...times, ratio.toFixed(2), verdict(ratio, bound)];
  });
  print('Reads against sqlite-wasm (opfs-sahpool) and doltlite-wasm (in memory), ms per operation', [
    ['workload', 'sqlite', 'doltlite', 'varve', 'as batches', 'ratio', 'bound'],
    ...rows,
  ]);
  if (inWorker.length > 0) {
    const [fresh, again, alone, seen] = ['fresh', 'again', 'alone', 'seen'].map(kind => middle(`planning ${kind}`));
    print(
      'A point select from JavaScript, us (bounds: 15 to read and plan a new text, 1 for a known one that finds nothing)',
      [
        ['new text, until its end', 'the same text again', 'so reading and planning', 'known, a miss'],
        [show(fresh), show(again), `${show(alone)} ${verdict(alone, 15)}`, `${show(seen)} ${verdict(seen, 1)}`],
      ],
    );
  }
}

/** A sample that leaves nothing to collect on the clock of the engine that is asked next. */
async function sampleAlone(bench, engine, name, seed) {
  const sample = await bench('ask', engine, 'sample', name, seed);
  await bench('ask', engine, 'collectGarbage');
  return sample;
}

/** A million rows, each engine in its worker. */
async function analytics(bench) {
  const names = Object.keys(ANALYTICS).filter(isWanted);
  if (names.length === 0) return;
  for (const kind of ['sqlite', 'doltlite']) {
    await bench('start', kind, SQLITE, kind, 'sales');
    await bench('ask', kind, 'load', 'sales');
  }
  results.engines.duckdb = await bench('start', 'duckdb', DUCKDB);
  await bench('ask', 'duckdb', 'load');
  await bench('start', 'varve', VARVE, 'mmap', 'sales');
  const engines = ['sqlite', 'doltlite', 'duckdb', 'varve'];
  for (let repetition = -1; repetition <= ANALYTICAL_REPETITIONS; repetition += 1) {
    for (const name of names) {
      const answers = [];
      for (const engine of engines) {
        // The slow ones need no code compiled by use.
        if (repetition < 1 && engine.endsWith('lite')) continue;
        const answer = await sampleAlone(bench, engine, name, repetition);
        answers.push(answer.values);
        if (repetition > 0) keep(`${name} ${engine}`, answer.ms);
      }
      if (new Set(answers).size > 1) throw new Error(`${name}: ${answers.join(', ')} values`);
    }
  }
  for (const engine of engines) await bench('stop', engine);
  const rows = names.map(name => {
    const [toSqlite, toDuckdb] = ['sqlite', 'duckdb'].map(
      engine => middle(`${name} varve`) / middle(`${name} ${engine}`),
    );
    const times = engines.map(engine => show(middle(`${name} ${engine}`)));
    const verdicts = [
      toSqlite.toFixed(3),
      verdict(toSqlite, SCAN_BOUND),
      toDuckdb.toFixed(2),
      verdict(toDuckdb, DUCKDB_BOUND),
    ];
    return [name, ...times, ...verdicts];
  });
  print('A million orders, ms', [['workload', ...engines, 'to sqlite', 'bound', 'to duckdb', 'bound'], ...rows]);
}

/** One database in the three modes of the region. */
async function modes(bench) {
  const names = ['point_select', 'range_select', 'batch_select'];
  for (const mode of MODES) await bench('start', mode, VARVE, mode, 'oltp');
  for (let repetition = 1 - WARM_UPS; repetition <= REPETITIONS; repetition += 1) {
    // Each is the first in its turn: what comes behind another workload finds the processor's caches cold.
    const first = (repetition + WARM_UPS) % MODES.length;
    const turn = [...MODES.slice(first), ...MODES.slice(0, first)];
    for (const name of names) {
      for (const mode of turn) {
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

/** From nothing to the first row of a database that is there: pages that open another one have compiled the engine already. */
async function openings() {
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    keep('first row sqlite', await inFreshPage('firstRowOf', SQLITE));
    keep('first row varve', await inFreshPage('firstRow'));
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
    const { page, close } = await openChromium();
    const start = performance.now();
    await page.goto(visited.url);
    // The statement at the cursor is the sample's first: a join of two tables.
    await page.getByRole('treeitem').first().waitFor();
    await page.getByLabel('SQL editor').press('Control+Enter');
    await page.locator('[role="grid"] [role="gridcell"]').first().waitFor();
    keep('console cold', performance.now() - start);
    await close();
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
