// The write half of sysbench, the same statements for all engines: an operation is a list of statements with their parameters.
import { mix, SBTEST_ROWS, sbtestRow } from './rows.mjs';

/** Rows of the table that is written: smaller than that of the reads, for loading it is part of the bench. */
export const ROWS = Math.min(SBTEST_ROWS, 20_000);

/** @typedef {readonly [sql: string, params: readonly (number | string)[]]} Step */

/** @param {number} seed */
const anyId = seed => 1 + (mix(seed) % ROWS);

const UPDATE_KEY = 'UPDATE sbtest1 SET k = k + 1 WHERE id = ?';
const UPDATE_OTHER = 'UPDATE sbtest1 SET c = ? WHERE id = ?';
const DELETE = 'DELETE FROM sbtest1 WHERE id = ?';
const INSERT = 'INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)';

/** @param {number} seed @returns {Step} */
const updateOther = seed => [UPDATE_OTHER, [sbtestRow(mix(seed) % 1_000_000)[2], anyId(seed)]];

/** A row goes and comes back with other contents. @param {number} seed @returns {Step[]} */
function replaced(seed) {
  const id = anyId(seed);
  const [, k, c, pad] = sbtestRow(mix(seed) % 1_000_000);
  return [
    [DELETE, [id]],
    [INSERT, [id, k, c, pad]],
  ];
}

/** @param {Step[]} steps @returns {Step[]} */
const together = steps => [['BEGIN', []], ...steps, ['COMMIT', []]];

/** @param {number} seed @returns {Step[]} */
const writes = seed => [[UPDATE_KEY, [anyId(seed)]], updateOther(seed + 1), ...replaced(seed + 2)];

/** @param {number} seed @returns {Step[]} */
function reads(seed) {
  const range = step => {
    const first = anyId(seed * 14 + step);
    return [first, first + 99];
  };
  const between = 'FROM sbtest1 WHERE id BETWEEN ? AND ?';
  return [
    ...Array.from(
      { length: 10 },
      (_, step) => /** @type {Step} */ (['SELECT c FROM sbtest1 WHERE id = ?', [anyId(seed * 14 + step)]]),
    ),
    [`SELECT c ${between}`, range(10)],
    [`SELECT SUM(k) ${between}`, range(11)],
    [`SELECT c ${between} ORDER BY c`, range(12)],
    [`SELECT DISTINCT c ${between} ORDER BY c`, range(13)],
  ];
}

let inserted = 0;

/** @type {Record<string, { operations: number, steps: (seed: number) => Step[] }>} */
export const WRITES = {
  oltp_insert: {
    operations: 20,
    steps: seed => [[INSERT, [ROWS + ++inserted, ...sbtestRow(seed + 1).slice(1)]]],
  },
  update_index: { operations: 20, steps: seed => [[UPDATE_KEY, [anyId(seed)]]] },
  update_non_index: { operations: 20, steps: seed => [updateOther(seed)] },
  delete_insert: { operations: 20, steps: seed => together(replaced(seed)) },
  write_only: { operations: 20, steps: seed => together(writes(seed)) },
  read_write: { operations: 10, steps: seed => together([...reads(seed), ...writes(seed + 20)]) },
};
