// Resident memory of Node while 10,000 rows of 500 KB are streamed, after one CONCAT of 600 MB, and after a minute of idling.
// `node benches/web/release.mjs`: fails when it is more than the budget and 256 MB while streaming, or the budget and 128 MB idle.
import { open } from '../../dist/package/node/index.js';

const MB = 1e6;
const ROWS = 10_000;
const ROW_BYTES = 500_000;
const IDLE_MS_MAX = 60_000;
const budgetBytes = 128 * 2 ** 20;

let peak = 0;
const look = () => {
  peak = Math.max(peak, process.memoryUsage.rss());
  return process.memoryUsage.rss();
};
const watching = setInterval(look, 20);
const shown = bytes => `${(bytes / MB).toFixed(0)} MB`;

const database = await open({ empty: 'release' }, { budgetBytes });
await database.query('CREATE TABLE longs (id INT PRIMARY KEY AUTO_INCREMENT, v LONGTEXT)');
for (let row = 0; row < 20; row++)
  await database.query(`INSERT INTO longs (v) VALUES (REPEAT('${'abcdefghij'[row % 10]}', ${ROW_BYTES}))`);
console.log(`opened             ${shown(look())}`);
peak = 0;
let rows = 0;
const query = `SELECT v FROM longs, (WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS / 20}) SELECT i FROM n) t`;
for await (const batch of database.stream(query)) {
  rows += batch.rowCount;
  batch.release();
}
const streaming = peak;
console.log(`streaming          ${shown(streaming)} at most, ${rows} rows (bound ${shown(budgetBytes + 256 * MB)})`);
peak = 0;
await database.query(
  "SELECT LENGTH(CONCAT(REPEAT('a', 150000000), REPEAT('b', 150000000), REPEAT('c', 150000000), REPEAT('d', 150000000)))",
);
console.log(`a CONCAT of 600 MB ${shown(peak)} at most, linear memory ${shown((await database.stats()).memoryBytes)}`);
const startMs = performance.now();
while (look() > budgetBytes + 128 * MB && performance.now() - startMs < IDLE_MS_MAX)
  await new Promise(resolve => setTimeout(resolve, 250));
const idle = look();
console.log(
  `idle               ${shown(idle)} after ${((performance.now() - startMs) / 1000).toFixed(1)} s (bound ${shown(budgetBytes + 128 * MB)})`,
);
console.log(`linear memory      ${shown((await database.stats()).memoryBytes)}`);
clearInterval(watching);
await database.close();
process.exitCode = rows === ROWS && streaming <= budgetBytes + 256 * MB && idle <= budgetBytes + 128 * MB ? 0 : 1;
