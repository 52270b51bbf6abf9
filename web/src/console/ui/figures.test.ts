import { expect, test } from 'vitest';
import { byteCount, counted, duration } from './figures.ts';

test('figures', () => {
  expect([0, 999, 1000, 1536, 128 * 1024 * 1024, 5e12].map(byteCount)).toEqual([
    '0 B',
    '999 B',
    '1.0 KB',
    '1.5 KB',
    '128 MB',
    '4.5 TB',
  ]);
  expect([0.417, 17.4, 1249, 125_000].map(duration)).toEqual(['0.42 ms', '17 ms', '1.25 s', '2 min 05 s']);
  expect([counted(1, 'row'), counted(1_000_000, 'row')]).toEqual(['1 row', '1,000,000 rows']);
});
