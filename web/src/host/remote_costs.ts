/** What statements cost of the network: of a session, and of its last one. `SHOW STATUS LIKE 'remote_%'` has them. */
import type { Traffic } from './files/source.ts';

/** Counts of the traffic of a source. */
export interface RemoteCost {
  readonly requests: number;
  readonly bytes: number;
  readonly cachedBytes: number;
  readonly rounds: number;
}

const NOTHING: RemoteCost = { requests: 0, bytes: 0, cachedBytes: 0, rounds: 0 };
/** In the order of `REMOTE_FIGURES` (rust/wasm/src/attach.rs), which has them of the session, then of the statement. */
const FIGURES = ['requests', 'bytes', 'cachedBytes', 'rounds'] as const;

export class RemoteCosts {
  readonly #bySession = new Map<number, { readonly total: RemoteCost; readonly last: RemoteCost }>();

  /** Counts a statement that has ended. */
  add(session: number, last: RemoteCost): void {
    const { total } = this.#bySession.get(session) ?? { total: NOTHING };
    this.#bySession.set(session, { total: combined(total, last, 1), last });
  }

  forget(session: number): void {
    this.#bySession.delete(session);
  }

  /** A figure by its number. */
  figure(session: number, number: number): number {
    const { total, last } = this.#bySession.get(session) ?? { total: NOTHING, last: NOTHING };
    const name = FIGURES[number % FIGURES.length];
    return name === undefined ? 0 : (number < FIGURES.length ? total : last)[name];
  }
}

export function costOf({ requests, bytes, cachedBytes, rounds }: Traffic): RemoteCost {
  return { requests, bytes, cachedBytes, rounds };
}

/** What came since. */
export function costSince(before: RemoteCost, traffic: Traffic): RemoteCost {
  return combined(costOf(traffic), before, -1);
}

function combined(left: RemoteCost, right: RemoteCost, sign: 1 | -1): RemoteCost {
  return {
    requests: left.requests + sign * right.requests,
    bytes: left.bytes + sign * right.bytes,
    cachedBytes: left.cachedBytes + sign * right.cachedBytes,
    rounds: left.rounds + sign * right.rounds,
  };
}
