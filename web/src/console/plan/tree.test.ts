import { expect, test } from 'vitest';
import { parsePlan } from './tree.ts';

const lines = [
  'Project',
  ' ├─ columns: [p.id, o.total]',
  ' └─ LookupJoin',
  '     ├─ (p.id = o.person_id)',
  '     ├─ TableAlias(p)',
  '     │   └─ Table',
  '     │       ├─ name: people',
  '     │       └─ columns: [id]',
  '     └─ IndexedTableAccess(orders)',
  '         ├─ index: [orders.person_id]',
  '         └─ keys: p.id',
];

test('lines become operators with properties and inputs', () => {
  const [project] = parsePlan(lines);
  expect(project?.name).toBe('Project');
  expect(project?.properties).toEqual(['columns: [p.id, o.total]']);
  const join = project?.inputs[0];
  expect(join?.name).toBe('LookupJoin');
  expect(join?.properties).toEqual(['(p.id = o.person_id)']);
  expect(join?.inputs.map(({ name, detail }) => [name, detail])).toEqual([
    ['TableAlias', 'p'],
    ['IndexedTableAccess', 'orders'],
  ]);
  expect(join?.inputs[1]?.properties).toEqual(['index: [orders.person_id]', 'keys: p.id']);
});

test('a plan in one cell with line breaks is the same plan', () => {
  expect(parsePlan([lines.join('\n')])).toEqual(parsePlan(lines));
});

test("Varve's own plans are an operator a line, and lines about it", () => {
  const [limit] = parsePlan([
    'Limit',
    '  rows: 20',
    '  Project',
    '    columns: o.id, p.name',
    '    Inner join, hash',
    "      keys: o.person_id = p.id AND CONCAT(p.name, ': x') = o.text",
    '      Scan orders o by placed_at, 2 ranges of 630 rows',
    "        range: o.placed_at > '2024-01-01'",
    '        columns: o.id, o.total',
    '      Scan people p of 133 rows',
    '        columns: p.id, p.name',
  ]);
  expect(limit).toMatchObject({ name: 'Limit', properties: ['rows: 20'] });
  expect(limit?.inputs[0]).toMatchObject({ name: 'Project', properties: ['columns: o.id, p.name'] });
  const join = limit?.inputs[0]?.inputs[0];
  const keys = "keys: o.person_id = p.id AND CONCAT(p.name, ': x') = o.text";
  expect(join).toMatchObject({ name: 'Inner join', properties: ['hash', keys] });
  expect(join?.inputs.map(({ name, detail, properties }) => [name, detail, properties])).toEqual([
    [
      'Scan',
      'orders o',
      ['by placed_at', '2 ranges of 630 rows', "range: o.placed_at > '2024-01-01'", 'columns: o.id, o.total'],
    ],
    ['Scan', 'people p', ['of 133 rows', 'columns: p.id, p.name']],
  ]);
});

test('what was measured is told of each step alone, and what it is of the whole', () => {
  const [limit] = parsePlan([
    'Limit, keeping the first rows, 10 rows given, 2.00 ms',
    '  Sort, 10 rows given, 2.00 ms',
    '    keys: SUM(age)',
    '    Aggregate, 46 rows given, 1.90 ms',
    '      Scan people of 133 rows, 133 rows given, 0.40 ms, started 2 times, 3 pages read',
    '        columns: id, name',
  ]);
  const aggregate = limit?.inputs[0]?.inputs[0];
  expect(limit?.measured).toEqual({ rows: 10, ms: 0, share: 0 });
  expect(limit?.inputs[0]?.measured).toEqual({ rows: 10, ms: 0.1, share: 0.05 });
  expect(aggregate?.measured).toEqual({ rows: 46, ms: 1.5, share: 0.75 });
  expect(aggregate?.inputs[0]).toMatchObject({
    measured: { rows: 133, ms: 0.4, share: 0.2 },
    properties: ['of 133 rows', 'started 2 times', '3 pages read', 'columns: id, name'],
  });
});

test('text that is no plan is one node each, and nothing is lost', () => {
  expect(parsePlan(['hello there', ''])).toEqual([{ name: 'hello there', detail: '', properties: [], inputs: [] }]);
});
