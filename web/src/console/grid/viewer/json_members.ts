/** What a JSON document consists of, and how much of it is shown at first. Pure. */

export type Member = readonly [name: string, value: unknown];

/** Undefined of what has no members. */
export function membersOf(value: unknown): readonly Member[] | undefined {
  if (Array.isArray(value)) return value.map((member, index) => [String(index), member] as const);
  if (typeof value === 'object' && value !== null) return Object.entries(value);
  return undefined;
}

const DEPTH_MAX = 2;
/** Lines that take a few milliseconds to be made. */
const LINES_MAX = 250;

/**
 * How many levels are unfolded at first: two where that is little to show, else one.
 *
 * @param shown members of each that are shown at once
 */
export function openDepth(value: unknown, shown: number): number {
  let level = [value];
  let lines = 1;
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    level = level.flatMap(one => (membersOf(one) ?? []).slice(0, shown).map(([, member]) => member));
    lines += level.length;
    if (depth > 0 && lines > LINES_MAX) return depth;
  }
  return DEPTH_MAX;
}
