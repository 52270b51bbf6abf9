import { expect, test } from 'vitest';
import { filled } from './fill.ts';
import { parametersOf } from './find.ts';
import { typeOf, valueProblem } from './value.ts';

const names = (sql: string) => parametersOf(sql).map(({ name }) => name);

test('parameters are found where a value may stand', () => {
  expect(names('SELECT * FROM t WHERE a = :low AND b > ? OR c IN (?, :low)')).toEqual(['low', '1', '2', 'low']);
  expect(names(`SELECT ':a', "?", \`?:b\` -- :c\n, # ?\n /* :d */ 1`)).toEqual([]);
  expect(names("SELECT 'it''s :a', 'b\\':b', :c")).toEqual(['c']);
  expect(names('SELECT @x := 1, @a.:b, t::c')).toEqual([]);
  expect(names('CREATE PROCEDURE p() BEGIN here :loop LOOP LEAVE here; END LOOP; END')).toEqual([]);
  expect(names('SELECT 5-- 3\n+ ?')).toEqual(['1']);
  expect(names('SELECT 5--:a\n //?\n #?\n /*! + :b */')).toEqual(['b']);
});

test('values stand in the statement as literals of their type', () => {
  const values = {
    a: { text: "d'Or\\" },
    b: { text: '-1.50' },
    c: { text: '', type: 'null' as const },
    d: { text: '0x1f' },
  };
  expect(filled('SELECT :a, :b, :c, :d', values).sql).toBe("SELECT 'd''Or\\\\', -1.50, NULL, 0x1f");
  expect(filled('SELECT ?', { 1: { text: '12', type: 'text' } }).sql).toBe("SELECT '12'");
  expect(filled('SELECT ?', { 1: { text: '', type: 'text' } }).sql).toBe("SELECT ''");
});

test('a value has the type that it looks like until another one is chosen', () => {
  expect(['12', '-0.5', '007', '1e3', '0x', '0xabc', '2024-01-31'].map(text => typeOf({ text }))).toEqual([
    'number',
    'number',
    'text',
    'text',
    'bytes',
    'text',
    'text',
  ]);
  expect(valueProblem({ text: '1e3', type: 'number' })).toBeUndefined();
  expect(valueProblem({ text: 'x', type: 'number' })).toBe('A number, such as 12 or 1.5');
  expect(valueProblem({ text: '' })).toBe('Enter a value');
});

test('nothing runs without a value, and what is wrong is marked where it was written', () => {
  expect(filled('SELECT :a, :b', { a: { text: '1' } }).missing).toBe('b');
  const written = 'SELECT :name, nmae, ?, x';
  const { sql, placeOf } = filled(written, { name: { text: 'a long name' }, 1: { text: '1' } });
  expect(placeOf(sql.indexOf('nmae'))).toBe(written.indexOf('nmae'));
  expect(placeOf(sql.indexOf('x', sql.indexOf('nmae')))).toBe(written.indexOf('x'));
  expect(placeOf(sql.indexOf('long'))).toBe(written.indexOf(':name'));
  expect(placeOf(2)).toBe(2);
});
