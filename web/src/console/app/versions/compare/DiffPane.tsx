import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Database } from '../../../../lib/index.ts';
import { wholeNumber } from '../../../ui/figures.ts';
import { Icon } from '../../../ui/icons.tsx';
import type { RowCounts } from '../../../ui/row_counts.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { DefinitionDiff } from '../../../versions/DefinitionDiff.tsx';
import type { TableChange } from '../../../versions/status.ts';
import { ViewerButton } from '../../query/results/ViewerButton.tsx';
import { ColumnsButton, countsText, DiffGrid, useNarrowing } from './DiffGrid.tsx';
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
  const narrowing = useNarrowing(run, 'narrow');
  const shown = !change.hasData ? 'schema' : !change.hasSchema ? 'rows' : part.value;
  return (
    <section class="diff" aria-label={`Diff of ${change.table}`}>
      <div class="panel-head">
        <h2 class="truncate" title={change.table}>
          {change.tableBefore === undefined ? change.table : `${change.tableBefore} → ${change.table}`}
        </h2>
        <DiffFacts run={run} change={change} />
        <span class="spread" />
        {shown === 'rows' && <DiffWindows run={run} change={change} />}
        {change.hasData && change.hasSchema && (
          <Segments label="Rows or schema" options={PARTS} chosen={part.value} onChoose={id => (part.value = id)} />
        )}
        {shown === 'rows' && <ColumnsButton source={run} narrowing={narrowing} />}
        {shown === 'rows' && <ViewerButton />}
      </div>
      <div class="diff-body">
        {shown === 'rows' ? (
          <DiffGrid
            source={run}
            label={`Changed rows of ${change.table}`}
            isNarrowed={narrowing.isNarrowed}
            nothing="No rows differ."
          />
        ) : (
          <Definition run={run} change={change} />
        )}
      </div>
    </section>
  );
}

interface PartProps {
  readonly run: DiffRun;
  readonly change: TableChange;
}

/** How many rows of the whole table differ, once that is known. */
function countsOf({ rows }: TableChange): RowCounts | undefined {
  return rows === 'counting' ? undefined : rows;
}

/** Which of the changes are shown, and the ways to the others; nothing where all are. */
function DiffWindows({ run, change }: PartProps): JSX.Element | null {
  void run.lineCount.value;
  const start = run.start.value;
  const rows = run.rows.value;
  const end = start + (rows?.changeCount ?? 0);
  const counts = countsOf(change);
  const total = counts && counts.added + counts.removed + counts.modified;
  const hasMore = run.isFull.value && (total === undefined || total > end);
  if (rows === undefined || (start === 0 && !hasMore)) return null;
  const isRunning = run.isRunning.value;
  return (
    <nav class="diff-windows" aria-label="Pages of changes">
      <button
        type="button"
        class="button small quiet icon-only"
        aria-label="Previous changes"
        title="Previous changes"
        disabled={start === 0 || isRunning}
        onClick={() => run.previous()}
      >
        <Icon name="chevronRight" class="back" />
      </button>
      <span class="figures">
        {wholeNumber(start + 1)}–{wholeNumber(end)}
        {total !== undefined && ` of ${wholeNumber(Math.max(total, end))}`}
      </span>
      <button
        type="button"
        class="button small quiet icon-only"
        aria-label="Next changes"
        title="Next changes"
        disabled={!hasMore || isRunning}
        onClick={() => run.next()}
      >
        <Icon name="chevronRight" />
      </button>
    </nav>
  );
}

/** How many rows differ: of the whole table where that is known. */
function DiffFacts({ run, change }: PartProps): JSX.Element {
  void run.lineCount.value;
  // A full window may be less than all.
  const seen = run.isFull.value ? undefined : run.rows.value?.counts;
  const counts = change.hasData ? (countsOf(change) ?? seen) : undefined;
  return (
    <span class="muted figures truncate" role="status">
      {run.isRunning.value && <span class="spinner inline" />}
      {countsText(counts)}
    </span>
  );
}

function Definition({ run, change }: PartProps): JSX.Element {
  const definitions = run.definitions.value;
  if (run.error.value !== undefined || definitions === undefined) {
    const text = run.error.value ?? (change.hasSchema ? 'The schema is the same.' : 'No differences in this table.');
    return <div class="empty">{run.isRunning.value ? <span class="spinner" /> : <p>{text}</p>}</div>;
  }
  return <DefinitionDiff before={definitions.before} after={definitions.after} />;
}
