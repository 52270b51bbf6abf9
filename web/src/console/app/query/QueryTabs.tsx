import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../ui/icons.tsx';
import { ContextMenu, type MenuGroup, type MenuPoint } from '../../ui/menu.tsx';
import { onTabKey } from '../../ui/tab_keys.ts';
import { askAndCloseTab, newTab } from '../actions.ts';
import { keyText } from '../shortcuts.ts';
import {
  addTab,
  canReopen,
  hasEdits,
  type QueryTab,
  rename,
  reopenTab,
  shownTab,
  shownTabId,
  tabs,
} from './query_tabs.ts';
import { running } from './running.ts';

interface OpenMenu {
  readonly tab: QueryTab;
  readonly at: MenuPoint;
}

/** The tabs of queries: shown, named, closed. */
export function QueryTabs(): JSX.Element {
  const menu = useSignal<OpenMenu | undefined>(undefined);
  const renamed = useSignal<QueryTab | undefined>(undefined);
  return (
    <div class="query-tabs">
      <div class="query-tab-list" role="tablist" tabIndex={-1} aria-label="Queries" onKeyDown={onTabKey}>
        {tabs.value.map(tab => (
          <TabButton key={tab.id} tab={tab} renamed={renamed} onMenu={at => (menu.value = { tab, at })} />
        ))}
      </div>
      <ContextMenu
        label="The query"
        at={menu.value?.at}
        groups={menu.value === undefined ? [] : tabMenu(menu.value.tab, renamed)}
        onClose={() => {
          menu.value = undefined;
        }}
      />
      <button
        type="button"
        class="button quiet small icon-only add-tab"
        aria-label="New query"
        title={`New query (${keyText('Alt+N')})`}
        onClick={newTab}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}

function tabMenu(tab: QueryTab, renamed: Signal<QueryTab | undefined>): readonly MenuGroup[] {
  const others = tabs.peek().filter(other => other !== tab && !hasEdits(other));
  return [
    {
      entries: [
        { label: 'Rename', hint: 'F2', icon: 'pencil', onSelect: () => (renamed.value = tab) },
        { label: 'Duplicate', icon: 'copy', onSelect: () => addTab(tab.text.peek()) },
      ],
    },
    {
      entries: [
        { label: 'Close', hint: 'Delete', icon: 'close', onSelect: () => askAndCloseTab(tab) },
        {
          label: 'Close others',
          icon: 'close',
          isDisabled: others.length === 0,
          // Those whose edits are not saved stay.
          onSelect: () => others.forEach(askAndCloseTab),
        },
        {
          label: 'Reopen closed tab',
          hint: keyText('Alt+Shift+W'),
          icon: 'undo',
          isDisabled: !canReopen.peek(),
          onSelect: reopenTab,
        },
      ],
    },
  ];
}

interface TabProps {
  readonly tab: QueryTab;
  /** The one whose name is being typed. */
  readonly renamed: Signal<QueryTab | undefined>;
  readonly onMenu: (at: MenuPoint) => void;
}

function TabButton({ tab, renamed, onMenu }: TabProps): JSX.Element {
  const isShown = shownTab.value === tab;
  const isRunning = running.value?.tab === tab;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = element.current?.parentElement;
    if (!isShown || !list) return;
    // At once, and whenever there is less room.
    const observer = new ResizeObserver(() => element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
    observer.observe(list);
    return () => observer.disconnect();
  }, [isShown]);
  const close = () => askAndCloseTab(tab);
  const isRenamed = renamed.value === tab;
  const wantsFocus = useRef(false);
  useLayoutEffect(() => {
    if (isRenamed || !wantsFocus.current) return;
    wantsFocus.current = false;
    element.current?.querySelector('button')?.focus();
  }, [isRenamed]);
  if (isRenamed) {
    return (
      <RenameField
        title={tab.title.value}
        onEnd={(title, isByKey) => {
          wantsFocus.current = isByKey;
          renamed.value = undefined;
          rename(tab, title);
        }}
      />
    );
  }
  return (
    <div ref={element} class={isShown ? 'query-tab shown' : 'query-tab'}>
      <button
        type="button"
        role="tab"
        class="query-tab-name"
        tabIndex={isShown ? 0 : -1}
        aria-selected={isShown}
        title={`${tab.title.value}\nDouble-click to rename`}
        onClick={() => {
          shownTabId.value = tab.id;
        }}
        aria-keyshortcuts="Delete F2"
        onDblClick={() => {
          renamed.value = tab;
        }}
        onAuxClick={event => event.button === 1 && close()}
        onContextMenu={event => {
          event.preventDefault();
          // By its key the menu has no place of its own.
          const box = event.currentTarget.getBoundingClientRect();
          const isByKey = event.clientY > box.bottom || event.clientY < box.top;
          onMenu(isByKey ? { x: box.left, y: box.bottom } : { x: event.clientX, y: event.clientY });
        }}
        onKeyDown={event => {
          if (event.key === 'Delete') {
            const list = element.current?.parentElement;
            close();
            // The one that is shown instead is there with the next frame.
            requestAnimationFrame(() => list?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
          } else if (event.key === 'F2') renamed.value = tab;
          else return;
          event.preventDefault();
        }}
      >
        {isRunning && <span class="spinner" />}
        <span class="truncate">{tab.title.value}</span>
      </button>
      <button
        type="button"
        class="query-tab-close"
        // In a list of tabs are tabs; keys and the menu close them.
        tabIndex={-1}
        aria-hidden="true"
        title={`Close ${tab.title.value} (${keyText('Alt+W')})`}
        onClick={close}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

interface RenameProps {
  readonly title: string;
  /** @param isByKey the focus was in the field until then */
  readonly onEnd: (title: string, isByKey: boolean) => void;
}

/** In the place of a tab, until Enter, Escape or a press elsewhere. */
function RenameField({ title, onEnd }: RenameProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  // A field that is taken away loses the focus as well, after its end.
  const isOver = useRef(false);
  const end = (next: string, isByKey: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    onEnd(next, isByKey);
  };
  return (
    <input
      ref={field}
      class="field rename"
      aria-label="Name of the query"
      defaultValue={title}
      onBlur={event => end(event.currentTarget.value, false)}
      onKeyDown={event => {
        if (event.key === 'Enter') end(event.currentTarget.value, true);
        else if (event.key === 'Escape') end(title, true);
      }}
    />
  );
}
