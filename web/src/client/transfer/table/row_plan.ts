/** What the table for some rows is, by as many of them as were looked at. Pure. */
import type { Param } from '../../types.ts';
import type { ImportRowsOptions, MissingFields, PlannedColumn, UnfitKey } from '../transfer_types.ts';
import { TEXT, TypeFinder } from './column_type.ts';
import { KeySet } from './key_set.ts';

/** Texts of a key have no more. */
const KEY_CHARACTERS_MAX = 255;

/** So many rows are shown as they are. */
const EXAMPLES = 200;

interface Column {
  readonly name: string;
  readonly finder: TypeFinder;
  readonly examples: Param[];
  /** Lines that end before it. */
  missing: MissingFields | undefined;
}

export class RowPlan {
  /** That were looked at. */
  rows = 0;
  readonly #options: ImportRowsOptions;
  readonly #rowsBefore: number;
  readonly #columns: Column[] = [];
  readonly #known = new Set<string>();
  #keyColumns: readonly { readonly index: number; readonly name: string }[] = [];
  /** Of the rows so far; undefined where they are none, or are not looked at any more. */
  #keys: KeySet | undefined = new KeySet();
  /** The row that cannot have its key, from 1, and what that is. */
  #unfit: { readonly row: number; readonly key: readonly Param[] } | undefined;

  /** @param rowsBefore in the file, before the first of them */
  constructor(options: ImportRowsOptions, rowsBefore: number) {
    this.#options = options;
    this.#rowsBefore = rowsBefore;
  }

  /** Of the last row in the file. */
  get rowNumber(): number {
    return this.#rowsBefore + this.rows;
  }

  get names(): readonly string[] {
    return this.#columns.map(({ name }) => name);
  }

  /**
   * Takes columns that it does not have yet: in the rows before they were NULL.
   *
   * @param missing the lines that end before them
   */
  addColumns(names: readonly string[], missing?: MissingFields): void {
    const before = this.#columns.length;
    for (const [at, name] of names.entries()) {
      if (this.#known.has(name)) continue;
      this.#known.add(name);
      const examples = Array.from({ length: Math.min(this.rows, EXAMPLES) }, () => null);
      // Objects leave out what is NULL: what one has more than those before is where it has it.
      const next = names.slice(at + 1).find(other => this.#known.has(other));
      const place = next === undefined ? this.#columns.length : this.#columns.findIndex(column => column.name === next);
      this.#columns.splice(place, 0, { name, finder: new TypeFinder(this.#options), examples, missing });
    }
    const known = this.names;
    if (known.length === before) return;
    const isKeyLate = this.rows > 0 && this.#keyColumns.some(({ index, name }) => known[index] !== name);
    // The rows before have no value in what is the first column now.
    if (isKeyLate && this.#options.primaryKey === undefined) {
      this.#unfit = { row: this.#rowsBefore + 1, key: [null] };
      this.#keys = undefined;
    }
    this.#keyColumns = keyOf(this.#options, known).map(name => ({ index: known.indexOf(name), name }));
  }

  /**
   * @param take the value of a column, by its place and its name
   * @param width of the columns that a line has fields for
   */
  addRow(take: (index: number, name: string) => Param, width = this.#columns.length): void {
    this.rows += 1;
    const row = this.rowNumber;
    for (const column of this.#columns.slice(width)) {
      column.missing = { count: (column.missing?.count ?? 0) + 1, row: column.missing?.row ?? row };
    }
    for (const [index, { name, finder, examples }] of this.#columns.entries()) {
      const value = take(index, name);
      finder.add(value, row);
      if (examples.length < EXAMPLES) examples.push(value);
    }
    this.#addKey(take);
  }

  #addKey(take: (index: number, name: string) => Param): void {
    const [first, ...others] = this.#keyColumns;
    if (this.#keys === undefined || first === undefined) return;
    const value = take(first.index, first.name);
    // One value is compared as it is.
    const more = others.map(({ index, name }) => take(index, name));
    const compared = more.length === 0 ? String(value) : JSON.stringify([value, ...more].map(String));
    const isLong = [value, ...more].some(part => typeof part === 'string' && part.length > KEY_CHARACTERS_MAX);
    if (value === null || more.includes(null) || isLong || !this.#keys.add(compared)) {
      this.#unfit = { row: this.#rowsBefore + this.rows, key: [value, ...more] };
    }
    if (this.#unfit !== undefined || this.#keys.isFull) this.#keys = undefined;
  }

  /** The first column would be the key, and cannot. */
  get isKeyLeft(): boolean {
    const [value = null] = this.#unfit?.key ?? [];
    const unfit = this.#unfit && { value, row: this.#unfit.row };
    return this.#options.primaryKey === undefined && isUnfit(unfit, this.#options);
  }

  /** The columns, each with the type that was chosen for it, or the one that its values say. */
  get columns(): readonly PlannedColumn[] {
    const key = keyOf(this.#options, this.names);
    const isLeft = this.isKeyLeft;
    return this.#columns.map(({ name, finder, examples, missing }) => {
      const at = key.indexOf(name);
      const unfit = this.#unfit && at >= 0 ? { value: this.#unfit.key[at] ?? null, row: this.#unfit.row } : undefined;
      const shared = { name, examples, ...(unfit && { unfit }), ...(missing && { missing }) };
      const chosen = this.#options.types?.[name];
      if (chosen !== undefined) return { ...shared, type: chosen };
      const { type, strays } = finder.found();
      const isTextKey = type === TEXT && at >= 0 && !isLeft;
      return { ...shared, type: isTextKey ? `varchar(${KEY_CHARACTERS_MAX})` : type, ...(strays && { strays }) };
    });
  }
}

/** Whether the rows do not take a column as their key; of rows with the same key one may be what is wanted. */
export function isUnfit(unfit: UnfitKey | undefined, { duplicates = 'error' }: ImportRowsOptions): boolean {
  return (
    unfit !== undefined &&
    (duplicates === 'error' || unfit.value === null || String(unfit.value).length > KEY_CHARACTERS_MAX)
  );
}

/** Of the columns that the rows have: the first one unless it was said. */
export function keyOf({ primaryKey, numbered }: ImportRowsOptions, names: readonly string[]): readonly string[] {
  return numbered === undefined ? (primaryKey ?? names.slice(0, 1)) : [];
}
