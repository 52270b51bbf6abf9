// The programs of examples/ for Node, run as their first lines say, against the package as it was built.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const withPackage = test.skipIf(!existsSync(join(root, 'dist/package/node/index.js')));

function printed(name: string, ...args: string[]): string[] {
  const program = join(root, 'examples', name);
  return execFileSync(process.execPath, [program, ...args], { cwd: root, encoding: 'utf8' }).split('\n');
}

withPackage('a merge with conflicts is resolved by a rule', () => {
  expect(printed('merge_conflicts.mjs')).toEqual([
    'merge: conflicts',
    'products: 2 conflicts',
    '  Bread: 3.00 -> ours 3.20, theirs 2.40',
    '  Butter: 2.50 -> ours removed, theirs 2.00',
    'Bread: 2.40',
    'Milk: 1.20',
    '',
  ]);
});

withPackage('a report counts rows and changes', () => {
  const lines = printed('report.mjs');
  expect(lines[0]).toBe('# Report: seed_bank');
  expect(lines.filter(line => /^\| \w+ \| \d+ \|$/.test(line))).toHaveLength(9);
  expect(lines).toContainEqual(expect.stringMatching(/^- \w+: \d+ added, \d+ removed, \d+ modified$/));
  expect(lines.filter(line => /^- [0-9a-v]{8} \d{4}-\d\d-\d\d /.test(line))).toHaveLength(5);
});
