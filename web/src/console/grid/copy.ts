/**
 * Cells as text for the clipboard. Works on MySQL's text form of values (null for NULL, binary as `0x…`), which is what
 * a batch gives cheaply. Pure.
 */
import type { Column } from '../../lib/index.ts';
import { quoteName, quoteString } from '../sql/names.ts';
import { isRightAligned } from './cells.ts';

export type CopyFormat = 'tsv' | 'csv' | 'json' | 'markdown' | 'insert';

export interface CopySource {
  readonly columns: readonly Column[];
  readonly rows: Iterable<readonly (string | null)[]>;
}

export interface CopyOptions {
  readonly format: CopyFormat;
  /** Names in the first line, for TSV and CSV. */
  readonly withHeader: boolean;
}

export function copyText({ columns, rows }: CopySource, { format, withHeader }: CopyOptions): string {
  switch (format) {
    case 'tsv':
      return delimited(columns, rows, { separator: '\t', lineEnd: '\n', special: /["\t\r\n]/, withHeader });
    case 'csv':
      return delimited(columns, rows, { separator: ',', lineEnd: '\r\n', special: /[",\r\n]/, withHeader });
    case 'json':
      return jsonText(columns, rows);
    case 'markdown':
      return markdownText(columns, rows);
    case 'insert':
      return insertText(columns, rows);
  }
}

interface Delimited {
  readonly separator: string;
  readonly lineEnd: string;
  readonly special: RegExp;
  readonly withHeader: boolean;
}

/** NULL is nothing between separators, an empty text is `""`, so that the two can be told apart. */
function delimited(columns: readonly Column[], rows: CopySource['rows'], style: Delimited): string {
  const field = (text: string | null): string => {
    if (text === null) return '';
    return text === '' || style.special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = style.withHeader ? [columns.map(column => field(column.name)).join(style.separator)] : [];
  for (const row of rows) lines.push(row.map(field).join(style.separator));
  return lines.join(style.lineEnd);
}

/** A table as GitHub reads it, numbers to the right. */
function markdownText(columns: readonly Column[], rows: CopySource['rows']): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const cell = (text: string | null) => (text ?? 'NULL').replace(/[\\|]/g, '\\$&').replace(/\r?\n|\r/g, '<br>');
  const rules = columns.map(column => (isRightAligned(column) ? '---:' : '---'));
  const lines = [line(columns.map(({ name }) => cell(name))), line(rules)];
  for (const row of rows) lines.push(line(row.map(cell)));
  return lines.join('\n');
}

function jsonText(columns: readonly Column[], rows: CopySource['rows']): string {
  const objects = Array.from(rows, jsonObjects(columns)).map(object => `  ${object}`);
  return objects.length === 0 ? '[]' : `[\n${objects.join(',\n')}\n]`;
}

/** Writes a row as an object on one line. */
function jsonObjects(columns: readonly Column[]): (row: readonly (string | null)[]) => string {
  const keys = uniqueNames(columns).map(name => JSON.stringify(name));
  return row => {
    const members = row.map((text, index) => `${keys[index] ?? '""'}: ${jsonValue(text, columns[index])}`);
    return `{${members.join(', ')}}`;
  };
}

export type FileFormat = 'csv' | 'json' | 'jsonl';

/**
 * Rows as the text of a file, piece by piece: the pieces of a CSV and of JSON lines end their lines.
 *
 * @param pieces some rows each, in their order
 */
export function* fileText(
  columns: readonly Column[],
  pieces: Iterable<CopySource['rows']>,
  format: FileFormat,
): Generator<string> {
  const object = jsonObjects(columns);
  const ended = (text: string, lineEnd: string) => (text === '' ? '' : text + lineEnd);
  if (format === 'csv') yield `${copyText({ columns, rows: [] }, { format, withHeader: true })}\r\n`;
  let isFirst = true;
  for (const rows of pieces) {
    if (format === 'csv') yield ended(copyText({ columns, rows }, { format, withHeader: false }), '\r\n');
    else if (format === 'jsonl') yield ended(Array.from(rows, object).join('\n'), '\n');
    else {
      for (const row of rows) {
        yield `${isFirst ? '[\n' : ',\n'}  ${object(row)}`;
        isFirst = false;
      }
    }
  }
  if (format === 'json') yield isFirst ? '[]\n' : '\n]\n';
}

function jsonValue(text: string | null, column: Column | undefined): string {
  if (text === null) return 'null';
  switch (column?.kind) {
    case 'json':
      return text;
    case 'int':
    case 'year':
    case 'float':
      return isNumber(text) ? text : JSON.stringify(text);
    default:
      return JSON.stringify(text);
  }
}

/** JSON's form of a number; MySQL writes some that are not, `007` of a ZEROFILL column for one. */
function isNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text);
}

/** The second `id` becomes `id_2`: an object holds a name once. */
export function uniqueNames(columns: readonly Column[]): string[] {
  const seen = new Map<string, number>();
  return columns.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}

const INSERT_ROWS_MAX = 500;

function insertText(columns: readonly Column[], rows: CopySource['rows']): string {
  const tables = new Set(columns.map(column => column.table));
  const table = tables.size === 1 ? ([...tables][0] ?? '') : '';
  const names = uniqueNames(columns.map(column => ({ ...column, name: column.originalName || column.name })));
  const head = `INSERT INTO ${quoteName(table || 'table_name')} (${names.map(quoteName).join(', ')}) VALUES\n`;
  const statements: string[] = [];
  let tuples: string[] = [];
  const flush = () => {
    if (tuples.length > 0) statements.push(`${head}${tuples.join(',\n')};`);
    tuples = [];
  };
  for (const row of rows) {
    tuples.push(`  (${row.map((text, index) => sqlLiteral(text, columns[index])).join(', ')})`);
    if (tuples.length === INSERT_ROWS_MAX) flush();
  }
  flush();
  return statements.join('\n');
}

export function sqlLiteral(text: string | null, column: Column | undefined): string {
  if (text === null) return 'NULL';
  switch (column?.kind) {
    case 'int':
    case 'decimal':
    case 'float':
    case 'year':
      return text;
    case 'binary':
    case 'bit':
    case 'geometry':
    case 'vector':
      return text === '0x' || text === '' ? "''" : text;
    default:
      return quoteString(text);
  }
}
