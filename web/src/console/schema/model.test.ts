import { expect, test } from 'vitest';
import { keyOf, shortCount } from './model.ts';

test('counts are short', () => {
  expect([0, 9999, 10_000, 51_340, 148_022, 999_400, 1_000_000, 12_345_678].map(shortCount)).toEqual([
    '0',
    '9,999',
    '10k',
    '51.3k',
    '148k',
    '999k',
    '1M',
    '12.3M',
  ]);
});

test('keys', () => {
  expect(['PRI', 'UNI', 'MUL', ''].map(keyOf)).toEqual(['primary', 'unique', 'index', 'none']);
});
