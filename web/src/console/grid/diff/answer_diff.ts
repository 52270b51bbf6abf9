/** Difference of two results of one query. Pure; the caller decides how long each step takes. */
import type { Column } from '../../../lib/index.ts';
import type { ResultPages } from '../pages.ts';
import { DiffLines, type FoundCell, type Pair, type Side } from './diff_lines.ts';

/** Rows between two looks at the clock. */
const STRIDE = 512;

/** Columns of both answers: those of the same name belong together, the first to the first, the second to the second. */
export function pairColumns(from: readonly Column[], to: readonly Column[]): readonly Pair[] {
  const left = new Set(from.keys());
  const pairs = to.map(({ name }, index): Pair => {
    const found = from.findIndex((one, at) => one.name === name && left.has(at));
    left.delete(found);
    return { from: found, to: index };
  });
  return [...pairs, ...[...left].map(index => ({ from: index, to: -1 }))];
}

/** The rows of two answers, matched by a key: those that only one of them has, and those that differ. */
export class AnswerDiff extends DiffLines {
  readonly #from: ResultPages;
  readonly #to: ResultPages;
  readonly #key: readonly number[];
  /** By change; -1 where a side has no row. */
  readonly #rows: { readonly from: number[]; readonly to: number[] } = { from: [], to: [] };

  /** @param key numbers of pairs, all of them of both sides */
  constructor(from: ResultPages, to: ResultPages, pairs: readonly Pair[], key: readonly number[]) {
    const columns = pairs.map((pair, index) => {
      const described = (pair.to < 0 ? from.columns[pair.from] : to.columns[pair.to]) as Column;
      return { ...described, primaryKey: key.includes(index) };
    });
    super(columns, pairs);
    this.#from = from;
    this.#to = to;
    this.#key = key;
  }

  /**
   * Goes through both answers, in the order of the second; what is gone is where it stood in the first. Rows of the
   * same key are matched one by one, in their order. Yields now and then.
   */
  *compare(): Generator<void> {
    const from = this.#from;
    const to = this.#to;
    const partners = yield* this.#partners();
    const isMatched = new Uint8Array(from.rowCount);
    for (const partner of partners) if (partner >= 0) isMatched[partner] = 1;
    let next = 0;
    const remove = (end: number) => {
      for (; next < end; next += 1) if (isMatched[next] === 0) this.#put('removed', next, -1);
    };
    for (let row = 0; row < to.rowCount; row += 1) {
      if (row % STRIDE === 0) yield;
      const partner = partners[row] ?? -1;
      if (partner < 0) {
        // What is gone comes before what is in its place.
        let end = next;
        while (isMatched[end] === 0) end += 1;
        remove(end);
        this.#put('added', -1, row);
        continue;
      }
      remove(partner + 1);
      if (this.#differs(partner, row)) this.#put('modified', partner, row);
    }
    remove(from.rowCount);
  }

  /** By row of the second answer: the row of the first one, -1 where there is none. */
  *#partners(): Generator<void, Int32Array> {
    const waiting = new Map<string, number>();
    // Rows of one key are a chain, the first one first.
    const after = new Int32Array(this.#from.rowCount).fill(-1);
    for (let row = this.#from.rowCount - 1; row >= 0; row -= 1) {
      if (row % STRIDE === 0) yield;
      const key = keyOf(this.#from, 'from', this.pairs, this.#key, row);
      after[row] = waiting.get(key) ?? -1;
      waiting.set(key, row);
    }
    const found = new Int32Array(this.#to.rowCount).fill(-1);
    for (let row = 0; row < found.length; row += 1) {
      if (row % STRIDE === 0) yield;
      const key = keyOf(this.#to, 'to', this.pairs, this.#key, row);
      const partner = waiting.get(key) ?? -1;
      found[row] = partner;
      if (partner >= 0) waiting.set(key, after[partner] ?? -1);
    }
    return found;
  }

  #put(kind: 'added' | 'removed' | 'modified', from: number, to: number): void {
    this.#rows.from.push(from);
    this.#rows.to.push(to);
    this.add(kind);
  }

  #differs(from: number, to: number): boolean {
    return this.pairs.some(
      pair => pair.from < 0 || pair.to < 0 || this.#from.text(from, pair.from) !== this.#to.text(to, pair.to),
    );
  }

  protected cellOf(change: number, side: Side, column: number): FoundCell | undefined {
    return (side === 'from' ? this.#from : this.#to).locate(this.#rows[side][change] ?? -1, column);
  }
}

/** Texts of a key with their lengths, so that no two keys read the same. */
function keyOf(pages: ResultPages, side: Side, pairs: readonly Pair[], key: readonly number[], row: number): string {
  let text = '';
  for (const index of key) {
    const value = pages.text(row, pairs[index]?.[side] ?? -1);
    text += value == null ? '-' : `${value.length}:${value}`;
  }
  return text;
}

/**
 * The columns by which rows are matched by default: those of keys of tables, or else the first ones,
 * as few as tell the rows of both answers apart. None where both are one row; all where nothing tells them apart.
 */
export function* findKey(
  from: ResultPages,
  to: ResultPages,
  pairs: readonly Pair[],
): Generator<void, readonly number[]> {
  if (from.rowCount <= 1 && to.rowCount <= 1) return [];
  const shared = pairs.flatMap((pair, index) => (pair.from >= 0 && pair.to >= 0 ? [index] : []));
  const ofTables = shared.filter(index => to.columns[pairs[index]?.to ?? -1]?.primaryKey === true);
  const prefixes = shared.map((_, index) => shared.slice(0, index + 1));
  for (const key of ofTables.length > 0 ? [ofTables, ...prefixes] : prefixes) {
    if ((yield* tellsApart(from, 'from', pairs, key)) && (yield* tellsApart(to, 'to', pairs, key))) return key;
  }
  return shared;
}

function* tellsApart(
  pages: ResultPages,
  side: Side,
  pairs: readonly Pair[],
  key: readonly number[],
): Generator<void, boolean> {
  const seen = new Set<string>();
  for (let row = 0; row < pages.rowCount; row += 1) {
    if (row % STRIDE === 0) yield;
    seen.add(keyOf(pages, side, pairs, key, row));
    if (seen.size <= row) return false;
  }
  return true;
}
