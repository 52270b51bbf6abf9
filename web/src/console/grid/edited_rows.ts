import { signal } from '@preact/signals';
import type { Batch, BatchColumn, Column, Value } from '../../lib/index.ts';
import { type CellView, lookOf, oneLine } from './cells.ts';
import { ResultPages } from './pages.ts';
import type { CellEditing, GridRows, RowMark } from './rows.ts';

/** What a table says of the columns of its rows. */
export interface EditRules {
  /** Why a column cannot be written; undefined when it can. */
  refusal(column: number): string | undefined;
  problem(column: number, text: string | null): string | undefined;
  /** What a new row gets where nothing is given. */
  placeholder(column: number): string;
  /** The words of an enum. */
  choices(column: number): readonly string[];
  isNullable(column: number): boolean;
}

/** A row with edits. Values are texts as MySQL writes them, null for NULL; columns that are not named stay as they are. */
export interface RowChange {
  readonly kind: 'update' | 'delete' | 'insert';
  readonly row: number;
  readonly values: ReadonlyMap<number, string | null>;
}

interface Failure {
  readonly row: number;
  /** Undefined when it may be any of the row. */
  readonly column: number | undefined;
  readonly message: string;
}

type Values = Map<number, string | null>;

const DELETED: RowMark = { sign: '−', meaning: 'To be deleted', tone: 'row-deleted' };
const ADDED: RowMark = { sign: '+', meaning: 'New row', tone: 'row-added' };

/** The rows of a result with the edits that are not saved yet laid over them. New rows come last. */
export class EditedRows implements GridRows, CellEditing {
  readonly columns: readonly Column[];
  /** Another number after every edit. */
  readonly version = signal(0);
  /** Set when the result can be edited. */
  readonly rules = signal<EditRules | undefined>(undefined);
  /** Where saving failed. */
  readonly failure = signal<Failure | undefined>(undefined);
  private readonly pages: ResultPages;
  private readonly changed = new Map<number, Values>();
  private readonly deleted = new Set<number>();
  private added: Values[] = [];
  private isSettled = false;

  constructor(columns: readonly Column[]) {
    this.columns = columns;
    this.pages = new ResultPages(columns);
  }

  get rowCount(): number {
    return this.pages.rowCount + this.added.length;
  }

  /** Rows of the result itself. */
  get fetchedCount(): number {
    return this.pages.rowCount;
  }

  get byteLength(): number {
    return this.pages.byteLength;
  }

  push(batch: Batch): void {
    this.pages.push(batch);
  }

  get isDirty(): boolean {
    return !this.isSettled && this.changed.size + this.deleted.size + this.added.length > 0;
  }

  /** What is to be saved: deletes first, so that their keys are free, then updates and new rows. */
  changes(): RowChange[] {
    const nothing: Values = new Map();
    const byRow = (a: number, b: number) => a - b;
    const updated = [...this.changed.keys()].filter(row => !this.deleted.has(row)).sort(byRow);
    return [
      ...[...this.deleted].sort(byRow).map(row => ({ kind: 'delete' as const, row, values: nothing })),
      ...updated.map(row => ({ kind: 'update' as const, row, values: this.changed.get(row) ?? nothing })),
      ...this.added.map((values, index) => ({ kind: 'insert' as const, row: this.pages.rowCount + index, values })),
    ];
  }

  /** The first cell whose value does not fit its column. */
  get wrongCell(): { readonly row: number; readonly column: number; readonly problem: string } | undefined {
    for (const { kind, row, values } of this.changes()) {
      if (kind === 'delete') continue;
      for (const [column, value] of values) {
        const problem = this.problem(column, value);
        if (problem !== undefined) return { row, column, problem };
      }
    }
    return undefined;
  }

  /** What the result says, without the edits. */
  original(row: number, column: number): string | null | undefined {
    return this.pages.text(row, column);
  }

  isAdded(row: number): boolean {
    return row >= this.pages.rowCount;
  }

  isDeleted(row: number): boolean {
    return this.deleted.has(row);
  }

  isEdited(row: number, column: number): boolean {
    return this.valuesOf(row)?.has(column) ?? false;
  }

  // What the grid asks while a person edits.

  refusal(row: number, column: number): string | undefined {
    const rules = this.rules.peek();
    if (rules === undefined) return '';
    return this.deleted.has(row) ? 'The row is to be deleted' : rules.refusal(column);
  }

  problem(column: number, text: string | null): string | undefined {
    return this.rules.peek()?.problem(column, text);
  }

  choices(column: number): readonly string[] {
    return this.rules.peek()?.choices(column) ?? [];
  }

  isNullable(column: number): boolean {
    return this.rules.peek()?.isNullable(column) ?? false;
  }

