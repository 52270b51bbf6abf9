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

async function open(mode) {
  const imports = new HostImports();
  const exports = await init();
  imports.memory = exports.memory;
  glue.connectHost(imports);
  const context = { canSuspend: false, readOnly: false, onProgress() {}, onMoved() {} };
  const source = await openBrowserSource({ kind: 'opfs', path: 'sbtest', create: false }, context);
  const siblings = new Siblings(source);
  engine = new WasmEngine({ exports, glue, imports }, { mode, budgetBytes: BUDGET_BYTES, durability: 'full' });
  for (const { name, directory } of source.databases) await engine.attach(name, directory, siblings);
  session = await engine.openSession();
}

/** @returns milliseconds for one operation; every value of every row becomes a JavaScript value */
function sample(name, seed) {
  const { sql, operations, params } = WORKLOADS[name];
  const statement = statements.get(name) ?? engine.prepare(session, sql).statement;
  statements.set(name, statement);
  const run = name === 'point_select' ? findOne : readAll;
  let values = 0;
  const start = performance.now();
  for (let index = 0; index < operations; index += 1) values += run(statement, params(seed * operations + index));
  return { ms: (performance.now() - start) / operations, values };
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
  const { cursor } = engine.execute(statement, params);
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

answerWith({ open, sample });
