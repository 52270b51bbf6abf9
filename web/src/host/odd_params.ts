/** Parameters that would be bound to something the caller does not mean. */
import type { Analysis, OddParam } from '../protocol/index.ts';
import { hostFailure } from './files/source.ts';

/** Longer lists of `?` are described. */
const MARKS_MAX = 8;

/**
 * An array becomes a JSON document, which equals no member of a list, and a fraction of LIMIT would be rounded.
 *
 * @throws HostFailure `usage` for an array in `IN (?)`, and for a fraction behind LIMIT or OFFSET
 */
export function refuseOdd(placeholders: Analysis['placeholders'], params: readonly OddParam[]): void {
  for (const { index, shown, length } of params) {
    const role = placeholders[index];
    const parameter = `Parameter ${index + 1}`;
    if (role === 'count') throw hostFailure('usage', `${parameter}: LIMIT and OFFSET take whole numbers, got ${shown}`);
    if (role !== 'member' || length === null) continue;
    const marks =
      length > 0 && length < MARKS_MAX ? `IN (${Array(length).fill('?').join(', ')})` : 'a ? for each value';
    throw hostFailure('usage', `${parameter}: an array cannot be bound in IN (?): write ${marks}`);
  }
}
