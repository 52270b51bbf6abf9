import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Database } from '../../../lib/index.ts';
import { SomeColumns } from '../../grid/diff_rows.ts';
import { Grid } from '../../grid/Grid.tsx';
import type { ResultGrid } from '../../grid/result_grid.ts';
import { Search } from '../../grid/search.ts';
import type { Cell } from '../../grid/selection.ts';
import { wholeNumber } from '../../ui/figures.ts';
import { Icon } from '../../ui/icons.tsx';
import { Segments } from '../../ui/segments.tsx';
import { DefinitionDiff } from '../../versions/DefinitionDiff.tsx';
import type { TableChange } from '../../versions/status.ts';
import { isViewerOpen } from '../layout_state.ts';
import { ViewerSplit } from '../query/ViewerSplit.tsx';
import { DiffRun } from './diff_run.ts';

interface DiffProps {
  readonly database: Database;
  readonly from: string;
  readonly to: string;
  readonly change: TableChange;
  /** Another number when the working set is another one. */
  readonly version: number;
}

const PARTS = [
  { id: 'rows', name: 'Rows' },
  { id: 'schema', name: 'Schema' },
] as const;

/** What differs in one table: rows before and after in a grid, and the definition. */
export function DiffPane({ database, from, to, change, version }: DiffProps): JSX.Element {
  const run = useMemo(
    () => new DiffRun(database, from, to, change),
    [database, from, to, change.table, change.hasData, change.hasSchema, version],
  );
  useEffect(() => () => run.close(), [run]);
  const part = useSignal<'rows' | 'schema'>('rows');
  const wish = useSignal<boolean | undefined>(undefined);
  const { isTold, all, some } = tellingColumns(run);
  const isNarrowed = isTold && (wish.value ?? some);
  const shown = !change.hasData ? 'schema' : !change.hasSchema ? 'rows' : part.value;
  return (
    <section class="diff" aria-label={`Differences of ${change.table}`}>
      <div class="panel-head">
        <h2 class="truncate" title={change.table}>
          {change.tableBefore === undefined ? change.table : `${change.tableBefore} → ${change.table}`}
        </h2>
        <DiffFacts run={run} change={change} />
        <span class="spread" />
        {shown === 'rows' && <DiffWindows run={run} />}
        {change.hasData && change.hasSchema && (
          <Segments label="Rows or schema" options={PARTS} chosen={part.value} onChoose={id => (part.value = id)} />
        )}
        {shown === 'rows' && isTold && (
          <button
            type="button"
            class="button small quiet"
            aria-pressed={isNarrowed}
            onClick={() => {
              wish.value = !isNarrowed;
            }}
          >
            {isNarrowed ? `${run.rows.value?.tellingColumns.length ?? 0} of ${all} columns` : `All ${all} columns`}
          </button>
        )}
        {shown === 'rows' && (
          <button
            type="button"
            class="button small quiet icon-only"
            aria-label="Value viewer"
            aria-pressed={isViewerOpen.value}
            title="Value viewer"
            onClick={() => {
              isViewerOpen.value = !isViewerOpen.value;
            }}
          >
            <Icon name="panelRight" />
          </button>
        )}
      </div>
      <div class="diff-body">
        {shown === 'rows' ? (
          <DiffGrid run={run} label={change.table} isNarrowed={isNarrowed} />
        ) : (
          <Definition run={run} change={change} />
        )}
      </div>
    </section>
  );
}

