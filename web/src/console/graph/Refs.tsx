import type { JSX } from 'preact';
import { wholeNumber } from '../ui/figures.ts';
import { Icon } from '../ui/icons.tsx';
import { LongName } from '../ui/long_name.tsx';
import type { Ref } from './log.ts';

interface RefsProps {
  readonly refs: readonly Ref[];
  /** The rest is a number. */
  readonly shownMax: number;
  /** Shows the rest, too; absent where there is no room for it. */
  readonly onMore?: () => void;
}

/** Branches and tags that point at a commit. */
export function Refs({ refs, shownMax, onMore }: RefsProps): JSX.Element {
  const rest = refs.slice(shownMax);
  return (
    <>
      {refs.slice(0, shownMax).map(({ name, kind }) => (
        <span key={`${kind}:${name}`} class={badgeOf(name, kind)} title={`${kind}: ${name}`}>
          <Icon name={kind === 'tag' ? 'tag' : 'branch'} />
          <LongName text={name} />
        </span>
      ))}
      {rest.length > 0 && onMore !== undefined && (
        <button type="button" class="badge more figures" onClick={onMore}>
          {wholeNumber(rest.length)} more
        </button>
      )}
      {rest.length > 0 && onMore === undefined && (
        <span class="badge figures" title={rest.map(({ name }) => name).join('\n')}>
          +{rest.length}
        </span>
      )}
    </>
  );
}

/** A name that is longer gives some of its room to the message beside it. */
const SHORT_CHARS = 8;

function badgeOf(name: string, kind: Ref['kind']): string {
  if (kind === 'head') return 'badge accent';
  return name.length > SHORT_CHARS ? 'badge' : 'badge is-short';
}
