/** Two texts line by line: what was taken away, what came, what stayed. Pure. */

export interface TextLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The longest common subsequence by table: definitions have some hundred lines at most. */
export function lineDiff(before: string, after: string): readonly TextLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const next = a[i] === b[j] ? at(lengths, (i + 1) * width + j + 1) + 1 : 0;
      lengths[i * width + j] = Math.max(next, at(lengths, (i + 1) * width + j), at(lengths, i * width + j + 1));
    }
  }
  const lines: TextLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (
      left !== undefined &&
      (right === undefined || at(lengths, (i + 1) * width + j) >= at(lengths, i * width + j + 1))
    ) {
      lines.push({ kind: 'removed', text: left });
      i += 1;
    } else if (right !== undefined) {
      lines.push({ kind: 'added', text: right });
      j += 1;
    }
  }
  return lines;
}

function at(values: Uint32Array, index: number): number {
  return values[index] ?? 0;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}
