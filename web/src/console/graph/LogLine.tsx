import type { JSX } from 'preact';
import { type Commit, splitMessage } from './log.ts';
import { Refs } from './Refs.tsx';

/** In a line of the log, which belongs to the message. */
const REFS_SHOWN_MAX = 2;

/** What the log tells of a commit, beside its graph. */
export function LogLine({ commit }: { readonly commit: Commit }): JSX.Element {
  const { subject } = splitMessage(commit.message);
  return (
    <>
      <span class="log-message">
        <Refs refs={commit.refs} shownMax={REFS_SHOWN_MAX} />
        <span class="log-subject truncate" title={subject}>
          {subject}
        </span>
      </span>
      <span class="log-author truncate">{commit.author}</span>
      <span class="log-date figures">
        {commit.date.slice(0, 10)}
        <span class="log-time">{commit.date.slice(10, 16)}</span>
      </span>
      <span class="log-hash mono">{commit.hash.slice(0, 8)}</span>
    </>
  );
}
