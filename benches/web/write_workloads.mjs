// The writes of sysbench and of Dolt's bench of MySQL parity: the same statements for all engines.
import { mix, SBTEST_ROWS, sbtestRow, TYPES_COLUMNS, TYPES_ROWS, typesRow } from './rows.mjs';

/**
 * @typedef {readonly [sql: string, params: readonly (number | string)[]]} Statement
 * @typedef {object} WriteWorkload
 * @property {number} operations in one sample: about one run of what Varve puts off, or more, so that settling has its share as it has under load
 * @property {boolean} isTransaction whether the statements of an operation commit together; else each commits for itself
 * @property {(seed: number) => Statement[]} statements of one operation; seeds of all operations differ
 * @property {string} [after] what leaves the table as it was, off the clock
 */

/** Rows that are inserted come behind those that are there. */
const FRESH = 1_000_000;
const BULK_ROWS = 1000;

/** @param {number} seed */
const anyId = seed => 1 + (mix(seed) % SBTEST_ROWS);
/** @param {number} seed */
const anyType = seed => 1 + (mix(seed) % TYPES_ROWS);
/** @param {number} count */
const marks = count => Array(count).fill('?').join(', ');

const INSERT = 'INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)';
const DELETE = 'DELETE FROM sbtest1 WHERE id = ?';
const UPDATE_INDEX = 'UPDATE sbtest1 SET k = k + 1 WHERE id = ?';
const UPDATE_NON_INDEX = 'UPDATE sbtest1 SET c = ? WHERE id = ?';
const INSERT_TYPES = `INSERT INTO types VALUES (${marks(TYPES_COLUMNS.length)})`;
const BULK = `INSERT INTO sbtest1 (id, k, c, pad) VALUES ${Array(BULK_ROWS).fill('(?, ?, ?, ?)').join(', ')}`;
const POINT = 'SELECT c FROM sbtest1 WHERE id = ?';
const BETWEEN = 'FROM sbtest1 WHERE id BETWEEN ? AND ?';

/** @param {number} seed @returns {Statement[]} */
const changes = seed => [
  [UPDATE_INDEX, [anyId(seed * 3)]],
  [UPDATE_NON_INDEX, [String(sbtestRow(seed)[2]), anyId(seed * 3 + 1)]],
  [DELETE, [anyId(seed * 3 + 2)]],
  [INSERT, sbtestRow(anyId(seed * 3 + 2))],
];

/** @param {number} seed @returns {Statement[]} */
const reads = seed => {
  /** @type {Statement[]} */
  const points = Array.from({ length: 10 }, (_, index) => [POINT, [anyId(seed * 14 + index)]]);
  /** @param {number} index */
  const range = index => [anyId(seed * 14 + index), anyId(seed * 14 + index) + 99];
  return [
    ...points,
    [`SELECT c ${BETWEEN}`, range(10)],
    [`SELECT SUM(k) ${BETWEEN}`, range(11)],
    [`SELECT c ${BETWEEN} ORDER BY c`, range(12)],
    [`SELECT DISTINCT c ${BETWEEN} ORDER BY c`, range(13)],
  ];
};

/** @type {Record<string, WriteWorkload>} */
export const WRITES = {
  bulk_insert: {
    operations: 48,
    isTransaction: false,
    statements: seed => [
      [BULK, Array.from({ length: BULK_ROWS }, (_, row) => sbtestRow(2 * FRESH + seed * BULK_ROWS + row)).flat()],
    ],
    after: `DELETE FROM sbtest1 WHERE id >= ${2 * FRESH}`,
  },
  insert: { operations: 128, isTransaction: false, statements: seed => [[INSERT, sbtestRow(FRESH + seed)]] },
  update_index: { operations: 128, isTransaction: false, statements: seed => [[UPDATE_INDEX, [anyId(seed)]]] },
  update_non_index: {
    operations: 128,
    isTransaction: false,
    statements: seed => [[UPDATE_NON_INDEX, [String(sbtestRow(seed)[2]), anyId(seed)]]],
  },
  delete_insert: {
    operations: 64,
    isTransaction: false,
    statements: seed => [
      [DELETE, [anyId(seed)]],
      [INSERT, sbtestRow(anyId(seed))],
    ],
  },
  types_delete_insert: {
    operations: 64,
    isTransaction: false,
    statements: seed => [
      ['DELETE FROM types WHERE id = ?', [anyType(seed)]],
      [INSERT_TYPES, typesRow(anyType(seed))],
    ],
  },
  write_only: { operations: 64, isTransaction: true, statements: changes },
  read_write: { operations: 64, isTransaction: true, statements: seed => [...reads(seed), ...changes(seed)] },
};

/** Reads every row and the entries of the indexes that the workloads touch. */
export const WARM = [
  'SELECT MAX(k), MAX(c), MAX(pad) FROM sbtest1',
  'SELECT COUNT(*), MIN(k) FROM sbtest1 WHERE k > 0',
  'SELECT * FROM types',
];

/**
 * What one sample runs, in its order.
 *
 * @param {string} name of a workload
 * @param {number} seed
 * @returns {Statement[]}
 */
export function statementsOf(name, seed) {
  const { operations, isTransaction, statements } = WRITES[name];
  return Array.from({ length: operations }, (_, index) => {
    const one = statements(seed * operations + index);
    return isTransaction ? [['BEGIN', []], ...one, ['COMMIT', []]] : one;
  }).flat();
}
