/** Lines of descent at the left of commits, laid out as native Dolt does it: all commits are known before the first is drawn. */

interface Node {
  readonly hash: string;
  readonly parents: readonly string[];
}

interface Placed extends Node {
  readonly row: number;
  /** Of characters: every other one is a lane. */
  readonly column: number;
}

/** A commit with its text: the first line is beside the star. */
export interface GraphEntry extends Node {
  readonly lines: readonly string[];
}

/** One line a commit, and lines between where a lane has far to go. @param commits newest first */
export function drawOneLine(commits: readonly GraphEntry[]): string[] {
  const placed = place(commits, null);
  const cells = draw(placed);
  const entries = new Map(placed.map(({ row }, index) => [row, index]));
  return cells.map((line, row) => {
    const entry = entries.get(row);
    return entry === undefined ? line : `${line} ${commits[entry]?.lines[0] ?? ''}`;
  });
}

/** The whole texts, which stand behind the widest line of their commit. @param commits newest first */
export function drawLines(commits: readonly GraphEntry[]): string[] {
  const placed = place(
    commits,
    commits.map(({ lines }) => lines.length),
  );
  const cells = draw(placed);
  return placed.flatMap(({ row, column }, index) => {
    const lines = commits[index]?.lines ?? [];
    const next = placed[index + 1];
    if (next === undefined) {
      // Below the oldest commit no line goes on, and its message is at the left.
      const left = (cells[row] ?? '').length;
      return lines.map((line, at) => {
        if (line === '' || line.startsWith('\t')) return line;
        return `${at === 0 ? cells[row] : ' '.repeat(left)} ${line}`;
      });
    }
    const around = cells.slice(row, next.row);
    const left = Math.max(column + 1, ...around.map(line => line.length));
    return around.map((line, at) => {
      const text = lines[at] ?? '';
      return text === '' ? line : `${line.padEnd(left)} ${text}`;
    });
  });
}

/** @param heights in lines of their texts; null where each has one line */
function place(commits: readonly Node[], heights: readonly number[] | null): Placed[] {
  const lanes = lanesOf(commits);
  const children = childrenOf(commits);
  const placed: Placed[] = [];
  let row = 0;
  commits.forEach((commit, index) => {
    const column = 2 * (lanes[index] ?? 0);
    if (heights === null && index > 0) {
      row += 1;
      // A line that goes aside takes a row for each column.
      for (const child of children.get(commit.hash) ?? []) {
        const { row: above, column: beside } = placed[child] as Placed;
        row = Math.max(row, above + Math.abs(column - beside));
      }
    }
    placed.push({ ...commit, row, column });
    // And one between them.
    if (heights !== null) row += (heights[index] ?? 0) + 1;
  });
  return placed;
}

/** By the hash of a commit, the indexes of those that have it as a parent. */
function childrenOf(commits: readonly Node[]): ReadonlyMap<string, readonly number[]> {
  const children = new Map<string, number[]>();
  commits.forEach(({ parents }, index) => {
    for (const parent of parents) children.set(parent, [...(children.get(parent) ?? []), index]);
  });
  return children;
}

/** The lane of each commit. A line of first parents stays in its lane; what was merged into it goes to the right. */
function lanesOf(commits: readonly Node[]): readonly number[] {
  const children = childrenOf(commits);
  const lanes: number[] = [];
  /** The commit with which each lane ends so far. */
  const ends: number[] = [];
  commits.forEach(({ hash }, index) => {
    const own = children.get(hash) ?? [];
    const line = own.filter(child => commits[child]?.parents[0] === hash).map(child => lanes[child] ?? 0);
    if (own.length === 0) {
      lanes.push(ends.push(index) - 1);
      return;
    }
    if (line.length > 0) {
      const lane = Math.min(...line);
      for (const other of line) ends[other] = index - 1;
      ends[lane] = index;
      lanes.push(lane);
      return;
    }
    const newest = Math.min(...own);
    const right = Math.max(...own.map(child => lanes[child] ?? 0));
    const free = ends.findIndex((end, lane) => lane > right && newest >= end);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = index;
    lanes.push(lane);
  });
  return lanes;
}

/** The rows down to that of the last commit, without the spaces at their ends. */
function draw(placed: readonly Placed[]): string[] {
  const height = (placed.at(-1)?.row ?? -1) + 1;
  const width = Math.max(0, ...placed.map(({ column }) => column)) + 2;
  const cells = Array.from({ length: height }, () => new Array<string>(width).fill(' '));
  const put = (row: number, column: number, sign: string, isOver = false): void => {
    const line = cells[row];
    if (line !== undefined && (isOver || line[column] === ' ')) line[column] = sign;
  };
  const byHash = new Map(placed.map(commit => [commit.hash, commit]));
  for (const { row, column, parents } of placed) {
    put(row, column, '*', true);
    for (const hash of parents) {
      const parent = byHash.get(hash);
      if (parent === undefined) continue;
      const [down, aside] = [parent.row - row, Math.abs(parent.column - column)];
      if (aside === 0) {
        for (let at = row + 1; at < parent.row; at++) put(at, column, '|');
      } else if (parent.column < column) {
        if (aside > down) {
          for (let step = 1; step < down; step++)
            put(parent.row - step, parent.column + aside - down + step, '/', true);
          for (let at = parent.column; at <= parent.column + aside - down; at++) put(parent.row, at, '-');
        } else {
          for (let at = parent.column + 1; at < column; at++) put(parent.row + parent.column - at, at, '/', true);
          for (let at = parent.row - aside; at > row; at--) put(at, column, '|');
        }
      } else if (down > aside) {
        for (let at = column + 1; at < parent.column; at++) put(row + at - column, at, '\\', true);
        for (let at = row + aside; at < parent.row; at++) put(at, parent.column, '|');
      } else {
        for (let step = 0; step < down; step++) put(parent.row - step, parent.column - step, '\\', true);
        for (let at = column + 1; at <= parent.column - down; at++) put(row, at, '-');
      }
    }
  }
  return cells.map(line => line.join('').trimEnd());
}
