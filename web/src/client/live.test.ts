import { expect, test } from 'vitest';
import { wordsOf } from './live.ts';
import { quoteName, quoteText } from './versions.ts';

test('the names in a statement, whatever stands in its strings and comments', () => {
  const words = wordsOf(
    "SELECT `Odd ``name`.x, 'shop', \"it\\\"s pets\" FROM Über_T -- cats\n JOIN b /* dogs */ WHERE y = 'it''s c'",
  );
  for (const name of ['odd `name', 'x', 'über_t', 'b', 'y', 'pets']) expect(words).toContain(name);
  for (const name of ['shop', 'cats', 'dogs', 'c']) expect(words).not.toContain(name);
});

test('names and texts are quoted so that nothing gets out', () => {
  expect(quoteName('a`b')).toBe('`a``b`');
  expect(quoteText("it's")).toBe("'it''s'");
  expect(quoteText('back\\slash')).toMatch(/^CONVERT\(x'[0-9a-f]+' USING utf8mb4\)$/);
});
