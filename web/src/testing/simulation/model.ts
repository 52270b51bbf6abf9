import type { Row } from '../../client/index.ts';

/** Rows that a bulk statement adds: all of them are there, or none. */
export const BULK_ROWS = 40;

/** What a read saw, as far as the model tells states apart. */
export interface SeenState {
  /** Numbers of the operations whose rows are there, sorted. */
  readonly operations: readonly number[];
  /** How often the counters were raised. */
  readonly raised: number;
}

export const READ_STATE = `
  SELECT 'log' AS what, op AS a, k AS b, d AS c FROM log
  UNION ALL SELECT 'account', k, n, w FROM account
  UNION ALL SELECT 'counter', k, n, w FROM counter
  UNION ALL SELECT 'bulk', op, COUNT(*), 0 FROM bulk GROUP BY op`;

export const SCHEMA = [
  'CREATE TABLE account (k INT PRIMARY KEY, n INT NOT NULL, w INT NOT NULL)',
  'CREATE TABLE counter (k INT PRIMARY KEY, n INT NOT NULL, w INT NOT NULL)',
  'CREATE TABLE log (op INT PRIMARY KEY, k INT NOT NULL, d INT NOT NULL, KEY (k))',
  'CREATE TABLE bulk (op INT NOT NULL, nr INT NOT NULL, pad VARCHAR(60), PRIMARY KEY (op, nr))',
  'INSERT INTO account VALUES (0, 100, 0), (1, 100, 0), (2, 100, 0), (3, 100, 0)',
  'INSERT INTO counter VALUES (0, 0, 0), (1, 0, 0)',
];

/** A promise that was broken. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Acknowledged commits, possible commits, and every state that a read has observed. */
export class Model {
  readonly acknowledged = new Set<number>();
  readonly uncertain = new Set<number>();
  /** Failed while flushes did: what was taken back of it may be there again after lost power, for that was not flushed either. */
  readonly unflushed = new Set<number>();
  /** With relaxed durability the last commits of a tab go with it when it is killed: then nothing is asked of what they left. */
  mayForget = false;
  readonly #tables = new Set<string>();
  raisedAcknowledged = 0;
  raisedUncertain = 0;
  raisedUnflushed = 0;
  readonly #seen: (SeenState & { readonly who: string })[] = [];

  /** Names of tables that were made. */
  get tables(): ReadonlySet<string> {
    return this.#tables;
  }

  tableMade(name: string): void {
    this.#tables.add(name);
  }

  /** Reads a result of `READ_STATE`, and checks that such a state can be: each commit wholly there or not at all. */
  read(rows: readonly Row[], who: string, own: readonly number[] = []): SeenState {
    const accounts = new Map<number, number>();
    const moved = new Map<number, number>();
    const operations: number[] = [];
    let raised = 0;
    for (const { what, a, b, c } of rows) {
      const [first, second, third] = [Number(a), Number(b), Number(c)];
      if (what === 'log') operations.push(first);
      if (what === 'log' && second >= 0) moved.set(second, (moved.get(second) ?? 0) + third);
      else if (what === 'account') accounts.set(first, second);
      else if (what === 'counter') raised += second;
      else if (what === 'bulk') {
        if (second !== BULK_ROWS)
          throw new Violation(`${who} saw ${second} of ${BULK_ROWS} rows of operation ${first}`);
        operations.push(first);
      }
    }
    if (accounts.size !== 4) throw new Violation(`${who} saw ${accounts.size} of 4 accounts`);
    for (const [k, n] of accounts) {
      const expected = 100 + (moved.get(k) ?? 0);
      if (n !== expected)
        throw new Violation(`${who} saw account ${k} at ${n}, but the log beside it makes ${expected}: half a commit`);
    }
    operations.sort((x, y) => x - y);
    const state = { operations, raised };
    // Rows of a transaction that is open are in no state that others see.
    if (own.length === 0) this.#seen.push({ ...state, who });
    return state;
  }

  /** Checks that nothing is missing in a state that was there before or has to be. */
  contains(state: SeenState, before: Iterable<number>, who: string, what: string): void {
    if (this.mayForget) return;
    const known = new Set(state.operations);
    for (const operation of before)
      if (!known.has(operation)) throw new Violation(`${who} does not see operation ${operation}, ${what}`);
  }

  /** Checks a state that a fresh opening finds, and that all states that were seen are moments of one history that ends there. */
  checkEnd(state: SeenState, hasLostPower: boolean): void {
    this.contains(state, this.acknowledged, 'the end', 'which was acknowledged');
    for (const operation of state.operations)
      if (
        !this.acknowledged.has(operation) &&
        !this.uncertain.has(operation) &&
        !(hasLostPower && this.unflushed.has(operation))
      )
        throw new Violation(`the end has operation ${operation}, which failed or was rolled back`);
    if (this.mayForget) return;
    const least = this.raisedAcknowledged;
    const most = least + this.raisedUncertain + (hasLostPower ? this.raisedUnflushed : 0);
    if (state.raised < least || state.raised > most)
      throw new Violation(`the counters are at ${state.raised}: ${least} were acknowledged, ${most} at most made`);
    const seen = [...this.#seen].sort((x, y) => x.operations.length - y.operations.length || x.raised - y.raised);
    // What was seen and not acknowledged may go with the power.
    if (!hasLostPower) seen.push({ ...state, who: 'the end' });
    for (let at = 1; at < seen.length; at++) {
      const [earlier, later] = [seen[at - 1], seen[at]];
      if (earlier === undefined || later === undefined) continue;
      this.contains(later, earlier.operations, later.who, `which ${earlier.who} saw in a state that was no later one`);
      if (later.raised < earlier.raised && later.operations.length > earlier.operations.length)
        throw new Violation(
          `${later.who} saw the counters at ${later.raised}, ${earlier.who} before at ${earlier.raised}`,
        );
    }
  }
}
