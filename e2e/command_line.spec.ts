// The command line of the checkout: `npx varve …` runs bin/varve.js. No browser here, but whole stories all the same.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, root, sampleDirectory, test } from './fixtures.ts';

interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

function varve(args: readonly string[], input = '', cwd = root): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'bin/varve.js'), ...args], { cwd });
    let output = '';
    let errors = '';
    child.stdout.on('data', bytes => {
      output += bytes;
    });
    child.stderr.on('data', bytes => {
      errors += bytes;
    });
    child.on('error', reject);
    child.on('close', status => resolve({ status, output, errors }));
    child.stdin.end(input);
  });
}

const COUNT = 'SELECT COUNT(*) AS lots FROM accessions';

test('a directory is asked one question', async () => {
  const { status, output, errors } = await varve(['sql', sampleDirectory, '-q', COUNT, '-r', 'csv']);
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  expect(output.trim().split(/\r?\n/)).toEqual(['lots', '3408']);
});

test('an address is asked one question, by a thread that may wait', async ({ remote }) => {
  const { status, output, errors } = await varve(['sql', remote.url, '-q', COUNT, '-r', 'csv']);
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  expect(output.trim().split(/\r?\n/)).toEqual(['lots', '3408']);
});

test('statements from a pipe run in order', async () => {
  const { status, output } = await varve(
    ['sql', sampleDirectory, '-r', 'csv'],
    'SELECT COUNT(*) AS sites FROM sites;\nSELECT COUNT(*) AS tags FROM dolt_tags;\n',
  );
  expect(status).toBe(0);
  expect(output.match(/\d+/g)).toEqual(['252', '3']);
});

test('a mistake is told on the error stream, with a status', async () => {
  const { status, errors } = await varve(['sql', sampleDirectory, '-q', 'SELECT * FROM no_such_table']);
  expect(status).not.toBe(0);
  expect(errors).toContain('no_such_table');
});

test('a database is made, filled from a pipe and committed, each with a status', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'varve-beds-'));
  const more = `${directory}.csv`;
  writeFileSync(more, '3,chard\n');
  try {
    const steps: readonly (readonly [args: string[], input?: string])[] = [
      [['init', directory]],
      [['sql', directory, '-q', 'CREATE TABLE beds (id INT PRIMARY KEY, plant VARCHAR(20))']],
      [['import', directory, 'beds', '-', '--format', 'csv'], 'id,plant\n1,kale\n2,leek\n'],
      [['sql', directory, '-q', `LOAD DATA LOCAL INFILE '${more}' INTO TABLE beds FIELDS TERMINATED BY ','`]],
      [['commit', directory, '-A', '-m', 'Plant them']],
    ];
    for (const [args, input] of steps) {
      const { status, errors } = await varve(args, input);
      expect({ args, status, errors }).toEqual({ args, status: 0, errors: '' });
    }
    const { output } = await varve(['sql', directory, '-q', 'SELECT plant FROM beds AS OF HEAD', '-r', 'csv']);
    expect(output.trim().split(/\r?\n/)).toEqual(['plant', 'kale', 'leek', 'chard']);
  } finally {
    rmSync(more, { force: true });
    rmSync(directory, { recursive: true, force: true });
  }
});

test('dates and numbers of a file are told of, and read as is said', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'varve-dates-'));
  const file = `${directory}.csv`;
  writeFileSync(file, 'id;day;price\n1;02.10.2024;9,50\n');
  try {
    expect((await varve(['init', directory])).status).toBe(0);
    const asIs = await varve(['import', directory, 'plain', file, '-c', '--delim', ';']);
    expect(asIs.errors).toBe(
      "varve: dates such as 02.10.2024 are text; --dates dmy, or mdy, makes dates of them\nvarve: numbers such as 9,50 are text; --decimal ',' makes numbers of them\n",
    );
    const said = await varve([
      'import',
      directory,
      'said',
      file,
      '-c',
      '--delim',
      ';',
      '--dates',
      'dmy',
      '--decimal',
      ',',
    ]);
    expect({ status: said.status, errors: said.errors }).toEqual({ status: 0, errors: '' });
    const { output } = await varve(['sql', directory, '-q', 'SELECT day, price * 2 AS two FROM said', '-r', 'csv']);
    expect(output.trim().split(/\r?\n/)).toEqual(['day,two', '2024-10-02,19']);
    expect((await varve(['import', directory, 'x', file, '--dates', 'ymd'])).status).toBe(2);
  } finally {
    rmSync(file, { force: true });
    rmSync(directory, { recursive: true, force: true });
  }
});

test('a directory that holds a database is not made one again', async () => {
  const { status, errors } = await varve(['init', sampleDirectory]);
  expect({ status, errors }).toEqual({ status: 1, errors: `varve: ${sampleDirectory} already contains a database\n` });
});

