/** The bar above a result: its facts, and what can be done with it. */
import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Selection } from '../../grid/selection.ts';
import { refinedQuery } from '../../sql/refining.ts';
import { counted } from '../../ui/figures.ts';
import { Icon } from '../../ui/icons.tsx';
import { Segments } from '../../ui/segments.tsx';
import { toast } from '../../ui/toast.tsx';
import { copyPlain } from '../actions.ts';
import { keyText } from '../shortcuts.ts';
import { addRow } from './edit/row_commands.ts';
import type { QueryTab } from './query_tabs.ts';
import { RunFacts } from './RunFacts.tsx';
import { CopyMenu } from './results/CopyMenu.tsx';
import type { Reading } from './results/reading.ts';
import { toggleChart } from './results/result_focus.ts';
import { SelectionFacts } from './results/SelectionFacts.tsx';
import { ViewerButton } from './results/ViewerButton.tsx';
import { measurable, runPart } from './running.ts';
import type { StatementRun } from './statement_run.ts';

/** The forms of what is read as something else than rows, and as rows. */
const FORMS = {
  plan: [
    { id: 'read', name: 'Tree' },
    { id: 'rows', name: 'Text' },
  ],
  definition: [
    { id: 'read', name: 'Text' },
    { id: 'rows', name: 'Row' },
  ],
} as const;

interface RunBarProps {
  readonly run: StatementRun;
  readonly selection: Signal<Selection | undefined>;
  readonly tab: QueryTab;
  readonly reading: Reading | undefined;
  readonly asGrid: Signal<boolean>;
  readonly hasGrid: boolean;
}

/** Under a result: what it cost, what is selected, and what can be done with it. */
export function RunBar({ run, selection, tab, reading, asGrid, hasGrid }: RunBarProps): JSX.Element {
  const isPlan = reading?.kind === 'plan';
  const showsWarnings = useSignal(false);
  const isGrid = hasGrid && (reading !== undefined || tab.chart.value === undefined);
  const warnings = run.summary.value?.warnings ?? [];
  return (
    <>
      {showsWarnings.value && warnings.length > 0 && (
        <ul class="warnings" aria-label="Warnings">
          {warnings.map((warning, index) => (
            <li key={index}>
              <Icon name="warning" />
              <span class="muted mono">{warning.errno}</span>
              <span>{warning.message}</span>
            </li>
          ))}
        </ul>
      )}
      <div class="run-bar">
        <RunFacts run={run} tab={tab} isPlan={isPlan} />
        {warnings.length > 0 && (
          <button
            type="button"
            class="button small quiet warning-button"
            aria-expanded={showsWarnings.value}
            onClick={() => {
              showsWarnings.value = !showsWarnings.value;
            }}
          >
            <Icon name="warning" />
            {counted(warnings.length, 'warning')}
          </button>
        )}
        <span class="spread" />
        <SelectionFacts selection={selection} rows={run.pages.value} />
        {isPlan && <MeasureButton run={run} tab={tab} />}
        {reading?.kind === 'definition' && !asGrid.value && (
          <button
            type="button"
            class="button small quiet"
            onClick={() => void copyPlain(reading.text, 'Copied the definition')}
          >
            <Icon name="copy" />
            Copy
          </button>
        )}
        {reading !== undefined && (
          <Segments
            label={`Form of the ${reading.kind}`}
            options={FORMS[reading.kind]}
            chosen={asGrid.value ? 'rows' : 'read'}
            onChoose={form => {
              asGrid.value = form === 'rows';
            }}
          />
        )}
        {run.state.value === 'done' && reading === undefined && <EditingFact run={run} />}
        {hasGrid && reading === undefined && <ChartButton tab={tab} />}
        {isFilterable(tab, run) && <FilterButton tab={tab} />}
        {isGrid && (
          <button
            type="button"
            class="button small quiet icon-only"
            aria-label="Find in results"
            title={`Find in results (${keyText('Mod+F')})`}
            onClick={() => tab.search.open()}
          >
            <Icon name="search" />
          </button>
        )}
        {hasGrid && <CopyMenu run={run} hasSelection={selection.value !== undefined} />}
        {isGrid && <ViewerButton />}
      </div>
    </>
  );
}

/** Shows the rows as a chart, and back. */
function ChartButton({ tab }: { readonly tab: QueryTab }): JSX.Element {
  const isChart = tab.chart.value !== undefined;
  return (
    <button
      type="button"
      class="button small quiet"
      aria-pressed={isChart}
      aria-label="Chart"
      title={`${isChart ? 'Show the rows' : 'Draw a chart of the rows'} (${keyText('Alt+C')})`}
      onClick={() => toggleChart(tab)}
    >
      <Icon name="chart" />
      <span class="roomy-only">Chart</span>
    </button>
  );
}

/** Carries out what a plan is of. */
function MeasureButton({ run, tab }: { readonly run: StatementRun; readonly tab: QueryTab }): JSX.Element | null {
  const part = measurable(run);
  if (part === undefined || !run.isFinished.value) return null;
  return (
    <button
      type="button"
      class="button small quiet"
      title="Run the query and measure rows and time of each step (EXPLAIN ANALYZE)"
      onClick={() => void runPart(tab, part)}
    >
      <Icon name="clock" />
      Measure
    </button>
  );
}

/** Its rows are those of a query, of which there can be fewer. */
function isFilterable(tab: QueryTab, run: StatementRun): boolean {
  const pages = run.pages.value;
  if (pages === undefined || run.state.value !== 'done' || tab.chart.value !== undefined) return false;
  return refinedQuery(run.sql, pages.columns, {}) !== undefined;
}

/** Opens the conditions over the rows, and closes them. */
function FilterButton({ tab: { filter } }: { readonly tab: QueryTab }): JSX.Element {
  const isOpen = filter.isOpen.value;
  return (
    <button
      type="button"
      class="button small quiet"
      aria-pressed={isOpen}
      aria-label="Filter"
      title={`Filter rows (${keyText('Mod+Shift+F')})`}
      onClick={() => (isOpen ? filter.close() : filter.open())}
    >
      <Icon name="filter" />
      <span class="roomy-only">Filter</span>
    </button>
  );
}

/** The way to a new row, or why the rows stay as they are. */
function EditingFact({ run }: { readonly run: StatementRun }): JSX.Element | null {
  const editing = run.editing.value;
  const pages = run.pages.value;
  if (editing === undefined || pages === undefined) return null;
  if (editing.kind === 'refused') {
    return (
      <button
        type="button"
        class="button small quiet read-only-fact"
        title={`${editing.reason}: the rows cannot be edited here`}
        aria-label={`Read-only: ${editing.reason}`}
        onClick={() => toast(`${editing.reason}: the rows cannot be edited here`, 'notice')}
      >
        <Icon name="lock" />
        <span class="roomy-only">Read-only</span>
      </button>
    );
  }
  return (
    <button
      type="button"
      class="button small quiet"
      title="Add a row (Insert)"
      aria-label="Add a row"
      onClick={() => addRow(pages)}
    >
      <Icon name="plus" />
      <span class="roomy-only">Row</span>
    </button>
  );
}
