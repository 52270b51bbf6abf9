import { expect, test } from 'vitest';
import { type SchemaNames, suggest } from './completion.ts';
import { tablesInScope } from './scope.ts';

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
  keys: [{ table: 'orders', columns: ['person_id'], toTable: 'people', toColumns: ['id'] }],
};

function labels(sql: string): string[] {
  return suggest(sql, sql.length, schema).items.map(item => item.label);
}

test('after a table or an alias come its columns', () => {
  const at = 'SELECT p.'.length;
  expect(suggest('SELECT p. FROM people p', at, schema).items.map(item => item.label)).toEqual(['id', 'full name']);
  expect(labels('SELECT * FROM people AS x WHERE x.')).toEqual(['id', 'full name']);
  expect(labels('SELECT orders.')).toEqual(['total']);
  expect(labels('SELECT id, name FROM people WHERE ')[0]).toBe('id');
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

test('after ON comes first what the foreign keys say, whichever table has them', () => {
  expect(labels('SELECT * FROM people p JOIN orders o ON ')[0]).toBe('o.person_id = p.id');
  expect(labels('SELECT * FROM orders JOIN people ON ')[0]).toBe('people.id = orders.person_id');
  expect(labels('SELECT * FROM orders o JOIN people p ON p.id = o.person_id WHERE ')).not.toContain(
    'p.id = o.person_id',
  );
});

test('a column that several tables have is taken with its table', () => {
  const { items } = suggest('SELECT  FROM people p JOIN people q', 7, schema);
  expect(items.slice(0, 4).map(({ apply }) => apply)).toEqual(['p.id', 'p.`full name`', 'q.id', 'q.`full name`']);
});

test('the word before the cursor is what gets replaced', () => {
  expect(suggest('SELECT to', 9, schema).from).toBe(7);
  expect([...tablesInScope('UPDATE people SET id = 1', schema.tables).keys()]).toEqual(['people']);
});

/** What is offered at the bar. */
function offered(sql: string): (readonly [label: string, detail: string])[] {
  const at = sql.indexOf('|');
  const { items } = suggest(sql.replace('|', ''), at, schema);
  return items.map(({ label, detail }) => [label, detail]);
}

test('the columns of a common table are those that its query names', () => {
  const made =
    'WITH r AS (SELECT p.id AS person, `full name`, o.total * 2 twice, COUNT(*) FROM people p JOIN orders o)';
  expect(offered(`${made} SELECT x.| FROM r x`)).toEqual([
    ['person', 'int'],
    ['full name', 'text'],
    ['twice', ''],
  ]);
  expect(offered(`${made} SELECT * FROM |`)[0]).toEqual(['r', 'in this statement']);
  expect(offered('WITH a (n, m) AS (SELECT id, 1 FROM people), b AS (SELECT * FROM a) SELECT b.| FROM b')).toEqual([
    ['n', 'int'],
    ['m', ''],
  ]);
  expect(offered('WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT t.| FROM t')).toEqual([
    ['n', ''],
  ]);
});

test('so are those of a query that stands for a table', () => {
  expect(offered("SELECT q.| FROM (SELECT o.*, (SELECT 1) AS one, 'a, b' AS said FROM orders o) AS q")).toEqual([
    ['total', 'decimal(8,2)'],
    ['one', ''],
    ['said', ''],
  ]);
  expect(offered('SELECT * FROM people JOIN (SELECT * FROM (SELECT id k FROM people) a) b ON b.|')).toEqual([
    ['k', 'int'],
  ]);
});

test('names in texts and comments are none', () => {
  expect(offered("SELECT 'FROM people p', p.| -- FROM people p\nFROM orders p")).toEqual([['total', 'decimal(8,2)']]);
});

test('the tables of version control have their columns, those of changes by the table', () => {
  expect(offered('SELECT l.| FROM dolt_log l')[0]).toEqual(['commit_hash', 'text']);
  expect(offered('SELECT | FROM dolt_diff_orders').slice(0, 3)).toEqual([
    ['to_total', 'decimal(8,2)'],
    ['to_commit', 'text'],
    ['to_commit_date', 'datetime(6)'],
  ]);
});
