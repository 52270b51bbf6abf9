// One visit of remote.mjs in a process of its own: opens a path or a URL, runs a statement, and prints how long both took.
import { open } from '../../dist/package/node/index.js';

const [source, sql] = process.argv.slice(2);
const start = performance.now();
const database = await open(source);
const opened = performance.now();
await database.query(sql);
const ms = performance.now() - opened;
const { counters } = await database.stats();
await database.close();
process.stdout.write(JSON.stringify({ openMs: opened - start, ms, counters }));