test('conflicts of a merge are looked at and resolved, and a commit is repeated elsewhere', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'varve-merge-'));
  const sql = (text: string): string[] => ['sql', directory, '-q', text];
  const done = async (...args: string[]) => {
    const { status, errors, output } = await varve(args);
    expect({ args, status, errors }).toEqual({ args, status: 0, errors: '' });
    return output;
  };
  try {
    await done('init', directory);
    const history = [
      "CREATE TABLE beds (id INT PRIMARY KEY, plant VARCHAR(20)); INSERT INTO beds VALUES (1, 'kale')",
      "CALL dolt_commit('-Am', 'Kale'); CALL dolt_branch('autumn')",
      "UPDATE beds SET plant = 'leek'; CALL dolt_commit('-am', 'Leek'); CALL dolt_checkout('autumn')",
      "UPDATE beds SET plant = 'chard'; CALL dolt_commit('-am', 'Chard')",
      "INSERT INTO beds VALUES (2, 'beet'); CALL dolt_commit('-am', 'Beet')",
    ];
    await done(...sql(history.join('; ')));
    const merged = await varve(['merge', directory, 'autumn']);
    expect(merged.status).toBe(1);
    expect(merged.output).toContain('CONFLICT (content): Merge conflict in beds');
    expect(await done('conflicts', directory, 'cat', 'beds')).toMatch(/base.*kale.*\n.*ours.*leek.*\n.*theirs.*chard/);
    await done('conflicts', directory, 'resolve', '--theirs', 'beds');
    await done('reset', directory, '--hard');
    expect(await done('cherry-pick', directory, 'autumn')).toContain('Beet');
    expect(await done(...sql('SELECT plant FROM beds ORDER BY id'), '-r', 'csv')).toMatch(/leek\s+beet/);
    expect(await done('revert', directory, 'HEAD')).toContain('Revert');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('log lists commits, newest first', async () => {
  const { status, output } = await varve(['log', sampleDirectory]);
  expect(status).toBe(0);
  expect(output.indexOf("Correct the name of the snake's-head site")).toBeGreaterThanOrEqual(0);
  expect(output.indexOf('Tests of April 2026')).toBeGreaterThan(output.indexOf('Shipments of spring 2026'));
});

test('tables are listed', async () => {
  const { status, output } = await varve(['tables', sampleDirectory]);
  expect(status).toBe(0);
  for (const table of ['accessions', 'germination_tests', 'holdings', 'species']) expect(output).toContain(table);
});

test('the line protocol answers what it is asked', async () => {
  const asked = [
    { id: 1, op: 'open', db: sampleDirectory },
    { id: 2, op: 'query', sql: COUNT },
    { id: 3, op: 'query', sql: 'SELECT nothing FROM species' },
    { id: 4, op: 'close' },
  ];
  const { status, output } = await varve(['serve-json'], asked.map(line => `${JSON.stringify(line)}\n`).join(''));
  expect(status).toBe(0);
  const answers = output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(answers.map(answer => answer.id)).toEqual([1, 2, 3, 4]);
  expect(answers[1]?.rows).toEqual([['3408']]);
  expect(answers[2]?.error?.message).toContain('nothing');
});

test('the line protocol speaks as a server does', async () => {
  const script = [
    '-- nothing but a comment',
    'CREATE PROCEDURE two() BEGIN SELECT 1 AS a; SELECT 2 AS b; END',
    'CALL two()',
    "SELECT '日' AS whole, LPAD('日本語', 2, 'x') AS cut",
  ];
  const asked = [{ id: 0, op: 'open', db: null }, ...script.map((sql, at) => ({ id: at + 1, op: 'query', sql }))];
  const { output } = await varve(['serve-json'], asked.map(line => `${JSON.stringify(line)}\n`).join(''));
  const [, comment, , called, cut] = output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(comment).toMatchObject({ affected: 0 });
  expect(called).toMatchObject({ columns: ['b'], rows: [['2']] });
  expect(cut).toMatchObject({ rows: [['日', '0xE697']] });
});

test('the database on disk is left as it was', async () => {
  const journal = join(sampleDirectory, '.dolt/noms', 'v'.repeat(32));
  const before = readFileSync(journal);
  await varve(['sql', sampleDirectory, '-q', COUNT]);
  expect(readFileSync(journal).equals(before)).toBe(true);
});

test('where only the settings of Dolt lie there is no database', async () => {
  const home = mkdtempSync(join(tmpdir(), 'varve-home-'));
  try {
    mkdirSync(join(home, '.dolt'));
    writeFileSync(join(home, '.dolt/config_global.json'), '{}');
    const { status, errors } = await varve(['status'], '', home);
    expect(status).toBe(2);
    expect(errors).toContain('there is no database in this directory');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test('in the directory of a database it needs no name, as in native Dolt', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'varve-here-'));
  const here = (args: readonly string[], input = '') => varve(args, input, directory);
  try {
    const nowhere = await here(['status']);
    expect(nowhere.status).toBe(2);
    expect(nowhere.errors).toContain('there is no database in this directory: `varve init` makes one');

    expect((await here(['init'])).errors).toBe('');
    expect((await here(['init'])).errors).toBe('varve: this directory already contains a database\n');
    await here(
      ['sql'],
      'CREATE TABLE beds (id INT PRIMARY KEY, plant VARCHAR(20)); INSERT INTO beds VALUES (1, "kale")',
    );
    expect((await here(['status'])).output).toContain('new table:        beds');
    expect((await here(['commit', '-A', '-m', 'Plant'])).errors).toBe('');
    await here(['branch', 'autumn']);
    await here(['import', 'beds', '-', '--format', 'csv'], 'id,plant\n2,leek\n');
    expect((await here(['log', 'autumn', '--oneline'])).output).toContain('Plant');
    const { output, errors } = await here(['diff', 'autumn', 'beds']);
    expect({ errors, changes: output.match(/leek|kale/g) }).toEqual({ errors: '', changes: ['leek'] });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
