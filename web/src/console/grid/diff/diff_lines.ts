import type { BatchColumn, Column } from '../../../lib/index.ts';
import { type CellView, cellView } from '../cells.ts';
import type { CellChange, GridRows, RowMark } from '../rows.ts';

export type Side = 'from' | 'to';
export type ChangeKind = 'added' | 'removed' | 'modified';

/** A column: where it is on either side, -1 where that side has none. */
export interface Pair {
  readonly from: number;
  readonly to: number;
}

export interface FoundCell {
  readonly values: BatchColumn;
  readonly index: number;
}

const NOTHING: CellView = { text: '', look: 'absent' };

const LINE = { added: 0, removed: 1, old: 2, new: 3 } as const;
const MARKS: readonly RowMark[] = [
  { sign: '+', meaning: 'Added', tone: 'line-added' },
  { sign: '−', meaning: 'Removed', tone: 'line-removed' },
  { sign: '−', meaning: 'Before', tone: 'line-old' },
  { sign: '+', meaning: 'After', tone: 'line-new' },
];

/** Changes of rows as lines: an added or removed row is one, a modified row is two, before and after, with the cells that differ marked. */
export abstract class DiffLines implements GridRows {
  readonly columns: readonly Column[];
  /** Of rows, by kind. */
  readonly counts = { added: 0, removed: 0, modified: 0 };
  protected readonly pairs: readonly Pair[];
  /** Columns of which a modified row has another value. */
  readonly #changed = new Set<number>();
  /** Four times the number of the change, and which side and kind of line. */
  readonly #lines: number[] = [];

  protected constructor(columns: readonly Column[], pairs: readonly Pair[]) {
    this.columns = columns;
    this.pairs = pairs;
  }

  /** The cell of a change on one side, which has the column and, going by the kind of the change, the row. */
  protected abstract cellOf(change: number, side: Side, column: number): FoundCell | undefined;

  get rowCount(): number {
    return this.#lines.length;
  }

  get changeCount(): number {
    const { added, removed, modified } = this.counts;
    return added + removed + modified;
  }

  /** The next change: they are numbered in the order in which they come. */
  protected add(kind: ChangeKind): void {
    const change = 4 * this.changeCount;
    this.counts[kind] += 1;
    if (kind === 'modified') {
      this.#lines.push(change + LINE.old, change + LINE.new);
      this.#noteChanges(this.#lines.length - 1);
    } else {
      this.#lines.push(change + LINE[kind]);
    }
  }

  readonly mark = (line: number): RowMark => MARKS[(this.#lines[line] ?? 0) & 3] as RowMark;

  view(line: number, column: number): CellView | undefined {
    if (line < 0 || line >= this.#lines.length) return undefined;
    const cell = this.locate(line, column);
    const kind = (this.#lines[line] ?? 0) & 3;
    if (cell === undefined) return NOTHING;
    const view = cellView(cell.values, cell.index);
    if (kind === LINE.added || kind === LINE.removed) return view;
    return { ...view, state: this.#isChanged(line, column) ? 'changed' : 'same' };
  }

  text(line: number, column: number): string | null | undefined {
    const cell = this.locate(line, column);
    return cell?.values.text(cell.index);
  }

  locate(line: number, column: number): FoundCell | undefined {
    const found = this.#lines[line];
    const pair = this.pairs[column];
    if (found === undefined || pair === undefined) return undefined;
    const side = (found & 3) === LINE.old || (found & 3) === LINE.removed ? 'from' : 'to';
    return pair[side] < 0 ? undefined : this.cellOf(found >> 2, side, pair[side]);
  }

  change(line: number, column: number): CellChange | undefined {
    const kind = (this.#lines[line] ?? 0) & 3;
    if (kind !== LINE.old && kind !== LINE.new) return undefined;
    const [before, after] = kind === LINE.old ? [line, line + 1] : [line - 1, line];
    const texts = { before: this.text(before, column), after: this.text(after, column) };
    if (texts.before === undefined || texts.after === undefined || texts.before === texts.after) return undefined;
    return { before: texts.before, after: texts.after };
  }

  /** The key and what differs in modified rows: other columns say nothing there. */
  get tellingColumns(): readonly number[] {
    return this.columns.flatMap(({ primaryKey }, index) => (primaryKey || this.#changed.has(index) ? [index] : []));
  }

  #noteChanges(line: number): void {
    if (this.#changed.size === this.columns.length) return;
    for (let column = 0; column < this.columns.length; column += 1) {
      if (!this.#changed.has(column) && this.#isChanged(line, column)) this.#changed.add(column);
    }
  }

  #isChanged(line: number, column: number): boolean {
    const change = (this.#lines[line] ?? 0) >> 2;
    const pair = this.pairs[column];
    if (pair === undefined || pair.from < 0 || pair.to < 0) return true;
    return textOf(this.cellOf(change, 'from', pair.from)) !== textOf(this.cellOf(change, 'to', pair.to));
  }
}

function textOf(cell: FoundCell | undefined): string | null | undefined {
  return cell?.values.text(cell.index);
}
