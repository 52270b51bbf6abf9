/** Procedures of remotes, run by native Dolt and by Varve over `file://`: the same answers, and each reads what the other pushed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { DOLT, scratchDirectory, withDolt, withEngine } from '../../testing/built_engine.ts';
import { runCommandLine } from '../cli.ts';
import { clone, type Database, open, SqlError } from '../index.ts';

const scratch = scratchDirectory();
const environment = { ...process.env, DOLT_ROOT_PATH: scratch };

function dolt(path: string, ...args: string[]): string {
  return execFileSync(DOLT, args, { cwd: path, encoding: 'utf8', env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A new database directory. */
function made(name: string): string {
  const path = join(scratch, name);
  mkdirSync(path);
  dolt(path, 'init', '--name', 'root', '--email', 'root@localhost');
  return path;
}

const SCRIPT = `
create table t (a int primary key)
insert into t values (1)
call dolt_commit('-Am', 'one')
call dolt_push('origin', 'main')
call dolt_push()
call dolt_fetch('nope')
call dolt_pull('nope')
call dolt_remote('add', 'origin', 'ROOT/rem')
call dolt_push()
call dolt_push('origin')
call dolt_push('nope', 'main')
call dolt_fetch()
call dolt_fetch('nope', 'x')
call dolt_pull()
call dolt_pull('origin')
call dolt_pull('origin', 'main')
call dolt_pull('origin', 'main', 'x')
call dolt_push('origin', 'main')
call dolt_push('origin', 'main')
call dolt_push('--set-upstream', 'origin', 'main')
call dolt_push()
insert into t values (2)
call dolt_commit('-am', 'two')
call dolt_push()
call dolt_pull()
select name, url, fetch_specs from dolt_remotes
select name, remote, branch from dolt_branches
select name from dolt_remote_branches order by name
call dolt_push('origin', 'main:other')
call dolt_push('origin', 'nobranch')
call dolt_push('origin', ':other')
call dolt_push('origin', ':other')
call dolt_push('origin', 'a:b:c')
call dolt_push('origin', '')
call dolt_push('origin', ':refs/tags/v1')
call dolt_push('origin', 'main:bad name')
call dolt_push('--bogus', 'origin', 'main')
call dolt_push('--all', 'origin', 'main')
call dolt_push('--all', 'origin')
call dolt_tag('v1')
call dolt_push('origin', 'v1')
call dolt_push('origin', 'refs/tags/v1')
call dolt_push('origin', 'refs/heads/main:refs/heads/x')
call dolt_fetch('origin', 'main')
call dolt_fetch('origin', 'nobranch')
call dolt_fetch('origin', 'main:z')
call dolt_fetch('origin', 'refs/heads/main:refs/remotes/origin/y')
call dolt_fetch('origin', '--prune', 'main')
call dolt_fetch('--prune', 'origin')
call dolt_fetch('--depth', '1')
select name from dolt_remote_branches order by name
call dolt_clone()
call dolt_clone('ROOT/nothere')
call dolt_clone('ROOT/rem')
call dolt_clone('ROOT/rem')
call dolt_clone('ROOT/rem', 'b2', 'c')
call dolt_clone('--branch', 'nob', 'ROOT/rem', 'bnob')
call dolt_clone('--branch', 'x', '--single-branch', 'ROOT/rem', 'bs')
call dolt_clone('--depth', '1', 'ROOT/rem', 'bd')
call dolt_clone('--remote', 'up', 'ROOT/rem', 'bu')
select active_branch()
select name, remote, branch from rem.dolt_branches
select name from rem.dolt_remote_branches order by name
select name, remote, branch from bs.dolt_branches
select tag_name from rem.dolt_tags
select message from bd.dolt_log
use bu
select name, url, fetch_specs from dolt_remotes
use rem
call dolt_checkout('x')
select name, remote, branch from dolt_branches
call dolt_checkout('main')
insert into t values (10)
call dolt_commit('-am', 'ten')
call dolt_push()
use bu
insert into t values (20)
call dolt_commit('-am', 'twenty')
call dolt_push()
call dolt_push('--force', 'up', 'main')
use rem
call dolt_fetch()
select message from dolt_log('remotes/origin/main')
call dolt_pull()
call dolt_push()
use bu
call dolt_pull()
select message from dolt_log
insert into t values (30)
call dolt_pull()
call dolt_commit('-am', 'x')
call dolt_push()
use rem
call dolt_pull('--squash')
call dolt_reset('--hard')
call dolt_pull('origin')
call dolt_pull('origin', 'nobr')
call dolt_pull('--commit', '--no-commit')
call dolt_checkout('-b', 'feat', 'origin/x')
call dolt_push()
call dolt_push('-u', 'origin', 'feat')
call dolt_branch('one')
call dolt_push('origin', 'one', 'main')
select name, remote, branch from dolt_branches
call dolt_backup('add', 'bk', 'ROOT/bk')
call dolt_backup('sync', 'none')
call dolt_backup('sync', 'bk')
call dolt_backup('sync-url', 'ROOT/bk2')
call dolt_backup('restore', 'ROOT/bk', 'restored')
call dolt_backup('restore', 'ROOT/bk', 'restored')
call dolt_backup('restore', '--force', 'ROOT/bk', 'restored')
call dolt_backup('restore', 'ROOT/none', 'r2')
select name, remote, branch from restored.dolt_branches
select a from restored.t
call dolt_clone('--ref', 'refs/dolt/x', 'ROOT/rem', 'cr')
call dolt_clone('--ref', ' ', 'ROOT/rem', 'cr')
call dolt_clone('ROOT/rem', 'ra')
call dolt_clone('ROOT/rem', 'rb')
use ra
call dolt_pull('--rebase', '--squash')
call dolt_pull('--rebase', '--no-ff')
call dolt_pull('--rebase', '--ff-only')
call dolt_pull('--rebase', '--no-commit')
call dolt_pull('--ff-only', '--no-ff')
call dolt_pull('--rebase')
alter table t add column b int
insert into t values (101, 0)
call dolt_commit('-am', 'a1')
call dolt_pull('-r')
call dolt_push()
use rb
call dolt_pull('--rebase')
insert into t values (102, 0)
call dolt_commit('-am', 'b1')
use ra
insert into t values (103, 0)
call dolt_commit('-am', 'a2')
call dolt_push()
use rb
insert into t values (104, 0)
call dolt_pull('--rebase')
call dolt_commit('-am', 'b2')
call dolt_pull('--rebase', 'origin', 'main')
select message from dolt_log
select a from t where a > 100 order by a
select active_branch()
call dolt_push()
use ra
update t set b = 1 where a = 101
call dolt_commit('-am', 'a3')
call dolt_pull('--rebase')
call dolt_push()
use rb
update t set b = 2 where a = 101
call dolt_commit('-am', 'b3')
call dolt_pull('--rebase')
select active_branch()
select name from dolt_branches
select message from dolt_log limit 2
use rem
call dolt_remote('remove', 'origin')
select name from dolt_remote_branches
`;

