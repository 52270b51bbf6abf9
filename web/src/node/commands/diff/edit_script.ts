/** A step from one list to another. */
export interface Edit {
  readonly kind: 'same' | 'removed' | 'added';
  readonly item: string;
}

/** Beyond that many steps the rest is one removal and one addition. */
const STEPS_MAX = 500;

/** The fewest removals and additions that make `after` of `before` (Myers 1986, the greedy algorithm). */
export function editScript(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  const paths = furthestPaths(before.slice(start), after.slice(start));
  const head = before.slice(0, start).map((item): Edit => ({ kind: 'same', item }));
  const rest = { before: before.slice(start), after: after.slice(start) };
  return [
    ...head,
    ...(paths === null ? replaced(rest.before, rest.after) : walkedBack(rest.before, rest.after, paths)),
  ];
}

function replaced(before: readonly string[], after: readonly string[]): Edit[] {
  return [
    ...before.map((item): Edit => ({ kind: 'removed', item })),
    ...after.map((item): Edit => ({ kind: 'added', item })),
  ];
}

/** For each number of steps how far each diagonal (place before less place after) comes; null past the limit. */
function furthestPaths(before: readonly string[], after: readonly string[]): Map<number, number>[] | null {
  const saved: Map<number, number>[] = [];
  let reached = new Map<number, number>();
  for (let steps = 0; steps <= STEPS_MAX; steps += 1) {
    const next = new Map(reached);
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const [above, below] = [reached.get(diagonal + 1) ?? 0, reached.get(diagonal - 1) ?? 0];
      let at = diagonal === -steps || (diagonal !== steps && above > below) ? above : below + 1;
      if (steps === 0) at = 0;
      while (at < before.length && at - diagonal < after.length && before[at] === after[at - diagonal]) at += 1;
      next.set(diagonal, at);
      if (at >= before.length && at - diagonal >= after.length) return [...saved, next];
    }
    saved.push(next);
    reached = next;
  }
  return null;
}

function walkedBack(
  before: readonly string[],
  after: readonly string[],
  paths: readonly ReadonlyMap<number, number>[],
): Edit[] {
  const edits: Edit[] = [];
  let [at, other] = [before.length, after.length];
  const takeSame = (until: number) => {
    while (at > until) {
      at -= 1;
      other -= 1;
      edits.push({ kind: 'same', item: before[at] as string });
    }
  };
  for (let steps = paths.length - 1; steps > 0; steps -= 1) {
    const reached = paths[steps] as ReadonlyMap<number, number>;
    const diagonal = at - other;
    const [above, below] = [reached.get(diagonal + 1) ?? 0, reached.get(diagonal - 1) ?? 0];
    const isAddition = diagonal === -steps || (diagonal !== steps && below < above);
    takeSame(isAddition ? above : below + 1);
    if (isAddition) {
      other -= 1;
      edits.push({ kind: 'added', item: after[other] as string });
    } else {
      at -= 1;
      edits.push({ kind: 'removed', item: before[at] as string });
    }
  }
  takeSame(0);
  return edits.reverse();
}
