import type { JSX } from 'preact';
import { wholeNumber } from './figures.ts';

/** Rows of a table that differ. */
export interface RowCounts {
  readonly added: number;
  readonly removed: number;
  readonly modified: number;
}

/** Undefined where rows cannot be told apart: the key of the table has changed. */
export type KnownCounts = RowCounts | 'counting' | undefined;

/** `+3 −1 ~2`: rows added, removed, modified. */
export function Counts({ rows }: { readonly rows: KnownCounts }): JSX.Element {
  if (rows === 'counting') return <span class="change-counts muted">counting…</span>;
  if (rows === undefined) return <span class="change-counts muted">rows not comparable</span>;
  const title = `${wholeNumber(rows.added)} rows added, ${wholeNumber(rows.removed)} removed, ${wholeNumber(rows.modified)} modified`;
  return (
    <span class="change-counts figures" role="img" aria-label={title} title={title}>
      {rows.added > 0 && <span class="count-added">+{wholeNumber(rows.added)}</span>}
      {rows.removed > 0 && <span class="count-removed">−{wholeNumber(rows.removed)}</span>}
      {rows.modified > 0 && <span class="count-modified">~{wholeNumber(rows.modified)}</span>}
    </span>
  );
}
