// The same statements for both engines. A sample runs a workload `operations` times with its own parameters.
import { mix, SBTEST_ROWS } from './rows.mjs';

/**
 * @typedef {object} Workload
 * @property {string} sql
 * @property {number} operations in one sample
 * @property {(seed: number) => number[]} params of one operation
 */

/** @param {number} seed */
const anyId = seed => 1 + (mix(seed) % SBTEST_ROWS);

/** @param {number} count @param {(index: number) => number} make */
const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** @type {Record<string, Workload>} */
export const WORKLOADS = {
  point_select: { sql: 'SELECT c FROM sbtest1 WHERE id = ?', operations: 1000, params: seed => [anyId(seed)] },
  range_select: {
    sql: 'SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?',
    operations: 100,
    params: seed => [anyId(seed), anyId(seed) + 99],
  },
  random_points: {
    sql: `SELECT id, k, c, pad FROM sbtest1 WHERE k IN (${Array(10).fill('?').join(', ')})`,
    operations: 50,
    params: seed => list(10, index => anyId(seed * 10 + index)),
  },
  batch_select: {
    sql: `SELECT c FROM sbtest1 WHERE id IN (${list(2000, index => anyId(index + 5)).join(', ')})`,
    operations: 1,
    params: () => [],
  },
  index_scan: { sql: 'SELECT COUNT(*) FROM sbtest1 WHERE k > 0', operations: 1, params: () => [] },
  group_by_scan: {
    sql: 'SELECT year_col, COUNT(*), MAX(big_col), AVG(small_col) FROM wide GROUP BY year_col ORDER BY year_col',
    operations: 2,
    params: () => [],
  },
  table_scan: { sql: 'SELECT * FROM wide', operations: 1, params: () => [] },
  table_scan_100k: { sql: 'SELECT * FROM sbtest1', operations: 1, params: () => [] },
};
