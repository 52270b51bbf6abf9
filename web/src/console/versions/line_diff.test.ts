import { expect, test } from 'vitest';
import { lineDiff } from './line_diff.ts';

const marked = (before: string, after: string): string[] =>
  lineDiff(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

test('a line that came stands where it is', () => {
  expect(marked('(\n  id,\n)', '(\n  id,\n  name,\n)')).toEqual([' (', '   id,', '+  name,', ' )']);
});

test('a line that changed is taken away and comes', () => {
  expect(marked('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']);
});

test('a definition that came or went is all of it', () => {
  expect(marked('', 'a\nb')).toEqual(['+a', '+b']);
  expect(marked('a\nb', '')).toEqual(['-a', '-b']);
  expect(marked('a', 'a')).toEqual([' a']);
});
