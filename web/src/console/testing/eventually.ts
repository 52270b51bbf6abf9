import { vi } from 'vitest';

/** Waits until a check holds, on a machine that may be busy with other things. */
export function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 30_000 });
}
