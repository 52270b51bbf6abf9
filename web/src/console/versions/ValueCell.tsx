import type { JSX } from 'preact';

/** A value in a table of rows: what does not fit is in its tooltip, and NULL looks like nothing else. */
export function ValueCell({
  text,
  class: more = '',
}: {
  readonly text: string | null;
  readonly class?: string;
}): JSX.Element {
  return (
    <td class={`truncate ${text === null ? 'null' : ''} ${more}`} title={text ?? 'NULL'}>
      {text ?? 'NULL'}
    </td>
  );
}
