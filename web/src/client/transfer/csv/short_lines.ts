/** Lines with fewer fields than there are columns, by a plan of all rows. A file of its own: the main entry needs nothing else of the plan. Pure. */
import type { MissingFields, PlannedColumn } from '../transfer_types.ts';

/** How many there are, and the first one; undefined for none. */
export function shortLinesOf(plan: readonly PlannedColumn[]): MissingFields | undefined {
  const missing = plan.flatMap(column => column.missing ?? []);
  if (missing.length === 0) return undefined;
  return { count: Math.max(...missing.map(({ count }) => count)), row: Math.min(...missing.map(({ row }) => row)) };
}
