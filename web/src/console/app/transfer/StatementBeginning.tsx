import type { JSX } from 'preact';
import { oneLine } from '../../grid/cells.ts';

/** Of a statement that failed: enough to find it. */
const CHARACTERS = 200;
const HINT_CHARACTERS = 600;

/** How a statement of a script begins, in one line. */
export function StatementBeginning({ sql }: { readonly sql: string }): JSX.Element {
  return (
    <code class="truncate muted" title={sql.slice(0, HINT_CHARACTERS)}>
      {oneLine(sql).slice(0, CHARACTERS)}
    </code>
  );
}
