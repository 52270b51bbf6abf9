// Scans a database several times larger than the budget and prints how much linear memory that took.
// `node benches/web/memory.mjs [directory]`; without a directory the benches' own database, with a quarter of its chunks as budget.
import { open } from '../../dist/package/node/index.js';
import { makeDatabase } from './data.mjs';

/** What may be used beside the budget: the engine itself, pages on their way, the rows in work. */
const BESIDE_BYTES = 64 * 2 ** 20;
const MEBIBYTE = 2 ** 20;

const directory = process.argv[2] ?? (await makeDatabase());
const size = await scan(2 ** 30);
const budgetBytes = Math.floor(size.chunkBytes / 4);
const bounded = await scan(budgetBytes);
const mebibytes = bytes => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
console.log(`chunks read, uncompressed   ${mebibytes(bounded.chunkBytes)} in ${bounded.rows} rows`);
console.log(`budget                      ${mebibytes(budgetBytes)}`);
console.log(
  `linear memory               ${mebibytes(bounded.memoryBytes)} (at most ${mebibytes(budgetBytes + BESIDE_BYTES)})`,
);
process.exitCode = bounded.memoryBytes <= budgetBytes + BESIDE_BYTES ? 0 : 1;

/** @param {number} budgetBytes */
async function scan(budgetBytes) {
  const database = await open({ path: directory }, { budgetBytes });
  const tables = await database.query('SHOW TABLES');
  let rows = 0;
  for (const [table] of tables.rowArrays()) {
    for await (const batch of database.stream(`SELECT * FROM \`${table}\``)) rows += batch.rowCount;
  }
  const counters = new Map((await database.query('SHOW STATUS')).rowArrays());
  const counter = name => Number(counters.get(name));
  await database.close();
  return { rows, chunkBytes: counter('store_chunk_bytes'), memoryBytes: counter('memory_bytes') };
}
