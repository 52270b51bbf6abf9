import { expect, test } from 'vitest';
import { column } from '../../../testing/columns.ts';
import { RowFilter } from './row_filter.ts';

const COLUMNS = [
  column({ name: 'id', originalName: 'id', type: 'int', kind: 'int', table: 'lots' }),
  column({ name: 'note', originalName: 'note', type: 'text', kind: 'text', table: 'lots' }),
];
const QUERY = 'SELECT * FROM lots LIMIT 1000';

function filterOf(sql = QUERY): RowFilter {
  const filter = new RowFilter();
  filter.follow(sql, COLUMNS);
  return filter;
}

test('conditions stand before the LIMIT, and go again', () => {
  const filter = filterOf();
  filter.open(0);
  filter.change(0, { column: 0, operator: 'at_least', text: '5' });
  filter.add();
  filter.change(1, { column: 1, operator: 'not_null', text: '' });
  const made = 'SELECT * FROM lots WHERE id >= 5 AND note IS NOT NULL LIMIT 1000';
  expect(filter.query()).toBe(made);
  // Its rows have come: the conditions are not asked of them a second time.
  filter.follow(made, COLUMNS);
  expect(filter.isAsked).toBe(true);
  filter.remove(0);
  expect(filter.query()).toBe('SELECT * FROM lots WHERE note IS NOT NULL LIMIT 1000');
  filter.clear();
  expect(filter.query()).toBe(QUERY);
  expect(filter.isAsked).toBe(false);
});

test('a value that does not fit its column is not asked', () => {
  const filter = filterOf();
  filter.change(0, { column: 0, operator: 'is', text: 'many' });
  expect(filter.query()).toBeUndefined();
});

test('what is asked stays asked in another order, and not of another query', () => {
  const filter = filterOf();
  filter.change(0, { column: 0, operator: 'less', text: '9' });
  const made = filter.query() ?? '';
  const ordered = made.replace(' LIMIT', ' ORDER BY id LIMIT');
  filter.refine(made, ordered, sql => sql.replace(' LIMIT', ' ORDER BY id LIMIT'));
  filter.follow(ordered, COLUMNS);
  filter.clear();
  expect(filter.query()).toBe('SELECT * FROM lots ORDER BY id LIMIT 1000');
  filter.change(0, { column: 1, operator: 'contains', text: 'x' });
  filter.follow('SELECT id FROM lots', COLUMNS.slice(0, 1));
  expect(filter.lines.peek()).toEqual([{ column: -1, operator: 'contains', text: '' }]);
});

test('the rows of a join are filtered as a whole', () => {
  const filter = filterOf('SELECT l.id, s.note FROM lots l JOIN sites s ON s.id = l.id');
  filter.change(0, { column: 0, operator: 'is', text: '3' });
  expect(filter.query()).toBe(
    'SELECT * FROM (\nSELECT l.id, s.note FROM lots l JOIN sites s ON s.id = l.id\n) AS result WHERE id = 3',
  );
});
