// JSON documents beside native Dolt: a query of all of 21 documents of 2 MB, of one of 40 MB, of 100,000 small ones, and a few functions.
// `node benches/web/documents.mjs [records|keys|numbers|texts]`: native Dolt's time is that of the whole process `dolt sql -q … -r csv`, ours that of a
// warm `query` of the package, with its rows as values. Elapsed / processor seconds, the least of several runs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from '../../dist/package/node/index.js';
import { dolt } from './native_dolt.mjs';

const RUNS = 3;
const MB = 1e6;
const shapes = {
  records: n => ({
    id: n,
    name: `user ${n}`,
    email: `user${n}@example.com`,
    age: 18 + (n % 70),
    active: n % 2 === 0,
    tags: ['alpha', 'beta', 'gamma'].slice(n % 3),
    address: { street: `${n} Main St`, city: 'Springfield', zip: `${10_000 + (n % 90_000)}` },
    score: (n % 1000) / 10,
  }),
  keys: n => [`key${n}`, `value number ${n} with some text`],
  numbers: n => [-122.4 + Math.sin(n), 37 + Math.cos(n), n],
  texts: n => `Lorem ipsum dolor sit amet, consectetur "adipiscing" elit ${n}.\n`.repeat(20),
};

/** The text of a document of about so many bytes. */
function documentOf(shape, bytes) {
  const items = [];
  for (let size = 0; size < bytes; ) {
    const item = shapes[shape](items.length);
    size += JSON.stringify(item).length + 1;
    items.push(item);
  }
  return JSON.stringify(shape === 'keys' ? Object.fromEntries(items) : items);
}

const home = mkdtempSync(join(tmpdir(), 'varve-documents-'));
const directory = join(home, 'documents');
mkdirSync(directory);

function native(...args) {
  const startMs = performance.now();
  const before = childSeconds();
  const { status, stderr } = spawnSync(dolt, args, {
    cwd: directory,
    maxBuffer: 2 ** 30,
    env: { ...process.env, HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`dolt ${args.join(' ').slice(0, 80)}: ${stderr}`);
  return { elapsed: (performance.now() - startMs) / 1000, processor: childSeconds() - before };
}

/** Processor seconds of all children that have ended. */
function childSeconds() {
  const out = spawnSync('sh', ['-c', `cut -d' ' -f16,17 /proc/${process.pid}/stat`], { encoding: 'utf8' }).stdout;
  const [user, system] = out.trim().split(' ').map(Number);
  return (user + system) / 100;
}

const shown = ({ elapsed, processor }) => `${elapsed.toFixed(2)} / ${processor.toFixed(2)} s`.padStart(16);

try {
  native('config', '--global', '--add', 'user.name', 'A');
  native('config', '--global', '--add', 'user.email', 'a@b.c');
  native('init');
  const only = process.argv[2];
  const tables = [];
  for (const shape of Object.keys(shapes).filter(name => only === undefined || name === only)) {
    const quoted = bytes => `'${documentOf(shape, bytes).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
    const large = quoted(2 * MB);
    const small = quoted(200);
    const statements = [
      `CREATE TABLE ${shape}_2mb (id INT PRIMARY KEY, j JSON);`,
      ...Array.from({ length: 21 }, (_, id) => `INSERT INTO ${shape}_2mb VALUES (${id}, ${large});`),
      `CREATE TABLE ${shape}_40mb (id INT PRIMARY KEY, j JSON);`,
      `INSERT INTO ${shape}_40mb VALUES (1, ${quoted(40 * MB)});`,
      `CREATE TABLE ${shape}_small (id INT PRIMARY KEY, j JSON);`,
      ...Array.from({ length: 100 }, (_, block) => {
        const rows = Array.from({ length: 1000 }, (_, row) => `(${block * 1000 + row}, ${small})`);
        return `INSERT INTO ${shape}_small VALUES ${rows.join()};`;
      }),
    ];
    writeFileSync(join(directory, 'load.sql'), statements.join('\n'));
    native('sql', '--file', 'load.sql');
    tables.push(`${shape}_2mb`, `${shape}_40mb`, `${shape}_small`);
  }
  native('commit', '-Am', 'documents');
  const database = await open(directory);
  console.log(`${'elapsed / processor'.padEnd(64)}${'native Dolt'.padStart(16)}${'Varve'.padStart(16)}`);
  for (const table of tables) {
    const key = table.startsWith('keys') ? '$.key3' : '$[3]';
    for (const sql of [
      `SELECT * FROM ${table}`,
      `SELECT SUM(JSON_LENGTH(j)) FROM ${table}`,
      `SELECT COUNT(JSON_EXTRACT(j, '${key}')) FROM ${table}`,
    ]) {
      const theirs = [];
      const ours = [];
      for (let run = 0; run < RUNS; run++) {
        theirs.push(native('sql', '-r', 'csv', '-q', sql));
        const startMs = performance.now();
        const before = process.cpuUsage();
        await database.query(sql);
        const { user, system } = process.cpuUsage(before);
        ours.push({ elapsed: (performance.now() - startMs) / 1000, processor: (user + system) / 1e6 });
      }
      const least = times => times.reduce((one, two) => (two.elapsed < one.elapsed ? two : one));
      console.log(`${sql.padEnd(64)}${shown(least(theirs))}${shown(least(ours))}`);
    }
  }
  await database.close();
} finally {
  rmSync(home, { recursive: true });
}
