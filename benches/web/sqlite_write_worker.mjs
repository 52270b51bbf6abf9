// sqlite-wasm on OPFS (opfs-sahpool) that writes, in one of three ways of being durable.
import sqlite3InitModule from './node_modules/@sqlite.org/sqlite-wasm/dist/index.mjs';
import { sbtestRow } from './rows.mjs';
import { answerWith } from './worker_calls.mjs';
import { ROWS, WRITES } from './write_workloads.mjs';

const SETTINGS = {
  'rollback full': 'PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL',
  'wal full': 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL',
  'wal normal': 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
};

let database;
const statements = new Map();

async function open(setting) {
  const sqlite3 = await sqlite3InitModule({ print: () => {}, printErr: () => {} });
  const pool = await sqlite3.installOpfsSAHPoolVfs({ name: `writes ${setting}`, clearOnInit: true });
  database = new pool.OpfsSAHPoolDb('/writes.sqlite3');
  database.exec(`PRAGMA cache_size = -131072; ${SETTINGS[setting]}`);
  database.exec(
    'CREATE TABLE sbtest1 (id INTEGER PRIMARY KEY, k INTEGER NOT NULL, c TEXT NOT NULL, pad TEXT NOT NULL)',
  );
  database.exec('BEGIN');
  for (let id = 1; id <= ROWS; id += 1) run('INSERT INTO sbtest1 VALUES (?, ?, ?, ?)', sbtestRow(id));
  database.exec('COMMIT; CREATE INDEX k_1 ON sbtest1 (k)');
  return `${sqlite3.version.libVersion} ${database.selectValue('PRAGMA journal_mode')}`;
}

function run(sql, params) {
  let statement = statements.get(sql);
  if (statement === undefined) {
    statement = database.prepare(sql);
    statements.set(sql, statement);
  }
  if (params.length > 0) statement.bind(params);
  while (statement.step()) statement.get([]);
  statement.reset();
}

/** @returns milliseconds for one operation */
function sample(name, seed) {
  const { operations, steps } = WRITES[name];
  const start = performance.now();
  for (let index = 0; index < operations; index += 1) {
    for (const [sql, params] of steps(seed * operations + index)) run(sql, params);
  }
  return { ms: (performance.now() - start) / operations };
}

answerWith({ open, sample });
