/** Two texts in parts: what was taken away, what came, what stayed. Pure. */

export interface TextPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** By the longest common subsequence, in a table of both lengths: some thousands of parts at most. */
export function partsOf(before: readonly string[], after: readonly string[]): readonly TextPart[] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = Math.max(before[i] === after[j] ? at(i + 1, j + 1) + 1 : 0, at(i + 1, j), at(i, j + 1));
    }
  }
  const parts: TextPart[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [left, right] = [before[i], after[j]];
    if (left !== undefined && left === right) {
      parts.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ kind: 'removed', text: left });
      i += 1;
    } else if (right !== undefined) {
      parts.push({ kind: 'added', text: right });
      j += 1;
    }
  }
  return parts;
}
