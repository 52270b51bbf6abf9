/**
 * Which part of the page is shown is behind the `#` of its address, which is not sent to any host: `#view=compare&from=…&to=…`. The
 * query needs no word; what is written there is not in the address. Pure.
 */

export type Shown =
  | { readonly view: 'query' | 'diagram' }
  /** A table is empty for the first that has changed; its group for whichever has it. */
  | { readonly view: 'changes'; readonly group: string; readonly table: string }
  /** A commit is empty for the newest one. */
  | { readonly view: 'log'; readonly commit: string }
  /** A table is empty for the first that differs. */
  | { readonly view: 'compare'; readonly from: string; readonly to: string; readonly table: string };

/** What a link asks for: a part of the page, or a query that came with it. */
export type Linked = Shown | { readonly view: 'query'; readonly sql: string };

export function linkedBy(hash: string): Linked | undefined {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const word = (name: string) => words.get(name) ?? '';
  const view = word('view');
  if (word('sql') !== '') return { view: 'query', sql: word('sql') };
  if (view === 'log' || word('commit') !== '') return { view: 'log', commit: word('commit') };
  if (word('from') !== '' && word('to') !== '') {
    return { view: 'compare', from: word('from'), to: word('to'), table: word('table') };
  }
  if (view === 'changes') return { view, group: word('group'), table: word('table') };
  return view === 'query' || view === 'diagram' ? { view } : undefined;
}

export function hashOf(shown: Shown): string {
  if (shown.view === 'query') return '';
  const words = Object.entries(shown).filter(([, word]) => word !== '');
  return `#${new URLSearchParams(words)}`;
}
