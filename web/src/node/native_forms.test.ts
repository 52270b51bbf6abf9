import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DOLT, isBuilt, scratchDirectory, withDolt } from '../testing/built_engine.ts';
import { runCommandLine } from './cli.ts';
import { open } from './index.ts';

const scratch = scratchDirectory();

function dolt(path: string, ...args: string[]): string {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    cwd: path,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out.
  return execFileSync(DOLT, args, options).replace(/\x1b\[[0-9;]*m/g, '');
}

async function varve(path: string, command: string, ...args: string[]): Promise<string> {
  let output = '';
  const status = await runCommandLine([command, path, ...args], {
    open,
    output: {
      out: text => {
        output += text;
      },
      error: text => {
        output += text;
      },
    },
    input: process.stdin,
    useColor: false,
    environment: { DOLT_ROOT_PATH: scratch },
  });
  expect(status, output).toBe(0);
  return output;
}

const trimmed = (text: string): string => text.replace(/[ \t]+$/gm, '').trimEnd();

withDolt(
  'the commands for versions answer in the words of native Dolt',
  async () => {
    const path = join(scratch, 'history');
    mkdirSync(path);
    const run = (...args: string[]) => dolt(path, ...args);
    run('init', '--name', 'root', '--email', 'root@localhost');
    const sql = (text: string) => run('sql', '-q', text);
    sql(
      "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(10), n INT); INSERT INTO t VALUES (1,'a',1),(2,'b',2); CREATE TABLE u (id INT PRIMARY KEY)",
    );
    run('add', '.');
    run('commit', '-m', 'first');
    run('checkout', '-b', 'feature');
    sql(
      "UPDATE t SET v='zz' WHERE id=1; INSERT INTO t VALUES (3,'c',3); DELETE FROM t WHERE id=2; ALTER TABLE t ADD COLUMN x INT; DROP TABLE u",
    );
    run('commit', '-Am', 'on feature');
    run('checkout', 'main');
    sql('UPDATE t SET n=9 WHERE id=1');
    run('commit', '-am', 'on main\nin two lines');
    run('merge', 'feature');
    run('tag', 'v1', '-m', 'the first');
    sql(
      "CREATE VIEW shown AS SELECT 1; INSERT INTO dolt_ignore VALUES ('tmp_%', true); CREATE TABLE tmp_x (a INT PRIMARY KEY)",
    );
    run('commit', '-Am', 'a view');
    sql("UPDATE t SET v='w' WHERE id=3; CREATE TABLE fresh (a INT PRIMARY KEY)");
    run('add', 'fresh');
    sql('CREATE TABLE later (a INT PRIMARY KEY)');
    for (const line of [
      'status',
      'diff',
      'diff --stat',
      'diff --summary HEAD~2 HEAD~1',
      'diff --staged',
      'diff HEAD',
      'diff HEAD~1 HEAD',
      'diff HEAD~1 HEAD t',
      'diff HEAD~1',
      'diff main feature',
      'diff main...feature',
      'diff -r sql',
      'diff -r sql HEAD~2 HEAD',
      'diff -r sql --data HEAD~2 HEAD',
      'diff -r sql --schema HEAD~2 HEAD',
      'diff -r sql --limit 1 HEAD~2 HEAD t',
      'diff -r sql --where to_id=3 HEAD t',
      'diff -r sql --where to_id=1 HEAD t',
      'diff HEAD~1.. t',
      'diff HEAD~1... t',
      'diff ..HEAD~1 t',
      'diff -r json',
      'diff -r json HEAD~2 HEAD',
      'diff -r json --data HEAD~2 HEAD',
      'diff -r json --schema HEAD~2 HEAD',
      'diff -r json --stat HEAD~2 HEAD',
      'diff --name-only HEAD~2 HEAD',
      'diff --skinny HEAD~2 HEAD t',
      'diff --limit 1 HEAD~2 HEAD t',
      'diff --where to_id=3 HEAD~2 HEAD t',
      'diff --filter added HEAD~2 HEAD',
      'diff --filter=modified HEAD~2 HEAD',
      'diff --filter removed --stat main feature',
      'diff --filter dropped -r sql main feature',
      'diff --filter modified -r json HEAD~2 HEAD',
      'diff --filter renamed HEAD~2 HEAD',
      'diff --filter added --name-only HEAD~2 HEAD',
      'diff --diff-mode row HEAD~2 HEAD',
      'diff --diff-mode=line HEAD~2 HEAD',
      'diff --diff-mode in-place HEAD~2 HEAD',
      'diff --merge-base main feature',
      'diff --summary --stat',
      'diff --merge-base feature',
      'diff -s -d HEAD~2 HEAD t',
      'diff HEAD~2 HEAD t --skinny --include-cols v n',
      'diff --skinny -ic n -- HEAD~2 HEAD t',
      'diff --system --name-only HEAD~1',
      'diff --system HEAD~1 HEAD dolt_ignore',
      'show --parents',
      'show --decorate=full HEAD~1^',
      'status --ignored',
      'branch -av',
      'branch',
      'branch -v',
      'branch --list -v main',
      'log',
      'log --oneline',
      'log -n 2',
      'log --graph',
      'log --graph --oneline',
      'log --stat -n 2',
      'log --stat --oneline',
      'log --merges',
      'log --min-parents 2',
      'log --decorate=full',
      'log --all --oneline',
      'log feature --not main',
      'log main..feature',
      'log t',
      'log main --not feature --oneline',
      'log --oneline -- u',
      'log --parents -n 1',
      'tag',
      'tag -v',
      'blame t',
      'reflog',
      'reflog v1',
      'show',
      'show --stat',
      'ls',
      'ls -av',
      'ls --system',
      'ls HEAD~1',
      'schema show t',
      'schema show HEAD~1 t',
      'schema export',
      'schema export t',
    ]) {
      const [command = '', ...args] = line.split(' ');
      const [ours, native] = [trimmed(await varve(path, command, ...args)), trimmed(run(command, ...args))];
      // Native Dolt tells the tables that a commit added in no order.
      const isUnordered = line.startsWith('log --stat');
      const told = (text: string): string => (isUnordered ? text.split('\n').sort().join('\n') : text);
      expect(told(ours), line).toBe(told(native));
    }
  },
  120_000,
);

withDolt(
  'a merge with conflicts is told as native Dolt tells it',
  async () => {
    const path = join(scratch, 'unmerged');
    mkdirSync(path);
    dolt(path, 'init', '--name', 'root', '--email', 'root@localhost');
    const make = `CREATE TABLE t (id INT PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');
      CALL dolt_commit('-Am', 'base'); CALL dolt_branch('side');
      UPDATE t SET a = 'm' WHERE id = 1; DELETE FROM t WHERE id = 2; UPDATE t SET a = 'two\nlines' WHERE id = 3;
      INSERT INTO t VALUES (4, 'ours'); CALL dolt_commit('-am', 'ours'); CALL dolt_checkout('side');
      DELETE FROM t WHERE id = 1; UPDATE t SET a = 'theirs' WHERE id = 2; UPDATE t SET a = NULL WHERE id = 3;
      INSERT INTO t VALUES (4, 'theirs'); CALL dolt_commit('-am', 'theirs')`;
    dolt(path, 'sql', '-q', make);
    expect(() => dolt(path, 'merge', 'side')).toThrow();
    expect(trimmed(await varve(path, 'status'))).toBe(trimmed(dolt(path, 'status')));
    // Native Dolt repeats the columns, empty, once for each other side.
    const once = dolt(path, 'conflicts', 'cat', 't').replace(/^(.)(?:(?!\n).)*$/gm, line => cellsOf(line, 4));
    expect(await varve(path, 'conflicts', 'cat', 't')).toBe(once);
    expect(await varve(path, 'conflicts', 'cat', '.')).toBe(once);
  },
  60_000,
);

/** The first cells of a line of a table. */
function cellsOf(line: string, count: number): string {
  const [mark = '|'] = line;
  return `${line
    .split(mark)
    .slice(0, count + 1)
    .join(mark)}${mark}`;
}

withDolt(
  'a checkout takes what is not committed along, as native Dolt does',
  async () => {
    const told: string[][] = [];
    for (const who of ['native', 'varve']) {
      const path = join(scratch, `carried-${who}`);
      mkdirSync(path);
      dolt(path, 'init', '--name', 'root', '--email', 'root@localhost');
      const make =
        'CREATE TABLE w (id INT PRIMARY KEY, n INT); CREATE TABLE k (id INT PRIMARY KEY); INSERT INTO w VALUES (1, 1)';
      dolt(path, 'sql', '-q', make);
      dolt(path, 'commit', '-Am', 'one');
      dolt(path, 'branch', 'side');
      dolt(path, 'sql', '-q', 'INSERT INTO w VALUES (2, 2)');
      dolt(path, 'commit', '-am', 'two');
      dolt(path, 'sql', '-q', 'INSERT INTO k VALUES (5)');
      const lines: string[] = [];
      for (const line of ['checkout side', 'status', 'checkout -b third', 'status', 'checkout main', 'status']) {
        const [command = '', ...args] = line.split(' ');
        const said = who === 'native' ? dolt(path, command, ...args) : await varve(path, command, ...args);
        lines.push(`$ ${line}`, trimmed(said));
      }
      // Native Dolt finds what was carried.
      lines.push(trimmed(dolt(path, 'sql', '-q', 'SELECT id FROM k', '-r', 'csv')));
      told.push(lines);
    }
    expect(told[1]).toEqual(told[0]);
  },
  60_000,
);

/** What a command says, whether it works or not. */
function nativeWords(path: string, ...args: string[]): string {
  try {
    return dolt(path, ...args);
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return stdout + stderr;
  }
}

async function words(path: string, command: string, ...args: string[]): Promise<string> {
  const said = { out: '', error: '' };
  const take = (where: 'out' | 'error') => (text: string) => {
    said[where] += text;
  };
  await runCommandLine([command, path, ...args], {
    open,
    output: { out: take('out'), error: take('error') },
    input: process.stdin,
    useColor: false,
    environment: { DOLT_ROOT_PATH: scratch },
  });
  return said.out + said.error;
}

/** Hashes and times are others in every history. */
const told = (text: string): string =>
  trimmed(text.replace(/\b[0-9a-v]{32}\b/g, 'HASH').replace(/^Date: .*$/gm, 'DATE'));

withDolt(
  'a merge that is held, and commits that cannot be repeated or undone without a decision, go as in native Dolt',
  async () => {
    writeFileSync(join(scratch, 'words.md'), '# Words\n\nand more\n');
    const base =
      "CREATE TABLE t (id INT PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'a'); CALL dolt_commit('-Am', 'base')";
    const parted = `${base}; CALL dolt_branch('side'); UPDATE t SET v = 'm'; CALL dolt_commit('-am', 'm');
      CALL dolt_checkout('side'); INSERT INTO t VALUES (3, 's'); CALL dolt_commit('-am', 's')`;
    const clashing = `${parted}; UPDATE t SET v = 's' WHERE id = 1; CALL dolt_commit('-am', 'clash')`;
    const undone = `${base}; UPDATE t SET v = 'm'; CALL dolt_commit('-am', 'm'); UPDATE t SET v = 'n'; CALL dolt_commit('-am', 'n')`;
    const stories: readonly (readonly [make: string, lines: readonly string[]])[] = [
      [
        parted,
        ['merge --no-commit side', 'status', 'commit -m held', 'diff --reverse HEAD~1 HEAD', 'branch --list side'],
      ],
      [parted, ['merge -m joined side', 'commit --skip-empty -m nothing']],
      [
        parted,
        ['checkout -b old HEAD~1', 'merge --no-ff side', 'table cp t u', 'table mv u w', 'table rm t', 'status', 'ls'],
      ],
      [
        parted,
        [
          'checkout side',
          'sql -q UPDATE`t`SET`v`=NULL',
          'stash',
          'stash apply',
          'stash list',
          'docs print README.md',
          `docs upload README.md ${join(scratch, 'words.md')}`,
          'docs diff README.md',
          'remote add o file:///tmp/o',
          'remote',
          'remote -v',
          'remote remove o',
          'stash pop stash@{3}',
          'tag v1',
          'tag v1',
          'tag -d v2',
        ],
      ],
      [
        parted,
        [
          'sql -q CREATE`TABLE`n(id`INT`AUTO_INCREMENT`PRIMARY`KEY,`b`INT`DEFAULT`7);INSERT`INTO`n`VALUES(5,1),(6,2)',
          'diff -r sql',
          'diff -r json',
          'sql -q SELECT`*`FROM`n',
        ],
      ],
      [
        `CREATE TABLE c (id INT PRIMARY KEY, u INT, UNIQUE KEY (u)); CREATE TABLE s (id INT PRIMARY KEY, v INT);
          CALL dolt_commit('-Am', 'base'); CALL dolt_branch('twin'); CALL dolt_branch('wider');
          INSERT INTO c VALUES (1, 50); ALTER TABLE s DROP COLUMN v; CALL dolt_commit('-am', 'ours');
          CALL dolt_checkout('twin'); INSERT INTO c VALUES (2, 50); CALL dolt_commit('-am', 'twin');
          CALL dolt_checkout('wider'); ALTER TABLE s MODIFY v BIGINT; CALL dolt_commit('-am', 'wider')`,
        ['merge twin', 'merge --abort', 'merge wider', 'conflicts cat s', 'status'],
      ],
      [clashing, ['cherry-pick side', 'sql -q ALTER`TABLE`t`ADD`n`INT', 'add t', 'status']],
      [clashing, ['cherry-pick side', 'status', 'cherry-pick --abort', 'status', 'cherry-pick side']],
      [
        clashing,
        ['cherry-pick side', 'conflicts resolve --theirs t', 'add t', 'cherry-pick --continue', 'log --oneline'],
      ],
      [
        parted,
        ['checkout side', 'rebase main', 'log --oneline', 'rebase main', 'rm t', 'reset', 'rm --cached t', 'status'],
      ],
      [
        clashing,
        [
          'checkout side',
          'rebase main',
          'status',
          'branch',
          'conflicts resolve --theirs t',
          'add t',
          'rebase --continue',
          'branch',
        ],
      ],
      [
        "CREATE TABLE p (id INT PRIMARY KEY); CREATE TABLE c (id INT PRIMARY KEY, pid INT, FOREIGN KEY (pid) REFERENCES p (id)); CALL dolt_commit('-Am', 'base'); SET foreign_key_checks = 0; INSERT INTO c VALUES (1, 2)",
        ['constraints verify p', 'constraints verify', 'status'],
      ],
      [undone, ['revert HEAD~1', 'status', 'revert --abort', 'revert HEAD~1', 'conflicts resolve --ours t', 'add t']],
    ];
    for (const [index, [make, lines]] of stories.entries()) {
      const heard: string[][] = [];
      for (const who of ['native', 'varve']) {
        const path = join(scratch, `decided-${index}-${who}`);
        mkdirSync(path);
        dolt(path, 'init', '--name', 'root', '--email', 'root@localhost');
        dolt(path, 'sql', '-q', make);
        const said: string[] = [];
        for (const line of lines) {
          const [command = '', ...args] = line.split(' ').map(word => word.replaceAll('`', ' '));
          const answer = who === 'native' ? nativeWords(path, command, ...args) : await words(path, command, ...args);
          said.push(
            `$ ${line}`,
            told(answer.replace(/^(varve|error): /gm, '')).replace(/\b[0-9a-v]{8}\b(?= .*$)/gm, 'HASH'),
          );
        }
        heard.push(said);
      }
      expect(heard[1]).toEqual(heard[0]);
    }
  },
  240_000,
);

withDolt(
  'what these commands change native Dolt finds, and goes on from',
  async () => {
    const path = join(scratch, 'changed');
    await varve(path, 'init');
    await varve(path, 'sql', '-q', "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(9)); INSERT INTO t VALUES (1, 'a')");
    await varve(path, 'add', 't');
    expect(await varve(path, 'commit', '-m', 'first')).toContain('\tfirst\n');
    await varve(path, 'checkout', '-b', 'other');
    await varve(path, 'sql', '-q', "UPDATE t SET v = 'b'");
    await varve(path, 'commit', '-am', 'second');
    expect(trimmed(dolt(path, 'branch'))).toBe('  main\n* other');
    await varve(path, 'checkout', 'main');
    expect(await varve(path, 'merge', 'other')).toContain('Fast-forward\n');
    expect(await varve(path, 'merge', 'other')).toBe('Everything up-to-date\n');
    expect(dolt(path, 'log', '--oneline').split('\n')[0]).toContain('second');
    expect(dolt(path, 'fsck')).toContain('No problems found');
    dolt(path, 'sql', '-q', "INSERT INTO t VALUES (2, 'native')");
    expect(await varve(path, 'status')).toBe(dolt(path, 'status'));
    await varve(path, 'reset', '--hard');
    expect(await varve(path, 'status')).toContain('working tree clean');

    await varve(path, 'sql', '-q', "INSERT INTO t VALUES (3, 'x''y')");
    const dumped = await varve(path, 'dump', '--no-create-db');
    expect(dumped).toContain("INSERT INTO `t` (`id`,`v`) VALUES (1,'b'), (3,'x\\'y');");
    expect(await varve(path, 'export', 't')).toBe("id,v\n1,b\n3,x'y\n");
  },
  120_000,
);

withDolt(
  'commits are by whom the database knows, and what is stashed native Dolt takes back',
  async () => {
    const path = join(scratch, 'known');
    mkdirSync(path);
    dolt(path, 'init', '--name', 'Ada', '--email', 'ada@example.org');
    dolt(path, 'config', '--local', '--add', 'user.name', 'Ada');
    dolt(path, 'config', '--local', '--add', 'user.email', 'ada@example.org');
    await varve(path, 'sql', '-q', 'CREATE TABLE t (id INT PRIMARY KEY)');
    expect(await varve(path, 'commit', '-Am', 'first')).toContain('Author: Ada <ada@example.org>\n');
    await varve(path, 'sql', '-q', 'INSERT INTO t VALUES (1)');
    expect(await varve(path, 'stash')).toMatch(/^Saved working directory .* first\n$/);
    expect(await varve(path, 'stash')).toBe('No local changes to save\n');
    expect(trimmed(await varve(path, 'stash', 'list'))).toBe(trimmed(dolt(path, 'stash', 'list')));
    dolt(path, 'stash', 'pop');
    expect(await varve(path, 'status')).toContain('modified:         t');
    dolt(path, 'stash');
    expect(await varve(path, 'stash', 'pop')).toMatch(/modified: {9}t\nDropped refs\/stash@\{0\} /);
  },
  60_000,
);

withDolt(
  'a database is begun by whom the call or the settings name, on the branch that it names, as by native Dolt',
  async () => {
    const named = ['--name', 'Eve', '--email', 'eve@example.org', '--date', '2024-03-04T05:06:07Z', '-b', 'trunk'];
    const [ours, native] = [join(scratch, 'begun-varve'), join(scratch, 'begun-native')];
    mkdirSync(native);
    await varve(ours, 'init', ...named);
    dolt(native, 'init', ...named);
    // When it was committed, which the hash is of, is now.
    const first = (path: string) => dolt(path, 'log', '--decorate=short').replace(/[0-9a-v]{32}/, 'HASH');
    expect(first(ours)).toBe(first(native));
    expect(dolt(ours, 'branch')).toBe(dolt(native, 'branch'));
    // The rebase that was started goes on committing.
    await varve(ours, 'sql', '-q', 'CREATE TABLE t (id INT PRIMARY KEY)');
    expect(await varve(ours, 'commit', '-Am', 'second')).toContain('Author: Eve <eve@example.org>\n');
    expect(dolt(ours, 'fsck')).toContain('No problems found');

    const home = join(scratch, 'home');
    mkdirSync(join(home, '.dolt'), { recursive: true });
    writeFileSync(join(home, '.dolt/config_global.json'), '{"user.name":"Bob","user.email":"bob@example.org"}');
    const path = join(scratch, 'begun-by-settings');
    const output = { out: () => {}, error: () => {} };
    const line = { open, output, input: process.stdin, useColor: false, environment: { DOLT_ROOT_PATH: home } };
    expect(await runCommandLine(['init', path], line)).toBe(0);
    expect(dolt(path, 'log')).toContain('Author: Bob <bob@example.org>');
  },
  60_000,
);

withDolt(
  'rows with texts of several lines are compared line by line, as by native Dolt',
  async () => {
    const path = join(scratch, 'lines');
    mkdirSync(path);
    dolt(path, 'init', '--name', 'root', '--email', 'root@localhost');
    const make = `CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b VARCHAR(20), c INT);
      INSERT INTO t VALUES (1, 'one\ntwo\nthree', 'x', 1), (2, 'short', 'y', NULL), (3, 'p\nq', 'z', 3), (4, NULL, 'w', 4);
      CALL dolt_commit('-Am', 'base');
      UPDATE t SET a = 'one\n2\nthree\nfour' WHERE id = 1; UPDATE t SET b = 'yy', c = 5 WHERE id = 2;
      UPDATE t SET c = 33 WHERE id = 3; UPDATE t SET a = 'said\ntwice' WHERE id = 4; INSERT INTO t VALUES (5, 'n\nm', 'v', 1);
      CALL dolt_commit('-Am', 'lines')`;
    dolt(path, 'sql', '-q', make);
    for (const mode of ['context', 'row', 'line', 'in-place']) {
      const args = ['--diff-mode', mode, 'HEAD~1', 'HEAD'];
      expect(trimmed(await varve(path, 'diff', ...args)), mode).toBe(trimmed(dolt(path, 'diff', ...args)));
    }
    const shown = ['--diff-mode=line', '--data', 'HEAD'];
    expect(trimmed(await varve(path, 'show', ...shown))).toBe(trimmed(dolt(path, 'show', ...shown)));
  },
  60_000,
);

withDolt(
  'scripts are read from files, go on after errors where they are told to, and queries are saved, as by native Dolt',
  async () => {
    const script = join(scratch, 'script.sql');
    writeFileSync(script, 'SELECT 1 AS a;\nSELECT * FROM nowhere;\nSELECT 2 AS b;\n');
    const heard: string[][] = [];
    for (const who of ['native', 'varve']) {
      const path = join(scratch, `asked-${who}`);
      mkdirSync(path);
      dolt(path, 'init', '--name', 'root', '--email', 'root@localhost');
      const said: string[] = [];
      for (const args of [
        ['-f', script, '-c', '-r', 'csv'],
        ['--batch', '-q', 'SELECT 3 AS c', '--result-format', 'csv'],
        ['-q', 'SELECT 4 AS d', '-s', 'four', '-m', 'the fourth', '-r', 'csv'],
        ['-q', 'SELECT 5 AS d', '--save', 'four', '-r', 'csv'],
        ['-x', 'four', '-r', 'csv'],
        ['-l', '-r', 'csv'],
      ]) {
        const answer = who === 'native' ? nativeWords(path, 'sql', ...args) : await words(path, 'sql', ...args);
        // Each formats errors in its own way; native Dolt's other stream is not captured.
        said.push(
          ...trimmed(answer.replace(/\r/g, '\n'))
            .split('\n')
            .filter(line => !/error on line|Processed|^\s*$|nowhere|^Executing|^SELECT/.test(line)),
        );
      }
      heard.push(said);
    }
    expect(heard[1]).toEqual(heard[0]);
  },
  60_000,
);

test.skipIf(!isBuilt)('on a terminal the log tells names, in colours or without', async () => {
  const sample = fileURLToPath(new URL('../../public/sample/seed_bank', import.meta.url));
  const log = async (isTerminal: boolean) => {
    let said = '';
    const out = (text: string) => {
      said += text;
    };
    const output = { out, error: out, isTerminal };
    await runCommandLine(['log', sample, '-n', '1', '--oneline'], {
      open,
      output,
      input: process.stdin,
      useColor: false,
    });
    return said;
  };
  expect(await log(true)).toMatch(/^\w{32} \(HEAD -> main\) Correct/);
  expect(await log(false)).toMatch(/^\w{32} Correct/);
});

withDolt(
  'a table with another key or name, and what a merge has left, are told in the words of native Dolt',
  async () => {
    const path = join(scratch, 'keys');
    mkdirSync(path);
    const run = (...args: string[]) => dolt(path, ...args);
    run('init', '--name', 'root', '--email', 'root@localhost');
    const sql = (text: string) => run('sql', '-q', text);
    const agree = async (lines: readonly string[]) => {
      for (const line of lines) {
        const [command = '', ...args] = line.split(' ');
        // Native Dolt says this on standard error.
        const ours = (await varve(path, command, ...args)).replace(/^Primary key sets differ .*\n/gm, '');
        expect(trimmed(ours), line).toBe(trimmed(run(command, ...args)));
      }
    };
    sql(
      'CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(10)); INSERT INTO t VALUES (1, 1); CREATE TABLE r (id INT PRIMARY KEY)',
    );
    run('commit', '-Am', 'first');
    sql('ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (id, v); RENAME TABLE r TO renamed');
    run('commit', '-Am', 'another key');
    await agree([
      'diff HEAD~1 HEAD',
      'diff --summary HEAD~1 HEAD',
      'diff --schema HEAD~1 HEAD',
      'show',
      'show --summary',
    ]);

    sql(
      'CREATE TABLE p (id INT PRIMARY KEY); INSERT INTO p VALUES (1), (2); CREATE TABLE s (id INT PRIMARY KEY, v INT); ' +
        'CREATE TABLE c (id INT PRIMARY KEY, pid INT, FOREIGN KEY (pid) REFERENCES p (id)); INSERT INTO s VALUES (1, 1)',
    );
    run('commit', '-Am', 'base');
    run('checkout', '-b', 'other');
    sql('DELETE FROM p WHERE id = 2');
    run('commit', '-am', 'theirs');
    run('checkout', 'main');
    sql('INSERT INTO c VALUES (1, 2)');
    run('commit', '-am', 'ours');
    expect(() => run('merge', 'other')).toThrow();
    await agree(['status']);
    run('merge', '--abort');
    // Not both at once: native Dolt lists the tables that a merge has changed in an order of chance.
    run('checkout', 'other');
    sql('UPDATE s SET v = 2');
    run('commit', '-am', 'theirs, too');
    run('checkout', 'main');
    sql('UPDATE s SET v = 3');
    run('commit', '-am', 'ours, too');
    expect(() => run('merge', 'other')).toThrow();
    await agree(['status', 'diff --summary']);
  },
  120_000,
);
