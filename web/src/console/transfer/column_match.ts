/** Which column of a table a column of a file goes into, by their names. Pure. */

/** By the names in the file; null for one that is left out. */
export type ColumnMatch = Readonly<Record<string, string | null>>;

const exactly = (name: string): string => name;
const inAnyCase = (name: string): string => name.toLowerCase();
/** `First Name`, `first_name` and `firstName` are the same. */
const byLetters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Each column is filled by one name at most: what is written alike goes before what only sounds so. */
export function matchByName(names: readonly string[], columns: readonly string[]): ColumnMatch {
  const match: Record<string, string | null> = Object.fromEntries(names.map(name => [name, null]));
  const free = new Set(columns);
  for (const written of [exactly, inAnyCase, byLetters]) {
    for (const name of names) {
      const wanted = written(name);
      const column = match[name] === null ? [...free].find(column => written(column) === wanted) : undefined;
      if (column === undefined || wanted === '') continue;
      match[name] = column;
      free.delete(column);
    }
  }
  return match;
}

/** What goes into a column goes there alone: whatever went there before is left out. */
export function withMatch(match: ColumnMatch, name: string, column: string | null): ColumnMatch {
  const others = Object.entries(match).map(([other, into]) => [other, into === column ? null : into]);
  return { ...Object.fromEntries(others), [name]: column };
}
