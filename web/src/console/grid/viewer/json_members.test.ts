import { expect, test } from 'vitest';
import { openDepth } from './json_members.ts';

const SHOWN = 100;

test('a document of few lines is unfolded for two levels', () => {
  expect(openDepth({ plants: 12, found: { by: 'Ada', at: [1, 2] } }, SHOWN)).toBe(2);
  expect(openDepth('text', SHOWN)).toBe(2);
});

test('a document of many members shows its first level: all of the second would make the page stand still', () => {
  const rows = Array.from({ length: 3000 }, (_, id) => ({ id, code: 'c', mass: 1 }));
  expect(openDepth(rows, SHOWN)).toBe(1);
});

test('a level that is long by itself is cut, not folded', () => {
  expect(openDepth({ numbers: Array.from({ length: 3000 }, (_, number) => number) }, SHOWN)).toBe(2);
});
