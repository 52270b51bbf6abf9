/** The pane of results: one, or a list for a script. */
import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Column } from '../../../../lib/index.ts';
import type { GridRows } from '../../../grid/rows.ts';
import type { Cell, Selection } from '../../../grid/selection.ts';
import { refinedQuery } from '../../../sql/refining.ts';
import { Icon, type IconName } from '../../../ui/icons.tsx';
import { Lazy } from '../../../ui/lazy.tsx';
import { isPrinting } from '../../../ui/printing.ts';
import { onTabKey } from '../../../ui/tab_keys.ts';
import { currentConnection } from '../../database/connection.ts';
import { EditBar } from '../edit/EditBar.tsx';
import { NothingRun } from '../NothingRun.tsx';
import type { QueryTab } from '../query_tabs.ts';
import { RunBar } from '../RunBar.tsx';
import { RunMessage, RunningNote } from '../RunMessage.tsx';
import type { RunState, StatementRun } from '../statement_run.ts';
import { FilterBar } from './FilterBar.tsx';
import { ResultGridPane } from './ResultGridPane.tsx';
import { readingOf } from './reading.ts';

export function ResultsPane({ tab }: { readonly tab: QueryTab }): JSX.Element {
  const runs = tab.runs.value;
  const run = runs[tab.shownRun.value];
  const comparison = tab.comparison.value;
  const connection = currentConnection();
  if (comparison !== undefined && connection !== undefined) {
    return (
      <section class="results" aria-label="Results">
        <Lazy load={loadComparison} props={{ connection, tab, comparison }} />
      </section>
    );
  }
  if (run === undefined) return <NothingRun />;
  return (
    <section class="results" aria-label="Results">
      {runs.length > 1 && <RunTabs tab={tab} />}
      <RowFilterPane run={run} tab={tab} />
      <RunResult key={run.id} run={run} tab={tab} />
    </section>
  );
}

const loadChart = () => import('./ChartPane.tsx').then(({ ChartPane }) => ChartPane);
const loadPlan = () => import('../../../plan/PlanView.tsx').then(({ PlanView }) => PlanView);
const loadComparison = () => import('../compare/ComparisonPane.tsx').then(({ ComparisonPane }) => ComparisonPane);

const STATE_ICONS: Readonly<Record<RunState, IconName | undefined>> = {
  waiting: 'clock',
  running: undefined,
  done: 'check',
  failed: 'error',
  cancelled: 'stop',
  skipped: 'more',
};

function RunTabs({ tab }: { readonly tab: QueryTab }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const shown = tab.shownRun.value;
  // The last of many statements, or the one that failed, is not out of sight.
  useEffect(() => {
    list.current?.children[shown]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown, tab]);
  return (
    <div
      ref={list}
      class="run-tabs"
      role="tablist"
      tabIndex={-1}
      aria-label="Results of statements"
      onKeyDown={onTabKey}
    >
      {tab.runs.value.map((run, index) => (
        <RunTab key={run.id} run={run} index={index} tab={tab} />
      ))}
    </div>
  );
}

interface RunTabProps {
  readonly run: StatementRun;
  readonly index: number;
  readonly tab: QueryTab;
}

/** Drawn when its own statement goes on, of hundreds that run one after the other. */
function RunTab({ run, index, tab }: RunTabProps): JSX.Element {
  const isShown = useComputed(() => tab.shownRun.value === index).value;
  const icon = STATE_ICONS[run.state.value];
  return (
    <button
      type="button"
      class="tab"
      role="tab"
      tabIndex={isShown ? 0 : -1}
      aria-selected={isShown}
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
}

/** A script with its data in it would be all that is printed. */
const PRINTED_CHARS_MAX = 4000;

function RunResult({ run, tab }: { readonly run: StatementRun; readonly tab: QueryTab }): JSX.Element {
  const cell = useSignal<Cell | undefined>(undefined);
  const selection = useSignal<Selection | undefined>(undefined);
  const pages = run.pages.value;
  void run.rowCount.value;
  const reading = pages === undefined ? undefined : readingOf(run.sql, pages);
  const asGrid = useSignal(false);
  const isRead = reading !== undefined && !asGrid.value;
  const isFailed = run.error.value !== undefined;
  const hasRows = useComputed(() => {
    void pages?.version.value;
    return run.rowCount.value > 0 || (pages?.rowCount ?? 0) > 0;
  });
  // A query that answered nothing can be saved as a file, one that was given up has no answer.
  const isEmpty = run.state.value === 'cancelled' && !hasRows.value;
  const body =
    pages === undefined || isFailed || (!hasRows.value && run.isFinished.value) ? (
      <RunMessage run={run} pages={pages} />
    ) : isRead && run.isFinished.value ? (
      reading.kind === 'plan' ? (
        <PlanOf pages={pages} />
      ) : (
        <DefinitionText text={reading.text} />
      )
    ) : reading === undefined && tab.chart.value !== undefined ? (
      // Rows that are still to come would make the chart another one many times a second.
      run.isFinished.value && <Lazy load={loadChart} props={{ tab, run, pages }} />
    ) : (
      <ResultGridPane run={run} tab={tab} pages={pages} cell={cell} selection={selection} />
    );
  return (
    <>
      {isPrinting.value && <pre class="printed-query">{run.sql.slice(0, PRINTED_CHARS_MAX)}</pre>}
      <div class="result-body">
        {body}
        {pages !== undefined && <RunningNote run={run} />}
      </div>
      <EditBar run={run} tab={tab} />
      <RunBar
        run={run}
        selection={selection}
        tab={tab}
        reading={reading}
        asGrid={asGrid}
        hasGrid={pages !== undefined && pages.columns.length > 0 && !isFailed && !isEmpty && !isRead}
      />
    </>
  );
}

/** The filter stays while other rows come, so that the focus does. */
function RowFilterPane({ run, tab }: { readonly run: StatementRun; readonly tab: QueryTab }): JSX.Element | null {
  const columns = run.pages.value?.columns;
  const known = useRef<readonly Column[]>([]);
  if (columns !== undefined) {
    known.current = columns;
    tab.filter.follow(run.sql, columns);
  }
  if (!tab.filter.isOpen.value || known.current.length === 0) return null;
  // The rows of a plan, or of what is no query, are not filtered.
  if (columns !== undefined && refinedQuery(run.sql, columns, {}) === undefined) return null;
  return <FilterBar tab={tab} run={run} columns={known.current} />;
}

function DefinitionText({ text }: { readonly text: string }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled by keys.
    <section class="definition-text" tabIndex={0} aria-label="Definition">
      <pre>{text}</pre>
    </section>
  );
}

function PlanOf({ pages }: { readonly pages: GridRows }): JSX.Element {
  const lines = useMemo(
    () => Array.from({ length: pages.rowCount }, (_, row) => pages.text(row, 0) ?? ''),
    [pages, pages.rowCount],
  );
  return <Lazy load={loadPlan} props={{ lines }} />;
}
