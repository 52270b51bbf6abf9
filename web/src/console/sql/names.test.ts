import { expect, test } from 'vitest';
import { quoteName, quoteString, splitRevision, typedName } from './names.ts';

test('names are quoted where SQL needs it', () => {
  expect(quoteName('a`b')).toBe('`a``b`');
  expect(typedName('people')).toBe('people');
  expect(typedName('order')).toBe('`order`');
  expect(typedName('Plan')).toBe('`Plan`');
  expect(typedName('2fast')).toBe('`2fast`');
  expect(typedName('naïve')).toBe('`naïve`');
});

test('strings keep their bytes', () => {
  expect(quoteString("it's \\ a\nb\0")).toBe("'it''s \\\\ a\\nb\\0'");
});

test('revisions may hold slashes', () => {
  expect(splitRevision('shop/feature/x')).toEqual({ database: 'shop', revision: 'feature/x' });
  expect(splitRevision('shop')).toEqual({ database: 'shop', revision: '' });
});
