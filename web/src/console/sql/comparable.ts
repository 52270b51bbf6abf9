/** Which statements have answers that can be compared. */
import { outlineOf } from './lexer.ts';
import { readsOnly } from './statement.ts';

/** Why the answers of a statement cannot be compared; undefined when they can. */
export function comparingProblem(sql: string): string | undefined {
  if (!readsOnly(sql)) return 'Only queries can be compared. Place the cursor in a query';
  const { variable } = outlineOf(sql);
  // Each side runs in a session of its own, where it would be NULL.
  if (variable === undefined) return undefined;
  return `Results that depend on ${variable} cannot be compared. Write its value instead`;
}
