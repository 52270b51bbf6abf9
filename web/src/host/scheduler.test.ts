import { expect, onTestFinished, test, vi } from 'vitest';
import type { Engine, Step } from './engine.ts';
import { Exclusive } from './later.ts';
import { Scheduler, type SchedulerHost } from './scheduler.ts';

const TRAFFIC = { requests: 0, bytes: 0, cachedBytes: 0, rounds: 0, limitBytes: 0, isOverLimit: false };
/** Calls of the engine that a statement takes. */
const CALLS = 40;

/** Runs as many statements, each in a session of its own. Tells of each call of the engine whose it was. */
async function turnsOf(statements: number): Promise<number[]> {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const turns: number[] = [];
  const left = new Map<number, number>();
  const next = (cursor: number): Step => {
    // Longer than a slice.
    nowMs += 100;
    turns.push(cursor);
    const calls = (left.get(cursor) ?? CALLS) - 1;
    left.set(cursor, calls);
    if (calls > 0) return { kind: 'yield' };
    return { kind: 'done', summary: { affectedRows: 0, lastInsertId: 0, warnings: [], info: '' } };
  };
  let cursors = 0;
  const engine = {
    next,
    prepare: () => ({ statement: 1 }),
    execute: () => ++cursors,
    header: () => null,
    readCounters: () => ({ pagesFaulted: 0, bytesRead: 0 }),
    watch() {},
    takeBack() {},
    closeCursor() {},
    closeStatement() {},
  } as unknown as Engine;
  let ended = 0;
  await new Promise<void>(resolve => {
    const host = {
      engine,
      exclusive: new Exclusive(),
      traffic: () => TRAFFIC,
      reply: () => {
        if (++ended === statements) resolve();
      },
      ended() {},
      failed() {},
      died: (error: unknown) => expect.unreachable(String(error)),
    } as unknown as SchedulerHost;
    const scheduler = new Scheduler(host, async () => {});
    for (let id = 1; id <= statements; id++) {
      scheduler.execute({ kind: 'execute', id, session: id, statement: '', params: [], credits: 1, timeoutMs: null });
    }
  });
  return turns;
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
