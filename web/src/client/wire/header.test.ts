import { expect, test } from 'vitest';
import { columnOf, headerOf } from '../../testing/pages.ts';
import { readHeader } from './header.ts';

test('a header keeps names, types, flags and origin of every column', () => {
  const columns = [
    columnOf('größe', 'decimal', { type: 'decimal(10,2)', decimals: 2, nullable: false, unsigned: true }),
    columnOf('id', 'int', {
      type: 'bigint',
      primaryKey: true,
      database: 'shop',
      table: 'orders',
      originalName: 'order_id',
    }),
  ];
  expect(readHeader(headerOf(columns))).toEqual(columns);
});

test('an unknown kind is refused', () => {
  const header = new Uint8Array(headerOf([columnOf('a', 'vector')]));
  header[4 + 3 + 8 + 1] = 200;
  expect(() => readHeader(header.buffer)).toThrow('unknown kind');
});
