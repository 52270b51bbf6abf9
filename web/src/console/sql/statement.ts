/** Which statement a cursor means, what a statement does, and what it is called. */
import { isWord, nameOf, outlineOf, type StatementSpan, splitStatements, tokensOf } from './lexer.ts';

const QUERIES = ['SELECT', 'WITH', 'VALUES', 'TABLE'];
const READS: ReadonlySet<string> = new Set([...QUERIES, 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN']);
const EXPLAINABLE: ReadonlySet<string> = new Set([...QUERIES, 'INSERT', 'REPLACE', 'UPDATE', 'DELETE']);

/** A part of a text that is another one now. */
export interface TextChange {
  readonly from: number;
  /** Where it ends by now. */
  readonly to: number;
  /** How much longer the text is. */
  readonly delta: number;
}

/** The statements of a text that was changed: those before the change stay, and those after it once one ends where it did. */
export function resplitStatements(
  known: readonly StatementSpan[],
  text: string,
  { from, to, delta }: TextChange,
): readonly StatementSpan[] {
  const before = known.filter(({ end }) => end < from);
  if (!before.every(({ isApart }) => isApart)) return splitStatements(text);
  const start = before.at(-1)?.end ?? 0;
  const firstAfter = known.findIndex(({ end }) => end + delta >= to);
  for (let count = 1; firstAfter >= 0 && firstAfter + count < known.length; count *= 8) {
    const last = known[firstAfter + count - 1] as StatementSpan;
    const found = splitStatements(text.slice(start, last.end + delta)).map(span => moved(span, start));
    const end = found.at(-1);
    if (!last.isApart || end === undefined || !end.isApart || end.end !== last.end + delta) continue;
    return [...before, ...found, ...known.slice(firstAfter + count).map(span => moved(span, delta))];
  }
  return [...before, ...splitStatements(text.slice(start)).map(span => moved(span, start))];
}

function moved({ from, to, end, isApart }: StatementSpan, by: number): StatementSpan {
  return { from: from + by, to: to + by, end: end + by, isApart };
}

/**
 * The statement that a cursor at `position` means: the one around it, else the one that ends on its line before it, else
 * the next one, else the last.
 */
export function statementAt(
  statements: readonly StatementSpan[],
  position: number,
  text: string,
): StatementSpan | undefined {
  let before: StatementSpan | undefined;
  for (const statement of statements) {
    if (position < statement.from) {
      const sameLine = before !== undefined && !text.slice(before.end, position).includes('\n');
      return sameLine ? before : statement;
    }
    if (position <= statement.end) return statement;
    before = statement;
  }
  return before;
}

/** Whether it only reads: queries, and what tells of the database. */
export function readsOnly(sql: string): boolean {
  return READS.has(outlineOf(sql).verb);
}

/** Does it ask for rows only, or change them, so that it can be explained? */
export function isExplainable(sql: string): boolean {
  return EXPLAINABLE.has(outlineOf(sql).verb);
}

/** A short name for a result tab: the first words of the statement, in one line. */
export function statementTitle(sql: string, charsMax = 32): string {
  const tokens = tokensOf(sql.slice(0, TITLED_CHARS));
  const at = tokens.findIndex(token => token.depth === 0 && isWord(token, 'FROM')) + 1;
  const first = tokens.find(({ text }) => text !== '(');
  const line = sql.replace(/\s+/g, ' ').trim();
  const table = nameOf(tokens[at]);
  if (at === 0 || table === undefined || !isWord(first, 'SELECT')) return clip(line, charsMax);
  const path = [table];
  for (let next = at + 1; tokens[next]?.text === '.'; next += 2) path.push(nameOf(tokens[next + 1]) ?? '');
  return clip(path.join('.'), charsMax);
}

/** Of a longer statement the title says how it begins. */
const TITLED_CHARS = 10_000;

function clip(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`;
}
