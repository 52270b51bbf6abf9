/** Errors of statements after the engine that ran them has died. */
import type { Failure } from '../protocol/index.ts';

/** Why an engine died, and the error of the statement that it died of. */
export interface Loss {
  readonly reason: string;
  readonly failure: Failure;
}

/** @param panicMessage the engine's last words, where it had any. */
export function lossOf(error: unknown, panicMessage: string | null): Loss {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // Browsers have their own words: "Maximum call stack size exceeded", "too much recursion", "call stack exhausted".
  if (panicMessage === null && /stack|recursion/i.test(words)) {
    return loss(2013, `the statement is nested too deeply for its stack (${words})`);
  }
  // Rust aborts without a word when an allocation fails.
  const isOutOfMemory =
    panicMessage === null && error instanceof WebAssembly.RuntimeError && /unreachable/i.test(words);
  if (isOutOfMemory || /memory|capacity overflow/i.test(panicMessage ?? '')) {
    return loss(1041, 'Out of memory; the statement needs more than the engine can have');
  }
  return loss(2013, panicMessage ?? words);
}

function loss(errno: number, reason: string): Loss {
  const message =
    `${reason}. The engine was started again: the statement was rolled back, with the transaction that it was part of; ` +
    'what was committed before is there';
  return { reason, failure: { kind: 'sql', errno, sqlstate: 'HY000', message, position: null } };
}

/** CR_SERVER_LOST, for a statement that ran beside the one of which the engine died. */
export const LOST_BESIDE: Failure = {
  kind: 'sql',
  errno: 2013,
  sqlstate: 'HY000',
  message: 'The engine stopped because of another statement while this one ran, and was started again: run it again',
  position: null,
};

/** ER_LOCK_DEADLOCK, as for a transaction that met another: run again, it may work. */
export const LOST_TRANSACTION: Failure = {
  kind: 'sql',
  errno: 1213,
  sqlstate: '40001',
  message:
    'The engine stopped because of another statement and was started again: the transaction was rolled back, try restarting it',
  position: null,
};

/** CR_SERVER_LOST, for a session whose variables were too large to be kept beside the engine. */
export const LOST_STATE: Failure = {
  kind: 'sql',
  errno: 2013,
  sqlstate: 'HY000',
  message:
    'The engine stopped and was started again; the variables of this session were too large to be kept, and are lost: set them again',
  position: null,
};
