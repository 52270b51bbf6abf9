import type { Batch, Column } from '../../client/index.ts';
import { cellText, displayWidth } from './cell.ts';
import type { Renderer } from './renderer.ts';

/**
 * A table in a frame. The first batch decides how wide columns are; later cells that are wider push their line out.
 * Nothing at all for a result without rows, as Dolt's shell does.
 */
export function tableRenderer(): Renderer {
  let names: readonly string[] = [];
  let widths: number[] | null = null;
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
  return {
    begin(columns: readonly Column[]) {
      names = columns.map(({ name }) => name);
      return '';
    },
    batch(batch: Batch) {
      const rows = rowsOf(batch);
      let text = '';
      if (widths === null) {
        widths = names.map((name, index) => widthOf([name, ...rows.map(cells => cells[index] ?? '')]));
        text = rule() + row(names) + rule();
      }
      for (const cells of rows) text += row(cells);
      return text;
    },
    end: () => (widths === null ? '\n' : `${rule()}\n`),
  };
}

function rowsOf(batch: Batch): string[][] {
  const columns = batch.columns.map((_, index) => batch.column(index));
  const rows: string[][] = [];
  for (let row = 0; row < batch.rowCount; row++) rows.push(columns.map(column => cellText(column, row) ?? 'NULL'));
  return rows;
}

function widthOf(cells: readonly string[]): number {
  let width = 0;
  for (const cell of cells) for (const part of cell.split('\n')) width = Math.max(width, displayWidth(part));
  return width;
}
