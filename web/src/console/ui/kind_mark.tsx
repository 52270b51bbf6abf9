import type { JSX } from 'preact';

interface Kind {
  readonly letter: string;
  readonly meaning: string;
}

const KINDS = {
  added: { letter: 'A', meaning: 'New table' },
  removed: { letter: 'D', meaning: 'Dropped table' },
  modified: { letter: 'M', meaning: 'Modified' },
  renamed: { letter: 'R', meaning: 'Renamed' },
} as const satisfies Readonly<Record<string, Kind>>;

/** What became of a table, as a letter. */
export function KindMark({ kind }: { readonly kind: keyof typeof KINDS }): JSX.Element {
  const { letter, meaning } = KINDS[kind];
  return (
    <span class={`kind-mark ${kind}`} role="img" aria-label={meaning} title={meaning}>
      {letter}
    </span>
  );
}
