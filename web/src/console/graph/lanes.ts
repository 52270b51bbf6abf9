/**
 * Lays commits out in lanes for the graph beside a log. Pure.
 *
 * Commits come newest first, children before their parents. A lane is a column that waits for one commit; a lane never
 * moves sideways, so the lines between rows are either straight or run into a commit's dot.
 */

interface GraphCommit {
  readonly hash: string;
  readonly parents: readonly string[];
}

export interface GraphRow {
  /** Lane of the commit's dot. */
  readonly lane: number;
  /** Lanes that run from the row's top to its bottom past the dot. */
  readonly passing: readonly number[];
  /** Lanes that come from above and end in the dot. */
  readonly entering: readonly number[];
  /** Lanes that leave the dot downwards. */
  readonly leaving: readonly number[];
}

export class LaneLayout {
  /** What each lane waits for. */
  readonly #lanes: (string | undefined)[] = [];
  #widest = 0;

  /** Number of lanes used by any row so far. */
  get laneCount(): number {
    return this.#widest;
  }

  /** Adds the next commit. Rows never change later, so a log can be laid out while it loads. */
  add({ hash, parents }: GraphCommit): GraphRow {
    const entering = this.#lanes.flatMap((waits, lane) => (waits === hash ? [lane] : []));
    const lane = entering[0] ?? this.#free();
    for (const ended of entering) this.#lanes[ended] = undefined;
    this.#lanes[lane] = undefined;

    const before = new Set(this.#lanes.flatMap((waits, index) => (waits === undefined ? [] : [index])));
    const leaving: number[] = [];
    parents.forEach((parent, index) => {
      // The first parent goes on in the commit's own lane, also when another lane waits for it: a branch then stays
      // straight down to the commit it began at, and the lines meet there.
      const waiting = this.#lanes.indexOf(parent);
      const target = index === 0 ? lane : waiting >= 0 ? waiting : this.#free();
      this.#lanes[target] = parent;
      if (!leaving.includes(target)) leaving.push(target);
    });
    this.#widest = Math.max(this.#widest, lane + 1, this.#lanes.length);
    while (this.#lanes.length > 0 && this.#lanes[this.#lanes.length - 1] === undefined) this.#lanes.pop();
    return { lane, passing: [...before], entering, leaving };
  }

  #free(): number {
    const found = this.#lanes.indexOf(undefined);
    return found < 0 ? this.#lanes.length : found;
  }
}
