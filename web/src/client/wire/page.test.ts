import { expect, test } from 'vitest';
import { columnOf, pageOf } from '../../testing/pages.ts';
import { PageBatch } from './batch.ts';
import { readPage } from './page.ts';

const batchOf = (kind: Parameters<typeof columnOf>[1], page: ArrayBuffer) =>
  new PageBatch([columnOf('c', kind)], page).column(0);

test('integers of every width keep their range', () => {
  expect(batchOf('int', pageOf([{ layout: 1, values: [-2147483648, null, 7] }])).values()).toEqual([
    -2147483648,
    null,
    7,
  ]);
  expect(batchOf('int', pageOf([{ layout: 2, values: [4294967295] }])).value(0)).toBe(4294967295);
  expect(batchOf('int', pageOf([{ layout: 3, values: [-(2n ** 63n)] }])).value(0)).toBe(-(2n ** 63n));
  expect(batchOf('int', pageOf([{ layout: 4, values: [2n ** 64n - 1n] }])).value(0)).toBe(2n ** 64n - 1n);
});

test('ASCII text is sliced by byte offsets', () => {
  const column = batchOf('text', pageOf([{ layout: 7, values: ['one', '', null, 'three'] }]));
  expect(column.values()).toEqual(['one', '', null, 'three']);
  expect(column.isNull(2)).toBe(true);
  expect(column.isNull(1)).toBe(false);
});

test('other text is sliced by UTF-16 offsets', () => {
  const values = ['é', '😀 two units', null, '\ufeffmark first', '漢字'];
  expect(batchOf('text', pageOf([{ layout: 7, values }])).values()).toEqual(values);
});

test('a byte order mark at the start of a column is data', () => {
  expect(batchOf('text', pageOf([{ layout: 7, values: ['\ufeffa', 'b'] }])).values()).toEqual(['\ufeffa', 'b']);
});

test('validity works past the first byte of the bitmap', () => {
  const values = Array.from({ length: 20 }, (_, index) => (index % 3 === 0 ? null : index));
  expect(batchOf('int', pageOf([{ layout: 1, values }])).values()).toEqual(values);
});

test('a column of NULLs has no buffers', () => {
  const column = batchOf('null', pageOf([{ layout: 0, values: [null, null] }]));
  expect(column.values()).toEqual([null, null]);
});

test('FLOAT reads as the digits that were typed', () => {
  expect(batchOf('float', pageOf([{ layout: 5, values: [0.1, 16777216, null] }])).values()).toEqual([
    0.1,
    16777216,
    null,
  ]);
});

test('JSON is parsed, BLOB is bytes, their text is what MySQL sends', () => {
  const json = batchOf('json', pageOf([{ layout: 7, values: ['{"a": [1, null]}'] }]));
  expect(json.value(0)).toEqual({ a: [1, null] });
  expect(json.text(0)).toBe('{"a": [1, null]}');
  const blob = batchOf('binary', pageOf([{ layout: 8, values: [new Uint8Array([0, 171]), null] }]));
  expect(blob.value(0)).toEqual(new Uint8Array([0, 171]));
  expect(blob.text(0)).toBe('0x00AB');
  expect(blob.text(1)).toBeNull();
});

test('rows come as objects and as arrays', () => {
  const page = pageOf([
    { layout: 1, values: [1, 2] },
    { layout: 7, values: ['a', null] },
  ]);
  const batch = new PageBatch([columnOf('id', 'int'), columnOf('name', 'text')], page);
  expect([...batch.rows()]).toEqual([
    { id: 1, name: 'a' },
    { id: 2, name: null },
  ]);
  expect([...batch.rowArrays()]).toEqual([
    [1, 'a'],
    [2, null],
  ]);
});

test('Arrow columns are views of the page', () => {
  const page = pageOf([
    { layout: 7, values: ['a', null, 'ccc'] },
    { layout: 6, values: [0.5, 1, 2] },
  ]);
  const arrow = new PageBatch([columnOf('t', 'text'), columnOf('d', 'float')], page).toArrow();
  expect(arrow.length).toBe(3);
  const [text, double] = arrow.columns;
  expect(text).toMatchObject({ type: 'Utf8', nullCount: 1 });
  expect([...(text?.valueOffsets ?? [])]).toEqual([0, 1, 1, 4]);
  expect(text?.nullBitmap?.[0]).toBe(0b101);
  expect(double?.type).toBe('Float64');
  expect(double?.data?.buffer).toBe(page);
});

test('what is no page is refused', () => {
  expect(() => readPage(new ArrayBuffer(0))).toThrow('not a result page');
  expect(() => readPage(new ArrayBuffer(64))).toThrow('not a result page');
  const short = pageOf([{ layout: 3, values: [1n, 2n] }]).slice(0, 56);
  expect(() => readPage(short)).toThrow(RangeError);
});

test('a released batch gives its buffer away once and is not read any more', () => {
  const page = pageOf([{ layout: 7, values: ['a', 'b'] }]);
  const given: ArrayBuffer[] = [];
  const batch = new PageBatch([columnOf('t', 'text')], page, 0, buffer => given.push(buffer));
  const values = batch.column(0).values();
  batch.release();
  batch.release();
  expect(given).toEqual([page]);
  expect(values).toEqual(['a', 'b']);
  expect(() => batch.column(0)).toThrow('released');
  expect(() => [...batch.rows()]).toThrow('released');
  expect(() => batch.toArrow()).toThrow('released');
  expect(batch.rowCount).toBe(2);
});
