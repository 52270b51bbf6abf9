import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ContextMenu, type MenuGroup, type MenuPoint } from '../ui/menu.tsx';
import { isPrinting } from '../ui/printing.ts';
import { GraphCell, graphWidth } from './GraphCell.tsx';
import { type Commit, splitMessage } from './log.ts';
import type { LogStore } from './log_store.ts';
import { Refs } from './Refs.tsx';

const LOG_ROW_PX = 32;
const ROW_ID = 'commit-';
const OVERSCAN = 12;
/** On paper, about a hundred sheets. */
const PRINTED_MAX = 3000;
/** In a line of the log, which belongs to the message. */
const REFS_SHOWN_MAX = 2;

interface RowsProps {
  readonly store: LogStore;
  readonly selected: number;
  /** @param isPassed nobody stays there */
  readonly onSelect: (hash: string, isPassed: boolean) => void;
  readonly menuOf: (commit: Commit) => readonly MenuGroup[];
}

interface OpenMenu {
  readonly commit: Commit;
  readonly at: MenuPoint;
}

/** The commits that are in sight, with their graph. */
export function LogRows(props: RowsProps): JSX.Element {
  const { store, selected, onSelect, menuOf } = props;
  const latest = useRef(props);
  latest.current = props;
  const menu = useSignal<OpenMenu | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(800);
  const commits = store.commits.value;
  const graph = store.graph.value;
  const first = isPrinting.value ? 0 : Math.max(0, Math.floor(top.value / LOG_ROW_PX) - OVERSCAN);
  const lastSeen = Math.ceil((top.value + height.value) / LOG_ROW_PX) + OVERSCAN;
  const end = Math.min(commits.length, isPrinting.value ? PRINTED_MAX : lastSeen);
  const width = graphWidth(store.laneCount.value);

  useEffect(() => {
    if (lastSeen >= commits.length - OVERSCAN) void store.more();
  }, [lastSeen, commits.length, store]);

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
    const next = Math.max(0, Math.min(commits.length - 1, selected + step));
    onSelect(commits[next]?.hash ?? '', true);
    if (event.key === 'End') void goToEnd(next);
  };
  /** The first commit of all may be far behind those that were read: whoever waits for it is taken there. */
  const goToEnd = async (from: number) => {
    await store.readToEnd();
    const { selected, store: shown } = latest.current;
    if (shown === store && selected === from) onSelect(store.commits.peek().at(-1)?.hash ?? '', true);
  };

  const onContextMenu = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('.log-row') : null;
    const index = row === null ? selected : Number(row.id.slice(ROW_ID.length));
    const commit = commits[index];
    if (commit === undefined) return;
    event.preventDefault();
    onSelect(commit.hash, true);
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
        style={{
          height: `${(isPrinting.value ? end : commits.length) * LOG_ROW_PX}px`,
          paddingTop: `${first * LOG_ROW_PX}px`,
        }}
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
              onClick={() => onSelect(commit.hash, false)}
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
