/** Decoder of the header of a result: its columns. */
import { COLUMN_NULLABLE, COLUMN_PRIMARY_KEY, COLUMN_UNSIGNED, KINDS } from '../../protocol/index.ts';
import type { Column } from '../types.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Reads a result header: u32 number of columns, then for each column name, SQL type, layout, kind, flags, decimals,
 * database, table and original name; texts are a u16 length and UTF-8.
 */
export function readHeader(buffer: ArrayBuffer): Column[] {
  const view = new DataView(buffer);
  let at = 4;
  const text = (): string => {
    const length = view.getUint16(at, true);
    const value = decoder.decode(new Uint8Array(buffer, at + 2, length));
    at += 2 + length;
    return value;
  };
  const columns: Column[] = [];
  const count = view.getUint32(0, true);
  for (let index = 0; index < count; index++) {
    const name = text();
    const type = text();
    // The layout byte is repeated by every page: it may differ there when all values of a page are NULL.
    const kind = KINDS[view.getUint8(at + 1)];
    if (kind === undefined) throw new RangeError(`column ${name} has an unknown kind`);
    const flags = view.getUint8(at + 2);
    const decimals = view.getUint8(at + 3);
    at += 4;
    columns.push({
      name,
      type,
      kind,
      nullable: (flags & COLUMN_NULLABLE) !== 0,
      unsigned: (flags & COLUMN_UNSIGNED) !== 0,
      primaryKey: (flags & COLUMN_PRIMARY_KEY) !== 0,
      decimals,
      database: text(),
      table: text(),
      originalName: text(),
    });
  }
  return columns;
}
