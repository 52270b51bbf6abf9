import { expect, test } from 'vitest';
import type { JsonValue } from '../../../lib/index.ts';
import { violationOf } from './violation.ts';

const what = (violation_type: string, violation_info: JsonValue) =>
  violationOf({ from_root_ish: 'x', violation_type, id: 2, violation_info }).what;

test('a row that breaks a constraint says which, and shows its own columns', () => {
  const info = { Columns: ['pid'], ForeignKey: 'c_ibfk_1', ReferencedTable: 'p' };
  expect(violationOf({ from_root_ish: 'x', violation_type: 'foreign key', id: 2, violation_info: info })).toEqual({
    what: 'pid has no match in p (c_ibfk_1)',
    row: { id: 2 },
  });
  expect(what('unique index', { Columns: ['a', 'b'], Name: 'uv' })).toBe('a, b is not unique (uv)');
  expect(what('check constraint', { Name: 'positive', Expression: '(n > 0)' })).toBe('(n > 0) is violated (positive)');
  expect(what('not null', { Columns: ['n'] })).toBe('n must not be NULL');
  expect(what('something new', null)).toBe('something new');
});
