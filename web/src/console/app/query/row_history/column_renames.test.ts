import { expect, test } from 'vitest';
import { renames } from './column_renames.ts';

const columns = (...list: readonly string[]) =>
  list.map(text => ({ name: text.split(' ')[0] ?? '', type: text.split(' ')[1] ?? '' }));

test('a column that is gone and one that is new in its place, of its type, are one', () => {
  const was = columns('id int', 'plant text', 'n int');
  expect([...renames(columns('bed int', 'plant text', 'n int'), was)]).toEqual([
    ['bed', 'id'],
    ['plant', 'plant'],
    ['n', 'n'],
  ]);
  // Of another type, elsewhere, or beside the one that is still there it is a new one.
  expect(renames(columns('id int', 'species int', 'n int'), was).has('species')).toBe(false);
  expect(renames(columns('id int', 'n int', 'species text'), was).has('species')).toBe(false);
  expect(renames(columns('id int', 'species text', 'plant text', 'n int'), was).has('species')).toBe(false);
});
