/**
 * A link to a query: the address of what is open, with the text behind its `#`, which is not sent to any host. Whoever follows
 * it finds the text in a tab, to be read before it is run.
 */
import { toast } from '../../ui/toast.tsx';
import { wantedBy } from '../open/address.ts';
import { addTab, isFirstVisit, type QueryTab, rename, setText, tabs } from './query_tabs.ts';

const TITLE = 'From a link';

/** Browsers take addresses of this many letters, programs that pass them on may not. */
const LINK_LETTERS_MAX = 30_000;

/** Of the page's own address, which says what is open. */
function linkTo(sql: string): string {
  const url = new URL(location.href);
  url.hash = new URLSearchParams({ sql }).toString();
  return url.href;
}

export async function copyLink(tab: QueryTab | undefined): Promise<void> {
  const link = linkTo(tab?.text.peek() ?? '');
  if (link.length > LINK_LETTERS_MAX) return toast('The query is too long for a link', 'failure');
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    return toast('The browser did not allow copying', 'failure');
  }
  const { kind } = wantedBy(location.search);
  if (kind === 'nothing') toast('Copied a link to the query. The database is not in it: it is on this machine only');
  else toast(kind === 'stored' ? 'Copied a link, for this browser: the database is kept in it' : 'Copied a link');
}

/** Puts the query of the page's address, if there is one, into a tab, and takes it out of the address. */
export function takeLinkedQuery(): void {
  const sql = new URLSearchParams(location.hash.slice(1)).get('sql');
  if (sql === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  const [first] = tabs.peek();
  if (isFirstVisit && tabs.peek().length === 1 && first?.text.peek() === '') {
    rename(first, TITLE);
    setText(first, sql);
  } else if (!tabs.peek().some(tab => tab.title.peek() === TITLE && tab.text.peek() === sql)) addTab(sql, TITLE);
  toast('This query came with the link: read it, then run it');
}
