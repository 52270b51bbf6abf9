// SQLite in its own worker: sqlite-wasm on OPFS (opfs-sahpool, its fastest store), or doltlite-wasm, which as published cannot
// store there and keeps its pages in memory. Nothing is sent to a page.
import {
  CUSTOMERS,
  customer,
  ORDERS,
  order,
  SBTEST_ROWS,
  sbtestRow,
  TYPES_COLUMNS,
  TYPES_ROWS,
  typesRow,
  WIDE_COLUMNS,
  WIDE_ROWS,
  wideRow,
} from './rows.mjs';
import { answerWith } from './worker_calls.mjs';
import { WORKLOADS } from './workloads.mjs';

const MODULES = {
  sqlite: './node_modules/@sqlite.org/sqlite-wasm/dist/index.mjs',
  doltlite: './node_modules/@dolthub/doltlite-wasm/sqlite3.mjs',
};

/** @param {string[][]} columns */
const list = columns => columns.map(([name, , type]) => `${name} ${type}`).join(', ');

/** What is loaded for each set of workloads: statements before, tables, statements after. */
const SETS = {
  oltp: {
    before: `CREATE TABLE sbtest1 (id INTEGER PRIMARY KEY, k INTEGER NOT NULL, c TEXT NOT NULL, pad TEXT NOT NULL);
      CREATE TABLE wide (${list(WIDE_COLUMNS)});
      CREATE TABLE types (${list(TYPES_COLUMNS)});`,
    tables: [
      ['sbtest1', SBTEST_ROWS, sbtestRow],
      ['wide', WIDE_ROWS, wideRow],
      ['types', TYPES_ROWS, typesRow],
    ],
    after: 'CREATE INDEX k_1 ON sbtest1 (k); CREATE INDEX big ON wide (big_col); CREATE INDEX ref ON types (ref_col);',
  },
  sales: {
    before: `CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, product INTEGER NOT NULL,
        amount INTEGER NOT NULL, price REAL NOT NULL);
      CREATE TABLE customers (id INTEGER PRIMARY KEY, region INTEGER NOT NULL, name TEXT NOT NULL);`,
    tables: [
      ['orders', ORDERS, order],
      ['customers', CUSTOMERS, customer],
    ],
    after: '',
  },
};

let database;
const statements = new Map();

/** @param {'sqlite' | 'doltlite'} kind @param {'oltp' | 'sales'} set */
async function open(kind = 'sqlite', set = 'oltp') {
  const module = await import(MODULES[kind]);
  const initialize = module.default ?? module.sqlite3InitModule;
  const sqlite3 = await initialize({ print: () => {}, printErr: () => {} });
  if (kind === 'sqlite') {
    const pool = await sqlite3.installOpfsSAHPoolVfs({ name: `bench-${set}` });
    database = new pool.OpfsSAHPoolDb('/bench.sqlite3');
  } else {
    database = new sqlite3.oo1.DB(':memory:');
  }
  database.exec('PRAGMA cache_size = -131072');
  return sqlite3.version.libVersion;
}

/** Loads the rows unless they are there. @param {'oltp' | 'sales'} set */
function load(set) {
  const { before, tables, after } = SETS[set];
  const [last] = tables[tables.length - 1];
  if (database.selectValue(`SELECT COUNT(*) FROM sqlite_master WHERE name = '${last}'`) > 0) return;
  database.exec(`BEGIN; ${before}`);
  for (const [table, count, row] of tables) insert(table, count, row);
  database.exec(`${after} COMMIT; ANALYZE;`);
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
  const prepared = [sql].flat().map(prepare);
  const allBound = Array.from({ length: operations }, (_, index) => params(seed * operations + index));
  let values = 0;
  const start = performance.now();
  for (const bound of allBound) {
    if (prepared.length === 1) values += run(prepared[0], bound);
    else for (let at = 0; at < prepared.length; at += 1) values += run(prepared[at], bound[at]);
  }
  return { ms: (performance.now() - start) / operations, values };
}

function prepare(sql) {
  const known = statements.get(sql) ?? database.prepare(sql);
  statements.set(sql, known);
  return known;
}

function run(statement, bound) {
  let values = 0;
  if (bound.length > 0) statement.bind(bound);
  while (statement.step()) values += statement.get([]).length;
  statement.reset();
  return values;
}

answerWith({ open, load, sample, firstRow: () => database.selectObject('SELECT * FROM sbtest1 LIMIT 1') });
