import { afterEach, expect, test, vi } from 'vitest';
import { HostImports } from './imports.ts';

afterEach(() => vi.restoreAllMocks());

test('the clock has fractions, follows the one that is set, and goes on after the machine has slept', () => {
  const imports = new HostImports();
  expect(Math.abs(imports.now() - Date.now())).toBeLessThan(1000);
  const real = Date.now;
  for (const aheadMs of [8 * 3_600_000, -3_600_000, 0]) {
    vi.spyOn(Date, 'now').mockImplementation(() => real() + aheadMs);
    const [first, second] = [imports.now(), imports.now()];
    expect(Math.abs(first - Date.now())).toBeLessThan(1000);
    expect(second - first).toBeLessThan(1000);
    expect(second).toBeGreaterThanOrEqual(first);
  }
});
