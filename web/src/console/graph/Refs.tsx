import type { JSX } from 'preact';
import { Icon } from '../ui/icons.tsx';
import type { Ref } from './log.ts';

interface RefsProps {
  readonly refs: readonly Ref[];
  /** The rest is a number. */
  readonly shownMax?: number;
}

/** Branches and tags that point at a commit. */
export function Refs({ refs, shownMax = Infinity }: RefsProps): JSX.Element {
  const rest = refs.slice(shownMax);
  return (
    <>
      {refs.slice(0, shownMax).map(({ name, kind }) => (
        <span key={`${kind}:${name}`} class={kind === 'head' ? 'badge accent' : 'badge'} title={`${kind}: ${name}`}>
          <Icon name={kind === 'tag' ? 'tag' : 'branch'} />
          <span class="truncate">{name}</span>
        </span>
      ))}
      {rest.length > 0 && (
        <span class="badge figures" title={rest.map(({ name }) => name).join('\n')}>
          +{rest.length}
        </span>
      )}
    </>
  );
}
