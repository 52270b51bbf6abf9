import type { Batch, Column } from '../../../lib/index.ts';
import { ResultPages } from '../pages.ts';
import { DiffLines, type FoundCell, type Side } from './diff_lines.ts';

const OF_COMMIT = /^(from|to)_commit(_date)?$/;

/** The rows of `dolt_diff(FROM, TO, TABLE)`. */
export class DiffRows extends DiffLines {
  readonly #pages: ResultPages;
  readonly #kindColumn: number;

  /** @param columns of the diff, and the names of the table's key */
  constructor(columns: readonly Column[], keys: ReadonlySet<string> = new Set()) {
    const names = columns.map(({ name }) => name);
    const sideOf = (side: 'from_' | 'to_') =>
      names.filter(name => name.startsWith(side) && !OF_COMMIT.test(name)).map(name => name.slice(side.length));
    const all = [...new Set([...sideOf('to_'), ...sideOf('from_')])];
    const pairs = all.map(name => ({ from: names.indexOf(`from_${name}`), to: names.indexOf(`to_${name}`) }));
    const described = pairs.map(({ from, to }, index) => {
      const name = all[index] ?? '';
      return { ...(columns[to < 0 ? from : to] as Column), name, primaryKey: keys.has(name) };
    });
    super(described, pairs);
    this.#pages = new ResultPages(columns);
    this.#kindColumn = names.indexOf('diff_type');
  }

  get byteLength(): number {
    return this.#pages.byteLength;
  }

  push(batch: Batch): void {
    this.#pages.push(batch);
    const kinds = batch.column(this.#kindColumn);
    for (let index = 0; index < batch.rowCount; index += 1) {
      const kind = kinds.text(index);
      this.add(kind === 'added' || kind === 'removed' ? kind : 'modified');
    }
  }

  protected cellOf(change: number, _side: Side, column: number): FoundCell | undefined {
    return this.#pages.locate(change, column);
  }
}
