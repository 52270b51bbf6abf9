/** The parameters of a statement: `?`, as MySQL has them, and `:name`, which only the console knows. */
import { outlineOf } from '../sql/lexer.ts';

export interface Parameter {
  /** `name` of `:name`; the number of a `?` in its statement, from 1. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** In the order in which they stand; a name may come several times. */
export function parametersOf(sql: string): readonly Parameter[] {
  if (!/[?:]/.test(sql)) return [];
  let number = 0;
  return outlineOf(sql).placeholders.map(({ from, to, name }) => {
    if (name === undefined) number += 1;
    return { name: name ?? String(number), from, to };
  });
}

/** As a person calls it: `:family`, or `?2`. */
export function parameterLabel(name: string): string {
  return /^\d/.test(name) ? `?${name}` : `:${name}`;
}
