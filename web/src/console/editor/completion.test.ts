import { expect, test } from 'vitest';
import { type SchemaNames, suggest, tablesInScope } from './completion.ts';

const schema: SchemaNames = {
  databases: ['shop'],
  tables: [
    {
      name: 'people',
      isView: false,
      columns: [
        { name: 'id', type: 'int' },
        { name: 'full name', type: 'text' },
      ],
    },
    { name: 'orders', isView: false, columns: [{ name: 'total', type: 'decimal(8,2)' }] },
  ],
};

function labels(sql: string): string[] {
  return suggest(sql, sql.length, schema).items.map(item => item.label);
}

test('after a table or an alias come its columns', () => {
  const at = 'SELECT p.'.length;
  expect(suggest('SELECT p. FROM people p', at, schema).items.map(item => item.label)).toEqual(['id', 'full name']);
  expect(labels('SELECT * FROM people AS x WHERE x.')).toEqual(['id', 'full name']);
  expect(labels('SELECT orders.')).toEqual(['total']);
});

test('names that need it are quoted when they are taken', () => {
  expect(suggest('SELECT people.', 14, schema).items[1]?.apply).toBe('`full name`');
});

test('after FROM come tables, not keywords', () => {
  expect(labels('SELECT * FROM ')).toContain('people');
  expect(labels('SELECT * FROM ')).toContain('dolt_log');
  expect(labels('SELECT * FROM ')).not.toContain('SELECT');
  expect(labels('SELECT * FROM people, ')).toContain('orders');
});

test('after a database come its tables', () => {
  expect(labels('SELECT * FROM shop.')).toContain('orders');
  expect(labels('SELECT nothing.')).toEqual([]);
});

test('elsewhere come columns of the tables in scope, then the rest', () => {
  const sql = 'SELECT  FROM people p JOIN orders o ON p.id = o.id';
  const { from, items } = suggest(sql, 7, schema);
  expect(from).toBe(7);
  expect(items.slice(0, 3).map(({ label, detail }) => [label, detail])).toEqual([
    ['id', 'p · int'],
    ['full name', 'p · text'],
    ['total', 'o · decimal(8,2)'],
  ]);
  expect(items.map(item => item.label)).toContain('WHERE');
});

test('the word before the cursor is what gets replaced', () => {
  expect(suggest('SELECT to', 9, schema).from).toBe(7);
  expect([...tablesInScope('UPDATE people SET id = 1', schema).keys()]).toEqual(['people']);
});
