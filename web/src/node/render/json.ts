/** Results as JSON. */
import type { Batch, BatchColumn, Column } from '../../client/index.ts';
import { cellText } from './cell.ts';
import type { Renderer } from './renderer.ts';

/** `{"rows": [{…},{…}]}` on one line; members that are NULL are left out, and a result without rows is `{}`. */
export function jsonRenderer(): Renderer {
  let names: readonly string[] = [];
  let isEmpty = true;
  return {
    begin(columns: readonly Column[]) {
      names = columns.map(({ name }) => JSON.stringify(name));
      return '';
    },
    batch(batch: Batch) {
      const columns = names.map((_, index) => batch.column(index));
      const rows: string[] = [];
      for (let row = 0; row < batch.rowCount; row++) {
        const members: string[] = [];
        columns.forEach((column, index) => {
          const value = jsonValue(column, row);
          if (value !== null) members.push(`${names[index]}:${value}`);
        });
        rows.push(`{${members.join(',')}}`);
      }
      if (rows.length === 0) return '';
      const start = isEmpty ? '{"rows": [' : ',';
      isEmpty = false;
      return start + rows.join(',');
    },
    end: () => (isEmpty ? '{}\n' : ']}\n'),
  };
}

/** Numbers that JSON can carry stay numbers, with every digit; DECIMAL is text, as Dolt writes it. */
function jsonValue(column: BatchColumn, row: number): string | null {
  const text = cellText(column, row);
  if (text === null) return null;
  switch (column.column.kind) {
    case 'int':
    case 'year':
    case 'bit':
      return String(BigInt(text));
    case 'float':
      return JSON.stringify(column.value(row));
    case 'json':
      return text;
    default:
      return JSON.stringify(text);
  }
}