  set(row: number, column: number, value: string | null): void {
    if (this.refusal(row, column) !== undefined) return;
    if (this.isAdded(row)) {
      this.added[row - this.pages.rowCount]?.set(column, value);
    } else {
      const values = this.changed.get(row) ?? new Map();
      if (this.pages.text(row, column) === value) values.delete(column);
      else values.set(column, value);
      if (values.size === 0) this.changed.delete(row);
      else this.changed.set(row, values);
    }
    this.touch();
  }

  /** Takes back what was typed; a new row gets the default. */
  revert(row: number, column: number): void {
    const values = this.valuesOf(row);
    if (values === undefined) return;
    values.delete(column);
    if (values.size === 0) this.changed.delete(row);
    this.touch();
  }

  /** Gives the number of the new row. */
  addRow(values: ReadonlyMap<number, string | null> = new Map()): number {
    this.added.push(new Map(values));
    this.touch();
    return this.rowCount - 1;
  }

  /** New rows go at once, others when the edits are saved; those that were to go all along stay. */
  deleteRows(first: number, end: number): void {
    const rows = Array.from({ length: end - first }, (_, index) => first + index);
    const old = rows.filter(row => !this.isAdded(row));
    const isBack = old.length > 0 && old.every(row => this.deleted.has(row));
    for (const row of old) {
      if (isBack) this.deleted.delete(row);
      else this.deleted.add(row);
    }
    const from = this.pages.rowCount;
    this.added = this.added.filter((_, index) => from + index < first || from + index >= end);
    this.touch();
  }

  /** The edits are saved. They stay on the screen until the rows are read again, and no others are taken. */
  settle(): void {
    this.isSettled = true;
    this.rules.value = undefined;
    this.touch();
  }

  discard(): void {
    this.changed.clear();
    this.deleted.clear();
    this.added = [];
    this.touch();
  }

  private touch(): void {
    this.failure.value = undefined;
    this.version.value += 1;
  }

  private valuesOf(row: number): Values | undefined {
    return this.isAdded(row) ? this.added[row - this.pages.rowCount] : this.changed.get(row);
  }

  // What the grid draws.

  readonly mark = (row: number): RowMark | undefined => {
    if (this.isAdded(row)) return ADDED;
    if (this.deleted.has(row)) return DELETED;
    if (this.changed.has(row)) return { sign: String(row + 1), meaning: `Row ${row + 1}, edited`, tone: 'row-edited' };
    return undefined;
  };

  view(row: number, column: number): CellView | undefined {
    const values = this.valuesOf(row);
    const value = values?.get(column);
    const failure = this.failure.peek();
    const isFailed = failure?.row === row && (failure.column === undefined || failure.column === column);
    if (value === undefined) {
      const view: CellView | undefined = this.isAdded(row)
        ? { text: this.rules.peek()?.placeholder(column) ?? '', look: 'default' }
        : this.pages.view(row, column);
      const isMarked = isFailed && (failure.column !== undefined || this.isAdded(row) || this.deleted.has(row));
      return view !== undefined && isMarked ? { ...view, state: 'wrong', problem: failure.message } : view;
    }
    const described = this.columns[column] as Column;
    const problem = this.problem(column, value) ?? (isFailed ? failure.message : undefined);
    const shown: CellView =
      value === null ? { text: 'NULL', look: 'null' } : { text: oneLine(value), look: lookOf(described) };
    return problem === undefined ? { ...shown, state: 'edited' } : { ...shown, state: 'wrong', problem };
  }

  text(row: number, column: number): string | null | undefined {
    const value = this.valuesOf(row)?.get(column);
    if (value !== undefined) return value;
    return this.isAdded(row) && row < this.rowCount ? null : this.pages.text(row, column);
  }

  locate(row: number, column: number): { readonly values: BatchColumn; readonly index: number } | undefined {
    const value = this.valuesOf(row)?.get(column);
    if (value === undefined) return this.pages.locate(row, column);
    return { values: new TypedValue(this.columns[column] as Column, value), index: 0 };
  }
}

/** One value that a person typed, where a column of a batch is asked for. */
class TypedValue implements BatchColumn {
  readonly column: Column;
  readonly length = 1;
  private readonly typed: string | null;

  constructor(column: Column, typed: string | null) {
    this.column = column;
    this.typed = typed;
  }

  isNull(): boolean {
    return this.typed === null;
  }

  value(): Value {
    const { typed } = this;
    if (typed === null) return null;
    if (this.column.kind === 'json') {
      try {
        return JSON.parse(typed) as Value;
      } catch {
        return typed;
      }
    }
    if (lookOf(this.column) !== 'bytes' || !/^0x([0-9a-f]{2})*$/i.test(typed)) return typed;
    return Uint8Array.from(typed.slice(2).match(/../g) ?? [], pair => Number.parseInt(pair, 16));
  }

  text(): string | null {
    return this.typed;
  }

  values(): readonly Value[] {
    return [this.value()];
  }
}
