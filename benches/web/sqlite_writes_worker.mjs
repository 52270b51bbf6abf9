// SQLite and DoltLite on OPFS (opfs-sahpool), written in their own worker.
import { ORDERS, order, SBTEST_ROWS, sbtestRow, TYPES_COLUMNS, TYPES_ROWS, typesRow } from './rows.mjs';
import { answerWith } from './worker_calls.mjs';
import { statementsOf, WARM, WRITES } from './write_workloads.mjs';

const SQLITE = './node_modules/@sqlite.org/sqlite-wasm/dist/index.mjs';
const DOLTLITE = './node_modules/@dolthub/doltlite-wasm/sqlite3.mjs';

/** What makes a commit durable, or not quite. */
const SETTINGS = {
  rollback: 'PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL',
  wal: 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL',
  wal_normal: 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
  doltlite: '',
};

let database;
const statements = new Map();

/** @param {keyof typeof SETTINGS} kind @param {'writes' | 'versions'} tables */
async function open(kind, tables = 'writes') {
  const load = kind === 'doltlite' ? doltlite : async () => (await import(SQLITE)).default;
  const sqlite3InitModule = await load();
  const sqlite3 = await sqlite3InitModule({ print: () => {}, printErr: () => {} });
  const pool = await sqlite3.installOpfsSAHPoolVfs({ name: `writes-${kind}`, initialCapacity: 12 });
  database = new pool.OpfsSAHPoolDb('/bench.sqlite3');
  database.exec(`PRAGMA cache_size = -131072; ${SETTINGS[kind]}`);
  if (tables === 'writes') fill();
  else fillOrders();
  return `${sqlite3.version.libVersion} ${database.selectValue('PRAGMA journal_mode')}`;
}

/**
 * DoltLite 0.50.12 as published cannot store in OPFS: its engine asks a file whether it was moved, and the answer "not known"
 * ends the open. So the module is loaded with a file that answers.
 */
async function doltlite() {
  const url = new URL(DOLTLITE, import.meta.url).href;
  const unknown = 'xFileControl: function(pFile, opId, pArg){\n      return capi.SQLITE_NOTFOUND;';
  const hasMoved =
    'xFileControl: function(pFile, opId, pArg){\n      if(opId === 20){ wasm.poke32(pArg, 0); return 0; }\n      return capi.SQLITE_NOTFOUND;';
  const text = await (await fetch(url)).text();
  if (!text.includes(unknown)) throw new Error('DoltLite is another version');
  const known = text.replace(unknown, hasMoved).replaceAll('import.meta.url', JSON.stringify(url));
  const { default: start } = await import(URL.createObjectURL(new Blob([known], { type: 'text/javascript' })));
  return start;
}

function fill() {
  const types = TYPES_COLUMNS.map(([name, , type]) => `${name} ${type}`).join(', ');
  database.exec(`BEGIN;
    CREATE TABLE sbtest1 (id INTEGER PRIMARY KEY, k INTEGER NOT NULL, c TEXT NOT NULL, pad TEXT NOT NULL);
    CREATE TABLE types (${types});`);
  insert('sbtest1', SBTEST_ROWS, sbtestRow);
  insert('types', TYPES_ROWS, typesRow);
  database.exec('CREATE INDEX k_1 ON sbtest1 (k); CREATE INDEX types_big ON types (ref_col); COMMIT;');
}

function fillOrders() {
  database.exec(`BEGIN;
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, product INTEGER, amount INTEGER, price REAL);`);
  insert('orders', ORDERS, order);
  database.exec("COMMIT; SELECT dolt_commit('-A', '-m', 'orders')");
}

function insert(table, count, row) {
  const marks = row(1).map(() => '?');
  const statement = database.prepare(`INSERT INTO ${table} VALUES (${marks.join(', ')})`);
  for (let id = 1; id <= count; id += 1) statement.bind(row(id)).stepReset();
  statement.finalize();
}

function run(sql, params) {
  const statement = statements.get(sql) ?? database.prepare(sql);
  statements.set(sql, statement);
  if (params.length > 0) statement.bind(params);
  while (statement.step()) statement.get([]);
  statement.reset();
}

/** @returns milliseconds for one operation */
function sample(name, seed) {
  const { operations, after } = WRITES[name];
  const all = statementsOf(name, seed);
  const start = performance.now();
  for (const [sql, params] of all) run(sql, params);
  const ms = (performance.now() - start) / operations;
  if (after !== undefined) run(after, []);
  return { ms };
}

/** Its tables come into the cache, if they are not there since they were filled. */
const warm = () => each(WARM);

/** One statement, from its text on. @returns its milliseconds, and how many rows it gave */
function statement(sql) {
  const start = performance.now();
  const rows = database.selectArrays(sql);
  return { ms: performance.now() - start, rows: rows.length };
}

/** Statements after each other. @param {readonly string[]} sqls @returns the milliseconds of one of them */
function each(sqls) {
  const start = performance.now();
  for (const sql of sqls) statement(sql);
  return { ms: (performance.now() - start) / sqls.length };
}

/** The same statement many times. */
function repeat(sql, times) {
  for (let index = 0; index < times; index += 1) statement(sql);
}

answerWith({ open, warm, sample, statement, each, repeat });
