// Makes the benches' database with native Dolt, once: .cache/bench/sbtest.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { must, root } from '../../scripts/process.mjs';
import { SBTEST_ROWS, sbtestRow, WIDE_COLUMNS, WIDE_ROWS, wideRow } from './rows.mjs';

const cache = join(root, '.cache/bench');

const SCHEMA = `
CREATE TABLE sbtest1 (id INT NOT NULL PRIMARY KEY, k INT NOT NULL, c CHAR(120) NOT NULL, pad CHAR(60) NOT NULL, KEY k_1 (k));
CREATE TABLE wide (${WIDE_COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')});
`;

/**
 * @returns {Promise<string>} the directory of the database: two tables, one commit, collected into an archive
 */
export async function makeDatabase() {
  const directory = join(cache, 'sbtest');
  if (existsSync(join(directory, '.dolt'))) return directory;
  const dolt = [join(homedir(), 'go/bin/dolt'), join(root, '.cache/go/bin/dolt')].find(existsSync) ?? 'dolt';
  const work = join(cache, 'making/sbtest');
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
  sql.stdin.write(SCHEMA);
  for (const statement of inserts()) {
    if (!sql.stdin.write(statement)) await once(sql.stdin, 'drain');
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

function* inserts() {
  yield* insertsOf('sbtest1', SBTEST_ROWS, sbtestRow);
  yield* insertsOf('wide', WIDE_ROWS, wideRow);
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
