/** Decoder of result pages, as `rust/engine/src/page` writes them. */
import {
  Layout,
  PAGE_ALL_ASCII,
  PAGE_COLUMN_BYTES,
  PAGE_COLUMN_DATA,
  PAGE_COLUMN_DATA_BYTES,
  PAGE_COLUMN_FLAGS,
  PAGE_COLUMN_LAYOUT,
  PAGE_COLUMN_OFFSETS,
  PAGE_COLUMN_UTF16,
  PAGE_COLUMN_VALIDITY,
  PAGE_HAS_NULLS,
  PAGE_HEADER_BYTES,
  PAGE_HEADER_COLUMNS,
  PAGE_HEADER_LENGTH,
  PAGE_HEADER_MAGIC,
  PAGE_HEADER_ROWS,
  PAGE_MAGIC,
} from '../../protocol/index.ts';

/** One byte order mark at the start of a column's text is data. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export type NumberArray = Int32Array | Uint32Array | BigInt64Array | BigUint64Array | Float32Array | Float64Array;

/** The buffers of one column of a page: views, nothing copied, nothing decoded until asked. */
export class PageColumn {
  readonly layout: Layout;
  readonly rowCount: number;
  readonly isAllAscii: boolean;
  /** Bit set = value present, lowest bit first. Null when every value is. */
  readonly validity: Uint8Array | null;
  /** Byte offsets, one more than rows; text and binary only. */
  readonly offsets: Uint32Array | null;
  /** Bytes of text and binary, values of the fixed layouts; null when the whole column is NULL. */
  readonly data: Uint8Array | NumberArray | null;
  readonly #utf16Offsets: Uint32Array | null;
  #strings: string | null = null;

  constructor(
    layout: Layout,
    rowCount: number,
    isAllAscii: boolean,
    validity: Uint8Array | null,
    offsets: Uint32Array | null,
    utf16Offsets: Uint32Array | null,
    data: Uint8Array | NumberArray | null,
  ) {
    this.layout = layout;
    this.rowCount = rowCount;
    this.isAllAscii = isAllAscii;
    this.validity = validity;
    this.offsets = offsets;
    this.#utf16Offsets = utf16Offsets;
    this.data = data;
  }

  isNull(row: number): boolean {
    if (this.layout === Layout.allNull) return true;
    const validity = this.validity;
    return validity !== null && (((validity[row >> 3] as number) >> (row & 7)) & 1) === 0;
  }

  nullCount(): number {
    if (this.layout === Layout.allNull) return this.rowCount;
    if (this.validity === null) return 0;
    let count = 0;
    for (let row = 0; row < this.rowCount; row++) if (this.isNull(row)) count++;
    return count;
  }

  /** Text of one row. The column is decoded as a whole at the first call: one call of TextDecoder, then slices. */
  string(row: number): string {
    const bounds = this.#bounds();
    this.#strings ??= decoder.decode(this.data as Uint8Array);
    return this.#strings.slice(bounds[row], bounds[row + 1]);
  }

  /** Text of all rows; empty for NULL. */
  strings(): string[] {
    const bounds = this.#bounds();
    this.#strings ??= decoder.decode(this.data as Uint8Array);
    const all = this.#strings;
    const strings = new Array<string>(this.rowCount);
    let start = 0;
    for (let row = 0; row < strings.length; row++) {
      const end = bounds[row + 1] as number;
      strings[row] = all.slice(start, end);
      start = end;
    }
    return strings;
  }

  #bounds(): Uint32Array {
    const bounds = this.#utf16Offsets ?? this.offsets;
    if (bounds === null) throw new TypeError('not a text column');
    return bounds;
  }

  bytes(row: number): Uint8Array {
    const { offsets } = this;
    if (offsets === null) throw new TypeError('not a binary column');
    return (this.data as Uint8Array).subarray(offsets[row], offsets[row + 1]);
  }

  /** Bytes of all rows; empty for NULL. */
  byteArrays(): Uint8Array[] {
    const { offsets } = this;
    if (offsets === null) throw new TypeError('not a binary column');
    const { buffer, byteOffset } = this.data as Uint8Array;
    const arrays = new Array<Uint8Array>(this.rowCount);
    let start = 0;
    for (let row = 0; row < arrays.length; row++) {
      const end = offsets[row + 1] as number;
      arrays[row] = new Uint8Array(buffer, byteOffset + start, end - start);
      start = end;
    }
    return arrays;
  }

  number(row: number): number | bigint {
    return (this.data as NumberArray)[row] as number | bigint;
  }
}

