import { expect, onTestFinished, test, vi } from 'vitest';
import type { Reply } from '../protocol/index.ts';
import type { Engine, Step } from './engine.ts';
import { Exclusive } from './later.ts';
import { Scheduler, type SchedulerHost } from './scheduler.ts';

const TRAFFIC = { requests: 0, bytes: 0, cachedBytes: 0, rounds: 0, limitBytes: 0, isOverLimit: false };
/** Calls of the engine that a statement takes. */
const CALLS = 40;

const DONE: Step = { kind: 'done', summary: { affectedRows: 0, lastInsertId: 0, warnings: [], info: '' } };

/** A clock that the test sets. */
function testClock(): { nowMs: number } {
  const clock = { nowMs: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.nowMs);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return clock;
}

/** A scheduler over an engine whose cursors answer as `next` does. */
function schedulerOver(
  next: (cursor: number) => Step,
  header: ArrayBuffer | null,
  onReply: (reply: Reply) => void,
  pause: () => Promise<void>,
): Scheduler {
  let cursors = 0;
  const engine = {
    next,
    prepare: () => ({ statement: 1 }),
    execute: () => ++cursors,
    header: () => header,
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
  return new Scheduler(host, pause);
}

function begin(scheduler: Scheduler, id: number): void {
  scheduler.execute({ kind: 'execute', id, session: id, statement: '', params: [], credits: 1, timeoutMs: null });
}

/** Runs statements, each in its own session, and returns the statement of each call of the engine. */
async function turnsOf(statements: number): Promise<number[]> {
  const clock = testClock();
  const turns: number[] = [];
  const left = new Map<number, number>();
  const next = (cursor: number): Step => {
    // Longer than a slice.
    clock.nowMs += 100;
    turns.push(cursor);
    const calls = (left.get(cursor) ?? CALLS) - 1;
    left.set(cursor, calls);
    return calls > 0 ? { kind: 'yield' } : DONE;
  };
  let ended = 0;
  await new Promise<void>(resolve => {
    const onReply = (): void => {
      if (++ended === statements) resolve();
    };
    const scheduler = schedulerOver(next, null, onReply, async () => {});
    for (let id = 1; id <= statements; id++) begin(scheduler, id);
  });
  return turns;
}

/** Pages of a large result. */
const PAGES = 100;
/** Turns of the microtask queue until a client in the same thread has taken a page. */
const MICROTASKS = 20;

async function afterMicrotasks(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await null;
}

test.each([2, 3, 4, 5])('%i statements have their turns one after the other', async statements => {
  const turns = await turnsOf(statements);
  expect(turns).toHaveLength(statements * CALLS);
  // The first may begin before the others are asked for.
  const half = turns.slice(0, (statements * CALLS) / 2);
  for (let statement = 1; statement <= statements; statement++) {
    const count = half.filter(cursor => cursor === statement).length;
    expect(Math.abs(count - CALLS / 2)).toBeLessThanOrEqual(1);
  }
});

test('messages and timers have their turn while a reader asks for each page as soon as it has one', async () => {
  const clock = testClock();
  let [pages, pagesSincePause, pagesSincePauseMost] = [0, 0, 0];
  const next = (): Step => {
    clock.nowMs += 1;
    return ++pages <= PAGES ? { kind: 'batch', page: new ArrayBuffer(1), rowCount: 1 } : DONE;
  };
  await new Promise<void>(resolve => {
    const onReply = (reply: Reply): void => {
      if (reply.kind !== 'rows') return;
      pagesSincePauseMost = Math.max(pagesSincePauseMost, ++pagesSincePause);
      // The client credits a page after the slice that made it has ended.
      void afterMicrotasks(MICROTASKS).then(() => scheduler.credit(1, 1, []));
      if (reply.summary !== undefined) resolve();
    };
    const scheduler = schedulerOver(next, new ArrayBuffer(1), onReply, async () => {
      pagesSincePause = 0;
    });
    begin(scheduler, 1);
  });
  expect(pages).toBeGreaterThanOrEqual(PAGES);
  expect(pagesSincePauseMost).toBeLessThanOrEqual(5);
});
