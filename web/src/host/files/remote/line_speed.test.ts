import { expect, test } from 'vitest';
import { LineSpeed } from './line_speed.ts';

test('a line is as fast as requests side by side show', () => {
  let now = 0;
  const speed = new LineSpeed(() => now);
  expect(speed.bytesIn(1)).toBe(0);
  const first = speed.request();
  now = 30;
  first(3000);
  // 100 bytes a millisecond, 30 ms.
  expect(speed.bytesIn(2)).toBe(6000);
  now = 1000;
  const answers = [speed.request(), speed.request(), speed.request()];
  now = 1040;
  for (const answer of answers) answer(20_000);
  expect(speed.bytesIn(2)).toBe(60 * 1500);
});

test('an answer without bytes, or without time, says nothing', () => {
  let now = 0;
  const speed = new LineSpeed(() => now);
  speed.request()(1000);
  const failed = speed.request();
  now = 10;
  failed(0);
  expect(speed.bytesIn(1)).toBe(0);
});
