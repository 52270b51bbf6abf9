// Makes the benches' databases with native Dolt, once each, in .cache/bench.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { must, root } from '../../scripts/process.mjs';
import { dolt } from './native_dolt.mjs';
import {
  CUSTOMERS,
  customer,
  LINKS,
  linkRow,
  ORDERS,
  order,
  SBTEST_ROWS,
  SENTENCES,
  sbtestRow,
  sentenceRow,
  TYPES_COLUMNS,
  TYPES_ROWS,
  typesRow,
  WIDE_COLUMNS,
  WIDE_ROWS,
  wideRow,
} from './rows.mjs';

const cache = join(root, '.cache/bench');

/** @param {string[][]} columns */
const list = columns => columns.map(([name, type]) => `${name} ${type}`).join(', ');

const OLTP_SCHEMA = `
CREATE TABLE sbtest1 (id INT NOT NULL PRIMARY KEY, k INT NOT NULL, c CHAR(120) NOT NULL, pad CHAR(60) NOT NULL, KEY k_1 (k));
CREATE TABLE wide (${list(WIDE_COLUMNS)}, KEY big (big_col));
CREATE TABLE types (${list(TYPES_COLUMNS)}, KEY ref (ref_col));
`;

const SALES_SCHEMA = `
CREATE TABLE orders (id INT NOT NULL PRIMARY KEY, customer INT NOT NULL, product INT NOT NULL, amount INT NOT NULL, price DOUBLE NOT NULL);
CREATE TABLE customers (id INT NOT NULL PRIMARY KEY, region INT NOT NULL, name VARCHAR(20) NOT NULL);
`;

/** The tables of the oltp reads. */
export const makeDatabase = () =>
  make('oltp', OLTP_SCHEMA, [
    ['sbtest1', SBTEST_ROWS, sbtestRow],
    ['wide', WIDE_ROWS, wideRow],
    ['types', TYPES_ROWS, typesRow],
  ]);

/** The tables of the analytical queries. */
export const makeSales = () =>
  make('sales', SALES_SCHEMA, [
    ['orders', ORDERS, order],
    ['customers', CUSTOMERS, customer],
  ]);

const CORPUS_SCHEMA = `
CREATE TABLE sentences (SentenceId INT NOT NULL PRIMARY KEY, Lang VARCHAR(4) NOT NULL, Text VARCHAR(1500) NOT NULL);
CREATE TABLE translations (SentenceId INT NOT NULL, TranslationId INT NOT NULL, PRIMARY KEY (SentenceId, TranslationId));
`;

/** Sentences and their translations, about 24 MB, for reads from a distant server. */
export const makeCorpus = () =>
  make('corpus', CORPUS_SCHEMA, [
    ['sentences', SENTENCES, sentenceRow],
    ['translations', LINKS, linkRow],
  ]);

/** @typedef {[table: string, count: number, row: (id: number) => (number | string)[]]} Table */

/**
 * @param {string} name
 * @param {string} schema
 * @param {Table[]} tables
 * @returns {Promise<string>} the directory of the database: its tables, one commit, collected into an archive
 */
async function make(name, schema, tables) {
  const directory = join(cache, name);
  if (existsSync(join(directory, '.dolt'))) return directory;
  const work = join(cache, 'making', name);
  rmSync(join(cache, 'making'), { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const home = join(cache, 'making/home');
  mkdirSync(home, { recursive: true });
  const env = { ...process.env, HOME: home, DOLT_DISABLE_EVENT_FLUSH: '1', NO_COLOR: '1' };
  /** @param {string[]} args */
  const run = args => {
    const done = spawnSync(dolt, args, { cwd: work, env, encoding: 'utf8' });
    if (done.error) throw new Error(`the benches need native Dolt: ${done.error.message}`);
    if (done.status !== 0) throw new Error(`dolt ${args.join(' ')}: ${done.stderr}`);
  };
  run(['config', '--global', '--add', 'metrics.disabled', 'true']);
  run(['init', '--name', 'bench', '--email', 'bench@example.org', '-b', 'main']);
  const sql = spawn(dolt, ['sql'], { cwd: work, env, stdio: ['pipe', 'ignore', 'inherit'] });
  sql.stdin.write(schema);
  for (const [table, count, row] of tables) {
    for (const statement of insertsOf(table, count, row)) {
      if (!sql.stdin.write(statement)) await once(sql.stdin, 'drain');
    }
  }
  sql.stdin.end();
  const [status] = await once(sql, 'close');
  if (status !== 0) throw new Error(`dolt sql ended with ${status}`);
  run(['add', '-A']);
  run(['commit', '-m', 'The rows of the benches']);
  run(['gc', '--archive-level', '1']);
  renameSync(work, directory);
  rmSync(join(cache, 'making'), { recursive: true, force: true });
  return directory;
}

/**
 * @param {string} table
 * @param {number} count
 * @param {(id: number) => (number | string)[]} row
 */
function* insertsOf(table, count, row) {
  for (let first = 1; first <= count; first += 1000) {
    const values = [];
    for (let id = first; id < first + 1000 && id <= count; id += 1) {
      values.push(
        `(${row(id)
          .map(value => (typeof value === 'number' ? value : `'${value}'`))
          .join(',')})`,
      );
    }
    yield `INSERT INTO ${table} VALUES ${values.join(',')};\n`;
  }
}

/**
 * A small database in an archive of many chunks, made once: .cache/bench/archive-N.
 *
 * @param {number} chunks
 * @returns {string} its directory
 */
export function makeArchive(chunks) {
  const directory = join(cache, `archive-${chunks}`);
  if (existsSync(join(directory, '.dolt/repo_state.json'))) return directory;
  const source = join(cache, 'b_archive');
  mkdirSync(source, { recursive: true });
  must('tar', ['-C', source, '-xzf', join(root, 'fixtures/databases/b_archive.tar.gz')]);
  const maker = ['run', '--quiet', '--profile', 'fast', '--package', 'native-benches', '--bin', 'make_archive', '--'];
  must('cargo', [...maker, join(source, 'archive'), directory, String(chunks)]);
  return directory;
}

/**
 * @param {string} directory of a database
 * @returns {string[]} the files that make it up, relative to it
 */
export function filesOf(directory) {
  return readdirSync(join(directory, '.dolt'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name).slice(directory.length + 1))
    .filter(path => /^\.dolt\/(noms\/|repo_state\.json$)/.test(path));
}
