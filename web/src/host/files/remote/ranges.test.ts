import { expect, test } from 'vitest';
import { GAP_BYTES_MAX, mergeRanges, REQUEST_BYTES_MAX, Segments, subtractRanges } from './ranges.ts';

test('near ranges merge, far ones do not', () => {
  const near = { start: 100 + GAP_BYTES_MAX, end: 200 + GAP_BYTES_MAX };
  const far = { start: near.end + GAP_BYTES_MAX + 1, end: near.end + GAP_BYTES_MAX + 2 };
  expect(mergeRanges([far, { start: 0, end: 100 }, near])).toEqual([{ start: 0, end: near.end }, far]);
});

test('a merged range stays one request', () => {
  const half = REQUEST_BYTES_MAX / 2 + 1;
  const ranges = [
    { start: 0, end: half },
    { start: half, end: 2 * half },
  ];
  expect(mergeRanges(ranges)).toEqual(ranges);
});

test('overlapping ranges merge to their union', () => {
  expect(
    mergeRanges([
      { start: 0, end: 50 },
      { start: 10, end: 20 },
    ]),
  ).toEqual([{ start: 0, end: 50 }]);
});

test('what is known is not asked for again', () => {
  expect(
    subtractRanges({ start: 0, end: 100 }, [
      { start: 20, end: 30 },
      { start: 90, end: 200 },
    ]),
  ).toEqual([
    { start: 0, end: 20 },
    { start: 30, end: 90 },
  ]);
  expect(subtractRanges({ start: 0, end: 10 }, [{ start: 0, end: 10 }])).toEqual([]);
});

test('segments give what they have, and forget what was read', () => {
  const segments = new Segments(1000);
  segments.add(10, new Uint8Array([1, 2, 3, 4, 5, 6]));
  const dest = new Uint8Array(4);
  expect(segments.take(8, dest)).toEqual([{ start: 8, end: 10 }]);
  expect([...dest]).toEqual([0, 0, 1, 2]);
  segments.consume(11, 2);
  expect(segments.ranges.map(({ start, end }) => [start, end])).toEqual([
    [10, 11],
    [13, 16],
  ]);
  expect(segments.take(10, dest)).toEqual([{ start: 11, end: 13 }]);
});

test('unread segments past the budget are dropped, oldest first', () => {
  const segments = new Segments(10);
  segments.add(0, new Uint8Array(6));
  segments.add(100, new Uint8Array(6));
  expect(segments.ranges.map(({ start }) => start)).toEqual([100]);
});
