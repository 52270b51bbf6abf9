import { expect, test } from 'vitest';
import { hashOf, linkedBy, type Shown } from './shown.ts';

test('what is shown is found again in the address', () => {
  const all: readonly Shown[] = [
    { view: 'changes', group: '', table: '' },
    { view: 'changes', group: 'staged', table: 'lots & more' },
    { view: 'diagram' },
    { view: 'log', commit: '' },
    { view: 'log', commit: '1066hpe90pstrmb49un18s75v3gaol3g' },
    { view: 'compare', from: 'HEAD~1', to: 'feature/a & b#1', table: '' },
    { view: 'compare', from: 'main', to: 'WORKING', table: 'söme table' },
  ];
  for (const shown of all) expect(linkedBy(hashOf(shown))).toEqual(shown);
  expect(hashOf({ view: 'query' })).toBe('');
  expect(linkedBy('')).toBeUndefined();
});

test('links to a commit, a comparison and a query need not name the view', () => {
  expect(linkedBy('#commit=abc')).toEqual({ view: 'log', commit: 'abc' });
  expect(linkedBy('#from=a&to=b')).toEqual({ view: 'compare', from: 'a', to: 'b', table: '' });
  expect(linkedBy('#sql=SELECT+1')).toEqual({ view: 'query', sql: 'SELECT 1' });
  expect(linkedBy('#view=compare&from=a')).toBeUndefined();
  expect(linkedBy('#view=elsewhere')).toBeUndefined();
});
