import { expect, test } from 'vitest';
import { lineDiff } from '../diff/diff.ts';
import { statusText } from '../versions/status.ts';
import { drawLines, drawOneLine, type GraphEntry } from './graph.ts';

function entries(
  commits: Record<string, readonly string[]>,
  lines: (hash: string) => readonly string[],
): readonly GraphEntry[] {
  return Object.entries(commits).map(([hash, parents]) => ({ hash, parents, lines: lines(hash) }));
}

test('a merge forks and joins, as in native Dolt', () => {
  const commits = { m: ['a', 'b'], a: ['base'], b: ['base'], base: [] };
  expect(drawLines(entries(commits, hash => [`commit ${hash}`, 'Author', '', `\t${hash}`]))).toEqual([
    '*   commit m',
    '|\\  Author',
    '| |',
    '| | \tm',
    '| |',
    '* | commit a',
    '| | Author',
    '| |',
    '| | \ta',
    '| |',
    '| * commit b',
    '| | Author',
    '| |',
    '| | \tb',
    '|/',
    '* commit base',
    '  Author',
    '',
    '\tbase',
  ]);
});

test('one line a commit', () => {
  const commits = { m: ['a', 'b'], b: ['c'], a: ['c'], c: ['d'], d: [] };
  expect(drawOneLine(entries(commits, hash => [hash]))).toEqual(['* m', '|\\', '| * b', '*/ a', '* c', '* d']);
});

test('lines of schemas are compared in order', () => {
  expect(lineDiff(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])).toBe(' a\n-b\n+x\n c\n+d\n');
  expect(lineDiff([], ['a'])).toBe('+a\n');
  expect(lineDiff(['a'], [])).toBe('-a\n');
});

test('the state of the working set in Dolt’s words', () => {
  expect(statusText('main', [], false)).toBe('On branch main\nnothing to commit, working tree clean\n');
  const rows = [
    { table_name: 'a', staged: 1, status: 'new table' },
    { table_name: 'b', staged: 0, status: 'modified' },
    { table_name: 'c', staged: 0, status: 'new table' },
  ];
  expect(statusText('main', rows, false)).toBe(`On branch main
Changes to be committed:
  (use "dolt reset <table>..." to unstage)
\tnew table:        a

Changes not staged for commit:
  (use "dolt add <table>" to update what will be committed)
  (use "dolt checkout <table>" to discard changes in working directory)
\tmodified:         b

Untracked tables:
  (use "dolt add <table>" to include in what will be committed)
\tnew table:        c
`);
  expect(statusText('main', [{ table_name: 't', staged: 0, status: 'conflict' }], true)).toContain(
    'Unmerged paths:\n  (use "dolt add <table>..." to mark resolution)\n\tboth modified:    t\n',
  );
});
