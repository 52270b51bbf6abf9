import { expect, test } from 'vitest';
import type { Column } from '../../client/index.ts';
import { PageBatch } from '../../client/wire/batch.ts';
import { columnOf, type FixtureColumn, pageOf } from '../../testing/pages.ts';
import { displayWidth } from './cell.ts';
import { newRenderer, type ResultForm } from './renderer.ts';

const COLUMNS: readonly Column[] = [
  columnOf('id', 'int'),
  columnOf('name', 'text'),
  columnOf('d', 'decimal'),
  columnOf('j', 'json'),
  columnOf('b', 'binary'),
  columnOf('f', 'float'),
  columnOf('bt', 'bit'),
];

const bytes = (text: string) => new TextEncoder().encode(text);
const VALUES: readonly FixtureColumn[] = [
  { layout: 3, values: [9007199254740993n, 2n, 3n] },
  { layout: 7, values: ['one, "q"', null, 'line\nbreak'] },
  { layout: 7, values: ['1.50', null, '3.00'] },
  { layout: 7, values: ['{"a":[1,2]}', null, '"s"'] },
  { layout: 8, values: [new Uint8Array([0, 255]), null, bytes('text blob')] },
  { layout: 6, values: [1e10, null, 0.1] },
  { layout: 8, values: [new Uint8Array([1, 5]), null, new Uint8Array([1])] },
];

function rendered(form: ResultForm, pages: ArrayBuffer[] = [pageOf(VALUES)], columns = COLUMNS): string {
  const renderer = newRenderer(form);
  const batches = pages.map(page => new PageBatch(columns, page));
  return renderer.begin(columns) + batches.map(batch => renderer.batch(batch)).join('') + renderer.end();
}

// The frames are Dolt's own for the same table, but for bytes that are no text.
test('a table aligns its cells and breaks lines inside them', () => {
  expect(rendered('table')).toBe(`\
+------------------+----------+------+-------------+-----------+-------+------+
| id               | name     | d    | j           | b         | f     | bt   |
+------------------+----------+------+-------------+-----------+-------+------+
| 9007199254740993 | one, "q" | 1.50 | {"a":[1,2]} | 0x00FF    | 1e+10 | 261  |
| 2                | NULL     | NULL | NULL        | NULL      | NULL  | NULL |
| 3                | line     | 3.00 | "s"         | text blob | 0.1   | 1    |
|                  | break    |      |             |           |       |      |
+------------------+----------+------+-------------+-----------+-------+------+

`);
});

test('a table is as wide as the widest of its first rows, however few of them a batch brings', () => {
  const pages = ['a', 'bcd', 'e'].map(text => pageOf([{ layout: 7, values: [text] }]));
  expect(rendered('table', pages, [columnOf('t', 'text')])).toBe(
    '+-----+\n| t   |\n+-----+\n| a   |\n| bcd |\n| e   |\n+-----+\n\n',
  );
});

test('a table of East Asian text is aligned by what a terminal shows', () => {
  const page = pageOf([{ layout: 7, values: ['漢字', 'e\u0301', '😀'] }]);
  expect(rendered('table', [page], [columnOf('t', 'text')])).toBe(
    '+------+\n| t    |\n+------+\n| 漢字 |\n| e\u0301    |\n| 😀   |\n+------+\n\n',
  );
  expect(displayWidth('abc漢')).toBe(5);
});

test('CSV quotes what must be quoted and tells NULL from empty', () => {
  expect(rendered('csv')).toBe(`\
id,name,d,j,b,f,bt
9007199254740993,"one, ""q""",1.50,"{""a"":[1,2]}",0x00FF,1e+10,261
2,,,,,,
3,"line
break",3.00,"""s""",text blob,0.1,1
`);
  expect(rendered('csv', [pageOf([{ layout: 7, values: [''] }])], [columnOf('t', 'text')])).toBe('t\n""\n');
});

test('JSON keeps every digit, leaves NULL out and spans batches', () => {
  const line = rendered('json');
  expect(line).toContain('"id":9007199254740993');
  expect(JSON.parse(line).rows.slice(1)).toEqual([
    { id: 2 },
    { id: 3, name: 'line\nbreak', d: '3.00', j: 's', b: 'text blob', f: 0.1, bt: 1 },
  ]);
  const page = () => pageOf([{ layout: 1, values: [1] }]);
  expect(rendered('json', [page(), page()], [columnOf('n', 'int')])).toBe('{"rows": [{"n":1},{"n":1}]}\n');
});

test('vertical output numbers its rows', () => {
  const page = pageOf([
    { layout: 1, values: [1, 2] },
    { layout: 7, values: ['x', null] },
  ]);
  const stars = '*'.repeat(27);
  expect(rendered('vertical', [page], [columnOf('a', 'int'), columnOf('longer', 'text')])).toBe(
    `${stars} 1. row ${stars}\n     a: 1\nlonger: x\n\n${stars} 2. row ${stars}\n     a: 2\nlonger: NULL\n\n\n`,
  );
});

test('results without rows', () => {
  const columns = [columnOf('n', 'int')];
  expect(rendered('table', [], columns)).toBe('\n');
  expect(rendered('csv', [], columns)).toBe('n\n');
  expect(rendered('json', [], columns)).toBe('{}\n');
  expect(rendered('null', [pageOf([{ layout: 1, values: [1] }])], columns)).toBe('');
});
