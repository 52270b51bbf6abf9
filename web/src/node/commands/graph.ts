/** A commit and what is written beside it. */
export interface GraphEntry {
  readonly hash: string;
  readonly parents: readonly string[];
  /** The first stands beside the star. */
  readonly lines: readonly string[];
}

/** Draws lines of descent at the left of commits, newest first, as `git log --graph` does. */
export class Graph {
  /** The commit that each lane leads to. */
  #lanes: string[] = [];

  /** The lines of one commit. */
  draw({ hash, parents, lines }: GraphEntry): string[] {
    let lane = this.#lanes.indexOf(hash);
    if (lane < 0) lane = this.#lanes.push(hash) - 1;
    const before = this.#lanes.length;
    const [first, ...others] = parents;
    const added = others.filter(parent => !this.#lanes.includes(parent));
    const width = 2 * (before + added.length) - 1;
    const drawn = [`${bars(before, lane, '*').padEnd(width)} ${lines[0] ?? ''}`];
    this.#lanes.splice(lane, 1, ...(first === undefined ? [] : [first]), ...added);
    const after = bars(this.#lanes.length);
    lines.slice(1).forEach((line, index) => {
      const row = index === 0 && added.length > 0 ? fork(before, lane, added.length) : after;
      // Below the oldest commit no line goes on, and Dolt moves its message to the left.
      const isAlone = after === '' && line.startsWith('\t');
      drawn.push(isAlone ? line : `${row.padEnd(width)} ${line}`.trimEnd());
    });
    // The joint takes the place of an empty line.
    if (this.#findJoined() >= 0 && drawn.length > 1 && lines.at(-1) === '') drawn.pop();
    for (let joined = this.#findJoined(); joined >= 0; joined = this.#findJoined()) {
      drawn.push(join(this.#lanes.length, joined));
      this.#lanes.splice(joined, 1);
    }
    return drawn;
  }

  /** A lane that leads where one to its left leads. */
  #findJoined(): number {
    return this.#lanes.findIndex((hash, index) => this.#lanes.indexOf(hash) < index);
  }
}

function bars(count: number, at = -1, mark = '|'): string {
  return Array.from({ length: count }, (_, index) => (index === at ? mark : '|')).join(' ');
}

/** New lanes begin at the right of `lane`. */
function fork(before: number, lane: number, added: number): string {
  const left = bars(lane + 1);
  const right = Array.from({ length: before - lane - 1 }, () => '\\').join(' ');
  return `${left}${'\\'.padEnd(2).repeat(added).trimEnd()}${right === '' ? '' : ` ${right}`}`;
}

function join(count: number, lane: number): string {
  const left = bars(lane);
  const right = Array.from({ length: count - lane - 1 }, () => '/').join(' ');
  return `${left}/${right === '' ? '' : ` ${right}`}`;
}
