import { expect, test } from 'vitest';
import type { Conflict, Row } from '../../../lib/index.ts';
import {
  cellState,
  type Field,
  sharedBeginning,
  startOfEdit,
  summaryOf,
  takingOf,
  textFrom,
  textsWith,
  valueText,
  writtenValues,
} from './conflict.ts';

const conflict = (base: Row | null, ours: Row | null, theirs: Row | null): Conflict => ({
  table: 't',
  id: 'x',
  base,
  ours,
  theirs,
});

const field = (type: string, isGenerated = false): Field => ({ type, isNullable: true, isKey: false, isGenerated });
const plain = new Map([['id', field('int')]]);

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
  const removed = conflict({ id: 1, a: 1, b: 1 }, { id: 1, a: 2, b: 1 }, null);
  expect(['id', 'a', 'b'].map(column => cellState(removed, column))).toEqual(['same', 'both', 'same']);
  expect(summaryOf(conflict(null, { id: 1, a: 1 }, { id: 1, a: 2 }))).toBe('added by both: a');
});

test('an edit begins with what does not need a decision', () => {
  expect(startOfEdit(both, plain)).toEqual({ id: '1', name: 'b', size: '2', note: 'm' });
});

test('an edit of a side that was chosen begins with that side', () => {
  expect(startOfEdit(both, plain, 'ours')).toEqual({ id: '1', name: 'b', size: '1', note: 'm' });
  expect(startOfEdit(both, plain, 'theirs')).toEqual({ id: '1', name: 'c', size: '2', note: 'n' });
});

test('a value of a side is taken into the row that will be', () => {
  const first = takingOf(both, plain, undefined, 'theirs', 'name');
  expect(first).toEqual({
    isTaken: false,
    choice: { kind: 'edited', values: { id: '1', name: 'c', size: '2', note: 'm' } },
  });
  expect(takingOf(both, plain, first?.choice, 'theirs', 'name')?.isTaken).toBe(true);
  expect(takingOf(both, plain, first?.choice, 'ours', 'name')?.isTaken).toBe(false);
  const theirs = { kind: 'theirs' } as const;
  expect(takingOf(both, plain, theirs, 'theirs', 'name')?.isTaken).toBe(true);
  const mixed = takingOf(both, plain, theirs, 'ours', 'note');
  expect(mixed?.choice).toEqual({ kind: 'edited', values: { id: '1', name: 'c', size: '2', note: 'm' } });
  const removed = conflict({ id: 1, a: 1 }, null, { id: 1, a: 2 });
  expect(takingOf(removed, plain, { kind: 'ours' }, 'theirs', 'a')?.isTaken).toBe(false);
  expect(takingOf(removed, plain, undefined, 'ours', 'a')).toBeUndefined();
  expect(takingOf(both, new Map([['name', field('text', true)]]), undefined, 'ours', 'name')).toBeUndefined();
});

test('of a long text is shown where it leaves the one before', () => {
  const shared = 'as it was '.repeat(100);
  const start = sharedBeginning(`${shared}here`, `${shared}there`, 30);
  expect(start).toBe(shared.length - 12);
  expect(textFrom(textsWith(plain), 'note', `${shared}here`, start)).toBe('…s as it was here');
  expect(sharedBeginning(shared, shared, 30)).toBe(0);
  expect(sharedBeginning('here', 'there', 30)).toBe(0);
  expect(sharedBeginning(null, shared, 30)).toBe(0);
  const pairs = '\u{1F33F}'.repeat(20);
  expect(sharedBeginning(`${pairs}x`, `${pairs}y`, 20) % 2).toBe(0);
});

test('bytes are edited as digits, geometries as words, and what is computed not at all', () => {
  const fields = new Map([
    ['bytes', field('varbinary(8)')],
    ['at', field('point')],
    ['twice', field('int', true)],
    ['long', field('longblob')],
  ]);
  const row = { id: 1, bytes: new Uint8Array([0, 255]), at: point(3, 0), twice: 2, long: new Uint8Array(5000) };
  expect(startOfEdit(conflict({ id: 1 }, null, row), fields)).toEqual({ id: '1', bytes: '0x00ff', at: 'POINT(3 0)' });
});

test('an edit writes what differs from our row, and a whole row where we have none', () => {
  const values = startOfEdit(both, plain);
  expect(writtenValues(both, values, plain)).toEqual([['size', '2']]);
  expect(writtenValues(both, { ...values, name: null, size: '1' }, plain)).toEqual([['name', null]]);
  const removed = conflict({ id: 1 }, null, { id: 1, name: 'c' });
  expect(writtenValues(removed, startOfEdit(removed, plain), plain)).toEqual([
    ['id', '1'],
    ['name', 'c'],
  ]);
});

test('values are one line', () => {
  expect(valueText('two\nlines')).toBe('two↵lines');
  expect(valueText({ a: [1] })).toBe('{"a":[1]}');
  expect(valueText(new Uint8Array([1, 255]))).toBe('0x01ff');
  expect(valueText(null)).toBeNull();
});

test('geometries read as words, other bytes as digits', () => {
  const textOf = textsWith(new Map([['at', field('point srid 0')]]));
  expect(textOf('at', point(3, 0))).toBe('POINT(3 0)');
  expect(textOf('bytes', point(3, 0))).toMatch(/^0x0000/);
  expect(textOf('at', null)).toBeNull();
});

function point(x: number, y: number): Uint8Array {
  const bytes = new Uint8Array(25);
  bytes.set([1, 1], 4);
  const view = new DataView(bytes.buffer);
  view.setFloat64(9, x, true);
  view.setFloat64(17, y, true);
  return bytes;
}
