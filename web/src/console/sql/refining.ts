/** Fewer rows of a query, or the same in another order: a statement that a person can read and change. */
import type { Column } from '../../lib/index.ts';
import { typedName } from './names.ts';
import { countsOfResult, countsOfTable, type Refinement, readsOneTable, refined, refinedResult } from './table_of.ts';

/** The rows are those of one table: conditions stand in the query itself, before its LIMIT. */
function isOfTable(sql: string, columns: readonly Column[]): boolean {
  return readsOneTable(sql) && columns.every(({ originalName, table }) => originalName !== '' && table !== '');
}

/** What conditions call the columns of the result. */
export function namesIn(sql: string, columns: readonly Column[]): readonly string[] {
  const isPlain = isOfTable(sql, columns);
  return columns.map(({ name, originalName }) => typedName(isPlain ? originalName : name));
}

/** Undefined where the columns of the result cannot be named from outside. */
export function refinedQuery(sql: string, columns: readonly Column[], part: Refinement): string | undefined {
  if (isOfTable(sql, columns)) return refined(sql, part);
  const names = columns.map(({ name }) => name);
  return refinedResult(sql, names, part);
}

/** How often each value of a column is there; undefined where the columns of the result cannot be named from outside. */
export function countingQuery(sql: string, columns: readonly Column[], at: number): string | undefined {
  const name = namesIn(sql, columns)[at] ?? '';
  if (isOfTable(sql, columns)) return countsOfTable(sql, name);
  const names = columns.map(({ name }) => name);
  return countsOfResult(sql, names, name);
}
