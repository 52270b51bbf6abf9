/** Conditions of the filter bar. */
import { signal } from '@preact/signals';
import type { Column } from '../../../../lib/index.ts';
import {
  anyContains,
  type Condition,
  conditionOf,
  type Operator,
  operatorsOf,
  takesValue,
} from '../../../sql/conditions.ts';
import { namesIn, refinedQuery } from '../../../sql/refining.ts';

/** One condition, as far as it is written. */
export interface FilterLine {
  /** Of the result; -1 for any of them. */
  readonly column: number;
  readonly operator: Operator;
  readonly text: string;
}

export const ANY_COLUMN = -1;
const EMPTY: FilterLine = { column: ANY_COLUMN, operator: 'contains', text: '' };

/** What is asked of the rows of a tab besides its query. It outlives the rows: the next ones are those that it found. */
export class RowFilter {
  readonly isOpen = signal(false);
  readonly lines = signal<readonly FilterLine[]>([EMPTY]);
  /** Goes up with every wish to type into it. */
  readonly wishes = signal(0);
  /** The query without the conditions. */
  #base = '';
  /** What it was made into. */
  #made = '';
  #columns: readonly Column[] = [];

  /** With a condition on a column, if one is named. */
  open(column?: number): void {
    if (column !== undefined) this.#ask(column);
    this.isOpen.value = true;
    this.wishes.value += 1;
  }

  close(): void {
    this.isOpen.value = false;
  }

  /** These are the rows of a query: another one than it made has its own conditions. */
  follow(sql: string, columns: readonly Column[]): void {
    if (sql === this.#made && this.#made !== '') return;
    const names = (of: readonly Column[]) => JSON.stringify(of.map(({ name }) => name));
    // What was asked of other columns means nothing here.
    if (names(columns) !== names(this.#columns) && this.lines.peek().some(line => line !== EMPTY)) this.clear();
    this.#base = sql;
    this.#made = '';
    this.#columns = columns;
  }

  /** The rows come in another order, or were refined in another way: what was asked here stays asked. */
  refine(before: string, after: string, refine: (sql: string) => string | undefined): void {
    if (before !== this.#made || this.#made === '') return;
    this.#base = refine(this.#base) ?? this.#base;
    this.#made = after;
  }

  /** Another tab shows what is asked here. */
  moveTo(other: RowFilter): void {
    if (other === this || !this.isOpen.peek()) return;
    Object.assign(other, { base: this.#base, made: this.#made, columns: this.#columns });
    other.lines.value = this.lines.peek();
    other.open();
    this.lines.value = [EMPTY];
    this.#made = '';
    this.close();
  }

  change(index: number, line: FilterLine): void {
    this.lines.value = this.lines.peek().map((one, at) => (at === index ? line : one));
  }

  add(): void {
    this.lines.value = [...this.lines.peek(), EMPTY];
    this.wishes.value += 1;
  }

  remove(index: number): void {
    const left = this.lines.peek().filter((_, at) => at !== index);
    this.lines.value = left.length === 0 ? [EMPTY] : left;
  }

  clear(): void {
    this.lines.value = [EMPTY];
  }

  get isAsked(): boolean {
    return this.#made !== '' && this.#made !== this.#base;
  }

  /** What a line asks; undefined while it asks nothing. */
  conditionOf({ column, operator, text }: FilterLine): Condition | undefined {
    const names = namesIn(this.#base, this.#columns);
    const named = this.#columns.map(({ type, kind }, at) => ({ name: names[at] ?? '', type, kind }));
    const one = named[column];
    if (one === undefined) return text === '' ? undefined : anyContains(named, text);
    return conditionOf(one, operator, text);
  }

  /** The query with the conditions; undefined where one of them cannot be asked, or the query has no room for them. */
  query(): string | undefined {
    const found = this.lines.peek().flatMap(line => this.conditionOf(line) ?? []);
    const wheres = found.flatMap(one => ('sql' in one ? [one.sql] : []));
    if (wheres.length < found.length) return undefined;
    const made =
      wheres.length === 0 ? this.#base : refinedQuery(this.#base, this.#columns, { where: wheres.join(' AND ') });
    if (made !== undefined) this.#made = made;
    return made;
  }

  #ask(column: number): void {
    const [operator = 'contains'] = operatorsOfColumn(this.#columns[column]);
    const line = { column, operator, text: '' };
    const last = this.lines.peek().length - 1;
    const isFree = this.lines.peek()[last]?.text === '' && takesValue(this.lines.peek()[last]?.operator ?? 'is');
    if (isFree) this.change(last, line);
    else this.lines.value = [...this.lines.peek(), line];
  }
}

/** What a column of a result can be asked; any of them is asked for a text. */
export function operatorsOfColumn(column: Column | undefined): readonly Operator[] {
  return column === undefined ? ['contains'] : operatorsOf(column);
}
