import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { counted, wholeNumber } from '../ui/figures.ts';
import { Icon } from '../ui/icons.tsx';
import { ResponsiveSplit } from '../ui/responsive_split.tsx';
import { type CommitActions, CommitDetail } from './CommitDetail.tsx';
import { commitMenu } from './commit_menu.ts';
import { LogRows } from './LogRows.tsx';
import type { LogStore } from './log_store.ts';

interface LogProps {
  readonly store: LogStore;
  /** Another one is being read, to take its place. */
  readonly isReading: boolean;
  readonly actions: CommitActions;
  /** The details stand below the log instead of beside it. */
  readonly isNarrow: boolean;
  /** Chooses which commits are shown. */
  readonly scopes: JSX.Element;
  /** The hash of the commit that is shown, which stays when others come before it; empty for the newest one. */
  readonly chosen: string;
  /** @param isPassed the selection only passes this commit: by arrow keys, or as a default */
  readonly onChoose: (hash: string, isPassed: boolean) => void;
  /** A commit to go to, which another log may have. */
  readonly wanted: Signal<string>;
  /** What is in the search field; it is looked for after a pause. */
  readonly typed: Signal<string>;
  /** Looks for these words, and puts them into the field. */
  readonly onSearch: (search: string) => void;
}

/** The log of a branch: graph, message, refs, author, date; beside it the selected commit. */
export function CommitLog(props: LogProps): JSX.Element {
  const { store, isReading, actions, isNarrow, scopes, chosen, onChoose, wanted, typed, onSearch } = props;
  const before = useRef<LogStore | undefined>(undefined);
  /** The one that was shown of the log before. */
  const chosenBefore = useRef(chosen);
  const goTo = async (hash: string) => {
    const isThere = (await store.indexOf(hash)) >= 0;
    if (wanted.peek() !== hash || before.current !== store) return;
    if (!isThere && store.wish.search !== '') return onSearch('');
    wanted.value = '';
    onChoose(isThere ? hash : '', !isThere);
  };
  useEffect(() => {
    // The one that is coming has the answer.
    if (isReading) return;
    // A log that is shown again has to be read as far as before.
    if (before.current === undefined && wanted.peek() === '' && store.wish.search === '') wanted.value = chosen;
    const isOther = before.current !== undefined && !store.isLike(before.current);
    before.current = store;
    if (wanted.peek() !== '') void goTo(wanted.peek());
    else if (isOther && chosen === chosenBefore.current) onChoose('', true);
  }, [store, isReading, wanted.value]);
  useEffect(() => {
    if (!isReading) chosenBefore.current = chosen;
  }, [chosen, isReading]);
  useEffect(
    () => () => {
      before.current = undefined;
    },
    [],
  );
  const commits = store.commits.value;
  const selected = Math.max(
    0,
    commits.findIndex(({ hash }) => hash === chosen),
  );
  const commit = commits[selected];
  return (
    <div class="log-view" aria-busy={isReading}>
      <div class="log-head">
        {scopes}
        <LogSearch store={store} typed={typed} onSearch={onSearch} />
        {isReading && <span class="spinner inline" />}
      </div>
      {commits.length === 0 ? (
        <LogMessage store={store} onSearch={onSearch} />
      ) : (
        <ResponsiveSplit
          name="log"
          isNarrow={isNarrow}
          sized="second"
          wide={{ initialPx: 380, leastPx: 240, leavePx: 320 }}
          narrow={{ initialPx: 300, leastPx: 120, leavePx: 160 }}
          label="Size of the commit details"
        >
          <LogRows
            store={store}
            selected={selected}
            onSelect={onChoose}
            menuOf={commit => commitMenu(commit, actions)}
          />
          <div class="log-detail">
            {commit !== undefined && (
              <CommitDetail
                key={commit.hash}
                commit={commit}
                store={store}
                actions={actions}
                onParent={hash => (wanted.value = hash)}
              />
            )}
          </div>
        </ResponsiveSplit>
      )}
    </div>
  );
}

/** A pause in typing after which commits are looked for. */
const TYPING_MS = 200;

function LogSearch({ store, typed, onSearch }: Pick<LogProps, 'store' | 'typed' | 'onSearch'>): JSX.Element {
  const { search } = store.wish;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => onSearch(typed.peek()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isFind =
        (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'f';
      if (!isFind || event.defaultPrevented || field.current?.closest('[inert]')) return;
      event.preventDefault();
      field.current?.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const found = store.commits.value.length;
  return (
    <>
      <input
        ref={field}
        class="field log-search"
        type="search"
        placeholder="Search message, author, hash"
        aria-label="Search commits"
        spellcheck={false}
        value={typed.value}
        onInput={event => (typed.value = event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Escape' && typed.value !== '') onSearch('');
          else if (event.key === 'Enter') onSearch(typed.value);
          else return;
          event.preventDefault();
        }}
      />
      {search !== '' && found > 0 && (
        <span class="muted figures log-found" role="status">
          {store.isComplete.value ? counted(found, 'commit') : `${wholeNumber(found)} and more`}
        </span>
      )}
    </>
  );
}

function LogMessage({ store, onSearch }: Pick<LogProps, 'store' | 'onSearch'>): JSX.Element {
  const error = store.error.value;
  const { search, scope } = store.wish;
  if (error !== undefined) {
    return (
      <div class="empty" role="alert">
        <Icon name="error" />
        <strong>The log could not be read</strong>
        <p>{error}</p>
      </div>
    );
  }
  if (!store.isComplete.value) {
    return (
      <div class="empty">
        <span class="spinner" />
      </div>
    );
  }
  if (search === '') {
    return (
      <div class="empty">
        <strong>No commits</strong>
      </div>
    );
  }
  return (
    <div class="empty" role="status">
      <strong>
        No commit {scope === 'all' ? '' : 'of this branch '}matches “{search.trim()}”
      </strong>
      <button type="button" class="button small" onClick={() => onSearch('')}>
        Show all
      </button>
    </div>
  );
}
