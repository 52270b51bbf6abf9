/** The rows of a diff as a table whose first column says what became of each. */
import { displayWidth } from '../../render/cell.ts';
import { type Color, paint } from '../../render/color.ts';
import type { Output } from '../output.ts';
import { editScript } from './edit_script.ts';

/**
 * Formats of a changed row: its two versions (`row`), one with the lines of each cell that went and came (`line`), one
 * with both versions in each cell, told apart by colour (`in-place`), or two unless a cell has several lines (`context`).
 */
export const DIFF_MODES = ['row', 'line', 'in-place', 'context'] as const;
export type DiffMode = (typeof DIFF_MODES)[number];

type Tone = 'added' | 'removed' | 'after' | 'before';
type Cells = readonly (string | null)[];

interface TableCell {
  /** As it is printed, by line: its letters, and the same with colours. */
  readonly lines: readonly { readonly plain: string; readonly shown: string }[];
}

/** So many lines decide together how wide columns are. */
const SAMPLE_LINES = 100;

const COLORS: Readonly<Record<Tone, Color>> = { added: 'greenBold', removed: 'redBold', after: 'green', before: 'red' };

export class DiffTable {
  readonly #names: readonly string[];
  readonly #mode: DiffMode;
  readonly #useColor: boolean;
  readonly #output: Output;
  readonly #widths: number[];
  #waiting: TableCell[][] = [];
  #isBegun = false;

  constructor(names: readonly string[], mode: DiffMode, useColor: boolean, output: Output) {
    this.#names = ['', ...names];
    this.#mode = mode;
    this.#useColor = useColor;
    this.#output = output;
    // The first column is called by a space.
    this.#widths = this.#names.map((name, index) => (index === 0 ? 1 : displayWidth(name)));
  }

  added(cells: Cells): Promise<void> {
    return this.#row('+', cells, () => 'added');
  }

  removed(cells: Cells): Promise<void> {
    return this.#row('-', cells, () => 'removed');
  }

  async changed(before: Cells, after: Cells): Promise<void> {
    const isOther = (index: number) => before[index] !== after[index];
    if (this.#mode !== 'row') {
      const cells = before.map((old, index) => {
        const [from, to] = [shown(old), shown(after[index] ?? null)];
        if (from === to) return this.#cell(from);
        return this.#mode === 'in-place' ? this.#inPlace(from, to) : this.#byLine(from, to);
      });
      const isTall = cells.some(({ lines }, index) => lines.length > (isOther(index) ? 2 : 1));
      if (this.#mode !== 'context' || isTall) return this.#push([this.#cell('*'), ...cells]);
    }
    await this.#row('<', before, index => (isOther(index) ? 'before' : undefined));
    await this.#row('>', after, index => (isOther(index) ? 'after' : undefined));
  }

  async end(): Promise<void> {
    await this.#flush();
    if (this.#isBegun) await this.#output.out(this.#rule());
  }

  #row(mark: string, cells: Cells, toneOf: (index: number) => Tone | undefined): Promise<void> {
    const tone: Tone = mark === '+' ? 'added' : mark === '-' ? 'removed' : mark === '<' ? 'before' : 'after';
    return this.#push([this.#cell(mark, tone), ...cells.map((cell, index) => this.#cell(shown(cell), toneOf(index)))]);
  }

  #cell(text: string, tone?: Tone): TableCell {
    return { lines: text.split('\n').map(plain => ({ plain, shown: this.#painted(plain, tone) })) };
  }

  /** Each line with what became of it. */
  #byLine(from: string, to: string): TableCell {
    const edits = editScript(from.split('\n'), to.split('\n'));
    const lines = edits.map(({ kind, item }) => {
      const plain = `${kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '}${item}`;
      return {
        plain,
        shown: this.#painted(plain, kind === 'added' ? 'after' : kind === 'removed' ? 'before' : undefined),
      };
    });
    return { lines };
  }

  #inPlace(from: string, to: string): TableCell {
    const lines = [{ plain: '', shown: '' }];
    for (const { kind, item } of editScript(Array.from(from), Array.from(to))) {
      if (item === '\n') {
        lines.push({ plain: '', shown: '' });
        continue;
      }
      const line = lines.at(-1) as { plain: string; shown: string };
      line.plain += item;
      line.shown += this.#painted(item, kind === 'added' ? 'after' : kind === 'removed' ? 'before' : undefined);
    }
    return { lines };
  }

  #painted(text: string, tone: Tone | undefined): string {
    return tone === undefined ? text : paint(text, COLORS[tone], this.#useColor);
  }

  async #push(cells: TableCell[]): Promise<void> {
    if (this.#waiting.length >= SAMPLE_LINES) await this.#flush();
    for (const [index, { lines }] of cells.entries()) {
      for (const { plain } of lines) this.#widths[index] = Math.max(this.#widths[index] ?? 0, displayWidth(plain));
    }
    this.#waiting.push(cells);
  }

  async #flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    let text = '';
    if (!this.#isBegun)
      text += this.#rule() + this.#line(this.#names.map(name => ({ plain: name, shown: name }))) + this.#rule();
    this.#isBegun = true;
    for (const cells of this.#waiting) {
      const height = Math.max(...cells.map(({ lines }) => lines.length));
      for (let line = 0; line < height; line += 1)
        text += this.#line(cells.map(({ lines }) => lines[line] ?? { plain: '', shown: '' }));
    }
    this.#waiting = [];
    await this.#output.out(text);
  }

  #rule(): string {
    return `+${this.#widths.map(width => '-'.repeat(width + 2)).join('+')}+\n`;
  }

  #line(cells: readonly { readonly plain: string; readonly shown: string }[]): string {
    const padded = cells.map(
      ({ plain, shown }, index) => shown + ' '.repeat(Math.max(0, (this.#widths[index] ?? 0) - displayWidth(plain))),
    );
    return `| ${padded.join(' | ')} |\n`;
  }
}

function shown(cell: string | null): string {
  return cell ?? 'NULL';
}
