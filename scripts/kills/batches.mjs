// What the program that is killed writes, and what has to be there of it: both sides compute it from the number of the batch.

/**
 * Rows of a batch of each kind: many where a part of one could be there.
 *
 * @type {Record<string, number>}
 */
const ROWS = { insert: 1, transaction: 5, commit: 2, gc: 3, csv: 400, dump: 60, table: 1, copy: 3, create: 1 };

/** Rows of each table that an import makes. */
export const TABLE_ROWS = 400;

/** The kinds of work, in the order in which rounds take turns. */
export const KINDS = Object.keys(ROWS);

/**
 * @param {string} kind
 * @param {number} batch
 * @returns {[batch: number, n: number][]}
 */
export function batchRows(kind, batch) {
  return Array.from({ length: ROWS[kind] ?? 0 }, (_, n) => [batch, n]);
}

/**
 * Numbers from 0 to 1, the same for a seed.
 *
 * @param {number} seed
 * @returns {() => number}
 */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
