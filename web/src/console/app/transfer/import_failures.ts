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

/** The message of the engine says the row, which is told beside its line here, and how it begins, which is shown whole. */
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
  1048: 'The column takes no NULL: give it a value in the file, or a default in the table.',
  1062: 'Say what becomes of a row whose key is there.',
  1406: 'Make the column wider, or the text shorter.',
  1452: 'Import the rows first that these refer to.',
};

/** What to do about a row that is not taken. */
export function adviceFor(error: unknown): string | undefined {
  const message = messageOf(error);
  if (!/^Row \d+ of the file/.test(message)) return undefined;
  const known = error instanceof SqlError ? ADVICE[error.errno] : undefined;
  if (known !== undefined) return known;
  if (/ has \d+ fields?, where/.test(message)) {
    return 'Is a separator missing or one too many, or quotes around a text that has one?';
  }
  if (/is not a valid value|Incorrect/i.test(message)) {
    return 'Mend it in the file, name it among the texts that mean NULL, or leave out the column.';
  }
  if (/too large for column|out of range/i.test(message)) return 'The column is too small for it.';
  return 'Mend it in the file.';
}
