import type { JSX } from 'preact';
import { Icon } from '../ui/icons.tsx';
import type { Ref } from './log.ts';

/** Branches and tags that point at a commit. */
export function Refs({ refs }: { readonly refs: readonly Ref[] }): JSX.Element {
  return (
    <>
      {refs.map(({ name, kind }) => (
        <span key={`${kind}:${name}`} class={kind === 'head' ? 'badge accent' : 'badge'} title={`${kind}: ${name}`}>
          <Icon name={kind === 'tag' ? 'tag' : 'branch'} />
          <span class="truncate">{name}</span>
        </span>
      ))}
    </>
  );
}
