import { expect, test } from 'vitest';
import { quoteName, quoteText } from './versions/versions.ts';

test('names and texts are quoted so that nothing gets out', () => {
  expect(quoteName('a`b')).toBe('`a``b`');
  expect(quoteText("it's")).toBe("'it''s'");
  expect(quoteText('back\\slash')).toMatch(/^CONVERT\(x'[0-9a-f]+' USING utf8mb4\)$/);
});