const statementsOf = (root: string): string[] => SCRIPT.trim().replaceAll('ROOT', pathToFileURL(root).href).split('\n');

/** What differs by itself: hashes, and where the directories are. */
const told = (text: string, root: string): string =>
  text
    .replaceAll(root, 'ROOT')
    .replace(/\b[0-9a-v]{32}\b/g, '#')
    .trim();

const MARK = '@@';

function answersOfDolt(path: string, root: string): string[] {
  const script = statementsOf(root).map(sql => `select '${MARK}' as mark;\n${sql};\n`);
  const run = spawnSync('sh', ['-c', `"${DOLT}" sql --continue --result-format json 2>&1`], {
    cwd: path,
    input: script.join(''),
    encoding: 'utf8',
    env: environment,
  });
  const answers = run.stdout.split(`{"rows": [{"mark":"${MARK}"}]}`).slice(1);
  return answers.map(answer => {
    const lines = answer.split('\n').filter(line => !/chunks complete|Retrieving remote/.test(line));
    const text = lines.join('\n').trim();
    const isError = /^error on line \d+ for query /.test(text);
    if (isError) return told(`error: ${text.slice(text.indexOf(': ') + 2)}`, root);
    return text === '' ? '' : told(rowsText(JSON.parse(text).rows ?? []), root);
  });
}

