// The program that is killed: writes batches of one kind to a database, and says of each that it is acknowledged.
//
// node writer.mjs DIRECTORY KIND FIRST_BATCH SEED COPIES
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { batchRows, random, TABLE_ROWS } from './batches.mjs';

/** The package, as it was built. */
const { open } = await import(new URL('../../dist/package/node/index.js', import.meta.url).href);

const [path = '', kind = '', first = '', seed = '', copies = ''] = process.argv.slice(2);
const next = random(Number(seed));

/**
 * Written at once: what is said here was said, whatever becomes of this process.
 *
 * @param {string} text
 */
const say = text => writeSync(1, `${text}\n`);

// A program that tidies up on these and goes on. What ends it comes from the outside.
if (next() < 0.7) for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});

/** @param {number} milliseconds */
const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Of a batch that is tried again: an earlier step of it may be there. */
let verb = 'INSERT';

/** @param {[number, number][]} rows */
const insert = rows =>
  `${verb} INTO kept VALUES ${rows.map(row => `(${row.join(', ')}, '${'x'.repeat(40)}')`).join(', ')}`;

/**
 * How a batch of each kind is written. A part of one is never there.
 *
 * @type {Record<string, (database: any, batch: number) => Promise<void>>}
 */
const KINDS = {
  async insert(database, batch) {
    await database.query(insert(batchRows(kind, batch)));
  },
  async transaction(database, batch) {
    await database.transaction(
      async (/** @type {any} */ transaction) => {
        for (const row of batchRows(kind, batch)) await transaction.query(insert([row]));
      },
      { retries: 20 },
    );
  },
  async commit(database, batch) {
    await database.query(insert(batchRows(kind, batch)));
    await database.query(`CALL dolt_commit('-A', '-m', 'batch ${batch}')`);
  },
  async gc(database, batch) {
    await database.query(insert(batchRows(kind, batch)));
    if (batch % 3 === 0) await database.query(batch % 2 === 0 ? 'CALL dolt_gc()' : "CALL dolt_gc('--full')");
  },
  async csv(database, batch) {
    const lines = batchRows(kind, batch).map(row => `${row.join(',')},text`);
    await database.importRows(`batch,n,t\n${lines.join('\n')}\n`, {
      table: 'kept',
      format: 'csv',
      ...(verb === 'REPLACE' && { duplicates: 'replace' }),
    });
  },
  async dump(database, batch) {
    await database.importSql(`${insert(batchRows(kind, batch))};`);
  },
  async table(database, batch) {
    // One that was killed after the import has left it.
    await database.query(`DROP TABLE IF EXISTS made_${batch}`);
    const lines = Array.from({ length: TABLE_ROWS }, (_, n) => `${n},text ${n}`);
    await database.importRows(`id,t\n${lines.join('\n')}\n`, {
      table: `made_${batch}`,
      format: 'csv',
      create: true,
      primaryKey: ['id'],
    });
    await database.query(insert(batchRows(kind, batch)));
  },
  async copy(database, batch) {
    await database.query(insert(batchRows(kind, batch)));
    if (batch % 4 !== 0) return;
    const target = join(copies, `copy${batch}`);
    say(`copying ${target}`);
    await database.copyTo({ path: target });
    say(`copied ${target} ${batch}`);
  },
  async create(database, batch) {
    const target = join(copies, `new${batch}`);
    say(`creating ${target}`);
    const made = await open({ path: target, create: true });
    say(`created ${target}`);
    await made.query('CREATE TABLE made (a INT PRIMARY KEY)');
    say(`filled ${target}`);
    await made.close();
    await database.query(insert(batchRows(kind, batch)));
  },
};

const database = await open(path, { lockTimeoutMs: 60_000 });
say('begun');
for (let batch = Number(first); ; batch++) {
  try {
    await KINDS[kind]?.(database, batch);
  } catch (error) {
    // A writer beside this one came first: the batch is reported as failed, and written again.
    const { errno } = /** @type {{ errno?: number }} */ (error);
    if (errno !== 1205 && errno !== 1213) throw error;
    say(`retried ${batch} ${errno}`);
    verb = 'REPLACE';
    batch--;
    continue;
  }
  verb = 'INSERT';
  say(`kept ${batch}`);
  // Native Dolt gets the lock when nothing is written for a while.
  if (next() < 0.06) await pause(120 + 150 * next());
}
