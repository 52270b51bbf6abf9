/** What the first line of CSV says of the others. Pure. */

/**
 * Whether each line begins with a name that has no title, as R writes the rows of a table. A last field that is empty in all of them is
 * one of a separator at their ends.
 */
export function startsWithRowNames([titles = [], ...rows]: readonly (readonly (string | null)[])[]): boolean {
  const isLonger = titles.length > 1 && rows.length > 0 && rows.every(({ length }) => length === titles.length + 1);
  return isLonger && rows.some(row => row.at(-1) !== null && row.at(-1) !== '');
}
