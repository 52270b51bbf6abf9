import type { ArrowBatch, Batch, BatchColumn, Column, Row, Value } from '../../lib/index.ts';

/** A batch over plain values, as tests and the fake database need it. */
export function batchOf(columns: readonly Column[], rows: readonly (readonly Value[])[]): Batch {
  return lazyBatch(columns, rows.length, (row, column) => rows[row]?.[column] ?? null);
}

/** A batch whose values are worked out when they are looked at, so that a million rows cost nothing. */
export function lazyBatch(
  columns: readonly Column[],
  rowCount: number,
  at: (row: number, column: number) => Value,
): Batch {
  const indices = Array.from({ length: rowCount }, (_, row) => row);
  const column = (index: number): BatchColumn => {
    const described = columns[index];
    if (described === undefined) throw new RangeError(`no column ${index}`);
    return {
      column: described,
      length: rowCount,
      isNull: row => at(row, index) === null,
      value: row => at(row, index),
      text: row => textOf(at(row, index), described),
      values: () => indices.map(row => at(row, index)),
    };
  };
  return {
    resultIndex: 0,
    rowCount,
    columns,
    byteLength: rowCount * columns.length * 12,
    column,
    *rows(): IterableIterator<Row> {
      for (const row of indices) yield Object.fromEntries(columns.map(({ name }, index) => [name, at(row, index)]));
    },
    *rowArrays(): IterableIterator<Value[]> {
      for (const row of indices) yield columns.map((_, index) => at(row, index));
    },
    toArrow(): ArrowBatch {
      throw new Error('the fake database has no pages');
    },
    release(): void {},
  };
}

function textOf(value: Value, column: Column): string | null {
  if (value === null) return null;
  if (value instanceof Uint8Array) {
    return `0x${Array.from(value, byte => byte.toString(16).padStart(2, '0').toUpperCase()).join('')}`;
  }
  if (column.kind === 'json') return JSON.stringify(value);
  return String(value);
}