/** A page of a result, see protocol/engine_layout.ts. */
export interface Page {
  readonly rowCount: number;
  readonly byteLength: number;
  readonly columns: readonly PageColumn[];
}

/**
 * Reads the directory of a page; the columns are views of `buffer`.
 *
 * @throws RangeError when the buffer is not a page or an offset leaves it.
 */
export function readPage(buffer: ArrayBuffer): Page {
  const view = new DataView(buffer);
  if (buffer.byteLength < PAGE_HEADER_BYTES || view.getUint32(PAGE_HEADER_MAGIC, true) !== PAGE_MAGIC) {
    throw new RangeError('not a result page');
  }
  const rowCount = view.getUint32(PAGE_HEADER_ROWS, true);
  const columnCount = view.getUint32(PAGE_HEADER_COLUMNS, true);
  const byteLength = view.getUint32(PAGE_HEADER_LENGTH, true);
  const columns: PageColumn[] = [];
  for (let index = 0; index < columnCount; index++) {
    columns.push(readColumn(view, buffer, PAGE_HEADER_BYTES + index * PAGE_COLUMN_BYTES, rowCount));
  }
  return { rowCount, byteLength, columns };
}

function readColumn(view: DataView, buffer: ArrayBuffer, at: number, rowCount: number): PageColumn {
  const layout = view.getUint8(at + PAGE_COLUMN_LAYOUT) as Layout;
  const flags = view.getUint8(at + PAGE_COLUMN_FLAGS);
  const validityAt = view.getUint32(at + PAGE_COLUMN_VALIDITY, true);
  const offsetsAt = view.getUint32(at + PAGE_COLUMN_OFFSETS, true);
  const utf16At = view.getUint32(at + PAGE_COLUMN_UTF16, true);
  const dataAt = view.getUint32(at + PAGE_COLUMN_DATA, true);
  const dataLength = view.getUint32(at + PAGE_COLUMN_DATA_BYTES, true);
  const isAllAscii = (flags & PAGE_ALL_ASCII) !== 0;
  const hasNulls = (flags & PAGE_HAS_NULLS) !== 0 && layout !== Layout.allNull;
  const validity = hasNulls ? new Uint8Array(buffer, validityAt, (rowCount + 7) >> 3) : null;
  if (layout === Layout.text || layout === Layout.binary) {
    const offsets = new Uint32Array(buffer, offsetsAt, rowCount + 1);
    const utf16 = layout === Layout.text && !isAllAscii ? new Uint32Array(buffer, utf16At, rowCount + 1) : null;
    const data = new Uint8Array(buffer, dataAt, dataLength);
    return new PageColumn(layout, rowCount, isAllAscii, validity, offsets, utf16, data);
  }
  return new PageColumn(layout, rowCount, false, validity, null, null, numbersAt(layout, buffer, dataAt, rowCount));
}

function numbersAt(layout: Layout, buffer: ArrayBuffer, at: number, rowCount: number): NumberArray | null {
  switch (layout) {
    case Layout.allNull:
      return null;
    case Layout.i32:
      return new Int32Array(buffer, at, rowCount);
    case Layout.u32:
      return new Uint32Array(buffer, at, rowCount);
    case Layout.i64:
      return new BigInt64Array(buffer, at, rowCount);
    case Layout.u64:
      return new BigUint64Array(buffer, at, rowCount);
    case Layout.f32:
      return new Float32Array(buffer, at, rowCount);
    case Layout.f64:
      return new Float64Array(buffer, at, rowCount);
    default:
      throw new RangeError(`unknown layout ${layout} in a result page`);
  }
}
