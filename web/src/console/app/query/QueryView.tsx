import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../ui/icons.tsx';
import { ContextMenu, MenuButton, type MenuEntry, type MenuGroup, type MenuPoint } from '../../ui/menu.tsx';
import { Split } from '../../ui/split.tsx';
import { onTabKey } from '../../ui/tab_keys.ts';
import { askAndCloseTab } from '../actions.ts';
import { commandById } from '../commands.ts';
import { keyText } from '../shortcuts.ts';
import { EditorPane } from './EditorPane.tsx';
import { editor } from './editor_host.ts';
import { addTab, hasEdits, type QueryTab, rename, shownTab, shownTabId, tabs } from './query_tabs.ts';
import { ResultsPane } from './ResultsPane.tsx';
import { cancelRunning, running } from './running.ts';
import { savingProblem } from './saved_queries.ts';

/** A low page, or one that is magnified: most of it is for the rows. */
const LOW_PAGE_PX = 600;

const EDITOR_LEAST_PX = 80;
/** So many lines there is room for. */
const SHORT_LINES = 3;

export function QueryView(): JSX.Element {
  const isShort = useComputed(() => (shownTab.value?.text.value.split('\n').length ?? 0) <= SHORT_LINES);
  const isOfRows = shownTab.value?.isOfRows === true && isShort.value;
  return (
    <div class="query">
      <div class="query-bar">
        <QueryTabs />
        <Toolbar />
      </div>
      <Split
        name={isOfRows ? 'editor-of-rows' : 'editor'}
        direction="rows"
        sized="first"
        initialPx={isOfRows ? EDITOR_LEAST_PX : window.innerHeight < LOW_PAGE_PX ? 120 : 240}
        leastPx={EDITOR_LEAST_PX}
        leavePx={160}
        label="Height of the editor"
      >
        <EditorPane />
        {shownTab.value === undefined ? null : <ResultsPane tab={shownTab.value} />}
      </Split>
    </div>
  );
}

interface OpenMenu {
  readonly tab: QueryTab;
  readonly at: MenuPoint;
}

function QueryTabs(): JSX.Element {
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
        onClick={() => {
          addTab();
          editor.peek()?.focus();
        }}
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
          label: 'Close the others',
          icon: 'close',
          isDisabled: others.length === 0,
          // Those whose edits are not saved stay.
          onSelect: () => others.forEach(askAndCloseTab),
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
  if (renamed.value === tab) {
    const finish = (title: string) => {
      renamed.value = undefined;
      rename(tab, title);
    };
    return (
      <input
        class="field rename"
        aria-label="Name of the query"
        value={tab.title.value}
        ref={element => element?.select()}
        onBlur={event => finish(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') finish(event.currentTarget.value);
          if (event.key === 'Escape') renamed.value = undefined;
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

function SaveButton(): JSX.Element {
  const problem = savingProblem(shownTab.value);
  const title = problem ?? `Save the query in the database (${keyText('Mod+Shift+S')})`;
  return (
    <button
      type="button"
      class="button small quiet"
      title={title}
      aria-label="Save the query"
      disabled={problem !== undefined}
      onClick={() => commandById('save-query')?.run()}
    >
      <Icon name="bookmark" />
      <span class="roomy-only">Save</span>
    </button>
  );
}

/** What is done with the text itself, now and then. */
function MoreMenu(): JSX.Element {
  const entries = ['compare-answers', 'format', 'wrap', 'copy-link'].map((id): MenuEntry => {
    const command = commandById(id);
    return {
      label: command?.title ?? id,
      ...(command?.keys === undefined ? {} : { hint: keyText(command.keys) }),
      ...(command === undefined ? {} : { icon: command.icon }),
      isDisabled: command?.isEnabled?.() === false,
      onSelect: () => command?.run(),
    };
  });
  return (
    <MenuButton class="button small quiet icon-only" label="More about the query" align="end" groups={[{ entries }]}>
      <Icon name="more" />
    </MenuButton>
  );
}

function Toolbar(): JSX.Element {
  const isRunning = running.value !== undefined;
  return (
    <div class="toolbar" role="toolbar" aria-label="Run">
      <MoreMenu />
      <SaveButton />
      <button
        type="button"
        class="button small quiet"
        title={`Explain the statement (${keyText('Mod+Alt+Enter')})`}
        disabled={isRunning}
        onClick={() => commandById('explain')?.run()}
      >
        <Icon name="plan" />
        <span class="roomy-only">Explain</span>
      </button>
      <button
        type="button"
        class="button small quiet wide-only"
        title={`Compare the answers at two commits (${keyText('Alt+Shift+D')})`}
        onClick={() => commandById('compare-answers')?.run()}
      >
        <Icon name="compare" />
        <span class="roomy-only">Compare</span>
      </button>
      <button
        type="button"
        class="button small quiet"
        title={`Run all statements (${keyText('Mod+Shift+Enter')})`}
        disabled={isRunning}
        onClick={() => commandById('run-all')?.run()}
      >
        <Icon name="playAll" class="solid" />
        <span class="roomy-only">Run all</span>
      </button>
      {isRunning ? (
        <button
          type="button"
          class="button small run danger"
          title={`Cancel (${keyText('Mod+.')})`}
          onClick={cancelRunning}
        >
          <Icon name="stop" class="solid" />
          Cancel
        </button>
      ) : (
        <button
          type="button"
          class="button small primary run"
          title={`Run the statement at the cursor, or the selection (${keyText('Mod+Enter')})`}
          onClick={() => commandById('run')?.run()}
        >
          <Icon name="play" class="solid" />
          Run
        </button>
      )}
    </div>
  );
}
