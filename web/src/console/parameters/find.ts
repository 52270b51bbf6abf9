/** The parameters of a statement: `?`, as MySQL has them, and `:name`, which only the console knows. Pure. */

export interface Parameter {
  /** `name` of `:name`; the number of a `?` in its statement, from 1. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** What is in quotes or a comment, a `?`, or a `:name` that is neither a label's colon nor part of a variable. */
const TOKEN =
  /'(?:[^'\\]|\\[\s\S]|'')*'?|"(?:[^"\\]|\\[\s\S]|"")*"?|`(?:[^`]|``)*`?|#[^\n]*|--(?=\s|$)[^\n]*|\/\*(?!!)[\s\S]*?(?:\*\/|$)|(\?)|(?<![\w$@:.]):([A-Za-z_][\w$]*)/g;
/** Their bodies have labels, and no parameters. */
const PROGRAM = /^\s*CREATE\b[^(;]*\b(?:PROCEDURE|FUNCTION|TRIGGER|EVENT)\b/i;

/** In the order in which they stand; a name may come several times. */
export function parametersOf(sql: string): readonly Parameter[] {
  if (!/[?:]/.test(sql) || PROGRAM.test(sql)) return [];
  const found: Parameter[] = [];
  let number = 0;
  for (const { 0: text, 1: mark, 2: word, index } of sql.matchAll(TOKEN)) {
    if (mark !== undefined) number += 1;
    const name = mark === undefined ? word : String(number);
    if (name !== undefined) found.push({ name, from: index, to: index + text.length });
  }
  return found;
}

/** As a person calls it: `:family`, or `?2`. */
export function parameterLabel(name: string): string {
  return /^\d/.test(name) ? `?${name}` : `:${name}`;
}
