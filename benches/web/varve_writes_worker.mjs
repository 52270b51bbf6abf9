// Varve written in its own worker: the engine as the package's host uses it, files in OPFS.
import { EngineWait } from '../../dist/package/host/engine.js';
import { openBrowserSource } from '../../dist/package/host/files/browser_source.js';
import { HostImports } from '../../dist/package/host/imports.js';
import { WasmEngine } from '../../dist/package/host/wasm_engine.js';
import init, * as glue from '../../dist/wasm/core.js';
import { answerWith } from './worker_calls.mjs';
import { statementsOf, WARM, WRITES } from './write_workloads.mjs';

const FUEL = 1_000_000;
const BUDGET_BYTES = 128 * 1024 * 1024;
const SETTLE_MS = 4;

const statements = new Map();
let engine;
let session;
let writes;
let isToTend = false;

/** @param {string} path in OPFS @param {'full' | 'relaxed'} durability */
async function open(path, durability) {
  const imports = new HostImports();
  const exports = await init();
  imports.core = exports;
  glue.connectHost(imports);
  const onMoved = () => tendLater(SETTLE_MS);
  const context = { canSuspend: false, readOnly: false, lockTimeoutMs: 30_000, onProgress: () => {}, onMoved };
  const source = await openBrowserSource({ kind: 'opfs', path }, context);
  engine = new WasmEngine({ exports, glue, imports }, { mode: 'mmap', budgetBytes: BUDGET_BYTES, durability });
  for (const { name, directory } of source.databases) {
    await engine.attach(name, directory);
    writes = directory.writes;
  }
  session = await engine.openSession();
}

/** While nobody asks, settles what was put off and makes room for the next commits, as the package's host does. @param {number} delayMs */
function tendLater(delayMs) {
  if (isToTend) return;
  isToTend = true;
  setTimeout(() => {
    isToTend = false;
    const nextMs = engine.flush('due');
    if (nextMs !== null) tendLater(nextMs);
  }, delayMs);
}

/**
 * Makes a call, as the package's host does: it answers at once, unless it has to wait; then it is made again.
 *
 * @template T @param {() => T} call @returns {T | Promise<T>}
 */
function ready(call) {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof EngineWait)) throw error;
    return writes.prepare().then(() => ready(call));
  }
}

/** @param {string} sql @param {readonly (number | string)[]} params @returns a promise if something had to wait */
function run(sql, params) {
  const statement = statements.get(sql) ?? engine.prepare(session, sql).statement;
  statements.set(sql, statement);
  const cursor = ready(() => engine.execute(statement, params));
  return cursor instanceof Promise ? cursor.then(finish) : finish(cursor);
}

/** Takes all that a cursor gives; the memory of pages goes back, as it does when a batch is released. @param {number} cursor */
function finish(cursor) {
  for (;;) {
    const step = ready(() => engine.next(cursor, FUEL));
    if (step instanceof Promise) return step.then(late => isDone(cursor, late) || finish(cursor));
    if (isDone(cursor, step)) return;
  }
}

function isDone(cursor, { kind, page }) {
  if (kind === 'batch') engine.takeBack([page]);
  if (kind === 'done') engine.closeCursor(cursor);
  return kind === 'done';
}

/** @returns milliseconds for one operation */
async function sample(name, seed) {
  const { operations, after } = WRITES[name];
  // Takes the lease, which is kept for the operations, and makes room for new files.
  await run('UPDATE sbtest1 SET pad = ? WHERE id = 1', [String(seed)]);
  const all = statementsOf(name, seed);
  const start = performance.now();
  for (const [sql, params] of all) {
    const later = run(sql, params);
    if (later !== undefined) await later;
  }
  // What relaxed durability has acknowledged is written within the time, too.
  await run('COMMIT', []);
  const ms = (performance.now() - start) / operations;
  if (after !== undefined) await run(after, []);
  return { ms, flushes: engine.counters().store_flushes };
}

/** Its tables come into the cache: a database that was just filled, as SQLite's, has them there. */
const warm = () => each(WARM);

/** One statement, from its text on. @returns its milliseconds, and how many rows it gave */
async function statement(sql) {
  const start = performance.now();
  const { statement } = engine.prepare(session, sql);
  const cursor = await ready(() => engine.execute(statement, []));
  let rows = 0;
  for (;;) {
    const step = await ready(() => engine.next(cursor, FUEL));
    if (step.kind === 'done') break;
    if (step.kind === 'batch') rows += step.rowCount;
  }
  engine.closeCursor(cursor);
  engine.closeStatement(statement);
  return { ms: performance.now() - start, rows };
}

/** Statements after each other. @param {readonly string[]} sqls @returns the milliseconds of one of them */
async function each(sqls) {
  const start = performance.now();
  for (const sql of sqls) await statement(sql);
  return { ms: (performance.now() - start) / sqls.length };
}

/** The same statement many times. */
async function repeat(sql, times) {
  for (let index = 0; index < times; index += 1) await statement(sql);
}

answerWith({ open, warm, sample, statement, each, repeat });
