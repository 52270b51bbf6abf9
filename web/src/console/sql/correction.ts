/** The word that a statement should have had in place of one that nobody knows. Pure. */
import { quoteName } from './names.ts';

export interface Correction {
  /** Offsets in the statement. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const HINT = /^did you mean (.+)\?$/;
/** A statement begins where another one has not ended. */
const SEMICOLON = /^; before /;
const NAME = '(?:`[^`]*`|[\\w$]+)';
const PATH_HERE = new RegExp(`^(?:${NAME}\\s*\\.\\s*)*${NAME}`);
const PATH_BEFORE = new RegExp(`(?:${NAME}\\s*\\.\\s*)*${NAME}(?=\\s*$)`);
const LAST = new RegExp(`${NAME}$`);

/** @param position where the engine says that the statement is wrong: at the word, or right behind it */
export function correctionOf(sql: string, position: number, hint: string): Correction | undefined {
  const meant = HINT.exec(hint)?.[1];
  if (meant === undefined) return undefined;
  // Not behind the last word, where a comment may stand.
  if (SEMICOLON.test(meant)) return { from: position, to: position, text: ';\n' };
  const here = PATH_HERE.exec(sql.slice(position))?.[0];
  const before = PATH_BEFORE.exec(sql.slice(0, position));
  const places = [
    { from: position, path: here },
    { from: before?.index ?? 0, path: before?.[0] },
  ];
  for (const { from, path = '' } of places) {
    // A name with its table takes the place of one with its table; any other that of the last part.
    const word = meant.includes('.') ? path : (LAST.exec(path)?.[0] ?? '');
    if (word === '' || !resembles(word.replaceAll('`', ''), meant)) continue;
    const to = from + path.length;
    const isQuoted = word.includes('`') && !meant.includes('.');
    return { from: to - word.length, to, text: isQuoted || !/^[\w$.]+$/.test(meant) ? quoteName(meant) : meant };
  }
  return undefined;
}

/** At most half of its letters are others. */
function resembles(word: string, meant: string): boolean {
  return 2 * distance(word.toLowerCase(), meant.toLowerCase()) <= Math.max(word.length, meant.length);
}

/** How many letters have to be put in, taken out or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let at = 0; at < b.length; at += 1) {
      const replaced = (row[at] ?? 0) + (b[at] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
