import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Grid } from '../grid/Grid.tsx';
import type { ResultPages } from '../grid/pages.ts';
import type { Cell, Selection } from '../grid/selection.ts';
import { PlanView } from '../plan/PlanView.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { ContextMenu, type MenuPoint } from '../ui/menu.tsx';
import { onTabKey } from '../ui/tab_keys.ts';
import { copyResult } from './actions.ts';
import { openState } from './connection.ts';
import { grid } from './editor_host.ts';
import { isViewerOpen } from './layout_state.ts';
import { Opening } from './Opening.tsx';
import type { QueryTab } from './query_tabs.ts';
import { copyMenu, RunBar } from './RunBar.tsx';
import { RunMessage, RunningNote } from './RunMessage.tsx';
import { keyText } from './shortcuts.ts';
import type { RunState, StatementRun } from './statement_run.ts';
import { ViewerSplit } from './ViewerSplit.tsx';

export function ResultsPane({ tab }: { readonly tab: QueryTab }): JSX.Element {
  const runs = tab.runs.value;
  const run = runs[tab.shownRun.value];
  if (run === undefined) return <NothingRun />;
  return (
    <section class="results" aria-label="Results">
      {runs.length > 1 && <RunTabs tab={tab} />}
      <RunResult key={run.id} run={run} />
    </section>
  );
}

function NothingRun(): JSX.Element {
  if (openState.value.kind === 'opening') {
    return (
      <section class="results" aria-label="Results">
        <Opening />
      </section>
    );
  }
  return (
    <section class="results" aria-label="Results">
      <div class="empty">
        <p>
          <kbd>{keyText('Mod+Enter')}</kbd> runs the statement at the cursor or the selection,{' '}
          <kbd>{keyText('Mod+Shift+Enter')}</kbd> runs all.
        </p>
      </div>
    </section>
  );
}

const STATE_ICONS: Readonly<Record<RunState, IconName | undefined>> = {
  waiting: 'clock',
  running: undefined,
  done: 'check',
  failed: 'error',
  cancelled: 'stop',
  skipped: 'more',
};

function RunTabs({ tab }: { readonly tab: QueryTab }): JSX.Element {
  return (
    <div class="run-tabs" role="tablist" tabIndex={-1} aria-label="Results of statements" onKeyDown={onTabKey}>
      {tab.runs.value.map((run, index) => {
        const icon = STATE_ICONS[run.state.value];
        return (
          <button
            key={run.id}
            type="button"
            class="tab"
            role="tab"
            tabIndex={index === tab.shownRun.value ? 0 : -1}
            aria-selected={index === tab.shownRun.value}
            title={run.sql.slice(0, 600)}
            onClick={() => {
              tab.shownRun.value = index;
            }}
          >
            {icon === undefined ? (
              <span class="spinner" />
            ) : (
              <span class={`run-state ${run.state.value}`}>
                <Icon name={icon} />
              </span>
            )}
            <span class="truncate">{run.title}</span>
          </button>
        );
      })}
    </div>
  );
}

function RunResult({ run }: { readonly run: StatementRun }): JSX.Element {
  const cell = useSignal<Cell | undefined>(undefined);
  const selection = useSignal<Selection | undefined>(undefined);
  const pages = run.pages.value;
  const isPlan = pages !== undefined && pages.columns.length === 1 && pages.columns[0]?.name === 'plan';
  const asGrid = useSignal(false);
  const isFailed = run.error.value !== undefined;
  const hasRows = useComputed(() => run.rowCount.value > 0);
  const body =
    pages === undefined || isFailed || (!hasRows.value && run.isFinished.value && pages.rowCount === 0) ? (
      <RunMessage run={run} pages={pages} />
    ) : isPlan && run.isFinished.value && !asGrid.value ? (
      <PlanOf pages={pages} />
    ) : (
      <ResultGridPane run={run} pages={pages} cell={cell} selection={selection} />
    );
  return (
    <>
      <div class="result-body">
        {body}
        {pages !== undefined && <RunningNote run={run} />}
      </div>
      <RunBar
        run={run}
        selection={selection}
        isPlan={isPlan}
        asGrid={asGrid}
        hasGrid={pages !== undefined && pages.columns.length > 0 && !isFailed && (!isPlan || asGrid.value)}
      />
    </>
  );
}

function PlanOf({ pages }: { readonly pages: ResultPages }): JSX.Element {
  const lines = useMemo(
    () => Array.from({ length: pages.rowCount }, (_, row) => pages.text(row, 0) ?? ''),
    [pages, pages.rowCount],
  );
  return <PlanView lines={lines} />;
}

interface GridPaneProps {
  readonly run: StatementRun;
  readonly pages: ResultPages;
  readonly cell: { value: Cell | undefined };
  readonly selection: { value: Selection | undefined };
}

function ResultGridPane({ run, pages, cell, selection }: GridPaneProps): JSX.Element {
  const menuAt = useSignal<MenuPoint | undefined>(undefined);
  const gridView = (
    // biome-ignore lint/a11y/noStaticElementInteractions: the copy event comes from the grid inside.
    <div
      class="grid-host"
      onCopy={event => {
        event.preventDefault();
        copyResult(run, 'tsv', false);
      }}
      onKeyDown={event => {
        const isCopy = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && !event.altKey;
        if (!isCopy) return;
        event.preventDefault();
        copyResult(run, 'tsv', event.shiftKey);
      }}
    >
      <Grid
        pages={pages}
        rowCount={run.rowCount}
        label={run.title}
        onReady={made => {
          grid.value = made;
        }}
        onActive={active => {
          cell.value = active;
        }}
        onOpen={active => {
          cell.value = active;
          isViewerOpen.value = true;
        }}
        onSelection={selected => {
          selection.value = selected;
        }}
        onMenu={(x, y) => {
          menuAt.value = { x, y };
        }}
      />
      <ContextMenu
        label="Selected cells"
        at={menuAt.value}
        groups={[
          {
            entries: [
              {
                label: 'Show the whole value',
                hint: 'Enter',
                icon: 'panelRight',
                onSelect: () => {
                  isViewerOpen.value = true;
                },
              },
            ],
          },
          copyMenu(run, true),
        ]}
        onClose={() => {
          menuAt.value = undefined;
        }}
      />
    </div>
  );
  return (
    <ViewerSplit pages={pages} cell={cell.value}>
      {gridView}
    </ViewerSplit>
  );
}
