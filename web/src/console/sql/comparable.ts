/** Which statements have answers that can be compared. */

const QUERY = /^[\s(]*(SELECT|WITH|VALUES|TABLE|SHOW|DESCRIBE|DESC|EXPLAIN)\b/i;
/** What is in quotes or a comment, or a variable of the session. */
const VARIABLE =
  /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`]|``)*`|#[^\n]*|--(?=\s|$)[^\n]*|\/\*(?!!)[\s\S]*?\*\/|@@[\w.]*|(@[\w$.'"`]+)/g;

/** Why the answers of a statement cannot be compared; undefined when they can. */
export function comparingProblem(sql: string): string | undefined {
  if (!QUERY.test(sql)) return 'Only a query has answers to compare: put the cursor into one';
  for (const [, variable] of sql.matchAll(VARIABLE)) {
    // Each side runs in a session of its own, where it would be NULL.
    if (variable !== undefined) return `Answers that depend on ${variable} cannot be compared: write its value instead`;
  }
  return undefined;
}
