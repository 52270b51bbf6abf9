import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openFake } from '../testing/fake_database.ts';
import { runCommandLine } from './cli.ts';

interface Ended {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a command over the fake engine; every SOURCE is its database `shop`. */
async function varve(args: readonly string[], input = ''): Promise<Ended> {
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

test('statements without rows print nothing', async () => {
  expect(await varve(['sql', 'shop', '-q', 'ok; ok'])).toEqual({ status: 0, output: '', errors: '' });
});

test('a wrong call says what is right, with status 2', async () => {
  for (const args of [
    [],
    ['dance'],
    ['sql'],
    ['sql', 'a', 'b'],
    ['sql', 'a', '-r', 'xml'],
    ['sql', 'a', '--what'],
    ['log', 'a', '-n', 'x'],
  ]) {
    const { status, output, errors } = await varve(args);
    expect(status).toBe(2);
    expect(output).toBe('');
    expect(errors).toContain('usage: varve COMMAND');
  }
});

test('help goes to standard output', async () => {
  expect((await varve(['--help'])).output).toContain('varve sql SOURCE');
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
