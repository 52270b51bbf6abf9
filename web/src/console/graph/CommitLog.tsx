import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { counted, wholeNumber } from '../ui/figures.ts';
import { Icon } from '../ui/icons.tsx';
import { ContextMenu, type MenuGroup, type MenuPoint } from '../ui/menu.tsx';
import { ResponsiveSplit } from '../ui/responsive_split.tsx';
import { type CommitActions, CommitDetail } from './CommitDetail.tsx';
import { commitMenu } from './commit_menu.ts';
import { GraphCell, graphWidth } from './GraphCell.tsx';
import { type Commit, splitMessage } from './log.ts';
import type { LogStore } from './log_store.ts';
import { Refs } from './Refs.tsx';

const LOG_ROW_PX = 32;
const ROW_ID = 'commit-';
const OVERSCAN = 12;
/** In a line of the log, which belongs to the message. */
const REFS_SHOWN_MAX = 2;

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
  /** @param isPassed nobody stays there: on the way to others by keys, or for want of one */
  readonly onChoose: (hash: string, isPassed: boolean) => void;
  /** A commit to go to, which another log may have. */
  readonly wanted: Signal<string>;
  /** What stands in the search field; it is looked for after a pause. */
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
          label="Size of the commit's details"
        >
          <LogRows
            store={store}
            selected={selected}
            onSelect={(index, isPassed) => onChoose(commits[index]?.hash ?? '', isPassed)}
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

interface RowsProps {
  readonly store: LogStore;
  readonly selected: number;
  readonly onSelect: (index: number, isPassed: boolean) => void;
  readonly menuOf: (commit: Commit) => readonly MenuGroup[];
}

interface OpenMenu {
  readonly commit: Commit;
  readonly at: MenuPoint;
}

function LogRows({ store, selected, onSelect, menuOf }: RowsProps): JSX.Element {
  const menu = useSignal<OpenMenu | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(800);
  const commits = store.commits.value;
  const graph = store.graph.value;
  const first = Math.max(0, Math.floor(top.value / LOG_ROW_PX) - OVERSCAN);
  const end = Math.min(commits.length, Math.ceil((top.value + height.value) / LOG_ROW_PX) + OVERSCAN);
  const width = graphWidth(store.laneCount.value);

  useEffect(() => {
    if (end >= commits.length - OVERSCAN) void store.more();
  }, [end, commits.length, store]);

  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const rowTop = selected * LOG_ROW_PX;
    if (rowTop < element.scrollTop) element.scrollTop = rowTop;
    const over = rowTop + LOG_ROW_PX - element.scrollTop - element.clientHeight;
    if (over > 0) element.scrollTop += over;
  }, [selected, store.wish.search, store.wish.scope]);

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height.value / LOG_ROW_PX) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[
      event.key
    ];
    if (step === undefined) return;
    event.preventDefault();
    onSelect(Math.max(0, Math.min(commits.length - 1, selected + step)), true);
  };

  const onContextMenu = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('.log-row') : null;
    const index = row === null ? selected : Number(row.id.slice(ROW_ID.length));
    const commit = commits[index];
    if (commit === undefined) return;
    event.preventDefault();
    onSelect(index, true);
    // By its key the menu has no place of its own.
    const box = document.getElementById(`${ROW_ID}${index}`)?.getBoundingClientRect();
    const at =
      row === null && box !== undefined ? { x: box.left + 24, y: box.bottom } : { x: event.clientX, y: event.clientY };
    menu.value = { commit, at };
  };

  return (
    <div
      ref={list}
      class="log"
      role="listbox"
      tabIndex={0}
      aria-label="Commits"
      aria-activedescendant={`${ROW_ID}${selected}`}
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
      onScroll={event => {
        top.value = event.currentTarget.scrollTop;
        height.value = event.currentTarget.clientHeight;
      }}
    >
      <div
        class="log-rows"
        style={{ height: `${commits.length * LOG_ROW_PX}px`, paddingTop: `${first * LOG_ROW_PX}px` }}
      >
        {commits.slice(first, end).map((commit, offset) => {
          const index = first + offset;
          const row = graph[index];
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it takes the keys.
            <div
              key={commit.hash}
              id={`${ROW_ID}${index}`}
              class="log-row"
              role="option"
              tabIndex={-1}
              aria-selected={index === selected}
              aria-setsize={store.isComplete.value ? commits.length : -1}
              aria-posinset={index + 1}
              onClick={() => onSelect(index, false)}
            >
              {row !== undefined && <GraphCell row={row} width={width} height={LOG_ROW_PX} />}
              <LogLine commit={commit} />
            </div>
          );
        })}
      </div>
      <ContextMenu
        label="The commit"
        at={menu.value?.at}
        groups={menu.value === undefined ? [] : menuOf(menu.value.commit)}
        onClose={() => {
          menu.value = undefined;
        }}
      />
    </div>
  );
}

function LogLine({ commit }: { readonly commit: Commit }): JSX.Element {
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
