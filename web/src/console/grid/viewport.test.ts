import { expect, test } from 'vitest';
import {
  follow,
  isScaled,
  isStuck,
  ROW_HEIGHT_PX,
  reveal,
  rowTop,
  rowWindow,
  SCROLL_HEIGHT_MAX_PX,
  scrollHeight,
  settle,
} from './viewport.ts';

const small = { rows: 100, heightPx: 480 };
const million = { rows: 1_000_000, heightPx: 480 };
const top = { scrollTop: 0, virtualTop: 0 };

test('a short result scrolls as it lies', () => {
  expect(isScaled(small)).toBe(false);
  expect(scrollHeight(100)).toBe(2400);
  expect(follow(top, 240, small)).toEqual({ scrollTop: 240, virtualTop: 240 });
  expect(rowWindow({ scrollTop: 240, virtualTop: 240 }, small)).toEqual({ first: 0, end: 40 });
});

test('a million rows stay under the height that browsers lay out', () => {
  expect(isScaled(million)).toBe(true);
  expect(scrollHeight(1_000_000)).toBe(SCROLL_HEIGHT_MAX_PX);
});

test('dragging the bar to its end shows the last row', () => {
  const place = follow(top, SCROLL_HEIGHT_MAX_PX - 480, million);
  expect(rowWindow(place, million).end).toBe(1_000_000);
  expect(rowTop(999_999, place) + ROW_HEIGHT_PX).toBeCloseTo(SCROLL_HEIGHT_MAX_PX, 3);
});

test('the wheel moves a scaled result by the pixels it says', () => {
  const start = settle({ scrollTop: 0, virtualTop: 12_000_000 }, million);
  const next = follow(start, start.scrollTop + 120, million);
  expect(next.virtualTop - start.virtualTop).toBe(120);
});

test('settling moves the bar and not the rows', () => {
  let place = settle({ scrollTop: 0, virtualTop: 12_000_000 }, million);
  for (let n = 0; n < 1000; n += 1) place = follow(place, place.scrollTop + 300, million);
  const settled = settle(place, million);
  expect(settled.virtualTop).toBe(place.virtualTop);
  expect(settled.scrollTop).not.toBe(place.scrollTop);
  expect(rowTop(600_000, settled) - settled.scrollTop).toBeCloseTo(rowTop(600_000, place) - place.scrollTop, 6);
});

test('a bar at its end with rows left is stuck until it settles', () => {
  const place = { scrollTop: 10, virtualTop: 50_000 };
  expect(isStuck(place, million)).toBe(true);
  expect(isStuck(top, million)).toBe(false);
  expect(settle(place, million).scrollTop).toBeGreaterThan(10);
});

test('revealing a row scrolls as little as it can', () => {
  expect(reveal(top, 5, small)).toBe(top);
  expect(reveal(top, 20, small)).toEqual({ scrollTop: 24, virtualTop: 24 });
  expect(reveal({ scrollTop: 480, virtualTop: 480 }, 3, small)).toEqual({ scrollTop: 72, virtualTop: 72 });
  const last = reveal(top, 999_999, million);
  expect(rowWindow(last, million).end).toBe(1_000_000);
});

test('every row of a scaled result can be reached and is drawn where the screen is', () => {
  for (const row of [0, 1, 291_666, 500_000, 999_998]) {
    const place = settle({ scrollTop: 0, virtualTop: row * ROW_HEIGHT_PX }, million);
    const window = rowWindow(place, million);
    expect(window.first).toBeLessThanOrEqual(row);
    expect(window.end).toBeGreaterThan(row);
    const onScreen = rowTop(row, place) - place.scrollTop;
    expect(onScreen).toBeGreaterThanOrEqual(-1e-6);
    expect(onScreen).toBeLessThan(million.heightPx);
  }
});
