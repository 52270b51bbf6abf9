/** What the table for some rows is, by as many of them as were looked at. Pure. */
import type { Param } from '../types.ts';
import { TEXT, TypeFinder } from './column_type.ts';
import type { ImportRowsOptions, PlannedColumn } from './transfer_types.ts';

/** So many rows are shown as they are. */
const EXAMPLES = 200;

interface Column {
  readonly name: string;
  readonly finder: TypeFinder;
  readonly examples: Param[];
}

export class RowPlan {
  /** That were looked at. */
  rows = 0;
  readonly #options: ImportRowsOptions;
  readonly #rowsBefore: number;
  readonly #columns: Column[] = [];
  readonly #known = new Set<string>();

  /** @param rowsBefore in the file, before the first of them */
  constructor(options: ImportRowsOptions, rowsBefore: number) {
    this.#options = options;
    this.#rowsBefore = rowsBefore;
  }

  get names(): readonly string[] {
    return this.#columns.map(({ name }) => name);
  }

  /** Takes columns that it does not have yet: in the rows before they were NULL. */
  addColumns(names: readonly string[]): void {
    for (const name of names) {
      if (this.#known.has(name)) continue;
      this.#known.add(name);
      const examples = Array.from({ length: Math.min(this.rows, EXAMPLES) }, () => null);
      this.#columns.push({ name, finder: new TypeFinder(this.#options), examples });
    }
  }

  /** @param take the value of a column, by its place and its name */
  addRow(take: (index: number, name: string) => Param): void {
    this.rows += 1;
    for (const [index, { name, finder, examples }] of this.#columns.entries()) {
      const value = take(index, name);
      finder.add(value, this.#rowsBefore + this.rows);
      if (examples.length < EXAMPLES) examples.push(value);
    }
  }

  /** The columns, each with the type that was chosen for it, or the one that its values say. */
  get columns(): readonly PlannedColumn[] {
    const key = keyOf(this.#options, this.names);
    return this.#columns.map(({ name, finder, examples }) => {
      const chosen = this.#options.types?.[name];
      if (chosen !== undefined) return { name, type: chosen, examples };
      const { type, strays } = finder.found();
      const isTextKey = type === TEXT && key.includes(name);
      return { name, type: isTextKey ? 'varchar(255)' : type, examples, ...(strays && { strays }) };
    });
  }
}

/** The first column unless it was said. */
export function keyOf({ primaryKey }: ImportRowsOptions, names: readonly string[]): readonly string[] {
  return primaryKey ?? names.slice(0, 1);
}
