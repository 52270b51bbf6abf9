/** Results as CSV. */
import type { Batch, Column } from '../../client/index.ts';
import { cellText } from './cell.ts';
import type { Renderer } from './renderer.ts';

/** Comma-separated values with a header line: NULL is nothing, an empty string is `""`. */
export function csvRenderer(): Renderer {
  return {
    begin: (columns: readonly Column[]) => `${columns.map(({ name }) => quoted(name)).join(',')}\n`,
    batch(batch: Batch) {
      const columns = batch.columns.map((_, index) => batch.column(index));
      let text = '';
      for (let row = 0; row < batch.rowCount; row++) {
        text += `${columns.map(column => quoted(cellText(column, row))).join(',')}\n`;
      }
      return text;
    },
    end: () => '',
  };
}

function quoted(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
