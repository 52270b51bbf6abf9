/** What is open is in the page's address (`?open=…`), so that a reload, a bookmark and a link open it again. */

import type { Place } from '../../schema/model.ts';
import { revisionName } from '../../sql/names.ts';

const OPEN = 'open';
/** In the place of an address, for what none leads to. */
export const NOTHING = 'nothing';
/** Before the name of a database in this browser's storage. */
const STORED = 'browser:';

/** Of a database in this browser. */
export function storedAddress(name: string): string {
  return STORED + name;
}

export type Wanted =
  | { readonly kind: 'sample' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'stored'; readonly name: string }
  | { readonly kind: 'url'; readonly url: string };

/** What an address asks for. */
export function wantedBy(search: string): Wanted {
  const wanted = new URLSearchParams(search).get(OPEN);
  if (wanted === null) return { kind: 'sample' };
  if (wanted === NOTHING) return { kind: 'nothing' };
  if (wanted.startsWith(STORED)) return { kind: 'stored', name: wanted.slice(STORED.length) };
  return { kind: 'url', url: wanted };
}

/** Where in what is open the page is (`&at=DATABASE/BRANCH`), unless that is where it opens anyway. */
const AT = 'at';

/** The place that the page's address asks for. */
export function wantedPlace(search: string): Place | undefined {
  const [, database, branch] = /^([^/]+)\/(.+)$/.exec(new URLSearchParams(search).get(AT) ?? '') ?? [];
  return database === undefined || branch === undefined ? undefined : { database, branch };
}

/**
 * The address of the page for what is open.
 *
 * @param address null for the sample, which needs none
 * @param place undefined for where it opens anyway
 */
export function withOpened(page: URL, address: string | null, place: Place | undefined): URL {
  const url = new URL(page);
  if (address === null) url.searchParams.delete(OPEN);
  else url.searchParams.set(OPEN, address);
  if (place === undefined) url.searchParams.delete(AT);
  else url.searchParams.set(AT, revisionName(place.database, place.branch));
  return url;
}
