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

test('text that is no plan is one node each, and nothing is lost', () => {
  expect(parsePlan(['hello there', ''])).toEqual([{ name: 'hello there', detail: '', properties: [], inputs: [] }]);
});
