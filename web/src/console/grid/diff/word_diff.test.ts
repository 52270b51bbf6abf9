import { expect, test } from 'vitest';
import { wordDiff } from './word_diff.ts';

const MARKS = { same: '', removed: '-', added: '+' } as const;
function check(before: string, after: string, expected: readonly string[]): void {
  expect(wordDiff(before, after).map(({ kind, text }) => `${MARKS[kind]}${text}`)).toEqual(expected);
  const side = (kind: string) =>
    wordDiff(before, after)
      .filter(part => part.kind === 'same' || part.kind === kind)
      .map(({ text }) => text)
      .join('');
  expect([side('removed'), side('added')]).toEqual([before, after]);
}

test('words that differ are marked, the others are told once', () => {
  check('the red fox ran', 'the brown fox ran', ['the ', '-red', '+brown', ' fox ran']);
  check('{"a": 1, "b": 2}', '{"a": 1, "b": 25}', ['{"a": 1, "b": ', '-2', '+25', '}']);
  check('kept', 'kept (checked)', ['kept', '+ (checked)']);
  check('', 'new', ['+new']);
  check('same', 'same', ['same']);
});

test('spaces between words that differ belong to them', () => {
  check('one two three', 'uno dos three', ['-one two', '+uno dos', ' three']);
});

test('letters outside of the first plane stay whole', () => {
  check('a 😀 b', 'a 😁 b', ['a ', '-😀', '+😁', ' b']);
});

test('long values that have little in common are told as a whole', () => {
  const words = (from: number) => Array.from({ length: 3000 }, (_, index) => `w${from + index}`).join(' ');
  expect(wordDiff(words(0), words(9000)).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});
