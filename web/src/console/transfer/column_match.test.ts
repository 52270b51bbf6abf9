import { expect, test } from 'vitest';
import { matchByName, withMatch } from './column_match.ts';

test('names that are written alike are matched before those that only sound so, and each column once', () => {
  expect(matchByName(['ID', 'First Name', 'first_name', 'notes', '№'], ['id', 'firstName', 'first_name', '#'])).toEqual(
    {
      ID: 'id',
      'First Name': 'firstName',
      first_name: 'first_name',
      notes: null,
      '№': null,
    },
  );
  expect(matchByName(['constructor'], ['id'])).toEqual({ constructor: null });
});

test('a column that is chosen by hand is taken from what filled it', () => {
  expect(withMatch({ a: 'x', b: null }, 'b', 'x')).toEqual({ a: null, b: 'x' });
  expect(withMatch({ a: 'x', b: null }, 'a', null)).toEqual({ a: null, b: null });
});
