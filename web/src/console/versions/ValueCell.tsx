import type { JSX } from 'preact';

interface CellProps {
  readonly text: string | null;
  /** Where the text is a part of it. */
  readonly whole?: string;
  readonly class?: string;
}

/** A value in a table of rows: what does not fit is in its tooltip, and NULL looks like nothing else. */
export function ValueCell({ text, whole = text ?? 'NULL', class: more = '' }: CellProps): JSX.Element {
  return (
    <td class={`truncate ${text === null ? 'null' : ''} ${more}`} title={whole}>
      {text ?? 'NULL'}
    </td>
  );
}
