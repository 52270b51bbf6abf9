// DuckDB-wasm in its own worker, tables in memory. Bundled by run.mjs, because it imports Arrow by its bare name.
import * as duckdb from './node_modules/@duckdb/duckdb-wasm/dist/duckdb-browser-blocking.mjs';
import { CUSTOMERS, customer, ORDERS, order } from './rows.mjs';
import { answerWith } from './worker_calls.mjs';
import { WORKLOADS } from './workloads.mjs';

const DIST = '/benches/web/node_modules/@duckdb/duckdb-wasm/dist';
const TABLES = [
  [
    'orders',
    ORDERS,
    order,
    "{'id': 'INTEGER', 'customer': 'INTEGER', 'product': 'INTEGER', 'amount': 'INTEGER', 'price': 'DOUBLE'}",
  ],
  ['customers', CUSTOMERS, customer, "{'id': 'INTEGER', 'region': 'INTEGER', 'name': 'VARCHAR'}"],
];

let database;
let connection;

async function open() {
  const bundles = {
    mvp: { mainModule: `${DIST}/duckdb-mvp.wasm`, mainWorker: '' },
    eh: { mainModule: `${DIST}/duckdb-eh.wasm`, mainWorker: '' },
  };
  database = await duckdb.createDuckDB(bundles, new duckdb.VoidLogger(), duckdb.BROWSER_RUNTIME);
  await database.instantiate(() => {});
  database.open({});
  connection = database.connect();
  return database.getVersion();
}

function load() {
  for (const [table, count, row, columns] of TABLES) {
    const lines = Array.from({ length: count }, (_, index) => row(index + 1).join(','));
    database.registerFileText(`${table}.csv`, `${lines.join('\n')}\n`);
    connection.query(
      `CREATE TABLE ${table} AS SELECT * FROM read_csv('${table}.csv', header = false, auto_detect = false, columns = ${columns})`,
    );
    database.dropFile(`${table}.csv`);
  }
}

/** @returns milliseconds for one operation; every value of every row becomes a JavaScript value */
function sample(name) {
  const { sql, operations } = WORKLOADS[name];
  let values = 0;
  const start = performance.now();
  for (let index = 0; index < operations; index += 1) {
    const table = connection.query(sql);
    for (let column = 0; column < table.numCols; column += 1) {
      for (const value of table.getChildAt(column)) if (value !== undefined) values += 1;
    }
  }
  return { ms: (performance.now() - start) / operations, values };
}

answerWith({ open, load, sample });
