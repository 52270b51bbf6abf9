import type { JSX } from 'preact';
import { limitOf, wholeTable, withoutLimit } from '../../sql/table_of.ts';
import { byteCount, counted, duration, wholeNumber } from '../../ui/figures.ts';
import { currentConnection } from '../database/connection.ts';
import type { QueryTab } from './query_tabs.ts';
import { showRefined } from './results/refining.ts';
import type { StatementRun } from './statement_run.ts';

interface FactsProps {
  readonly run: StatementRun;
  readonly tab: QueryTab;
  readonly isPlan: boolean;
}

/** What a statement came to and cost. */
export function RunFacts({ run, tab, isPlan }: FactsProps): JSX.Element {
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
            <Fact
              isMinor
              label="read"
              value={`${byteCount(stats.bytesRead)} in ${counted(stats.pagesFaulted, 'page')}`}
            />
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
      aria-label={count === undefined ? undefined : `of ${wholeNumber(count)}: all rows`}
      onClick={() => showRefined(tab, run, withoutLimit(run.sql))}
    >
      {count === undefined ? (
        'All rows'
      ) : (
        <>
          of {wholeNumber(count)}
          <span class="roomy-only">: all rows</span>
        </>
      )}
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

/** A figure and what it is of. */
export function Fact({ label, value, isMinor = false }: FactProps): JSX.Element {
  return (
    <span class={isMinor ? 'fact minor' : 'fact'}>
      <span class="fact-label">{label}</span> {value}
    </span>
  );
}
