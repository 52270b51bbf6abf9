import { afterEach, expect, test, vi } from 'vitest';
import { WebLease } from './web_lease.ts';

/** The channel of the lease, to which another tab speaks. */
let channel: { onmessage: (event: { data: { kind: string } }) => void } | undefined;

class Channel {
  onmessage = (_: { data: { kind: string } }): void => {};

  constructor() {
    channel = this;
  }

  postMessage(): void {}
  close(): void {}
}

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A lease that was granted, and how often it reports that another tab wants it. */
async function granted(): Promise<{ lease: WebLease; wanted: () => number }> {
  vi.stubGlobal('BroadcastChannel', Channel);
  const request = (_name: string, _options: unknown, hold: () => Promise<void>) => hold();
  vi.stubGlobal('navigator', { locks: { request, query: async () => ({ pending: [] }) } });
  let wanted = 0;
  const lease = new WebLease('shop', Number.POSITIVE_INFINITY, {
    onGrant: async () => {},
    onAnnounced: async () => {},
    onWanted: () => {
      wanted += 1;
    },
  });
  expect(lease.take()).toBe(false);
  await lease.granted;
  return { lease, wanted: () => wanted };
}

test('a tab that asked before the lease was used is reported while a commit is deferred', async () => {
  const { lease, wanted } = await granted();
  channel?.onmessage({ data: { kind: 'want' } });
  expect(lease.take()).toBe(true);
  await Promise.resolve();
  expect(wanted()).toBe(1);
  lease.release();
  await Promise.resolve();
  // It was given on: the next use has to ask.
  expect(lease.term).toBe(0);
  expect(lease.claim()).toBe(false);
  lease.close();
});

test('a commit that is not deferred gives the lease on by itself', async () => {
  const { lease, wanted } = await granted();
  channel?.onmessage({ data: { kind: 'want' } });
  expect(lease.take()).toBe(true);
  lease.release();
  await Promise.resolve();
  expect(wanted()).toBe(0);
  expect(lease.claim()).toBe(false);
  lease.close();
});
