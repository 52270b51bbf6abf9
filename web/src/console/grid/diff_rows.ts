import type { Batch, BatchColumn, Column } from '../../lib/index.ts';
import { type CellView, cellView } from './cells.ts';
import { ResultPages } from './pages.ts';
import type { GridRows, RowMark } from './rows.ts';

/** A column of the table: where it stands in the diff on either side, -1 where that side has none. */
interface Pair {
  readonly from: number;
  readonly to: number;
}

const OF_COMMIT = /^(from|to)_commit(_date)?$/;
const NOTHING: CellView = { text: '', look: 'absent' };

const ADDED: RowMark = { sign: '+', meaning: 'Added', tone: 'line-added' };
const REMOVED: RowMark = { sign: '−', meaning: 'Removed', tone: 'line-removed' };
const OLD: RowMark = { sign: '−', meaning: 'Before', tone: 'line-old' };
const NEW: RowMark = { sign: '+', meaning: 'After', tone: 'line-new' };

/**
 * The rows of `dolt_diff(FROM, TO, TABLE)` as lines: an added or removed row is one, a modified row is two, before and after,
 * with the cells that differ marked.
 */
export class DiffRows implements GridRows {
  readonly columns: readonly Column[];
  /** Of rows, by kind. */
  readonly counts = { added: 0, removed: 0, modified: 0 };
  private readonly pages: ResultPages;
  private readonly pairs: readonly Pair[];
  private readonly kindColumn: number;
  /** Columns of which a modified row has another value. */
  private readonly changed = new Set<number>();
  /** Four times the row of the diff, and which side and kind of line. */
  private readonly lines: number[] = [];

  /** @param columns of the diff, and the names of the table's key */
  constructor(columns: readonly Column[], keys: ReadonlySet<string> = new Set()) {
    this.pages = new ResultPages(columns);
    const names = columns.map(({ name }) => name);
    this.kindColumn = names.indexOf('diff_type');
    const sideOf = (side: 'from_' | 'to_') =>
      names.filter(name => name.startsWith(side) && !OF_COMMIT.test(name)).map(name => name.slice(side.length));
    const all = [...new Set([...sideOf('to_'), ...sideOf('from_')])];
    this.pairs = all.map(name => ({ from: names.indexOf(`from_${name}`), to: names.indexOf(`to_${name}`) }));
    this.columns = this.pairs.map(({ from, to }, index) => {
      const described = columns[to < 0 ? from : to] as Column;
      const name = all[index] ?? '';
      return { ...described, name, primaryKey: keys.has(name) };
    });
  }

  get rowCount(): number {
    return this.lines.length;
  }

  /** Rows of the diff. */
  get changeCount(): number {
    return this.pages.rowCount;
  }

  get byteLength(): number {
    return this.pages.byteLength;
  }

  push(batch: Batch): void {
    const first = this.pages.rowCount;
    this.pages.push(batch);
    const kinds = batch.column(this.kindColumn);
    for (let index = 0; index < batch.rowCount; index += 1) {
      const row = 4 * (first + index);
      const kind = kinds.text(index);
      if (kind === 'added') {
        this.counts.added += 1;
        this.lines.push(row + LINE.added);
      } else if (kind === 'removed') {
        this.counts.removed += 1;
        this.lines.push(row + LINE.removed);
      } else {
        this.counts.modified += 1;
        this.lines.push(row + LINE.old, row + LINE.new);
        this.noteChanges(this.lines.length - 1);
      }
    }
  }

  readonly mark = (line: number): RowMark => MARKS[(this.lines[line] ?? 0) & 3] as RowMark;

  view(line: number, column: number): CellView | undefined {
    if (line < 0 || line >= this.lines.length) return undefined;
    const cell = this.locate(line, column);
    const kind = (this.lines[line] ?? 0) & 3;
    if (cell === undefined) return NOTHING;
    const view = cellView(cell.values, cell.index);
    if (kind === LINE.added || kind === LINE.removed) return view;
    return { ...view, state: this.isChanged(line, column) ? 'changed' : 'same' };
  }

  text(line: number, column: number): string | null | undefined {
    const cell = this.locate(line, column);
    return cell?.values.text(cell.index);
  }

  locate(line: number, column: number): { readonly values: BatchColumn; readonly index: number } | undefined {
    const found = this.lines[line];
    const pair = this.pairs[column];
    if (found === undefined || pair === undefined) return undefined;
    const isFrom = (found & 3) === LINE.old || (found & 3) === LINE.removed;
    const at = isFrom ? pair.from : pair.to;
    return at < 0 ? undefined : this.pages.locate(found >> 2, at);
  }

  /** The key and what differs in modified rows: other columns say nothing there. */
  get tellingColumns(): readonly number[] {
    return this.columns.flatMap(({ primaryKey }, index) => (primaryKey || this.changed.has(index) ? [index] : []));
  }

  private noteChanges(line: number): void {
    if (this.changed.size === this.columns.length) return;
    for (let column = 0; column < this.columns.length; column += 1) {
      if (!this.changed.has(column) && this.isChanged(line, column)) this.changed.add(column);
    }
  }

  private isChanged(line: number, column: number): boolean {
    const row = (this.lines[line] ?? 0) >> 2;
    const pair = this.pairs[column];
    if (pair === undefined || pair.from < 0 || pair.to < 0) return true;
    return this.pages.text(row, pair.from) !== this.pages.text(row, pair.to);
  }
}

/** Some of the columns of other rows. */
export class SomeColumns implements GridRows {
  readonly columns: readonly Column[];
  readonly mark: ((row: number) => RowMark | undefined) | undefined;
  private readonly rows: GridRows;
  private readonly chosen: readonly number[];

  constructor(rows: GridRows, chosen: readonly number[]) {
    this.rows = rows;
    this.chosen = chosen;
    this.columns = chosen.map(column => rows.columns[column] as Column);
    this.mark = rows.mark;
  }

  get rowCount(): number {
    return this.rows.rowCount;
  }

  view(row: number, column: number): CellView | undefined {
    return this.rows.view(row, this.chosen[column] ?? -1);
  }

  text(row: number, column: number): string | null | undefined {
    return this.rows.text(row, this.chosen[column] ?? -1);
  }

  locate(row: number, column: number): { readonly values: BatchColumn; readonly index: number } | undefined {
    return this.rows.locate(row, this.chosen[column] ?? -1);
  }
}

const LINE = { added: 0, removed: 1, old: 2, new: 3 } as const;
const MARKS: readonly RowMark[] = [ADDED, REMOVED, OLD, NEW];
