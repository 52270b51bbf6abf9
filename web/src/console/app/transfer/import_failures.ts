/** What of a file did not come in, and what helps. */

import { SqlError } from '../../../lib/index.ts';
import { wholeNumber } from '../../ui/figures.ts';
import { messageOf } from '../../ui/message_of.ts';

/** A statement of a script, or a row. */
export interface ImportFailure {
  readonly where: string;
  readonly message: string;
  readonly text: string;
}

/** More are not kept: then it is the file that does not fit. */
export const FAILURES_MAX = 10_000;

/** The message of the engine contains the row, which is shown beside its line here, and its beginning, which is shown whole. */
export function rowFailure(error: unknown, row: number, line: number | undefined, text: string): ImportFailure {
  const where = line === undefined || line === row ? `Row ${wholeNumber(row)}` : `Line ${wholeNumber(line)}`;
  const said = messageOf(error).replace(/^Row \d+ of the file:? (error: )?/, '');
  const behind = said.lastIndexOf(': ');
  const isBeginning = behind > 0 && endsLike(text, said.slice(behind + 2));
  return { where, message: isBeginning ? said.slice(0, behind) : said, text };
}

/** Whether it is how the row begins, quotes, separators and the end apart. */
function endsLike(text: string, beginning: string): boolean {
  const letters = (all: string) => all.replace(/[^\p{L}\p{N}]+/gu, '');
  const shown = letters(beginning);
  return shown === '' || letters(text).startsWith(shown) || text.startsWith('{');
}

const ADVICE: Readonly<Record<number, string>> = {
  1048: 'The column does not allow NULL. Add a value in the file or a default in the table.',
  1062: 'Choose what to do on duplicate keys.',
  1406: 'Widen the column or shorten the text.',
  1452: 'Import the referenced rows first.',
};

/** What to do about a row that is not taken. */
export function adviceFor(error: unknown): string | undefined {
  const message = messageOf(error);
  if (!/^Row \d+ of the file/.test(message)) return undefined;
  const known = error instanceof SqlError ? ADVICE[error.errno] : undefined;
  if (known !== undefined) return known;
  if (/ has \d+ fields?, where/.test(message)) {
    return 'Check for a missing or extra delimiter, or missing quotes around text that contains one.';
  }
  if (/is not a valid value|Incorrect/i.test(message)) {
    return 'Fix this in the file, treat it as NULL, or skip the column.';
  }
  if (/too large for column|out of range/i.test(message)) return 'The value is out of range for the column.';
  return 'Fix this in the file.';
}
