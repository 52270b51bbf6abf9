/** What the columns of a file are called in the table: `map` of the options. Pure. */

import type { ImportRowsOptions } from '../transfer_types.ts';
import { usableNames } from './column_names.ts';
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