function rowsText(rows: readonly Record<string, unknown>[]): string {
  const value = (given: unknown): string => (typeof given === 'object' ? JSON.stringify(given) : String(given));
  return rows
    .map(row =>
      Object.entries(row)
        .sort()
        .map(([name, given]) => `${name}=${value(given)}`)
        .join(' '),
    )
    .join('\n');
}

async function answersOfVarve(database: Database, root: string): Promise<string[]> {
  const answers: string[] = [];
  for (const sql of statementsOf(root)) {
    const answer = await database.query(sql).then(
      result => rowsText(result.rows),
      error => {
        if (!(error instanceof SqlError)) throw error;
        return `error: ${error.message}`;
      },
    );
    answers.push(told(answer, root));
  }
  return answers;
}

withDolt('a script of remotes is answered as by native Dolt, and each reads what the other wrote', async () => {
  const [native, ours] = ['native', 'ours'].map(name => join(scratch, name)) as [string, string];
  const expected = answersOfDolt(made('of_native_dolt'), native);
  const database = await open(made('of_varve'));
  const found = await answersOfVarve(database, ours);
  await database.close();
  const listed = (answers: readonly string[]) => statementsOf('/').map((sql, at) => `${sql}\n${answers[at]}`);
  expect(listed(found)).toEqual(listed(expected));
  // Each of the other.
  dolt(scratch, 'clone', pathToFileURL(join(ours, 'rem')).href, 'copy_of_ours');
  expect(dolt(join(scratch, 'copy_of_ours'), 'fsck')).toContain('No problems found.');
  const copy = await clone(pathToFileURL(join(native, 'rem')), { path: join(scratch, 'copy_of_native') });
  expect((await copy.query('SELECT count(*) AS n FROM t')).rows).toEqual([{ n: 9n }]);
  expect((await copy.verify()).isWhole).toBe(true);
  await copy.close();
});

withEngine('pushes, pulls and fetches have typed outcomes', async () => {
  const url = pathToFileURL(join(scratch, 'typed'));
  const first = await open({ path: join(scratch, 'first'), create: true });
  await first.query('CREATE TABLE t (id INT PRIMARY KEY)');
  await first.commit('made');
  await first.addRemote('origin', url.href);
  expect(await first.remotes()).toEqual([{ name: 'origin', url: url.href }]);
  const progress: number[] = [];
  const pushed = await first.push({
    refs: ['main'],
    setUpstream: true,
    onProgress: told => progress.push(told.chunks),
  });
  expect(pushed).toMatchObject({ outcome: 'pushed', refs: [{ from: 'main', to: 'main', outcome: 'pushed' }] });
  expect(progress.at(-1)).toBeGreaterThan(0);
  expect(await first.push()).toMatchObject({ outcome: 'up_to_date', refs: [] });
  const second = await clone(url, { path: join(scratch, 'second') });
  expect(second.name).toBe('second');
  await second.query('INSERT INTO t VALUES (1)');
  await second.commit('one');
  await second.push();
  await first.query('INSERT INTO t VALUES (2)');
  await first.commit('two');
  const rejected = await first.push();
  expect(rejected).toMatchObject({ outcome: 'rejected', reason: 'non_fast_forward' });
  expect(rejected.refs).toEqual([{ from: 'main', to: 'main', outcome: 'rejected' }]);
  const fetched = await first.fetch();
  expect(fetched).toMatchObject({ outcome: 'fetched', updates: [{ name: 'origin/main' }] });
  expect(await first.fetch()).toEqual({ outcome: 'up_to_date', updates: [] });
  expect(await first.pull()).toMatchObject({ outcome: 'merged', isFastForward: false, conflicts: [] });
  expect(await first.push()).toMatchObject({ outcome: 'pushed' });
  expect(await second.pull()).toMatchObject({ outcome: 'merged', isFastForward: true });
  expect(await second.pull()).toMatchObject({ outcome: 'up_to_date' });
  await second.query('UPDATE t SET id = 5 WHERE id = 1');
  await second.close();
  await first.removeRemote('origin');
  expect(await first.remotes()).toEqual([]);
  await first.close();
});

