/** A statement with values in the place of its parameters: what runs, and what stands in the history, is plain SQL. Pure. */
import { parametersOf } from './find.ts';
import { literalOf, NO_VALUE, type ParameterValues, valueProblem } from './value.ts';

export interface Filled {
  readonly sql: string;
  /** The first parameter without a value that it can have. */
  readonly missing: string | undefined;
  /** Where a place of `sql` is in the statement as it was written. */
  placeOf(position: number): number;
}

export function filled(written: string, values: ParameterValues): Filled {
  const parameters = parametersOf(written);
  const missing = parameters.find(({ name }) => valueProblem(values[name] ?? NO_VALUE) !== undefined)?.name;
  if (parameters.length === 0 || missing !== undefined) return { sql: written, missing, placeOf: position => position };
  /** How far what comes behind a parameter was moved. */
  const moves: { readonly from: number; readonly end: number; readonly written: number; readonly by: number }[] = [];
  let sql = '';
  let at = 0;
  for (const { name, from, to } of parameters) {
    const before = sql + written.slice(at, from);
    sql = before + literalOf(values[name] ?? NO_VALUE);
    moves.push({ from: before.length, end: sql.length, written: from, by: to - sql.length });
    at = to;
  }
  sql += written.slice(at);
  const placeOf = (position: number): number => {
    const last = moves.findLast(({ from }) => from <= position);
    if (last === undefined) return position;
    return position < last.end ? last.written : position + last.by;
  };
  return { sql, missing: undefined, placeOf };
}