/** Which of the changes are shown, and the ways to the others; nothing where all are. */
function DiffWindows({ run }: { readonly run: DiffRun }): JSX.Element | null {
  void run.lineCount.value;
  const start = run.start.value;
  const hasMore = run.hasMore.value;
  const rows = run.rows.value;
  if (rows === undefined || (start === 0 && !hasMore)) return null;
  const isRunning = run.isRunning.value;
  return (
    <nav class="diff-windows" aria-label="Windows of changes">
      <button
        type="button"
        class="button small quiet icon-only"
        aria-label="Changes before these"
        title="Changes before these"
        disabled={start === 0 || isRunning}
        onClick={() => run.previous()}
      >
        <Icon name="chevronRight" class="back" />
      </button>
      <span class="figures">
        {wholeNumber(start + 1)}–{wholeNumber(start + rows.changeCount)} of {wholeNumber(run.total)}
      </span>
      <button
        type="button"
        class="button small quiet icon-only"
        aria-label="Changes after these"
        title="Changes after these"
        disabled={!hasMore || isRunning}
        onClick={() => run.next()}
      >
        <Icon name="chevronRight" />
      </button>
    </nav>
  );
}

/** How many rows differ: of the whole table where that is known. */
function DiffFacts({ run, change }: { readonly run: DiffRun; readonly change: TableChange }): JSX.Element {
  void run.lineCount.value;
  const counts = change.hasData ? (change.rows ?? run.rows.value?.counts) : undefined;
  const parts =
    counts === undefined
      ? []
      : [
          `${wholeNumber(counts.added)} added`,
          `${wholeNumber(counts.removed)} removed`,
          `${wholeNumber(counts.modified)} modified`,
        ];
  return (
    <span class="muted figures truncate" role="status">
      {run.isRunning.value && <span class="spinner inline" />}
      {parts.filter(part => !part.startsWith('0 ')).join(', ')}
    </span>
  );
}

/** Whether there are columns that say nothing, and whether to leave them out unless somebody wants them. */
function tellingColumns(run: DiffRun) {
  const rows = run.rows.value;
  if (run.isRunning.value || rows === undefined) return { isTold: false, all: 0, some: false };
  const all = rows.columns.length;
  const { added, removed, modified } = rows.counts;
  return { isTold: modified > 0 && rows.tellingColumns.length < all, all, some: added + removed === 0 };
}

interface GridProps {
  readonly run: DiffRun;
  readonly label: string;
  readonly isNarrowed: boolean;
}

function DiffGrid({ run, label, isNarrowed }: GridProps): JSX.Element {
  const cell = useSignal<Cell | undefined>(undefined);
  const search = useMemo(() => new Search(), []);
  const grid = useRef<ResultGrid | undefined>(undefined);
  const error = run.error.value;
  const all = run.rows.value;
  const rows = useMemo(
    () => (all !== undefined && isNarrowed ? new SomeColumns(all, all.tellingColumns) : all),
    [all, isNarrowed],
  );
  if (error !== undefined) {
    return (
      <div class="empty" role="alert">
        <Icon name="error" />
        <strong>The rows could not be compared</strong>
        <p>{error}</p>
      </div>
    );
  }
  if (rows === undefined || (rows.rowCount === 0 && run.lineCount.value === 0)) {
    return <div class="empty">{run.isRunning.value ? <span class="spinner" /> : <p>No row differs.</p>}</div>;
  }
  return (
    <ViewerSplit pages={rows} cell={cell.value} onGo={to => grid.current?.show(to)}>
      <Grid
        pages={rows}
        rowCount={run.lineCount}
        label={`Rows of ${label} that differ`}
        search={search}
        onReady={made => (grid.current = made)}
        onActive={active => {
          cell.value = active;
        }}
        onOpen={active => {
          cell.value = active;
          isViewerOpen.value = true;
        }}
        onSelection={() => {}}
      />
    </ViewerSplit>
  );
}

function Definition({ run, change }: { readonly run: DiffRun; readonly change: TableChange }): JSX.Element {
  const definitions = run.definitions.value;
  if (run.error.value !== undefined || definitions === undefined) {
    const text =
      run.error.value ?? (change.hasSchema ? 'The definition is the same.' : 'Nothing differs in this table.');
    return <div class="empty">{run.isRunning.value ? <span class="spinner" /> : <p>{text}</p>}</div>;
  }
  return <DefinitionDiff before={definitions.before} after={definitions.after} />;
}
