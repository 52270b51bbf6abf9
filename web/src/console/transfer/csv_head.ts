/** How a CSV file begins: what stands between its fields, and its first rows. Pure. */

import { type CsvEscape, findForm, findSeparator } from '../../lib/index.ts';

export const SEPARATORS = [
  { id: ',', name: 'Comma ,' },
  { id: ';', name: 'Semicolon ;' },
  { id: '\t', name: 'Tab' },
  { id: '|', name: 'Bar |' },
  { id: ' ', name: 'Space' },
] as const;

/** How a quote is written within quotes. */
export const ESCAPES: readonly { readonly id: CsvEscape; readonly name: string }[] = [
  { id: '', name: 'Doubled ""' },
  { id: '\\', name: 'Backslash \\"' },
];

export type Separator = (typeof SEPARATORS)[number]['id'];

/** A quote that is not closed stands there as it is written: the import refuses it. */
const QUOTED = /^"(?:[^"]|"")*"$/;
const ESCAPED_QUOTED = /^"(?:[^"\\]|\\[\s\S]|"")*"$/;
/** So many rows say what separates their fields. */
const ROWS_MAX = 200;

/** The rows of a text that are complete, however many there are. */
export function csvRows(
  text: string,
  separator: Separator,
  isWhole = false,
  quoteEscape: CsvEscape = '',
): readonly (readonly string[])[] {
  const between = separator === '|' ? '\\|' : separator;
  const fields =
    quoteEscape === ''
      ? `"(?:[^"]|"")*"|[^${between}\\r\\n]*`
      : `"(?:[^"\\\\]|\\\\[\\s\\S]|"")*"|(?:\\\\[\\s\\S]|[^${between}\\r\\n\\\\])*`;
  const field = new RegExp(`(${fields})(${between}|\\r\\n|\\n|\\r|$)`, 'gy');
  const quoted = quoteEscape === '' ? QUOTED : ESCAPED_QUOTED;
  const meant = (written: string) =>
    quoteEscape === ''
      ? written
      : written.replaceAll(separator === '|' ? /\\(["\\\r\n|])/g : /\\(["\\\r\n,;\t ])/g, '$1');
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [all, written = '', end] of text.replace(/^\ufeff/, '').matchAll(field)) {
    if (all === '' && row.length === 0) break;
    row.push(meant(quoted.test(written) ? written.slice(1, -1).replaceAll('""', '"') : written));
    if (end === separator) continue;
    if (end === '' && !isWhole) break;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    if (rows.length === ROWS_MAX || end === '') break;
  }
  return rows;
}

/** What stands between the fields. */
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
