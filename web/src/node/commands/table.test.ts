import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dolt, scratchDirectory, withDolt } from '../../testing/built_engine.ts';
import { runCommandLine } from '../cli.ts';
import { open } from '../index.ts';

const scratch = scratchDirectory();

async function varve(...args: string[]): Promise<string> {
  let output = '';
  const take = (text: string): void => {
    output += text;
  };
  const terminal = { output: { out: take, error: take }, input: process.stdin, useColor: false };
  expect(await runCommandLine(args, { open, ...terminal }), output).toBe(0);
  return output;
}

withDolt(
  'table import changes rows, or replaces all of them, as native Dolt does',
  async () => {
    const file = join(scratch, 'rows.csv');
    // Without one of the columns.
    writeFileSync(file, 'id,v\n1,new\n9,nine\n');
    const make =
      "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(9), n INT NOT NULL DEFAULT 7); INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2)";
    for (const kind of ['-u', '-r']) {
      const paths = ['native', 'varve'].map(who => join(scratch, `${who}${kind}`));
      for (const path of paths) {
        mkdirSync(path);
        dolt(path, 'init', '--name', 'root', '--email', 'root@localhost');
        dolt(path, 'sql', '-q', make);
      }
      const [native = '', ours = ''] = paths;
      dolt(native, 'table', 'import', kind, 't', file);
      await varve('table', ours, 'import', kind, 't', file);
      const rowsOf = (path: string): string => dolt(path, 'sql', '-r', 'csv', '-q', 'SELECT * FROM t');
      expect(rowsOf(ours), kind).toBe(rowsOf(native));
    }
  },
  60_000,
);
