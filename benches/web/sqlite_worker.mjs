// sqlite-wasm on OPFS (opfs-sahpool, its fastest store), asked in its own worker: nothing is sent to a page.
import sqlite3InitModule from './node_modules/@sqlite.org/sqlite-wasm/dist/index.mjs';
import { SBTEST_ROWS, sbtestRow, WIDE_COLUMNS, WIDE_ROWS, wideRow } from './rows.mjs';
import { answerWith } from './worker_calls.mjs';
import { WORKLOADS } from './workloads.mjs';

let database;
const statements = new Map();

async function open() {
  const sqlite3 = await sqlite3InitModule({ print: () => {}, printErr: () => {} });
  const pool = await sqlite3.installOpfsSAHPoolVfs({ name: 'bench' });
  database = new pool.OpfsSAHPoolDb('/bench.sqlite3');
  database.exec('PRAGMA cache_size = -131072');
  return sqlite3.version.libVersion;
}

/** Loads the rows unless they are there. */
function load() {
  if (database.selectValue("SELECT COUNT(*) FROM sqlite_master WHERE name = 'wide'") > 0) return;
  database.exec(`BEGIN;
    CREATE TABLE sbtest1 (id INTEGER PRIMARY KEY, k INTEGER NOT NULL, c TEXT NOT NULL, pad TEXT NOT NULL);
    CREATE TABLE wide (${WIDE_COLUMNS.map(([name, , type]) => `${name} ${type}`).join(', ')});`);
  insert('sbtest1', SBTEST_ROWS, sbtestRow);
  insert('wide', WIDE_ROWS, wideRow);
  database.exec('CREATE INDEX k_1 ON sbtest1 (k); COMMIT; ANALYZE;');
}

function insert(table, count, row) {
  const statement = database.prepare(
    `INSERT INTO ${table} VALUES (${row(1)
      .map(() => '?')
      .join(', ')})`,
  );
  for (let id = 1; id <= count; id += 1) statement.bind(row(id)).stepReset();
  statement.finalize();
}

/** @returns milliseconds for one operation; every value of every row becomes a JavaScript value */
function sample(name, seed) {
  const { sql, operations, params } = WORKLOADS[name];
  const statement = statements.get(name) ?? database.prepare(sql);
  statements.set(name, statement);
  let values = 0;
  const start = performance.now();
  for (let index = 0; index < operations; index += 1) {
    const bound = params(seed * operations + index);
    if (bound.length > 0) statement.bind(bound);
    while (statement.step()) values += statement.get([]).length;
    statement.reset();
  }
  return { ms: (performance.now() - start) / operations, values };
}

answerWith({ open, load, sample, firstRow: () => database.selectObject('SELECT * FROM sbtest1 LIMIT 1') });
