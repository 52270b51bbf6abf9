import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openFake } from '../testing/fake_database.ts';
import { runCommandLine } from './cli.ts';
import { writeAll } from './commands/transfer.ts';

interface Ended {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a command over the fake engine; every SOURCE is its database `shop`. */
async function varve(args: readonly string[], input: string | Uint8Array = ''): Promise<Ended> {
  let output = '';
  let errors = '';
  const status = await runCommandLine(args, {
    open: async source => {
      if (source === 'nowhere') throw new Error('nowhere does not exist');
      return (await openFake()).database;
    },
    output: {
      out: text => {
        output += text;
      },
      error: text => {
        errors += text;
      },
    },
    input: Readable.from(input === '' ? [] : [input]) as NodeJS.ReadableStream,
    useColor: false,
  });
  return { status, output, errors };
}

test('one query in each form', async () => {
  expect((await varve(['sql', 'shop', '-q', 'rows 2'])).output).toBe('+---+\n| n |\n+---+\n| 0 |\n| 1 |\n+---+\n\n');
  expect((await varve(['sql', 'shop', '-q', 'rows 2', '-r', 'csv'])).output).toBe('n\n0\n1\n');
  expect((await varve(['sql', 'shop', '--result=json', '--query', 'rows 12'])).output).toContain('{"n":11}]}\n');
  expect((await varve(['sql', '-r', 'tabular', 'shop', '-q', 'rows 1'])).output).toContain('| 0 |');
});

test('a piped script runs to its first error, which names the line', async () => {
  const ended = await varve(['sql', 'shop', '-r', 'csv'], 'rows 1;\nrows 1;\nfail;\nrows 1');
  expect(ended).toEqual({
    status: 1,
    output: 'n\n0\nn\n0\n',
    errors: 'error on line 3 for query fail: syntax error (1064)\n',
  });
});

test('a script with bytes that are no text runs in no part, unless their encoding is named', async () => {
  const latin = Buffer.from("rows 1;\nok 'caf\xe9'", 'latin1');
  const { status, output, errors } = await varve(['sql', 'shop'], latin);
  expect({ status, output }).toEqual({ status: 1, output: '' });
  expect(errors).toMatch(
    /^varve: Line 2: the byte 0xE9 at offset 15, after "ok 'caf", is no UTF-8\. Name the encoding/,
  );
  expect((await varve(['sql', 'shop', '-r', 'csv', '--encoding', 'latin1'], latin)).output).toBe('n\n0\n');
  expect((await varve(['sql', 'shop', '-f', tmpdir()])).errors).toBe(`varve: ${tmpdir()} is a directory\n`);
});

test('an export that fails leaves the file that was there, and no half of another', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'varve-cli-'));
  try {
    const file = join(directory, 'rows.csv');
    writeFileSync(file, 'precious');
    async function* broken() {
      yield 'n\n';
      throw new Error('the disk is gone');
    }
    const output = { out() {}, error() {} };
    await expect(writeAll(broken(), file, true, output)).rejects.toThrow('the disk is gone');
    expect(readdirSync(directory)).toEqual(['rows.csv']);
    expect(readFileSync(file, 'utf8')).toBe('precious');
    async function* whole() {
      yield 'n\n';
      yield '1\n';
    }
    await expect(writeAll(whole(), file, false, output)).rejects.toThrow('is there already');
    await writeAll(whole(), file, true, output);
    expect(readFileSync(file, 'utf8')).toBe('n\n1\n');
    await expect(writeAll(whole(), join(directory, 'no/rows.csv'), true, output)).rejects.toThrow('no such file');
    expect(readdirSync(directory)).toEqual(['rows.csv']);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('of a long statement that failed the reason is in sight', async () => {
  const { errors } = await varve(['sql', 'shop'], `fail /*${'x'.repeat(100_000)}*/`);
  expect(errors).toMatch(/^error on line 1 for query fail .{395}… \(100009 characters\): syntax error \(1064\)\n$/);
});

test('statements without rows print nothing', async () => {
  expect(await varve(['sql', 'shop', '-q', 'ok; ok'])).toEqual({ status: 0, output: '', errors: '' });
});

test('a wrong call says how its command is called, with status 2', async () => {
  for (const args of [
    ['sql'],
    ['sql', 'a', 'b'],
    ['sql', 'a', '-r', 'xml'],
    ['sql', 'a', '--what'],
    ['log', 'a', '-n', 'x'],
    ['commit', '-m', 'message'],
    ['import', 'a', 'rows.csv'],
  ]) {
    const { status, output, errors } = await varve(args);
    expect(status).toBe(2);
    expect(output).toBe('');
    expect(errors).toContain(`usage: varve ${args[0]} [SOURCE]`);
    expect(errors.split('\n').length).toBeLessThan(11);
  }
  expect((await varve(['sql', 'a', '--what'])).errors).toMatch(/^varve: unknown option --what\n/);
  expect((await varve(['sql', 'a', '-q'])).errors).toMatch(/^varve: -q, --query needs a value\n/);
  expect((await varve(['show', '--no-pretty', 'a'])).errors).toMatch(/^varve: SOURCE comes before --no-pretty, and/);
});

test('a command that is none is told which there are, and which one was meant', async () => {
  const { status, errors } = await varve(['comit', 'shop']);
  expect(status).toBe(2);
  expect(errors).toMatch(/^varve: unknown command comit\n\nDid you mean commit\? Commands are sql, /);
  expect((await varve(['help', 'comit'])).errors).toContain('Did you mean commit?');
  expect((await varve(['comit', '--help'])).status).toBe(2);
  expect((await varve(['dance'])).errors).not.toContain('Did you mean');
  expect((await varve([])).errors).toContain('varve help COMMAND');
});

test('help goes to standard output: of all commands, and of one', async () => {
  const { output, status } = await varve(['--help']);
  expect(status).toBe(0);
  expect(output).toContain('varve help COMMAND');
  const ofMerge =
    'usage: varve merge [SOURCE] [--squash|--no-ff] [-m MESSAGE] BRANCH\n       varve merge [SOURCE] --abort\n';
  for (const args of [
    ['help', 'merge'],
    ['merge', '--help'],
    ['merge', '-h'],
    ['merge', 'shop', '--help'],
  ]) {
    const ended = await varve(args);
    expect(ended.status).toBe(0);
    expect(ended.output).toContain(ofMerge);
  }
});

test('help of a command says what its options do', async () => {
  for (const name of ['sql', 'init', 'commit', 'log', 'diff', 'import', 'export', 'dump']) {
    const { output } = await varve(['help', name]);
    const [calls = '', , ...rest] = output.split('\n\n');
    const told = rest.join('\n');
    for (const [option] of calls.matchAll(/(?<=[ [|])--?[a-zA-Z][a-z-]*/g)) {
      expect(told, `${name} ${option}`).toMatch(new RegExp(`(^|[ ,])${option}( |,|$)`, 'm'));
    }
    for (const line of output.split('\n')) expect(line.length).toBeLessThan(110);
  }
});

test('every command of the help is one', async () => {
  const { output } = await varve(['help']);
  const names = Array.from(output.matchAll(/^ {2}([a-z-]+) {2,}/gm), ([, name]) => name as string).filter(
    name => !name.startsWith('-'),
  );
  expect(names.length).toBeGreaterThan(15);
  for (const name of names.filter(name => !['serve', 'serve-json', 'init'].includes(name))) {
    const { errors } = await varve([name]);
    expect(errors).toContain(`usage: varve ${name} `);
  }
});

test('the version is the one of the package', async () => {
  expect((await varve(['--version'])).output).toMatch(/^varve \d+\.\d+\.\d+\n$/);
});

test('what is not there cannot be imported, and what is there is not written over', async () => {
  const missing = await varve(['import', 'shop', 'beds', '/nowhere/beds.csv']);
  expect(missing).toEqual({ status: 1, output: '', errors: 'varve: /nowhere/beds.csv does not exist\n' });
  const there = await varve(['export', 'shop', 'beds', import.meta.filename, '--format', 'csv']);
  expect(there.status).toBe(1);
  expect(there.errors).toContain('-f replaces it');
});

test('a source that cannot be opened is status 1', async () => {
  expect(await varve(['tables', 'nowhere'])).toEqual({
    status: 1,
    output: '',
    errors: 'varve: nowhere does not exist\n',
  });
});

test('serve-json answers one line for each request, with its id', async () => {
  const requests = [
    { id: 1, op: 'query', sql: 'rows 1' },
    { id: 2, op: 'open', db: 'shop' },
    { id: 3, op: 'query', sql: 'rows 2' },
    { id: 4, op: 'exec', sql: 'ok', session: 'a' },
    { id: 5, op: 'exec', sql: 'fail', session: 'a' },
    { id: 6, op: 'dance' },
    { id: 7, op: 'close' },
  ];
  const { output, status } = await varve(
    ['serve-json'],
    `${requests.map(request => JSON.stringify(request)).join('\n')}\n{`,
  );
  expect(status).toBe(0);
  expect(
    output
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toEqual([
    { id: 1, error: { code: 1105, message: 'no database is open' } },
    { id: 2 },
    { id: 3, columns: ['n'], types: ['INT'], rows: [['0'], ['1']] },
    { id: 4, affected: 3, last_id: 7 },
    { id: 5, error: { code: 1064, message: 'syntax error' } },
    { id: 6, error: { code: 1105, message: 'there is no operation dance' } },
    { id: 7 },
    { id: null, error: { code: 1105, message: expect.stringContaining('JSON') } },
  ]);
});

test('serve-json reads requests as it answers them, and not ahead of them', async () => {
  const requests = 20_000;
  let given = 0;
  function* lines(): Generator<string> {
    for (let id = 0; id < requests; id++) {
      given++;
      yield `${JSON.stringify({ id, op: 'dance' })}\n`;
    }
  }
  let answered = 0;
  let aheadMost = 0;
  await runCommandLine(['serve-json'], {
    open: async () => (await openFake()).database,
    output: {
      out: () => {
        answered++;
        aheadMost = Math.max(aheadMost, given - answered);
      },
      error() {},
    },
    input: Readable.from(lines()) as NodeJS.ReadableStream,
    useColor: false,
  });
  expect(answered).toBe(requests);
  expect(aheadMost).toBeLessThan(requests / 8);
});

test('what native Dolt alone shows, and rows that are to be staged one by one, are refused in a line', async () => {
  const calls: readonly (readonly string[])[] = [
    ['branch', 'shop', '--datasets'],
    ['show', 'shop', '--no-pretty'],
    ['show', 'shop', 'WORKING'],
    ['schema', 'shop', 'tags'],
    ['schema', 'shop', 'import', '-c', 't', 't.csv'],
    ['add', 'shop', '-p'],
    ['debug', 'shop'],
  ];
  for (const call of calls) {
    const { status, output, errors } = await varve(call);
    expect({ status, output }, call.join(' ')).toEqual({ status: 1, output: '' });
    expect(errors, call.join(' ')).toMatch(/^varve: .*(native Dolt|dolt_workspace_TABLE).*\n$/);
  }
});
