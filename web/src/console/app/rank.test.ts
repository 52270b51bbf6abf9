import { expect, test } from 'vitest';
import { rank } from './rank.ts';

const names = ['Run all statements', 'Close the query tab', 'orders', 'order_lines', 'Theme: dark', 'border'];
const find = (text: string) => rank(names, name => name, text);

test('nothing typed keeps everything in order', () => {
  expect(find('')).toEqual(names);
});

test('beginnings of words come first, then insides, then scattered letters', () => {
  expect(find('order').slice(0, 3)).toEqual(['orders', 'order_lines', 'border']);
  expect(find('dark')[0]).toBe('Theme: dark');
  expect(find('rnall')).toEqual(['Run all statements']);
  expect(find('zzz')).toEqual([]);
});
