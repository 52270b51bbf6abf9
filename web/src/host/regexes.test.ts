import { expect, test } from 'vitest';
import { Regexes } from './regexes.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('places are bytes, groups that took no part have none', () => {
  const regexes = new Regexes();
  const regex = regexes.compile('(b+)|(c)', 'matters');
  expect(regexes.find(regex, bytes('aabbc'), 0)).toEqual(new Int32Array([2, 4, 2, 4, -1, -1]));
  expect(regexes.find(regex, bytes('aabbc'), 4)).toEqual(new Int32Array([4, 5, -1, -1, 4, 5]));
  expect(regexes.find(regex, bytes('aa'), 0)).toBeNull();
});

test('characters of several bytes and units', () => {
  const regexes = new Regexes();
  const regex = regexes.compile('é.', 'matters');
  expect(regexes.find(regex, bytes('日é😀x'), 0)).toEqual(new Int32Array([3, 9]));
  expect(regexes.find(regex, bytes('é1é2'), 3)).toEqual(new Int32Array([3, 6]));
});

test('letters of any case, and patterns that are none', () => {
  const regexes = new Regexes();
  expect(regexes.find(regexes.compile('AÉ', 'ignored'), bytes('aé'), 0)).toEqual(new Int32Array([0, 3]));
  expect(regexes.find(regexes.compile('AÉ', 'matters'), bytes('aé'), 0)).toBeNull();
  expect(() => regexes.compile('(', 'matters')).toThrow(SyntaxError);
});
