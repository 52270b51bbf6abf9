import { expect, test } from 'vitest';
import type { Conflict, Row } from '../../lib/index.ts';
import { cellState, resolutionOf, startOfEdit, summaryOf, textsWith, valueText } from './conflict.ts';

const conflict = (base: Row | null, ours: Row | null, theirs: Row | null): Conflict => ({
  table: 't',
  id: 'x',
  base,
  ours,
  theirs,
});

const both = conflict(
  { id: 1, name: 'a', size: 1, note: 'n' },
  { id: 1, name: 'b', size: 1, note: 'm' },
  { id: 1, name: 'c', size: 2, note: 'n' },
);

test('a cell is in conflict where both sides changed it differently', () => {
  expect(['id', 'name', 'size', 'note'].map(column => cellState(both, column))).toEqual([
    'same',
    'both',
    'theirs',
    'ours',
  ]);
  expect(summaryOf(both)).toBe('changed by both: name');
});

test('a row that one side removed says which', () => {
  expect(summaryOf(conflict({ id: 1 }, null, { id: 1 }))).toBe('removed by us, changed by them');
  expect(summaryOf(conflict({ id: 1 }, { id: 1 }, null))).toBe('changed by us, removed by them');
  expect(summaryOf(conflict(null, { id: 1, a: 1 }, { id: 1, a: 2 }))).toBe('added by both: a');
});

test('an edit begins with what does not need a decision', () => {
  expect(startOfEdit(both)).toEqual({ id: '1', name: 'b', size: '2', note: 'm' });
  expect(startOfEdit(conflict({ id: 1 }, null, { id: 1, bytes: new Uint8Array(2) }))).toEqual({ id: '1' });
});

test('a choice becomes a resolution', () => {
  expect(resolutionOf(both, { kind: 'theirs' })).toEqual({ id: 'x', take: 'theirs' });
  expect(resolutionOf(both, { kind: 'edited', values: { name: null } })).toEqual({ id: 'x', row: { name: null } });
});

test('values are one line', () => {
  expect(valueText('two\nlines')).toBe('two↵lines');
  expect(valueText({ a: [1] })).toBe('{"a":[1]}');
  expect(valueText(new Uint8Array([1, 255]))).toBe('0x01ff');
  expect(valueText(null)).toBeNull();
});

test('geometries read as words, other bytes as digits', () => {
  const point = new Uint8Array(25);
  point.set([1, 1], 4);
  new DataView(point.buffer).setFloat64(9, 3, true);
  const textOf = textsWith(new Set(['at']));
  expect(textOf('at', point)).toBe('POINT(3 0)');
  expect(textOf('bytes', point)).toMatch(/^0x0000/);
  expect(textOf('at', null)).toBeNull();
});
