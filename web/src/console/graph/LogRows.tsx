import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ContextMenu, type MenuGroup, type MenuPoint } from '../ui/menu.tsx';
import { GraphCell, graphWidth } from './GraphCell.tsx';
import { LogLine } from './LogLine.tsx';
import type { Commit } from './log.ts';
import { type Selecting, useLogKeys } from './log_keys.ts';
import { LOG_ROW_PX, useLogWindow } from './use_log_window.ts';

const ROW_ID = 'commit-';

interface RowsProps extends Selecting {
  readonly menuOf: (commit: Commit) => readonly MenuGroup[];
}

interface OpenMenu {
  readonly commit: Commit;
  readonly at: MenuPoint;
}

/** The commits that are in sight, with their graph. */
export function LogRows(props: RowsProps): JSX.Element {
  const { store, selected, onSelect, menuOf } = props;
  const { list, onScroll, first, end, heightPx, pageRows } = useLogWindow(store, selected);
  const onKeyDown = useLogKeys(props, pageRows);
  const menu = useSignal<OpenMenu | undefined>(undefined);
  const commits = store.commits.value;
  const graph = store.graph.value;
  const width = graphWidth(store.laneCount.value);

  const onContextMenu = (event: MouseEvent) => {
    const index = rowAt(event) ?? selected;
    const commit = commits[index];
    if (commit === undefined) return;
    event.preventDefault();
    onSelect(commit.hash, true);
    menu.value = { commit, at: menuPoint(event, index) };
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
      onScroll={onScroll}
    >
      <div class="log-rows" style={{ height: `${heightPx}px`, paddingTop: `${first * LOG_ROW_PX}px` }}>
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

/** The row under the pointer; undefined where the menu was asked for by its key. */
function rowAt({ target }: MouseEvent): number | undefined {
  const row = target instanceof Element ? target.closest('.log-row') : null;
  return row === null ? undefined : Number(row.id.slice(ROW_ID.length));
}

function menuPoint(event: MouseEvent, index: number): MenuPoint {
  const box = document.getElementById(`${ROW_ID}${index}`)?.getBoundingClientRect();
  // By its key the menu has no place of its own.
  if (rowAt(event) === undefined && box !== undefined) return { x: box.left + 24, y: box.bottom };
  return { x: event.clientX, y: event.clientY };
}
