/** How a CSV file begins: the delimiter, and its first rows. Pure. */

import { type CsvEscape, findForm, findSeparator, firstCsvRows } from '../../lib/index.ts';

export const SEPARATORS = [
  { id: ',', name: 'Comma ,' },
  { id: ';', name: 'Semicolon ;' },
  { id: '\t', name: 'Tab' },
  { id: '|', name: 'Pipe |' },
  { id: ' ', name: 'Space' },
  { id: '~', name: 'Tilde ~' },
  { id: '^', name: 'Caret ^' },
  { id: '\x01', name: 'Control-A' },
] as const;

/** How a quote is written within quotes. */
export const ESCAPES: readonly { readonly id: CsvEscape; readonly name: string }[] = [
  { id: '', name: 'Doubled ""' },
  { id: '\\', name: 'Backslash \\"' },
];

/** Rows of a preview. */
const ROWS_MAX = 200;

export type Separator = (typeof SEPARATORS)[number]['id'];

/** The first rows of a text that are complete. Those of a text whose quotes do not match are cut without heed of quotes: its import fails. */
export function csvRows(
  text: string,
  separator: Separator,
  isWhole = false,
  quoteEscape: CsvEscape = '',
  skipLines = 0,
): readonly (readonly string[])[] {
  const form = { separator, escape: quoteEscape, skipLines };
  const rows = firstCsvRows(text, form, isWhole).map(row => row.map(field => field ?? ''));
  if (rows.length > 0) return rows;
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  if (!isWhole) lines.pop();
  return lines
    .filter(line => line !== '')
    .slice(0, ROWS_MAX)
    .map(line => line.split(separator));
}

/** The delimiter. */
export { findForm as formOf, findSeparator as separatorOf };

const NUMBER = /^[+-]?\d[\d.,]*$/;
const DATE = /^\d{1,4}([./-])\d{1,2}\1\d{1,4}([ T].*)?$/;

/**
 * Whether the first row names the columns. It does not where it begins with a number as all rows below do, or has a date above dates.
 * Years side by side above numbers are names.
 */
export function startsWithTitles([titles = [], ...values]: readonly (readonly string[])[]): boolean {
  const isAll = (kind: RegExp, column: number) =>
    kind.test(titles[column] ?? '') && values.every(row => row[column] === '' || kind.test(row[column] ?? ''));
  return values.length === 0 || !(isAll(NUMBER, 0) || titles.some((_, column) => isAll(DATE, column)));
}

/** The column that is likely to be the key: the first that has another value in every row that was looked at, if its name is one. */
export function likelyKey(rows: readonly (readonly string[])[]): string | undefined {
  const [titles = [], ...values] = rows;
  const names = titles.map(title => title.trim());
  const isKey = (column: number): boolean => {
    const found = values.map(row => row[column] ?? '');
    return names[column] !== '' && found.every(value => value !== '') && new Set(found).size === found.length;
  };
  if (isKey(0)) return names[0];
  const id = names.findIndex(name => /^(id|key|uuid)$/i.test(name));
  return id > 0 && isKey(id) ? names[id] : undefined;
}

/** The names by which a key can be chosen: those that only one column has. */
export function keyNames([titles = []]: readonly (readonly string[])[]): readonly string[] {
  const names = titles.map(title => title.trim());
  const count = (name: string) => names.filter(other => other.toLowerCase() === name.toLowerCase()).length;
  return names.filter(name => name !== '' && count(name) === 1);
}
