/** Result pages and headers made by hand, for tests: the written form of protocol/engine_layout.ts. */

import type { Column } from '../client/types.ts';
import { type ColumnKind, KINDS, Layout, PAGE_MAGIC } from '../protocol/index.ts';

type Cell = null | number | bigint | string | Uint8Array;

export interface FixtureColumn {
  readonly layout: Layout;
  readonly values: readonly Cell[];
}

const encoder = new TextEncoder();

export function pageOf(columns: readonly FixtureColumn[]): ArrayBuffer {
  const rowCount = columns[0]?.values.length ?? 0;
  const directory: number[][] = [];
  const parts: Uint8Array[] = [];
  let at = 16 + 32 * columns.length;
  const place = (bytes: Uint8Array): number => {
    const start = at;
    const padded = new Uint8Array((bytes.length + 7) & ~7);
    padded.set(bytes);
    parts.push(padded);
    at += padded.length;
    return start;
  };
  for (const { layout, values } of columns) {
    const hasNulls = layout !== Layout.allNull && values.includes(null);
    const validityAt = hasNulls ? place(validityOf(values)) : 0;
    if (layout === Layout.text || layout === Layout.binary) {
      const cells = values.map(value =>
        typeof value === 'string' ? encoder.encode(value) : (value ?? new Uint8Array()),
      );
      const lengths = cells.map(cell => (cell as Uint8Array).length);
      const isAllAscii = cells.every(cell => (cell as Uint8Array).every(byte => byte < 128));
      const offsetsAt = place(offsetsOf(lengths));
      const needsUtf16 = layout === Layout.text && !isAllAscii;
      const utf16At = needsUtf16 ? place(offsetsOf(values.map(value => (value as string | null)?.length ?? 0))) : 0;
      const data = new Uint8Array(cells.flatMap(cell => [...(cell as Uint8Array)]));
      const flags = (hasNulls ? 1 : 0) | (isAllAscii ? 2 : 0);
      directory.push([layout | (flags << 8), validityAt, offsetsAt, utf16At, place(data), data.length]);
    } else {
      const data = fixedOf(layout, values);
      directory.push([layout | ((hasNulls ? 1 : 0) << 8), validityAt, 0, 0, place(data), data.length]);
    }
  }
  const page = new Uint8Array(at);
  const view = new DataView(page.buffer);
  [PAGE_MAGIC, rowCount, columns.length, at].forEach((word, index) => {
    view.setUint32(index * 4, word, true);
  });
  directory.forEach((words, column) => {
    words.forEach((word, index) => {
      view.setUint32(16 + column * 32 + index * 4, word, true);
    });
  });
  let end = 16 + 32 * columns.length;
  for (const part of parts) {
    page.set(part, end);
    end += part.length;
  }
  return page.buffer;
}

function validityOf(values: readonly Cell[]): Uint8Array {
  const bitmap = new Uint8Array((values.length + 7) >> 3);
  values.forEach((value, row) => {
    if (value !== null) bitmap[row >> 3] = (bitmap[row >> 3] as number) | (1 << (row & 7));
  });
  return bitmap;
}

function offsetsOf(lengths: readonly number[]): Uint8Array {
  const offsets = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, index) => {
    offsets[index + 1] = (offsets[index] as number) + length;
  });
  return new Uint8Array(offsets.buffer);
}

function fixedOf(layout: Layout, values: readonly Cell[]): Uint8Array {
  const numbers = values.map(value => Number(value ?? 0));
  const integers = () => values.map(value => BigInt((value as bigint | null) ?? 0n));
  switch (layout) {
    case Layout.i32:
      return new Uint8Array(Int32Array.from(numbers).buffer);
    case Layout.u32:
      return new Uint8Array(Uint32Array.from(numbers).buffer);
    case Layout.i64:
      return new Uint8Array(BigInt64Array.from(integers()).buffer);
    case Layout.u64:
      return new Uint8Array(BigUint64Array.from(integers()).buffer);
    case Layout.f32:
      return new Uint8Array(Float32Array.from(numbers).buffer);
    case Layout.f64:
      return new Uint8Array(Float64Array.from(numbers).buffer);
    default:
      return new Uint8Array();
  }
}

export function columnOf(name: string, kind: ColumnKind, more: Partial<Column> = {}): Column {
  return {
    name,
    type: kind,
    kind,
    nullable: true,
    unsigned: false,
    primaryKey: false,
    decimals: 0,
    database: '',
    table: '',
    originalName: '',
    ...more,
  };
}

export function headerOf(columns: readonly Column[]): ArrayBuffer {
  const bytes: number[] = [columns.length, 0, 0, 0];
  const text = (value: string) => {
    const utf8 = encoder.encode(value);
    bytes.push(utf8.length & 255, utf8.length >> 8, ...utf8);
  };
  for (const column of columns) {
    text(column.name);
    text(column.type);
    const flags = (column.nullable ? 1 : 0) | (column.unsigned ? 2 : 0) | (column.primaryKey ? 4 : 0);
    bytes.push(Layout.text, KINDS.indexOf(column.kind), flags, column.decimals);
    text(column.database);
    text(column.table);
    text(column.originalName);
  }
  return new Uint8Array(bytes).buffer;
}
