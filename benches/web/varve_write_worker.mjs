// Varve that writes to OPFS, asked in its own worker: the engine as the package's host uses it.
import { EngineWait } from '../../dist/package/host/engine.js';
import { openBrowserSource } from '../../dist/package/host/files/browser_source.js';
import { HostImports } from '../../dist/package/host/imports.js';
import { Siblings } from '../../dist/package/host/siblings.js';
import { WasmEngine } from '../../dist/package/host/wasm_engine.js';
import init, * as glue from '../../dist/wasm/core.js';
import { sbtestRow } from './rows.mjs';
import { answerWith } from './worker_calls.mjs';
import { ROWS, WRITES } from './write_workloads.mjs';

const FUEL = 1_000_000;
const BATCH = 1000;
const statements = new Map();
let engine;
let session;
let source;

/** @param {'full' | 'relaxed'} durability */
async function open(durability) {
  const imports = new HostImports();
  const exports = await init();
  imports.memory = exports.memory;
  glue.connectHost(imports);
  const context = { canSuspend: false, readOnly: false, onProgress() {}, onMoved() {} };
  await (await navigator.storage.getDirectory())
    .removeEntry(`writes ${durability}`, { recursive: true })
    .catch(() => {});
  source = await openBrowserSource({ kind: 'opfs', path: `writes ${durability}`, create: true }, context);
  const siblings = new Siblings(source);
  engine = new WasmEngine({ exports, glue, imports }, { mode: 'mmap', budgetBytes: 128 * 1024 * 1024, durability });
  for (const { name, directory } of source.databases) await engine.attach(name, directory, siblings);
  session = await engine.openSession();
  await run(
    'CREATE TABLE sbtest1 (id INT PRIMARY KEY, k INT NOT NULL, c CHAR(120) NOT NULL, pad CHAR(60) NOT NULL, KEY k_1 (k))',
    [],
  );
  const row = '(?, ?, ?, ?)';
  for (let first = 1; first <= ROWS; first += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, index) => sbtestRow(first + index));
    await run(`INSERT INTO sbtest1 VALUES ${Array(BATCH).fill(row).join(', ')}`, rows.flat());
  }
}

/** Waits only where the engine has to: for the lock, once. */
async function run(sql, params) {
  let statement = statements.get(sql);
  if (statement === undefined) {
    statement = engine.prepare(session, sql).statement;
    statements.set(sql, statement);
  }
  const { cursor } = await patiently(() => engine.execute(statement, params));
  for (;;) {
    const step = await patiently(() => engine.next(cursor, FUEL));
    if (step.kind === 'done') break;
  }
  engine.closeCursor(cursor);
}

function patiently(call) {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof EngineWait)) throw error;
    return Promise.all(source.databases.map(({ directory }) => directory.writes.prepare())).then(() => patiently(call));
  }
}

/** @returns milliseconds for one operation, and flushes for one */
async function sample(name, seed) {
  const { operations, steps } = WRITES[name];
  const flushes = () => engine.counters().store_flushes ?? 0;
  const before = flushes();
  const start = performance.now();
  for (let index = 0; index < operations; index += 1) {
    for (const [sql, params] of steps(seed * operations + index)) await run(sql, params);
  }
  const ms = (performance.now() - start) / operations;
  const dueMs = engine.flush(false);
  return { ms, flushes: (flushes() - before) / operations, dueMs };
}

answerWith({ open, sample });
