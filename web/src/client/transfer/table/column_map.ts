/** What the columns of a file are called in the table: `map` of the options. Pure. */

import type { ImportRowsOptions } from '../transfer_types.ts';
import type { SniffedOptions } from './sniffed.ts';

type Titles = readonly (string | null)[];

/** The column for each title; null for one that is left out. Titles of a table that is there are its columns as they are. */
export function columnsOfTitles(titles: Titles, { map, create }: ImportRowsOptions): readonly (string | null)[] {
  if (map === undefined) return create ? usableNames(titles) : titles.map(title => title ?? '');
  return usableNames(titles).map(name => mapped(map, name));
}

/**
 * The column for each of `width` fields of a line, of which the last ones may have no title; null for one that is left out.
 *
 * @param titles of the first line, where the options do not name the columns
 * @param width by default as many fields as have a name
 */
export function columnsOfFields(titles: Titles, options: SniffedOptions, width = 0): readonly (string | null)[] {
  const { columns, map, hasRowNames } = options;
  const named = columns ?? (hasRowNames ? [null, ...titles] : titles);
  const all = named.length < width ? [...named, ...Array<null>(width - named.length).fill(null)] : named;
  if (columns === undefined) return columnsOfTitles(all, options);
  return (columns.length < width ? usableNames(all) : columns).map(name => mapped(map, name));
}

/** The column for a member of an object, or for a name that was given; null for one that is left out. */
export function mapped(map: ImportRowsOptions['map'], name: string): string | null {
  return map !== undefined && Object.hasOwn(map, name) ? (map[name] ?? null) : name;
}

/** MySQL's names have no more. */
const NAME_CHARS = 64;

/** Names for the columns of a new table from what the first line of a file calls them: none is empty, and none comes twice. */
export function usableNames(titles: readonly (string | null)[]): string[] {
  const taken = new Set<string>();
  return titles.map((title, index) => {
    const plain = Array.from((title ?? '').trim());
    const name = plain.length === 0 ? `column_${index + 1}` : plain.slice(0, NAME_CHARS).join('').trimEnd();
    let unlike = name;
    for (let count = 2; taken.has(unlike.toLowerCase()); count++) {
      const ending = `_${count}`;
      unlike = `${Array.from(name)
        .slice(0, NAME_CHARS - ending.length)
        .join('')}${ending}`;
    }
    taken.add(unlike.toLowerCase());
    return unlike;
  });
}
