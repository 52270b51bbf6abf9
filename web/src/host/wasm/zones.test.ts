import { expect, test } from 'vitest';
import { zoneOffsetSeconds } from './zones.ts';

const at = (text: string) => Date.parse(text) / 1000;

test.each([
  ['UTC', '2026-01-01T00:00:00Z', 0],
  ['Europe/Berlin', '2026-01-15T12:00:00Z', 3600],
  ['Europe/Berlin', '2026-07-15T12:00:00Z', 7200],
  ['America/New_York', '2024-03-10T06:59:59Z', -18000],
  ['America/New_York', '2024-03-10T07:00:00Z', -14400],
  ['Asia/Kolkata', '1999-12-31T23:59:59Z', 19800],
  ['Pacific/Kiritimati', '2026-12-31T23:00:00Z', 50400],
])('%s at %s', (zone, moment, seconds) => {
  expect(zoneOffsetSeconds(zone, at(moment))).toBe(seconds);
});

test('an unknown zone and an impossible moment have no offset', () => {
  expect(zoneOffsetSeconds('Mars/Olympus', 0)).toBeNull();
  expect(zoneOffsetSeconds('UTC', 1e15)).toBeNull();
});
