/** Export of rows as CSV, JSON or JSON lines. */
import type { ColumnKind } from '../../../protocol/index.ts';
import { VarveError } from '../../errors.ts';
import type { Batch, BatchColumn, Column, Queries } from '../../types.ts';
import { quoteName } from '../../versions/versions.ts';
import { isJson } from '../json/json_text.ts';
import { KINDS_WITHOUT_TEXT } from '../table/kinds.ts';
import type { ExportRowsOptions } from '../transfer_types.ts';
import { floatText } from './sql_value.ts';

/** Writes the rows of a table or a query as CSV, JSON (`{"rows": [{…},…]}`, Dolt's form) or one JSON object a line. */
export async function* exportRows(queries: Queries, options: ExportRowsOptions): AsyncIterableIterator<string> {
  const { format, separator, guardFormulas = false, table, query, signal, onProgress } = options;
  if ((table === undefined) === (query === undefined))
    throw new VarveError('usage', 'exportRows: pass either a table or a query');
  const sql = query ?? `SELECT * FROM ${quoteName(table ?? '')}`;
  const stream = queries.stream(sql, [], { ...(signal && { signal }) });
  let [rows, bytes] = [0, 0];
  const told = (text: string): string => {
    bytes += text.length;
    onProgress?.({ table: table ?? '', rows, bytes });
    return text;
  };
  const columns = await stream.columns;
  if (format === 'csv')
    yield told(
      `${columns.map(({ name }) => csvField(guardFormulas ? guarded(name) : name, separator)).join(separator)}\n`,
    );
  if (format === 'json') yield told('{"rows": [');
  for await (const batch of stream) {
    const isFirst = rows === 0;
    rows += batch.rowCount;
    yield told(batchText(batch, options, isFirst));
  }
  if (format === 'json') yield told(']}\n');
}

function batchText(
  batch: Batch,
  { format, separator, guardFormulas = false }: ExportRowsOptions,
  isFirst: boolean,
): string {
  const columns = batch.columns.map((_, index) => batch.column(index));
  const names = batch.columns.map(({ name }) => JSON.stringify(name));
  const lines: string[] = [];
  for (let row = 0; row < batch.rowCount; row++) {
    if (format === 'csv') lines.push(`${csvLine(columns, row, separator, guardFormulas)}\n`);
    else {
      // The first object has all columns, in their order: a table that is made for it has them, too.
      const isWhole = isFirst && row === 0;
      const members = columns.flatMap((column, index) => member(names[index] as string, column, row, isWhole));
      lines.push(`{${members.join(',')}}`);
    }
  }
  if (format === 'csv') return lines.join('');
  if (format === 'jsonl') return lines.map(line => `${line}\n`).join('');
  return (isFirst ? '' : ',') + lines.join(',');
}

/** An empty text is none of their values. */
const KINDS_WITHOUT_EMPTY: ReadonlySet<ColumnKind> = new Set([...KINDS_WITHOUT_TEXT, 'json', 'geometry']);

function csvLine(
  columns: readonly BatchColumn[],
  row: number,
  separator: string | undefined,
  guardFormulas: boolean,
): string {
  const cell = (column: BatchColumn): string => {
    const text = textOf(column, row);
    const isGuarded = guardFormulas && text !== null && !NUMBERS.has(column.column.kind);
    return csvField(isGuarded ? guarded(text) : text, separator);
  };
  const line = columns.map(cell).join(separator ?? ',');
  // An empty line is no row: NULL is `""` where that is no text.
  return line === '' && columns.length === 1 && KINDS_WITHOUT_EMPTY.has(columns[0]?.column.kind ?? 'text')
    ? '""'
    : line;
}

/** Kinds whose values begin with a sign and are no formulas. */
const NUMBERS: ReadonlySet<ColumnKind> = new Set(['int', 'float', 'decimal', 'year', 'time']);

/** A text that a spreadsheet would take for a formula, with the quote in front of it that OWASP advises. */
function guarded(text: string): string {
  if (!/^[=+\-@\t\r]/.test(text)) return text;
  return isPlainNumber(text) ? text : `'${text}`;
}

function isPlainNumber(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text);
}

/** NULL is nothing, an empty string is `""`; bytes are `0x…`. */
export function csvField(value: string | null, separator = ','): string {
  if (value === null) return '';
  const isQuoted = value === '' || value.includes(separator) || /["\r\n]/.test(value);
  return isQuoted ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Members that are NULL are left out, unless all are wanted: in a column of documents `null` is one. */
function member(name: string, column: BatchColumn, row: number, isWhole: boolean): string[] {
  const text = textOf(column, row);
  if (text === null) return isWhole && column.column.kind !== 'json' ? [`${name}:null`] : [];
  return [`${name}:${inJson(text, column.column)}`];
}

function textOf(column: BatchColumn, row: number): string | null {
  const text = column.text(row);
  return text !== null && column.column.kind === 'float' ? floatText(text, column.column.type) : text;
}

/** Numbers that JSON can carry stay numbers with every digit; DECIMAL is text, as Dolt writes it. */
function inJson(text: string, { kind, table }: Column): string {
  if (kind === 'int' || kind === 'float') return text;
  if (kind === 'year') return String(Number(text));
  if (kind !== 'json') return JSON.stringify(text);
  // In a column of documents a text is read as JSON: this one would come back as what it says.
  return table !== '' && text.startsWith('"') && isJson(JSON.parse(text)) ? JSON.stringify(text) : text;
}
