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

test("Varve's own plans are one operator a line", () => {
  const [limit] = parsePlan([
    'Limit',
    '  Project 2 columns',
    '    Inner join, hash on 1 key',
    '      Scan orders by placed_at, 2 ranges of 630 rows, 1 condition: id, total',
    '      Scan people of 133 rows: id, name',
  ]);
  expect(limit?.name).toBe('Limit');
  expect(limit?.inputs[0]).toMatchObject({ name: 'Project', properties: ['2 columns'] });
  const join = limit?.inputs[0]?.inputs[0];
  expect(join).toMatchObject({ name: 'Inner join', properties: ['hash on 1 key'] });
  expect(join?.inputs.map(({ name, detail, properties }) => [name, detail, properties])).toEqual([
    ['Scan', 'orders', ['by placed_at', '2 ranges of 630 rows', '1 condition', 'columns: id, total']],
    ['Scan', 'people', ['of 133 rows', 'columns: id, name']],
  ]);
});

test('text that is no plan is one node each, and nothing is lost', () => {
  expect(parsePlan(['hello there', ''])).toEqual([{ name: 'hello there', detail: '', properties: [], inputs: [] }]);
});
