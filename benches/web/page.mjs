// The page of the benches: starts the workers, copies the database into OPFS, and is asked by run.mjs through `bench`.
import { aborted, abortedLater, runAll, timedOut } from './stops_measure.mjs';
import { Calls, collectGarbage } from './worker_calls.mjs';
import { WORKLOADS } from './workloads.mjs';

const NAME = 'oltp';

/** @type {Map<string, Calls>} */
const workers = new Map();

/**
 * Copies a database's files into OPFS unless they are there.
 *
 * @param {string} name of its directory in OPFS
 * @param {readonly string[]} files
 * @param {string} from name of its directory in .cache/bench
 */
async function store(name, files, from = name) {
  const root = await navigator.storage.getDirectory();
  for (const path of files) {
    const parts = path.split('/');
    const last = parts.pop();
    let directory = await root.getDirectoryHandle(name, { create: true });
    for (const part of parts) directory = await directory.getDirectoryHandle(part, { create: true });
    const handle = await directory.getFileHandle(last, { create: true });
    const bytes = await (await fetch(`/.cache/bench/${from}/${path}`)).arrayBuffer();
    if ((await handle.getFile()).size === bytes.byteLength) continue;
    const writable = await handle.createWritable();
    await writable.write(bytes);
    await writable.close();
  }
}

/** @param {string} engine a key for later @param {string} url @param {unknown[]} args of `open` */
async function start(engine, url, ...args) {
  const calls = new Calls(url);
  workers.set(engine, calls);
  return calls.ask('open', ...args);
}

function ask(engine, operation, ...args) {
  return workers.get(engine)?.ask(operation, ...args);
}

function stop(engine) {
  workers.get(engine)?.end();
  workers.delete(engine);
}

/** @type {Awaited<ReturnType<typeof import('../../dist/package/lib/index.js').open>> | undefined} */
let database;

/** Opens a database by the package, which is loaded when that is done first. @type {typeof import('../../dist/package/lib/index.js').open} */
async function openVarve(...args) {
  const { open } = await import('../../dist/package/lib/index.js');
  return open(...args);
}

/** A database of the package, whose worker is its own and whose batches come to this page. */
async function openPackage() {
  database = await openVarve({ opfs: NAME });
}

/** A new database of the package in OPFS. @param {string} name */
async function openFresh(name) {
  database = await openVarve({ opfs: name, create: true });
}

async function closePackage() {
  await database?.close();
  database = undefined;
}

/**
 * Streams a workload's rows to this page.
 *
 * @param {string} name
 * @param {boolean} readsValues whether every value becomes a JavaScript value, or batches are only counted
 * @returns milliseconds for one operation
 */
async function stream(name, readsValues) {
  const { sql } = WORKLOADS[name];
  let values = 0;
  const start = performance.now();
  for await (const batch of database.stream(sql)) {
    if (!readsValues) values += batch.rowCount * batch.columns.length;
    else for (let index = 0; index < batch.columns.length; index += 1) values += batch.column(index).values().length;
    batch.release();
  }
  return { ms: performance.now() - start, values };
}

/** Milliseconds from nothing to the first row of an existing database: package, worker and wasm included where the page has none yet. */
async function firstRow() {
  const start = performance.now();
  const opened = await openVarve({ opfs: NAME });
  await opened.query('SELECT * FROM sbtest1 LIMIT 1');
  const ms = performance.now() - start;
  await opened.close();
  return ms;
}

/** Opens a source in a fresh worker and runs a statement, as a visit of remote.mjs. The package is loaded before. */
async function visit(source, sql) {
  await import('../../dist/package/lib/index.js');
  const start = performance.now();
  const opened = await openVarve(source);
  const openMs = performance.now() - start;
  await opened.query(sql);
  const ms = performance.now() - start - openMs;
  await opened.close();
  return { openMs, ms };
}

/** Removes a directory of OPFS. @param {string} name */
async function forget(name) {
  await (await navigator.storage.getDirectory()).removeEntry(name, { recursive: true }).catch(() => {});
}

/**
 * Opens a database in a worker of its own and reads its newest commit.
 *
 * @param {string} name in OPFS
 * @param {'mmap' | 'pread' | 'mmap-index'} mode
 */
async function openAndLog(name, mode) {
  const start = performance.now();
  const opened = await openVarve({ opfs: name }, { mode });
  const { rows } = await opened.query('SELECT commit_hash, message FROM dolt_log LIMIT 1');
  const ms = performance.now() - start;
  const { counters } = await opened.stats();
  await opened.close();
  if (rows.length !== 1) throw new Error('the log is empty');
  return { ms, pages: counters.region_faults + counters.region_ahead, bytes: counters.region_bytes };
}

/**
 * Imports a file of .cache/bench into a database of its own, which is not kept.
 *
 * @param {string} file
 * @param {number} budgetBytes
 */
async function importCsv(file, budgetBytes) {
  const name = `import-${file}`;
  const opened = await openVarve({ opfs: name, create: true }, { budgetBytes });
  const input = await (await fetch(`/.cache/bench/${file}`)).blob();
  const start = performance.now();
  await opened.importRows(input, { table: 't', format: 'csv', create: true });
  const seconds = (performance.now() - start) / 1000;
  const { counters } = await opened.stats();
  await opened.close();
  await (await navigator.storage.getDirectory()).removeEntry(name, { recursive: true });
  return { seconds, memoryBytes: counters.memory_bytes };
}

async function firstRowOf(url) {
  const start = performance.now();
  const calls = new Calls(url);
  await calls.ask('open', 'sqlite', NAME);
  await calls.ask('firstRow');
  const ms = performance.now() - start;
  calls.end();
  return ms;
}

globalThis.bench = {
  store,
  start,
  ask,
  stop,
  openPackage,
  closePackage,
  openFresh,
  runAll: (...args) => runAll(database, ...args),
  timedOut: (...args) => timedOut(database, ...args),
  aborted: (...args) => aborted(database, ...args),
  abortedLater: (...args) => abortedLater(database, ...args),
  stream,
  collectGarbage,
  firstRow,
  firstRowOf,
  openAndLog,
  visit,
  forget,
  importCsv,
};
