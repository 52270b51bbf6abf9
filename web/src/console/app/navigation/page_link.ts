/**
 * Links to what is shown: the address of what is open, and behind its `#` a query, a commit or two that are compared. A link to
 * a query opens its text in a tab; it does not run by itself.
 */
import { toast } from '../../ui/toast.tsx';
import { wantedBy } from '../open/address.ts';
import { addTab, type QueryTab, rename, setText, tabs } from '../query/query_tabs.ts';

const TITLE = 'From link';

/** Browsers take addresses of this many letters, programs that pass them on may not. */
const LINK_LETTERS_MAX = 30_000;

type Target =
  | { readonly sql: string }
  | { readonly commit: string }
  /** Two commits that are compared. */
  | { readonly from: string; readonly to: string };

export function copyQueryLink(tab: QueryTab | undefined): Promise<void> {
  return copyLinkTo({ sql: tab?.text.peek() ?? '' });
}

export async function copyLinkTo(target: Target): Promise<void> {
  // The page's own address says what is open.
  const url = new URL(location.href);
  url.hash = new URLSearchParams({ ...target }).toString();
  if (url.href.length > LINK_LETTERS_MAX) return toast('The query is too long for a link', 'failure');
  try {
    await navigator.clipboard.writeText(url.href);
  } catch {
    return toast('The browser blocked copying', 'failure');
  }
  const { kind } = wantedBy(location.search);
  if (kind === 'nothing') toast('Copied a link. It works on this machine only, where the database is stored');
  else
    toast(
      kind === 'stored'
        ? 'Copied a link. It works in this browser only, where the database is stored'
        : 'Copied a link',
    );
}

/** Shows the text that came with a link. */
export function showLinkedQuery(sql: string): void {
  const [first] = tabs.peek();
  if (tabs.peek().length === 1 && first?.text.peek() === '') {
    rename(first, TITLE);
    setText(first, sql);
  } else if (!tabs.peek().some(tab => tab.title.peek() === TITLE && tab.text.peek() === sql)) addTab(sql, TITLE);
  toast('This query comes from a link. Check it before you run it');
}
