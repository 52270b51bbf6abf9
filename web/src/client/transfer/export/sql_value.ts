/** SQL literals of values. */
import type { BatchColumn } from '../../types.ts';
import { hexText } from '../../wire/batch.ts';

const ESCAPES: Record<string, string> = {
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\x1a': '\\Z',
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
};

/** A value as a literal of SQL. Bytes are written in hexadecimal digits, which every reader takes for what they are. */
export function sqlLiteral(column: BatchColumn, row: number): string {
  if (column.isNull(row)) return 'NULL';
  switch (column.column.kind) {
    case 'int':
    case 'decimal':
    // As a text the year 0000 is that of 2000.
    case 'year':
    case 'null':
      return column.text(row) ?? 'NULL';
    case 'float':
      return floatText(column.text(row) ?? 'NULL', column.column.type);
    case 'binary':
    case 'bit':
    case 'geometry':
    case 'vector': {
      const value = column.value(row);
      if (!(value instanceof Uint8Array)) return sqlText(column.text(row) ?? '');
      return value.length === 0 ? "''" : hexText(value);
    }
    default:
      return sqlText(column.text(row) ?? '');
  }
}

const FLOAT_MAX = 3.4028234663852886e38;

/** The shortest text of the largest FLOAT is a number beyond it, which is refused. */
export function floatText(text: string, type: string): string {
  const value = Number(text);
  return /^float/i.test(type) && Math.abs(value) > FLOAT_MAX ? String(Math.fround(value)) : text;
}

function sqlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  return `'${text.replace(/[\0\n\r\x1a"'\\]/g, character => ESCAPES[character] as string)}'`;
}
