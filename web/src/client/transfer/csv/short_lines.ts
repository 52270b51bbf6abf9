import type { MissingFields, PlannedColumn } from '../transfer_types.ts';

/** Lines with fewer fields than there are columns, by a plan of all rows. Pure. */
export function shortLinesOf(plan: readonly PlannedColumn[]): MissingFields | undefined {
  const missing = plan.flatMap(column => column.missing ?? []);
  if (missing.length === 0) return undefined;
  return { count: Math.max(...missing.map(({ count }) => count)), row: Math.min(...missing.map(({ row }) => row)) };
}
