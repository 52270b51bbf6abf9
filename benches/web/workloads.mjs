// The same statements for all engines. A sample runs a workload `operations` times with its own parameters.
import { mix, SBTEST_ROWS } from './rows.mjs';

/**
 * @typedef {object} Workload
 * @property {string | string[]} sql one statement, or those of one operation
 * @property {number} operations in one sample: so many that it takes tens of milliseconds, since a pause of the machine takes some
 * @property {(seed: number) => number[] | number[][]} params of one operation, of each of its statements
 */

/** @param {number} seed */
const anyId = seed => 1 + (mix(seed) % SBTEST_ROWS);

/** @param {number} count @param {(index: number) => number} make */
const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** @param {number} seed of ten short ranges */
const tenRanges = seed => list(10, index => anyId(seed * 10 + index)).flatMap(first => [first, first + 4]);

const POINT = 'SELECT c FROM sbtest1 WHERE id = ?';
const BETWEEN = 'FROM sbtest1 WHERE id BETWEEN ? AND ?';

/** The reads of the oltp benches; tables of .cache/bench/oltp. */
export const OLTP = {
  point_select: { sql: POINT, operations: 10_000, params: seed => [anyId(seed)] },
  range_select: {
    sql: `SELECT c ${BETWEEN}`,
    operations: 1000,
    params: seed => [anyId(seed), anyId(seed) + 99],
  },
  random_points: {
    sql: `SELECT id, k, c, pad FROM sbtest1 WHERE k IN (${Array(10).fill('?').join(', ')})`,
    operations: 1000,
    params: seed => list(10, index => anyId(seed * 10 + index)),
  },
  random_ranges: {
    sql: `SELECT COUNT(k) FROM sbtest1 WHERE ${Array(10).fill('k BETWEEN ? AND ?').join(' OR ')}`,
    operations: 1000,
    params: tenRanges,
  },
  batch_select: {
    sql: `SELECT c FROM sbtest1 WHERE id IN (${list(2000, index => anyId(index + 5)).join(', ')})`,
    operations: 10,
    params: () => [],
  },
  covering_index_scan: { sql: 'SELECT COUNT(*) FROM sbtest1 WHERE k > 0', operations: 20, params: () => [] },
  group_by_scan: {
    sql: 'SELECT year_col, COUNT(*), MAX(big_col), AVG(small_col) FROM wide GROUP BY year_col ORDER BY year_col',
    operations: 2,
    params: () => [],
  },
  index_join: {
    sql: 'SELECT a.id, a.small_col FROM wide a, types b WHERE a.id = b.ref_col LIMIT 500',
    operations: 20,
    params: () => [],
  },
  index_join_scan: {
    sql: 'SELECT a.id, b.id FROM wide a, types b WHERE a.id = b.ref_col LIMIT 500',
    operations: 20,
    params: () => [],
  },
  /** One transaction of sysbench: ten points, four ranges of a hundred. */
  read_only: {
    sql: [
      ...Array(10).fill(POINT),
      `SELECT c ${BETWEEN}`,
      `SELECT SUM(k) ${BETWEEN}`,
      `SELECT c ${BETWEEN} ORDER BY c`,
      `SELECT DISTINCT c ${BETWEEN} ORDER BY c`,
    ],
    operations: 20,
    params: seed => [
      ...list(10, index => [anyId(seed * 14 + index)]),
      ...list(4, index => [anyId(seed * 14 + index), anyId(seed * 14 + index) + 99]),
    ],
  },
};

/** Whole tables, whose rows the page gets. */
export const SCANS = {
  index_scan: { sql: 'SELECT * FROM wide WHERE big_col > 0', operations: 1, params: () => [] },
  table_scan: { sql: 'SELECT * FROM wide', operations: 1, params: () => [] },
  types_scan: { sql: 'SELECT * FROM types', operations: 1, params: () => [] },
  table_scan_100k: { sql: 'SELECT * FROM sbtest1', operations: 1, params: () => [] },
};

const none = () => [];

/** A million orders; tables of .cache/bench/sales. */
export const ANALYTICS = {
  filter_sum: {
    sql: 'SELECT COUNT(*), SUM(amount), AVG(price) FROM orders WHERE amount < 500000',
    operations: 1,
    params: none,
  },
  group_by_1k: {
    sql: 'SELECT product, COUNT(*), SUM(amount), MAX(price) FROM orders GROUP BY product',
    operations: 1,
    params: none,
  },
  top_10: {
    sql: 'SELECT id, amount, price FROM orders ORDER BY price DESC LIMIT 10',
    operations: 1,
    params: none,
  },
  hash_join: {
    sql: 'SELECT c.region, COUNT(*), SUM(o.amount) FROM orders o JOIN customers c ON c.id = o.customer GROUP BY c.region',
    operations: 1,
    params: none,
  },
};

/** @type {Record<string, Workload>} */
export const WORKLOADS = { ...OLTP, ...SCANS, ...ANALYTICS };
