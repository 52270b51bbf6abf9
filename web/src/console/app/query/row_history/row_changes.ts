/** Which commits changed something, by what each has of it. Pure. */

/** Of each commit, the first one first. */
export type Parents = ReadonlyMap<string, readonly string[]>;

export interface Changed<T> {
  readonly hash: string;
  /** As the first parent has it. */
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** @param has what a commit has of it, the same object where it is the same; undefined where it has nothing */
export function changedBy<T>(head: string, parents: Parents, has: (hash: string) => T | undefined): Changed<T>[] {
  const changed: Changed<T>[] = [];
  const seen = new Set([head]);
  const waiting = [head];
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
    const before = parents.get(hash) ?? [];
    const after = has(hash);
    const first = before[0] === undefined ? undefined : has(before[0]);
    const isInherited = before.length === 0 ? after === undefined : before.some(parent => has(parent) === after);
    if (!isInherited) changed.push({ hash, before: first, after });
    for (const parent of before) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      waiting.push(parent);
    }
  }
  return changed;
}
