import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { GridRows } from '../../grid/rows.ts';
import { cellCount, rectangle, type Selection } from '../../grid/selection.ts';
import { shortNumber, type Totals, totalsOf } from '../../grid/totals.ts';
import { refinedQuery } from '../../sql/refining.ts';
import { limitOf, wholeTable, withoutLimit } from '../../sql/table_of.ts';
import { byteCount, counted, duration, wholeNumber } from '../../ui/figures.ts';
import { Icon } from '../../ui/icons.tsx';
import { Segments } from '../../ui/segments.tsx';
import { toast } from '../../ui/toast.tsx';
import { currentConnection } from '../connection.ts';
import { keyText } from '../shortcuts.ts';
import { CopyMenu } from './CopyMenu.tsx';
import { toggleChart } from './chart_toggle.ts';
import type { QueryTab } from './query_tabs.ts';
import { showRefined } from './refining.ts';
import { addRow } from './row_commands.ts';
import { measurable, runPart } from './running.ts';
import type { StatementRun } from './statement_run.ts';
import { ViewerButton } from './ViewerButton.tsx';

const PLAN_FORMS = [
  { id: 'tree', name: 'Tree' },
  { id: 'text', name: 'Text' },
] as const;

interface RunBarProps {
  readonly run: StatementRun;
  readonly selection: Signal<Selection | undefined>;
  readonly tab: QueryTab;
  readonly isPlan: boolean;
  readonly asGrid: Signal<boolean>;
  readonly hasGrid: boolean;
}

/** Under a result: what it cost, what is selected, and what can be done with it. */
export function RunBar({ run, selection, tab, isPlan, asGrid, hasGrid }: RunBarProps): JSX.Element {
  const showsWarnings = useSignal(false);
  const isGrid = hasGrid && (isPlan || tab.chart.value === undefined);
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
        {isPlan && (
          <Segments
            label="Form of the plan"
            options={PLAN_FORMS}
            chosen={asGrid.value ? 'text' : 'tree'}
            onChoose={form => {
              asGrid.value = form === 'text';
            }}
          />
        )}
        {run.state.value === 'done' && !isPlan && <EditingFact run={run} />}
        {hasGrid && !isPlan && <ChartButton tab={tab} />}
        {isFilterable(tab, run) && <FilterButton tab={tab} />}
        {isGrid && (
          <button
            type="button"
            class="button small quiet icon-only"
            aria-label="Find in the rows"
            title={`Find in the rows (${keyText('Mod+F')})`}
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
      title="Run the query, and tell the rows and the time of each step (EXPLAIN ANALYZE)"
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
      title={`Filter the rows by their columns (${keyText('Mod+Shift+F')})`}
      onClick={() => (isOpen ? filter.close() : filter.open())}
    >
      <Icon name="filter" />
      <span class="roomy-only">Filter</span>
    </button>
  );
}

interface FactsProps {
  readonly run: StatementRun;
  readonly tab: QueryTab;
  readonly isPlan: boolean;
}

function RunFacts({ run, tab, isPlan }: FactsProps): JSX.Element {
  const summary = run.summary.value;
  const stats = summary?.stats;
  const firstRowMs = run.firstRowMs.value;
  const isRunning = run.state.value === 'running';
  const rows =
    summary !== undefined && !summary.hasRows
      ? `${counted(summary.affectedRows, 'row')} affected`
      : counted(run.rowCount.value, isPlan ? 'line' : 'row');
  return (
    <div class="run-facts figures" role="status" aria-live={isRunning ? 'off' : 'polite'}>
      {isRunning && <span class="spinner" />}
      {(run.state.value === 'done' || run.rowCount.value > 0) && <strong>{rows}</strong>}
      {!isPlan && <AllRows run={run} tab={tab} />}
      {run.state.value === 'cancelled' && run.rowCount.value > 0 && <span class="clipped">cancelled</span>}
      {run.isClipped.value && <span class="clipped">the rest was not fetched</span>}
      {firstRowMs !== undefined && <Fact isMinor label="first row" value={duration(firstRowMs)} />}
      {run.elapsedMs.value > 0 && <Fact label="total" value={duration(run.elapsedMs.value)} />}
      {stats !== undefined && (
        <>
          {stats.pagesFaulted > 0 && (
            <>
              <Fact
                isMinor
                label={stats.pagesFaulted === 1 ? 'page' : 'pages'}
                value={wholeNumber(stats.pagesFaulted)}
              />
              <Fact isMinor label="read" value={byteCount(stats.bytesRead)} />
            </>
          )}
          {stats.requests > 0 && <Fact isMinor label="requests" value={wholeNumber(stats.requests)} />}
        </>
      )}
    </div>
  );
}

/** Where a LIMIT has cut the rows: how many there are, and the way to them. */
function AllRows({ run, tab }: { readonly run: StatementRun; readonly tab: QueryTab }): JSX.Element | null {
  const limit = limitOf(run.sql);
  if (run.state.value !== 'done' || limit === undefined || limit === 0 || run.rowCount.value < limit) return null;
  const count = rowsOfTable(run.sql);
  if (count !== undefined && count <= limit) return null;
  return (
    <button
      type="button"
      class="button small quiet all-rows"
      title="Run the query without its LIMIT"
      onClick={() => showRefined(tab, run, withoutLimit(run.sql))}
    >
      {count === undefined ? 'All rows' : `of ${wholeNumber(count)}: all rows`}
    </button>
  );
}

/** Of a query of a whole table, as the tree has counted them. */
function rowsOfTable(sql: string): number | undefined {
  const catalog = currentConnection()?.catalog;
  const table = wholeTable(sql);
  if (catalog === undefined || table === undefined) return undefined;
  const tables = catalog.tables(catalog.place.value).value;
  const found = tables?.kind === 'ready' ? tables.value.find(({ name }) => name === table) : undefined;
  return found?.rowCount.value ?? undefined;
}

interface FactProps {
  readonly label: string;
  readonly value: string;
  /** Left out where there is little room. */
  readonly isMinor?: boolean;
}

function Fact({ label, value, isMinor = false }: FactProps): JSX.Element {
  return (
    <span class={isMinor ? 'fact minor' : 'fact'}>
      <span class="fact-label">{label}</span> {value}
    </span>
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
        onClick={() => toast(`${editing.reason}: the rows cannot be edited here`)}
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

/** A selection that still grows is not added up. */
const SELECTING_MS = 120;

interface SelectionProps {
  readonly selection: Signal<Selection | undefined>;
  readonly rows: GridRows | undefined;
}

/** How much is selected, and what its numbers come to. */
function SelectionFacts({ selection, rows }: SelectionProps): JSX.Element | null {
  const totals = useSignal<Totals | undefined>(undefined);
  const selected = selection.value;
  const area = selected === undefined ? undefined : rectangle(selected);
  useEffect(() => {
    totals.value = undefined;
    if (rows === undefined || area === undefined || cellCount(area) < 2) return;
    const timer = setTimeout(() => (totals.value = totalsOf(rows, area)), SELECTING_MS);
    return () => clearTimeout(timer);
  }, [rows, selected]);
  if (area === undefined || cellCount(area) < 2) return null;
  const found = totals.value;
  return (
    <span class="selection-facts figures">
      {found !== undefined && (
        <>
          <Fact label="sum" value={found.sum} />
          <Fact isMinor label="mean" value={shortNumber(found.mean)} />
        </>
      )}
      <span>
        {wholeNumber(area.endRow - area.firstRow)} × {wholeNumber(area.endColumn - area.firstColumn)} selected
      </span>
    </span>
  );
}
