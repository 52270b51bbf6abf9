import { expect, test } from 'vitest';
import { wordsOf } from './live.ts';
import { quoteName, quoteText } from './versions/versions.ts';

test.each([
  ['SELECT `Odd ``name`.x FROM Über_T', ['odd `name', 'x', 'über_t']],
  ['SELECT 1 FROM a /*! JOIN b */ /*!80000JOIN c*/ /*M!100000 JOIN d*/', ['a', 'b', 'c', 'd']],
  ['SELECT 1 -- a lone ` \n FROM `my table`', ['my table']],
  ['SELECT 1 --1\n FROM b', ['b']],
  // Without backslash escapes the string ends at the second quote.
  ["SELECT '\\' FROM a WHERE x = 'b'", ['a']],
  // With ANSI quotes it is a name.
  ['SELECT * FROM "my ""table"', ['my "table']],
])('whatever may be a name in %s is found', (sql, names) => {
  expect([...wordsOf(sql)]).toEqual(expect.arrayContaining(names));
});

test('a million quotes are looked at once', () => {
  expect(wordsOf('`'.repeat(1_000_001)).size).toBe(0);
});

test('names and texts are quoted so that nothing gets out', () => {
  expect(quoteName('a`b')).toBe('`a``b`');
  expect(quoteText("it's")).toBe("'it''s'");
  expect(quoteText('back\\slash')).toMatch(/^CONVERT\(x'[0-9a-f]+' USING utf8mb4\)$/);
});
