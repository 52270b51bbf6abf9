import { expect, test } from 'vitest';
import { containsText } from './find_text.ts';
import { limitOf } from './table_of.ts';

test('a text is looked for in all columns that have one', () => {
  const columns = [
    { name: 'id', kind: 'int' },
    { name: '`a b`', kind: 'text' },
    { name: 'shape', kind: 'geometry' },
  ] as const;
  expect(containsText(columns, "It's 50%_\\")).toBe(
    "LOWER(CONCAT_WS('\\n', id, `a b`)) LIKE '%it''s 50\\\\%\\\\_\\\\\\\\%'",
  );
  expect(containsText(columns.slice(1, 2), 'x')).toBe("LOWER(`a b`) LIKE '%x%'");
  expect(containsText(columns.slice(2), 'x')).toBeUndefined();
});

test('of many columns none is out of sight at the end of a line', () => {
  const columns = Array.from({ length: 40 }, (_, index) => ({ name: `column_${index}`, kind: 'int' }) as const);
  const condition = containsText(columns, 'x') ?? '';
  const lines = condition.split('\n');
  expect(lines[0]).toBe("LOWER(CONCAT_WS('\\n',");
  expect(lines.at(-1)).toBe(")) LIKE '%x%'");
  expect(Math.max(...lines.map(line => line.length))).toBeLessThan(100);
  expect(condition.match(/column_\d+/g)).toEqual(columns.map(({ name }) => name));
  expect(limitOf(`SELECT * FROM t WHERE ${condition} LIMIT 7`)).toBe(7);
});

test('the limit of a query is a number of rows', () => {
  expect(limitOf('SELECT * FROM t LIMIT 1000;')).toBe(1000);
  expect(limitOf('SELECT * FROM t LIMIT 5, 10')).toBeUndefined();
  expect(limitOf('SELECT * FROM t LIMIT 10 OFFSET 5')).toBeUndefined();
  expect(limitOf('SELECT * FROM (SELECT 1 LIMIT 3) AS a')).toBeUndefined();
});
