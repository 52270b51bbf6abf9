import { expect, test } from 'vitest';
import type { ExecuteRequest, Reply, Request, SessionState, Summary } from '../../protocol/index.ts';
import { Relay } from './relay.ts';

const IMAGE = { session: Uint8Array.of(1, 2, 3), engine: Uint8Array.of(1) };
const SUMMARY = { affectedRows: 0 } as Summary;

/** An engine that answers at once, and gives sessions numbers from `first` on. */
class FakeTab {
  readonly asked: Request[] = [];
  readonly #hear: (reply: Reply) => void;
  #sessions: number;
  /** What it tells of sessions behind their statements. */
  state: SessionState = { isInTransaction: false };
  /** What the next statement fails of. */
  answers = true;

  constructor(first: number, hear: (reply: Reply) => void) {
    this.#sessions = first;
    this.#hear = hear;
  }

  readonly send = (request: Request): void => {
    this.asked.push(request);
    const reply = this.#replyTo(request);
    if (reply !== null) queueMicrotask(() => this.#hear(reply));
  };

  get images(): unknown[] {
    return this.asked.flatMap(request => (request.kind === 'open_session' ? [request.image] : []));
  }

  #replyTo(request: Request): Reply | null {
    switch (request.kind) {
      case 'open': {
        const database = { name: 'shop', databases: ['shop'], session: this.#sessions++ };
        return { kind: 'opened', id: request.id, database } as unknown as Reply;
      }
      case 'open_session':
        return { kind: 'session', id: request.id, session: this.#sessions++ };
      case 'execute':
        return this.answers ? { kind: 'rows', id: request.id, summary: SUMMARY, state: this.state } : null;
      default:
        return null;
    }
  }
}

/** A client of a relay that works through one tab and then through another. */
function connected() {
  const told: Reply[] = [];
  const open = { kind: 'open', id: 1, source: {}, options: {} } as Extract<Request, { kind: 'open' }>;
  const relay = new Relay(open, reply => told.push(reply), effectOf);
  let id = 1;
  const ask = async (statement: ExecuteRequest['statement'], beside?: number): Promise<Reply | undefined> => {
    id++;
    const about = beside === undefined ? {} : { beside };
    relay.take({ kind: 'execute', id, session: 1, statement, params: [], credits: 1, timeoutMs: null, ...about });
    await Promise.resolve();
    await Promise.resolve();
    return told.findLast(reply => 'id' in reply && reply.id === id);
  };
  const hear = (reply: Reply) => relay.hear(reply);
  return { relay, told, ask, first: new FakeTab(10, hear), second: new FakeTab(20, hear) };
}

const effectOf = (sql: string) => (sql.startsWith('INSERT') ? 'stays' : 'other');

const failureOf = (reply: Reply | undefined) => (reply?.kind === 'failed' ? reply.failure : null);

test('a session goes on in another tab with the image that was told last', async () => {
  const { relay, ask, first, second } = connected();
  await relay.move(first.send);
  first.state = { isInTransaction: false, image: IMAGE };
  expect(await ask('SET @a = 1')).not.toHaveProperty('state');
  // Unchanged: it is not told again, and stays.
  first.state = { isInTransaction: false };
  await ask('SELECT 1');
  relay.orphan();
  await relay.move(second.send);
  expect(second.images).toEqual([IMAGE]);
  expect(failureOf(await ask('SELECT @a'))).toBeNull();
  expect(second.asked.at(-1)).toMatchObject({ kind: 'execute', session: 21, statement: 'SELECT @a' });
});

test('a failed statement tells the state that it left, too', async () => {
  const { relay, told, first, second } = connected();
  await relay.move(first.send);
  first.answers = false;
  relay.take({ kind: 'execute', id: 9, session: 1, statement: 'x', params: [], credits: 1, timeoutMs: null });
  const failure = { kind: 'sql', errno: 1064, sqlstate: '42000', message: '', position: null } as const;
  relay.hear({ kind: 'failed', id: 9, failure, state: { isInTransaction: false, image: IMAGE } });
  expect(failureOf(told.at(-1))).toBe(failure);
  relay.orphan();
  await relay.move(second.send);
  expect(second.images).toEqual([IMAGE]);
});

test('a transaction that went with its tab is told once, and not where the session begins anew', async () => {
  const { relay, ask, first, second } = connected();
  await relay.move(first.send);
  first.state = { isInTransaction: true, image: IMAGE };
  await ask('BEGIN');
  relay.orphan();
  await relay.move(second.send);
  expect(failureOf(await ask('INSERT INTO t VALUES (1)'))).toMatchObject({ errno: 1213 });
  expect(failureOf(await ask('INSERT INTO t VALUES (1)'))).toBeNull();

  second.state = { isInTransaction: true };
  await ask('BEGIN');
  relay.orphan();
  await relay.move(first.send);
  expect(failureOf(await ask('SELECT 1', 1))).toBeNull();
  expect(failureOf(await ask('SELECT 1'))).toBeNull();
});

test('between two pieces of a script rows wait for their commit, behind the last one they do not', async () => {
  const { relay, ask, first, second } = connected();
  await relay.move(first.send);
  await ask({ bytes: Uint8Array.of(), isLast: false });
  relay.orphan();
  await relay.move(second.send);
  expect(failureOf(await ask({ bytes: Uint8Array.of(), isLast: false }))).toMatchObject({ errno: 1213 });
  await ask({ bytes: Uint8Array.of(), isLast: true });
  relay.orphan();
  await relay.move(first.send);
  expect(failureOf(await ask('SELECT 1'))).toBeNull();
});

test('variables that were too large to be kept are said to be lost, once', async () => {
  const { relay, ask, first, second } = connected();
  await relay.move(first.send);
  first.state = { isInTransaction: false, image: null };
  await ask("SET @a = REPEAT('x', 20000000)");
  relay.orphan();
  await relay.move(second.send);
  expect(second.images).toEqual([undefined]);
  expect(failureOf(await ask('SELECT @a'))).toMatchObject({ errno: 2013 });
  expect(failureOf(await ask('SELECT @a'))).toBeNull();
});
