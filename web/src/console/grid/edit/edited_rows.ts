import { signal } from '@preact/signals';
import type { Batch, BatchColumn, Column } from '../../../lib/index.ts';
import { type CellView, lookOf, oneLine } from '../cells.ts';
import { ResultPages } from '../pages.ts';
import type { CellEditing, GridRows, RowMark } from '../rows.ts';
import { TypedValue } from '../typed_value.ts';
import { type Edit, EditHistory, Edits, type EditValues } from './edit_history.ts';

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

const DELETED: RowMark = { sign: '−', meaning: 'Will be deleted', tone: 'row-deleted' };
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
  readonly #pages: ResultPages;
  readonly #edits = new Edits();
  readonly #history = new EditHistory();
  /** Of the step that is being made: what takes its edits back. */
  #opposites: Edit[] | undefined;
  #isSettled = false;

  constructor(columns: readonly Column[]) {
    this.columns = columns;
    this.#pages = new ResultPages(columns);
  }

  get rowCount(): number {
    return this.#pages.rowCount + this.#edits.added.length;
  }

  /** Rows of the result itself. */
  get fetchedCount(): number {
    return this.#pages.rowCount;
  }

  get byteLength(): number {
    return this.#pages.byteLength;
  }

  push(batch: Batch): void {
    this.#pages.push(batch);
  }

  get isDirty(): boolean {
    return !this.#isSettled && this.#edits.count > 0;
  }

  /** What is to be saved: deletes first, so that their keys are free, then updates and new rows. */
  changes(): RowChange[] {
    const nothing: EditValues = new Map();
    const byRow = (a: number, b: number) => a - b;
    const updated = [...this.#edits.changed.keys()].filter(row => !this.#edits.deleted.has(row)).sort(byRow);
    return [
      ...[...this.#edits.deleted].sort(byRow).map(row => ({ kind: 'delete' as const, row, values: nothing })),
      ...updated.map(row => ({ kind: 'update' as const, row, values: this.#edits.changed.get(row) ?? nothing })),
      ...this.#edits.added.map((values, index) => ({
        kind: 'insert' as const,
        row: this.#pages.rowCount + index,
        values,
      })),
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
    return this.#pages.text(row, column);
  }

  isAdded(row: number): boolean {
    return row >= this.#pages.rowCount;
  }

  isDeleted(row: number): boolean {
    return this.#edits.deleted.has(row);
  }

  isEdited(row: number, column: number): boolean {
    return this.#valuesOf(row)?.has(column) ?? false;
  }

  // What the grid asks while a person edits.

  refusal(row: number, column: number): string | undefined {
    const rules = this.rules.peek();
    if (rules === undefined) return '';
    return this.#edits.deleted.has(row) ? 'This row will be deleted' : rules.refusal(column);
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
    const isBack = !this.isAdded(row) && this.#pages.text(row, column) === value;
    if (isBack) this.revert(row, column);
    else this.step(() => this.#setValue(row, column, value));
  }

  /** Takes back what was typed; a new row gets the default. */
  revert(row: number, column: number): void {
    if (this.isEdited(row, column)) this.step(() => this.#setValue(row, column, undefined));
  }

  /** Gives the number of the new row. */
  addRow(values: ReadonlyMap<number, string | null> = new Map()): number {
    this.step(() => this.#make({ kind: 'added', index: this.#edits.added.length, values: new Map(values) }));
    return this.rowCount - 1;
  }

  /** New rows go at once, others when the edits are saved; those that were to go all along stay. */
  deleteRows(first: number, end: number): void {
    const rows = Array.from({ length: end - first }, (_, index) => first + index);
    const old = rows.filter(row => !this.isAdded(row));
    const isBack = old.length > 0 && old.every(row => this.isDeleted(row));
    this.step(() => {
      for (const row of old) this.#make({ kind: 'deleted', row, isDeleted: !isBack });
      this.#removeAdded(rows.slice(old.length));
    });
  }

  /** The edits are saved. They stay on the screen until the rows are read again, and no others are taken. */
  settle(): void {
    this.#isSettled = true;
    this.rules.value = undefined;
    this.#touch();
  }

  discard(): void {
    const { changed, deleted, added } = this.#edits;
    this.step(() => {
      for (const [row, values] of [...changed])
        for (const column of [...values.keys()]) this.#setValue(row, column, undefined);
      for (const row of [...deleted]) this.#make({ kind: 'deleted', row, isDeleted: false });
      this.#removeAdded(added.map((_, index) => this.#pages.rowCount + index));
    });
  }

  /** Edits that `undo` takes back as one. */
  step(work: () => void): void {
    if (this.#opposites !== undefined) {
      work();
      return;
    }
    const opposites: Edit[] = [];
    this.#opposites = opposites;
    try {
      work();
    } finally {
      this.#opposites = undefined;
      if (opposites.length > 0) {
        this.#history.note(opposites);
        this.#touch();
      }
    }
  }

  /** False where there is nothing to take back. */
  undo(): boolean {
    return this.#moved(!this.#isSettled && this.#history.back(this.#edits));
  }

  redo(): boolean {
    return this.#moved(!this.#isSettled && this.#history.forward(this.#edits));
  }

  #moved(isDone: boolean): boolean {
    if (isDone) this.#touch();
    return isDone;
  }

  /** Within a step. */
  #make(edit: Edit): void {
    this.#opposites?.push(this.#edits.apply(edit));
  }

  #setValue(row: number, column: number, value: string | null | undefined): void {
    const isAdded = this.isAdded(row);
    const index = isAdded ? row - this.#pages.rowCount : row;
    this.#make({ kind: 'value', of: isAdded ? 'added' : 'result', index, column, value });
  }

  /** From the last on, so that the numbers of those before it hold. */
  #removeAdded(rows: readonly number[]): void {
    for (const row of rows.toReversed())
      this.#make({ kind: 'added', index: row - this.#pages.rowCount, values: undefined });
  }

  #touch(): void {
    this.failure.value = undefined;
    this.version.value += 1;
  }

  #valuesOf(row: number): EditValues | undefined {
    return this.isAdded(row) ? this.#edits.added[row - this.#pages.rowCount] : this.#edits.changed.get(row);
  }

  // What the grid draws.

  readonly mark = (row: number): RowMark | undefined => {
    if (this.isAdded(row)) return ADDED;
    if (this.#edits.deleted.has(row)) return DELETED;
    if (this.#edits.changed.has(row))
      return { sign: String(row + 1), meaning: `Row ${row + 1}, edited`, tone: 'row-edited' };
    return undefined;
  };

  view(row: number, column: number): CellView | undefined {
    const values = this.#valuesOf(row);
    const value = values?.get(column);
    const failure = this.failure.peek();
    const isFailed = failure?.row === row && (failure.column === undefined || failure.column === column);
    if (value === undefined) {
      const view: CellView | undefined = this.isAdded(row)
        ? { text: this.rules.peek()?.placeholder(column) ?? '', look: 'default' }
        : this.#pages.view(row, column);
      const isMarked = isFailed && (failure.column !== undefined || this.isAdded(row) || this.#edits.deleted.has(row));
      return view !== undefined && isMarked ? { ...view, state: 'wrong', problem: failure.message } : view;
    }
    const described = this.columns[column] as Column;
    const problem = this.problem(column, value) ?? (isFailed ? failure.message : undefined);
    const shown: CellView =
      value === null ? { text: 'NULL', look: 'null' } : { text: oneLine(value), look: lookOf(described) };
    return problem === undefined ? { ...shown, state: 'edited' } : { ...shown, state: 'wrong', problem };
  }

  text(row: number, column: number): string | null | undefined {
    const value = this.#valuesOf(row)?.get(column);
    if (value !== undefined) return value;
    return this.isAdded(row) && row < this.rowCount ? null : this.#pages.text(row, column);
  }

  locate(row: number, column: number): { readonly values: BatchColumn; readonly index: number } | undefined {
    const value = this.#valuesOf(row)?.get(column);
    if (value === undefined) return this.#pages.locate(row, column);
    return { values: new TypedValue(this.columns[column] as Column, value), index: 0 };
  }
}
