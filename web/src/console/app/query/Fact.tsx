import type { JSX } from 'preact';

interface FactProps {
  readonly label: string;
  readonly value: string;
  /** Left out where there is little room. */
  readonly isMinor?: boolean;
}

/** A figure and what it is of. */
export function Fact({ label, value, isMinor = false }: FactProps): JSX.Element {
  return (
    <span class={isMinor ? 'fact minor' : 'fact'}>
      <span class="fact-label">{label}</span> {value}
    </span>
  );
}
