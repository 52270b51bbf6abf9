/** Correction of an unknown word in a statement. Pure. */
import { nameOf, type Token, tokensOf } from './lexer.ts';
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
/** @param position where the engine says that the statement is wrong: at the word, or right behind it */
export function correctionOf(sql: string, position: number, hint: string): Correction | undefined {
  const meant = HINT.exec(hint)?.[1];
  if (meant === undefined) return undefined;
  // Not behind the last word, where a comment may stand.
  if (SEMICOLON.test(meant)) return { from: position, to: position, text: ';\n' };
  const tokens = tokensOf(sql);
  const next = tokens.findIndex(({ to }) => to > position);
  const here = tokens[next]?.from === position ? pathFrom(tokens, next) : [];
  for (const path of [here, pathTo(tokens, next < 0 ? tokens.length : next)]) {
    const [first, last] = [path[0], path.at(-1)];
    if (first === undefined || last === undefined) continue;
    // A name with its table takes the place of one with its table; any other that of the last part.
    const from = meant.includes('.') ? first.from : last.from;
    const word = sql.slice(from, last.to);
    if (!resembles(word.replaceAll('`', ''), meant)) continue;
    const isQuoted = word.includes('`') && !meant.includes('.');
    return { from, to: last.to, text: isQuoted || !/^[\w$.]+$/.test(meant) ? quoteName(meant) : meant };
  }
  return undefined;
}

/** Names with points between them, the first of which is at `at`. */
function pathFrom(tokens: readonly Token[], at: number): readonly Token[] {
  let end = at;
  if (nameOf(tokens[at]) === undefined) return [];
  while (tokens[end + 1]?.text === '.' && nameOf(tokens[end + 2]) !== undefined) end += 2;
  return tokens.slice(at, end + 1);
}

/** The same, where the last one is before `at`. */
function pathTo(tokens: readonly Token[], at: number): readonly Token[] {
  let start = at - 1;
  if (nameOf(tokens[start]) === undefined) return [];
  while (tokens[start - 1]?.text === '.' && nameOf(tokens[start - 2]) !== undefined) start -= 2;
  return tokens.slice(start, at);
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
