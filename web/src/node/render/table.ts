/** Results as a table. */
import type { Batch, Column } from '../../client/index.ts';
import { cellText, displayWidth } from './cell.ts';
import type { Renderer, Shown } from './renderer.ts';

/** So many rows decide how wide the columns are: a screen or two, and no result has to be held. */
const MEASURED_ROWS = 1000;

/**
 * A table in a frame. Its first rows decide how wide columns are; later cells that are wider push their line out.
 * Nothing at all for a result without rows, as Dolt's shell does.
 */
export function tableRenderer(shown: Shown): Renderer {
  let names: readonly string[] = [];
  let widths: number[] | null = null;
  let held: string[][] = [];
  const rule = (): string => `+${(widths ?? []).map(width => '-'.repeat(width + 2)).join('+')}+\n`;
  const line = (cells: readonly string[]): string => {
    const padded = cells.map(
      (cell, index) => cell + ' '.repeat(Math.max(0, (widths?.[index] ?? 0) - displayWidth(cell))),
    );
    return `| ${padded.join(' | ')} |\n`;
  };
  /** A cell may have several lines of its own. */
  const row = (cells: readonly string[]): string => {
    const parts = cells.map(cell => cell.split('\n'));
    const height = Math.max(...parts.map(part => part.length));
    let text = '';
    for (let index = 0; index < height; index++) text += line(parts.map(part => part[index] ?? ''));
    return text;
  };
  /** The head and what was held, once. */
  const begun = (): string => {
    if (widths !== null) return '';
    widths = names.map((name, index) => widthOf([name, ...held.map(cells => cells[index] ?? '')]));
    const text = rule() + row(names) + rule() + held.map(row).join('');
    held = [];
    return text;
  };
  return {
    begin(columns: readonly Column[]) {
      names = columns.map(({ name }) => shown(name));
      return '';
    },
    batch(batch: Batch) {
      const rows = rowsOf(batch, shown);
      if (widths !== null) return rows.map(row).join('');
      held.push(...rows);
      return held.length < MEASURED_ROWS ? '' : begun();
    },
    end() {
      if (widths === null && held.length === 0) return '\n';
      return `${begun()}${rule()}\n`;
    },
  };
}

function rowsOf(batch: Batch, shown: Shown): string[][] {
  const columns = batch.columns.map((_, index) => batch.column(index));
  const rows: string[][] = [];
  for (let row = 0; row < batch.rowCount; row++)
    rows.push(columns.map(column => shown(cellText(column, row) ?? 'NULL')));
  return rows;
}

function widthOf(cells: readonly string[]): number {
  let width = 0;
  for (const cell of cells) for (const part of cell.split('\n')) width = Math.max(width, displayWidth(part));
  return width;
}
