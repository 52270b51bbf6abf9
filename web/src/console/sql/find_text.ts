/** A condition that finds a text among the columns of a row, whatever its case, as the search in a result does. Text only. */
import type { Column } from '../../lib/index.ts';
import { quoteString } from './names.ts';

/** Their bytes say nothing as text. */
const BYTES = new Set<Column['kind']>(['binary', 'bit', 'geometry', 'vector']);

/** Longer lists of columns stand in lines of their own. */
const LINE_CHARACTERS_MAX = 88;

/**
 * Undefined where no column has a text.
 *
 * @param columns as they are called in the query, and of which kind they are
 */
export function containsText(
  columns: readonly { readonly name: string; readonly kind: Column['kind'] }[],
  text: string,
): string | undefined {
  const names = columns.filter(({ kind }) => !BYTES.has(kind)).map(({ name }) => name);
  if (names.length === 0) return undefined;
  const pattern = quoteString(`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`);
  // A line's end between them, so that nothing is found that begins in one value and ends in the next.
  const values = names.length === 1 ? names[0] : `CONCAT_WS('\\n',${listed(names)})`;
  return `LOWER(${values}) LIKE ${pattern}`;
}

/** Names with commas between them, behind another argument: a table of a hundred columns must not be one line. */
function listed(names: readonly string[]): string {
  const whole = names.join(', ');
  if (whole.length <= LINE_CHARACTERS_MAX) return ` ${whole}`;
  const lines: string[] = [];
  let line = '';
  for (const name of names) {
    if (line !== '' && line.length + name.length > LINE_CHARACTERS_MAX) {
      lines.push(`${line},`);
      line = '';
    }
    line += line === '' ? `  ${name}` : `, ${name}`;
  }
  return `\n${[...lines, line].join('\n')}\n`;
}
