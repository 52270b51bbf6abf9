import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { DiffLines } from '../../../grid/diff/diff_lines.ts';
import { Search } from '../../../grid/find/search.ts';
import { Grid } from '../../../grid/Grid.tsx';
import type { ResultGrid } from '../../../grid/result_grid.ts';
import type { Cell } from '../../../grid/selection.ts';
import { SomeColumns } from '../../../grid/some_columns.ts';
import { wholeNumber } from '../../../ui/figures.ts';
import { Icon } from '../../../ui/icons.tsx';
import { showViewer } from '../../layout_state.ts';
import { ViewerSplit } from '../../query/results/ViewerSplit.tsx';

/** Rows that differ, as they come. */
export interface DiffSource {
  readonly rows: ReadonlySignal<DiffLines | undefined>;
  readonly lineCount: ReadonlySignal<number>;
  readonly isRunning: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<string | undefined>;
}

interface GridProps {
  readonly source: DiffSource;
  readonly label: string;
  /** Only the columns that say something. */
  readonly isNarrowed: boolean;
  /** What there is to say where nothing differs. */
  readonly nothing: string;
}

export function DiffGrid({ source, label, isNarrowed, nothing }: GridProps): JSX.Element {
  const cell = useSignal<Cell | undefined>(undefined);
  const search = useMemo(() => new Search(), []);
  const grid = useRef<ResultGrid | undefined>(undefined);
  const error = source.error.value;
  const all = source.rows.value;
  void source.lineCount.value;
  const telling = isNarrowed ? all?.tellingColumns : undefined;
  const rows = useMemo(
    () => (all !== undefined && telling !== undefined ? new SomeColumns(all, telling) : all),
    [all, telling?.join()],
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
  if (rows === undefined || (rows.rowCount === 0 && source.lineCount.value === 0)) {
    return <div class="empty">{source.isRunning.value ? <span class="spinner" /> : <p>{nothing}</p>}</div>;
  }
  return (
    <ViewerSplit pages={rows} cell={cell.value} onGo={to => grid.current?.show(to)}>
      <Grid
        pages={rows}
        rowCount={source.lineCount}
        label={label}
        search={search}
        onReady={made => (grid.current = made)}
        onActive={active => {
          cell.value = active;
        }}
        onOpen={active => {
          cell.value = active;
          showViewer();
        }}
        onSelection={() => {}}
      />
    </ViewerSplit>
  );
}

/** How many rows differ, in words. */
export function countsText(counts: DiffLines['counts'] | undefined): string {
  if (counts === undefined) return '';
  const { added, removed, modified } = counts;
  const parts = [`${wholeNumber(added)} added`, `${wholeNumber(removed)} removed`, `${wholeNumber(modified)} modified`];
  return parts.filter(part => !part.startsWith('0 ')).join(', ');
}

/** Whether columns are left out: what was wished, or what suits the rows. */
export interface Narrowing {
  readonly wish: Signal<boolean | undefined>;
  /** There are columns that say nothing. */
  readonly isOffered: boolean;
  readonly isNarrowed: boolean;
}

/** @param atFirst `narrow`: columns in which nothing differs are left out where every row is one that was modified */
export function useNarrowing(source: DiffSource, atFirst: 'all' | 'narrow'): Narrowing {
  const wish = useSignal<boolean | undefined>(undefined);
  const rows = source.rows.value;
  // Rows that still come may have others: they are more then, which happens less than that all go when the last row is there.
  void source.lineCount.value;
  if (rows === undefined) return { wish, isOffered: false, isNarrowed: false };
  const { added, removed, modified } = rows.counts;
  const isOffered = modified > 0 && rows.tellingColumns.length < rows.columns.length;
  return { wish, isOffered, isNarrowed: isOffered && (wish.value ?? (atFirst === 'narrow' && added + removed === 0)) };
}

/** Shows the columns that say nothing, or leaves them out. */
export function ColumnsButton(props: {
  readonly source: DiffSource;
  readonly narrowing: Narrowing;
}): JSX.Element | null {
  const { wish, isOffered, isNarrowed } = props.narrowing;
  const rows = props.source.rows.value;
  if (!isOffered || rows === undefined || props.source.error.value !== undefined) return null;
  const all = rows.columns.length;
  return (
    <button
      type="button"
      class="button small quiet"
      aria-pressed={isNarrowed}
      onClick={() => {
        wish.value = !isNarrowed;
      }}
    >
      {isNarrowed ? `${rows.tellingColumns.length} of ${all} columns` : `All ${all} columns`}
    </button>
  );
}
