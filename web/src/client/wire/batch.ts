/** A batch of rows over the page that carries it: rows, columns, Arrow. */
import { Layout } from '../../protocol/index.ts';
import type { ArrowBatch, ArrowColumn, Batch, BatchColumn, Column, JsonValue, Row, Value } from '../types.ts';
import { doubleOfSingle, floatText } from './float_text.ts';
import { type Page, type PageColumn, readPage } from './page.ts';

/** A batch over the page that carries it. */
export class PageBatch implements Batch {
  readonly columns: readonly Column[];
  readonly resultIndex: number;
  readonly #page: Page;
  readonly #decoded: (PageBatchColumn | undefined)[];
  /** Null when the batch was released. */
  #buffer: ArrayBuffer | null;
  readonly #onRelease: (buffer: ArrayBuffer) => void;

  /** @param onRelease gets the buffer after its last use. */
  constructor(
    columns: readonly Column[],
    buffer: ArrayBuffer,
    resultIndex = 0,
    onRelease: (buffer: ArrayBuffer) => void = () => {},
  ) {
    this.columns = columns;
    this.resultIndex = resultIndex;
    this.#page = readPage(buffer);
    this.#decoded = new Array(columns.length);
    this.#buffer = buffer;
    this.#onRelease = onRelease;
  }

  get [Symbol.toStringTag](): string {
    return 'Batch';
  }

  get rowCount(): number {
    return this.#page.rowCount;
  }

  get byteLength(): number {
    return this.#page.byteLength;
  }

  release(): void {
    if (this.#buffer === null) return;
    this.#onRelease(this.#buffer);
    this.#buffer = null;
    this.#decoded.length = 0;
  }

  column(index: number): BatchColumn {
    this.#check();
    const known = this.#decoded[index];
    if (known !== undefined) return known;
    const column = this.columns[index];
    const data = this.#page.columns[index];
    if (column === undefined || data === undefined) throw new RangeError(`no column ${index} in this result`);
    const decoded = new PageBatchColumn(column, data);
    this.#decoded[index] = decoded;
    return decoded;
  }

  *rows(): IterableIterator<Row> {
    const names = this.columns.map(column => column.name);
    const values = names.map((_, index) => this.column(index).values());
    for (let row = 0; row < this.rowCount; row++) {
      const object: Row = {};
      for (let index = 0; index < names.length; index++) {
        object[names[index] as string] = (values[index] as readonly Value[])[row] as Value;
      }
      yield object;
    }
  }

  *rowArrays(): IterableIterator<Value[]> {
    const values = this.columns.map((_, index) => this.column(index).values());
    for (let row = 0; row < this.rowCount; row++) yield values.map(column => column[row] as Value);
  }

  toArrow(): ArrowBatch {
    this.#check();
    const columns = this.columns.map((column, index) => arrowColumn(column, this.#page.columns[index] as PageColumn));
    return { length: this.rowCount, columns };
  }

  #check(): void {
    if (this.#buffer === null) throw new TypeError('this batch was released');
  }
}

class PageBatchColumn implements BatchColumn {
  readonly column: Column;
  readonly #data: PageColumn;

  constructor(column: Column, data: PageColumn) {
    this.column = column;
    this.#data = data;
  }

  get [Symbol.toStringTag](): string {
    return 'BatchColumn';
  }

  get length(): number {
    return this.#data.rowCount;
  }

  isNull(row: number): boolean {
    return this.#data.isNull(row);
  }

  value(row: number): Value {
    const data = this.#data;
    if (data.isNull(row)) return null;
    switch (data.layout) {
      case Layout.text: {
        const text = data.string(row);
        return this.column.kind === 'json' ? (JSON.parse(text) as JsonValue) : text;
      }
      case Layout.binary:
        return data.bytes(row);
      case Layout.f32:
        return doubleOfSingle(data.number(row) as number);
      default:
        return data.number(row);
    }
  }

  text(row: number): string | null {
    const data = this.#data;
    if (data.isNull(row)) return null;
    switch (data.layout) {
      case Layout.text:
        return data.string(row);
      case Layout.binary:
        return hexText(data.bytes(row));
      case Layout.f32:
      case Layout.f64:
        return floatText(data.number(row) as number, data.layout === Layout.f32);
      default: {
        const text = data.number(row).toString();
        return this.column.kind === 'year' ? text.padStart(4, '0') : text;
      }
    }
  }

  values(): readonly Value[] {
    const data = this.#data;
    const values = this.#presentValues();
    if (data.validity !== null) {
      for (let row = 0; row < values.length; row++) if (data.isNull(row)) values[row] = null;
    }
    return values;
  }

  /** A loop for each kind of array: one loop for all of them would look at its kind for every value. NULLs are zeros or empty. */
  #presentValues(): Value[] {
    const data = this.#data;
    switch (data.layout) {
      case Layout.allNull:
        return new Array<Value>(data.rowCount).fill(null);
      case Layout.text: {
        const texts = data.strings();
        return this.column.kind === 'json'
          ? texts.map((text, row) => (data.isNull(row) ? null : JSON.parse(text)))
          : texts;
      }
      case Layout.binary:
        return data.byteArrays();
      case Layout.i64:
      case Layout.u64:
        return bigints(data.data as BigInt64Array | BigUint64Array);
      case Layout.f32:
        return singles(data.data as Float32Array);
      case Layout.f64:
        return doubles(data.data as Float64Array);
      default:
        return integers(data.data as Int32Array | Uint32Array);
    }
  }
}

function integers(data: Int32Array | Uint32Array): number[] {
  const values = new Array<number>(data.length);
  for (let row = 0; row < values.length; row++) values[row] = data[row] as number;
  return values;
}

function doubles(data: Float64Array): number[] {
  const values = new Array<number>(data.length);
  for (let row = 0; row < values.length; row++) values[row] = data[row] as number;
  return values;
}

function singles(data: Float32Array): number[] {
  const values = new Array<number>(data.length);
  for (let row = 0; row < values.length; row++) values[row] = doubleOfSingle(data[row] as number);
  return values;
}

function bigints(data: BigInt64Array | BigUint64Array): bigint[] {
  const values = new Array<bigint>(data.length);
  for (let row = 0; row < values.length; row++) values[row] = data[row] as bigint;
  return values;
}

const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));

export function hexText(bytes: Uint8Array): string {
  let text = '0x';
  for (const byte of bytes) text += HEX_PAIRS[byte];
  return text;
}

const ARROW_TYPES: Record<Layout, ArrowColumn['type']> = {
  [Layout.allNull]: 'Null',
  [Layout.i32]: 'Int32',
  [Layout.u32]: 'Uint32',
  [Layout.i64]: 'Int64',
  [Layout.u64]: 'Uint64',
  [Layout.f32]: 'Float32',
  [Layout.f64]: 'Float64',
  [Layout.text]: 'Utf8',
  [Layout.binary]: 'Binary',
};

function arrowColumn(column: Column, data: PageColumn): ArrowColumn {
  const { offsets } = data;
  return {
    name: column.name,
    type: ARROW_TYPES[data.layout],
    nullCount: data.nullCount(),
    nullBitmap: data.validity,
    valueOffsets: offsets && new Int32Array(offsets.buffer, offsets.byteOffset, offsets.length),
    data: data.data,
  };
}
