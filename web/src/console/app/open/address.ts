/** What is open stands in the page's address (`?open=…`), so that a reload, a bookmark and a link open it again. */

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
  const wanted = new URLSearchParams(search).get('open');
  if (wanted === null) return { kind: 'sample' };
  if (wanted === 'nothing') return { kind: 'nothing' };
  if (wanted.startsWith(STORED)) return { kind: 'stored', name: wanted.slice(STORED.length) };
  return { kind: 'url', url: wanted };
}

/** @param address null for the sample, which needs none */
export function showAddress(address: string | null): void {
  const url = new URL(location.href);
  if (address === null) url.searchParams.delete('open');
  else url.searchParams.set('open', address);
  history.replaceState(history.state, '', url);
}
