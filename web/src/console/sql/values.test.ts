import { expect, test } from 'vitest';
import { choicesOf, literal, problemOf } from './values.ts';

function check(type: string, text: string | null, problem: RegExp | undefined, isNullable = true): void {
  const found = problemOf({ type, isNullable }, text);
  if (problem === undefined) expect(found, `${type} ${text}`).toBeUndefined();
  else expect(found, `${type} ${text}`).toMatch(problem);
}

test('values are checked by the type of their column', () => {
  check('int', '12', undefined);
  check('int', '1.5', /whole number/);
  check('int', '', /whole number/);
  check('tinyint', '128', /-128 to 127/);
  check('bigint unsigned', '18446744073709551615', undefined);
  check('bigint unsigned', '-1', /from 0 to/);
  check('decimal(5,2)', '123.456', undefined);
  check('decimal(5,2)', '1234', /3 digits/);
  check('double', '1e400', /number/);
  check('date', '2026-11-21', undefined);
  check('date', 'tomorrow', /date/);
  check('datetime(6)', '2026-11-21 10:20:30.5', undefined);
  check('time', '-838:59:59', undefined);
  check("enum('a','it''s')", "it's", undefined);
  check("enum('a','b')", 'c', /One of a, b/);
  check("set('a','b')", 'b,a', undefined);
  check('varchar(3)', '🌱🌱🌱', undefined);
  check('varchar(3)', 'four', /At most 3 characters; these are 4/);
  check('json', '{"a": [1, 2]}', undefined);
  check('json', '{', /JSON/);
  check('varbinary(2)', '0x00ff', undefined);
  check('varbinary(2)', '0x00ff00', /At most 2 bytes/);
  check('blob', 'text', /hexadecimal/);
  check('point', 'POINT(1 2)', undefined);
  check('point', 'somewhere', /such as POINT/);
  check('text', null, undefined);
  check('text', null, /NULL/, false);
});

test('values stand in statements as their type wants them', () => {
  expect(literal('int', ' 12')).toBe('12');
  expect(literal('varchar(9)', "it's")).toBe("'it''s'");
  expect(literal('blob', '0x00FF')).toBe("x'00FF'");
  expect(literal('point', ' POINT(1 2)')).toBe("ST_GeomFromText('POINT(1 2)')");
  expect(literal('geometry', 'SRID=4326;POINT(1 2)')).toBe("ST_GeomFromText('POINT(1 2)', 4326)");
  expect(literal('point', '0x00ff')).toBe("x'00ff'");
  expect(literal('bit(4)', '0x05')).toBe('5');
  expect(literal('json', null)).toBe('NULL');
  expect(choicesOf("set('a','it''s')")).toEqual(['a', "it's"]);
});
