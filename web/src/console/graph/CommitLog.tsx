import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../ui/icons.tsx';
import { ResponsiveSplit } from '../ui/responsive_split.tsx';
import { type CommitActions, CommitDetail } from './CommitDetail.tsx';
import { GraphCell, graphWidth } from './GraphCell.tsx';
import { type Commit, splitMessage } from './log.ts';
import type { LogStore } from './log_store.ts';
import { Refs } from './Refs.tsx';

export const LOG_ROW_PX = 32;
const OVERSCAN = 12;
/** In a line of the log, which belongs to the message. */
const REFS_SHOWN_MAX = 3;

interface LogProps {
  readonly store: LogStore;
  readonly actions: CommitActions;
  /** The details stand below the log instead of beside it. */
  readonly isNarrow: boolean;
  /** Chooses which commits are shown. */
  readonly scopes: JSX.Element;
}

/** The log of a branch: graph, message, refs, author, date; beside it the selected commit. */
export function CommitLog({ store, actions, isNarrow, scopes }: LogProps): JSX.Element {
  const selected = useSignal(0);
  useEffect(() => {
    selected.value = 0;
    void store.more();
  }, [store]);
  const commits = store.commits.value;
  const commit = commits[selected.value];
  if (commits.length === 0) return <LogMessage store={store} />;
  const goToHash = (hash: string) => {
    const index = commits.findIndex(candidate => candidate.hash === hash);
    if (index >= 0) selected.value = index;
  };
  return (
    <div class="log-view">
      <div class="log-head">{scopes}</div>
      <ResponsiveSplit
        name="log"
        isNarrow={isNarrow}
        sized="second"
        wide={{ initialPx: 380, leastPx: 240, leavePx: 320 }}
        narrow={{ initialPx: 300, leastPx: 120, leavePx: 160 }}
        label="Size of the commit's details"
      >
        <LogRows store={store} selected={selected.value} onSelect={index => (selected.value = index)} />
        <div class="log-detail">
          {commit !== undefined && (
            <CommitDetail key={commit.hash} commit={commit} store={store} actions={actions} onParent={goToHash} />
          )}
        </div>
      </ResponsiveSplit>
    </div>
  );
}

function LogMessage({ store }: { readonly store: LogStore }): JSX.Element {
  const error = store.error.value;
  if (error !== undefined) {
    return (
      <div class="empty" role="alert">
        <Icon name="error" />
        <strong>The log could not be read</strong>
        <p>{error}</p>
      </div>
    );
  }
  return store.isLoading.value ? (
    <div class="empty">
      <span class="spinner" />
    </div>
  ) : (
    <div class="empty">
      <strong>No commits</strong>
    </div>
  );
}

interface RowsProps {
  readonly store: LogStore;
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

function LogRows({ store, selected, onSelect }: RowsProps): JSX.Element {
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
  }, [selected]);

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height.value / LOG_ROW_PX) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[
      event.key
    ];
    if (step === undefined) return;
    event.preventDefault();
    onSelect(Math.max(0, Math.min(commits.length - 1, selected + step)));
  };

  return (
    <div
      ref={list}
      class="log"
      role="listbox"
      tabIndex={0}
      aria-label="Commits"
      aria-activedescendant={`commit-${selected}`}
      onKeyDown={onKeyDown}
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
              id={`commit-${index}`}
              class="log-row"
              role="option"
              tabIndex={-1}
              aria-selected={index === selected}
              aria-setsize={store.isComplete.value ? commits.length : -1}
              aria-posinset={index + 1}
              onClick={() => onSelect(index)}
            >
              {row !== undefined && <GraphCell row={row} width={width} height={LOG_ROW_PX} />}
              <LogLine commit={commit} />
            </div>
          );
        })}
      </div>
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
