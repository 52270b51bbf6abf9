import { expect, test } from 'vitest';
import { Layout, type Reply, type Request, type Summary } from '../protocol/index.ts';
import { columnOf, headerOf, pageOf } from '../testing/pages.ts';
import type { Connection, ReplySink } from './wire/connection.ts';
import { StatementStream } from './wire/stream.ts';

const SUMMARY = { affectedRows: 3, hasRows: false, rowCount: 0 } as Summary;
const ABORTED = { kind: 'varve', code: 'aborted', message: 'The statement was cancelled' } as const;

/** A statement whose host is the test: what it was told, and what it answers. */
function statement() {
  const control = new AbortController();
  const told: Request['kind'][] = [];
  let take: ReplySink = () => false;
  const connection = {
    send: (_request: unknown, sink: ReplySink) => {
      take = sink;
      return 1;
    },
    tell: ({ kind }: Request) => told.push(kind),
  } as unknown as Connection;
  const stream = new StatementStream(connection, { session: 1, statement: '', params: [] }, { signal: control.signal });
  const outcome = stream.summary.then(
    ({ affectedRows }) => affectedRows,
    error => error.message,
  );
  const answer = (reply: object) => take({ id: 1, ...reply } as Parameters<ReplySink>[0] & Reply);
  return { control, told, stream, outcome, answer };
}

test('a statement is cancelled when the host says so, and not before', async () => {
  const { control, told, stream, outcome, answer } = statement();
  let isOver = false;
  stream.summary
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  control.abort(new Error('enough'));
  await new Promise(resolve => setTimeout(resolve));
  expect([told, isOver]).toEqual([['cancel'], false]);
  answer({ kind: 'failed', failure: ABORTED });
  expect(await outcome).toBe('enough');
});

test('a change that was complete before it could be cancelled says so', async () => {
  const { control, outcome, answer } = statement();
  control.abort(new Error('too late'));
  answer({ kind: 'rows', summary: SUMMARY });
  expect(await outcome).toBe(3);
});

test('rows that come after an abort are given up', async () => {
  const { control, stream, outcome, answer } = statement();
  control.abort(new Error('too late'));
  answer({
    kind: 'rows',
    header: headerOf([columnOf('n', 'int')]),
    page: pageOf([{ layout: Layout.i32, values: [1] }]),
  });
  answer({ kind: 'rows', summary: { ...SUMMARY, hasRows: true } });
  expect(await outcome).toBe('too late');
  await expect(
    (async () => {
      for await (const _batch of stream);
    })(),
  ).rejects.toThrow('too late');
});

test('another failure after an abort is told as it is', async () => {
  const { control, outcome, answer } = statement();
  control.abort(new Error('enough'));
  answer({
    kind: 'failed',
    failure: { kind: 'sql', errno: 1062, sqlstate: '23000', message: 'duplicate', position: null },
  });
  expect(await outcome).toBe('duplicate');
});

test('a statement that its host is busy with is reached, whether it is cancelled before the host says so or after', async () => {
  for (const isCancelledFirst of [false, true]) {
    const { control, answer } = statement();
    const reach = new SharedArrayBuffer(4);
    const cancel = () => control.abort(new Error('enough'));
    if (isCancelledFirst) cancel();
    answer({ kind: 'busy', reach });
    expect(new Int32Array(reach)[0]).toBe(isCancelledFirst ? 1 : 0);
    if (!isCancelledFirst) cancel();
    expect(new Int32Array(reach)[0]).toBe(1);
  }
});
