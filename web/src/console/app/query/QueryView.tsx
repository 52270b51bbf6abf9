/** The query view: tabs, editor, results. */
import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { Icon } from '../../ui/icons.tsx';
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx';
import { Split } from '../../ui/split.tsx';
import { commandById } from '../commands.ts';
import { keyText } from '../shortcuts.ts';
import { EditorPane } from './EditorPane.tsx';
import { QueryTabs } from './QueryTabs.tsx';
import { shownTab } from './query_tabs.ts';
import { ResultsPane } from './results/ResultsPane.tsx';
import { cancelRunning, running } from './running.ts';
import { savingProblem } from './saved/saved_queries.ts';

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
    <MenuButton class="button small quiet icon-only" label="More query actions" align="end" groups={[{ entries }]}>
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
        title={`Compare results at two commits (${keyText('Alt+Shift+D')})`}
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
          // The second press of a double click was meant for Run.
          onClick={event => event.detail < 2 && cancelRunning()}
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
