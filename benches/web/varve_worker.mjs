// Varve asked in its own worker, with nothing sent to a page: the engine as the package's host uses it, files in OPFS.
import { readPage } from '../../dist/package/client/page.js';
import { openBrowserSource } from '../../dist/package/host/files/browser_source.js';
import { HostImports } from '../../dist/package/host/imports.js';
import { Siblings } from '../../dist/package/host/siblings.js';
import { WasmEngine } from '../../dist/package/host/wasm_engine.js';
import init, * as glue from '../../dist/wasm/core.js';
import { answerWith } from './worker_calls.mjs';
import { WORKLOADS } from './workloads.mjs';

/** As many units of work as the host gives a statement before it looks at its messages. */
const FUEL = 1_000_000;
const BUDGET_BYTES = 128 * 1024 * 1024;

const decoder = new TextDecoder();
const statements = new Map();
let engine;
let session;

/** @param {'mmap' | 'pread' | 'mmap-index'} mode @param {string} name of the database in OPFS */
async function open(mode, name = 'oltp') {
  const imports = new HostImports();
  const exports = await init();
  imports.core = exports;
  glue.connectHost(imports);
  const context = { canSuspend: false, readOnly: false, lockTimeoutMs: 30_000, onProgress() {}, onMoved() {} };
  const source = await openBrowserSource({ kind: 'opfs', path: name, create: false }, context);
  const siblings = new Siblings(source);
  engine = new WasmEngine({ exports, glue, imports }, { mode, budgetBytes: BUDGET_BYTES, durability: 'full' });
  for (const database of source.databases) await engine.attach(database.name, database.directory, siblings);
  session = await engine.openSession();
}

/** @returns milliseconds for one operation; every value of every row becomes a JavaScript value */
function sample(name, seed) {
  const { sql, operations, params } = WORKLOADS[name];
  const prepared = [sql].flat().map(prepare);
  const allBound = Array.from({ length: operations }, (_, index) => params(seed * operations + index));
  let values = 0;
  const start = performance.now();
  for (const bound of allBound) {
    if (name === 'point_select') values += findOne(prepared[0], bound);
    else if (prepared.length === 1) values += readAll(prepared[0], bound);
    // The first ten of a transaction are look-ups.
    else
      for (let at = 0; at < prepared.length; at += 1) values += (at < 10 ? findOne : readAll)(prepared[at], bound[at]);
  }
  return { ms: (performance.now() - start) / operations, values };
}

function prepare(sql) {
  const known = statements.get(sql) ?? engine.prepare(session, sql).statement;
  statements.set(sql, known);
  return known;
}

/** Microseconds to prepare, start and close as many point selects as there are texts. */
function startAndClose(texts) {
  const start = performance.now();
  for (const text of texts) {
    const { statement } = engine.prepare(session, text);
    engine.closeCursor(engine.execute(statement, [1]));
    engine.closeStatement(statement);
  }
  return ((performance.now() - start) / texts.length) * 1000;
}

/**
 * Microseconds of a point select: its text is new, which is read and planned; the same text once more, of which the plan is
 * kept; and a search that finds nothing by a statement that is kept.
 */
function planning(seed) {
  const length = 2000;
  const textOf = index => `SELECT c FROM sbtest1 WHERE id = ? AND ${index} > -1`;
  const times = {
    fresh: startAndClose(Array.from({ length }, (_, index) => textOf(seed * length + index))),
    again: startAndClose(Array.from({ length }, () => textOf(seed * length))),
    seen: 0,
  };
  const seen = 50_000;
  const { statement } = engine.prepare(session, WORKLOADS.point_select.sql);
  engine.closeCursor(engine.execute(statement, [1]));
  const start = performance.now();
  for (let index = 0; index < seen; index += 1) engine.find(statement, [-1]);
  times.seen = ((performance.now() - start) / seen) * 1000;
  engine.closeStatement(statement);
  return times;
}

/** One row of one text column, read where it lies. */
function findOne(statement, params) {
  if (engine.find(statement, params) !== 1) throw new Error('a row is missing');
  const memory = engine.memory();
  const page = engine.answerAt();
  const at = page + memory.getUint32(page + 32, true);
  const text = decoder.decode(new Uint8Array(memory.buffer, at, memory.getUint32(page + 36, true)));
  return text.length > 0 ? 1 : 0;
}

function readAll(statement, params) {
  const cursor = engine.execute(statement, params);
  let values = 0;
  for (;;) {
    const step = engine.next(cursor, FUEL);
    if (step.kind === 'done') break;
    if (step.kind === 'batch') values += readValues(readPage(step.page));
  }
  engine.closeCursor(cursor);
  return values;
}

function readValues(page) {
  let values = 0;
  for (const column of page.columns) {
    const isText = column.offsets !== null;
    for (let row = 0; row < column.rowCount; row += 1) {
      const value = isText ? column.string(row) : column.number(row);
      if (value !== undefined) values += 1;
    }
  }
  return values;
}

answerWith({ open, sample, planning, memory: () => engine.memoryBytes() });