withEngine('a clone that fails leaves nothing, and bad arguments say what is taken', async () => {
  const path = join(scratch, 'none');
  const url = pathToFileURL(join(scratch, 'nowhere')).href;
  await expect(clone(url, { path })).rejects.toMatchObject({
    message: expect.stringContaining('contains no Dolt data'),
  });
  await expect(open(path)).rejects.toMatchObject({ code: 'not_a_database' });
  await expect(clone('foo://x', { path })).rejects.toMatchObject({ message: expect.stringContaining('foo://x') });
  await expect(clone(5 as never, { path })).rejects.toMatchObject({ code: 'usage' });
  await expect(clone(url, {} as never)).rejects.toMatchObject({ code: 'usage' });
  await expect(clone(url, { path }, { depth: 0 })).rejects.toMatchObject({ code: 'usage' });
  const database = await open({ memory: {}, create: true });
  await expect(database.push({ refs: 'main' } as never)).rejects.toMatchObject({ code: 'usage' });
  await expect(database.pull({ fastForward: 'yes' } as never)).rejects.toMatchObject({ code: 'usage' });
  await database.close();
});

withEngine('the command line clones, pushes and pulls', async () => {
  const varve = async (...args: string[]): Promise<[number, string]> => {
    let said = '';
    const say = (text: string): void => {
      said += text;
    };
    const line = { open, output: { out: say, error: say }, input: process.stdin, useColor: false };
    return [await runCommandLine(args, line), said];
  };
  const [one, two] = ['cli_one', 'cli_two'].map(name => join(scratch, name)) as [string, string];
  const url = pathToFileURL(join(scratch, 'cli_remote')).href;
  await varve('init', one);
  await varve('remote', one, 'add', 'origin', url);
  const tracked = "branch 'main' set up to track 'origin/main'.";
  const pushed = `To ${url}\n * [new branch]          main -> main\n`;
  expect(await varve('push', one, '-u', 'origin', 'main')).toEqual([0, `${pushed}${tracked}\n`]);
  expect(await varve('clone', url, two)).toEqual([0, `cloning ${url}\n`]);
  expect((await varve('clone', url, two))[0]).toBe(1);
  expect((await varve('clone'))[0]).toBe(2);
  await varve('sql', two, '-q', "CREATE TABLE t (id INT PRIMARY KEY); CALL dolt_commit('-Am', 'made')");
  expect(await varve('push', two)).toEqual([0, pushed]);
  expect(await varve('fetch', one)).toEqual([0, '']);
  expect(await varve('pull', one)).toEqual([0, 'Fast-forward\nmerge successful\n']);
  await varve('sql', one, '-q', "INSERT INTO t VALUES (1); CALL dolt_commit('-am', 'one')");
  await varve('sql', two, '-q', "INSERT INTO t VALUES (2); CALL dolt_commit('-am', 'two')");
  await varve('push', one);
  const [status, said] = await varve('push', two);
  expect(status).toBe(1);
  expect(said).toContain('! [rejected]            main -> main (non-fast-forward)');
  const backup = pathToFileURL(join(scratch, 'cli_backup')).href;
  await varve('backup', one, 'add', 'stick', backup);
  expect(await varve('backup', one, 'sync', 'stick')).toEqual([0, '']);
  expect(await varve('backup', one, '-v')).toEqual([0, `stick ${backup} \n`]);
});
