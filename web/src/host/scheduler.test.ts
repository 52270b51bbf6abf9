import { expect, onTestFinished, test, vi } from 'vitest';
import type { Reply } from '../protocol/index.ts';
import type { Engine, Step } from './engine.ts';
import { Exclusive } from './later.ts';
import { Scheduler, type SchedulerHost } from './scheduler.ts';

const PAGES = 100;
const MICROTASKS = 20;
const TRAFFIC = { requests: 0, bytes: 0, cachedBytes: 0, rounds: 0, limitBytes: 0, isOverLimit: false };

/** A scheduler over an engine that takes a millisecond of a clock of its own for each page. */
function scheduled(onReply: (reply: Reply) => void, onPause: () => void): Scheduler {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  let pages = 0;
  const next = (): Step => {
    nowMs += 1;
    if (++pages <= PAGES) return { kind: 'batch', page: new ArrayBuffer(1), rowCount: 1 };
    return { kind: 'done', summary: { affectedRows: 0, lastInsertId: 0, warnings: [], info: '' } };
  };
  const engine = {
    next,
    prepare: () => ({ statement: 1 }),
    execute: () => 1,
    header: () => new ArrayBuffer(1),
    readCounters: () => ({ pagesFaulted: 0, bytesRead: 0 }),
    watch() {},
    takeBack() {},
    closeCursor() {},
    closeStatement() {},
  } as unknown as Engine;
  const host = {
    engine,
    exclusive: new Exclusive(),
    traffic: () => TRAFFIC,
    reply: onReply,
    ended() {},
    failed() {},
    died: (error: unknown) => expect.unreachable(String(error)),
  } as unknown as SchedulerHost;
  return new Scheduler(host, async () => onPause());
}

async function afterMicrotasks(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await null;
}

test('messages and timers have their turn while a reader asks for each page as soon as it has one', async () => {
  let [pages, pagesSincePause, pagesSincePauseMost] = [0, 0, 0];
  let end: () => void = () => {};
  const ended = new Promise<void>(resolve => {
    end = resolve;
  });
  const scheduler = scheduled(
    reply => {
      if (reply.kind !== 'rows') return;
      pages += 1;
      pagesSincePause += 1;
      pagesSincePauseMost = Math.max(pagesSincePauseMost, pagesSincePause);
      // As a client in the same thread does it: after some turns of the queue of microtasks, by when no slice is under way.
      void afterMicrotasks(MICROTASKS).then(() => scheduler.credit(1, 1, []));
      if (reply.summary !== undefined) end();
    },
    () => {
      pagesSincePause = 0;
    },
  );
  scheduler.execute({ kind: 'execute', id: 1, session: 1, statement: '', params: [], credits: 1, timeoutMs: null });
  await ended;
  expect(pages).toBeGreaterThanOrEqual(PAGES);
  expect(pagesSincePauseMost).toBeLessThanOrEqual(5);
});
