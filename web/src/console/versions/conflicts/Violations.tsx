/** Constraint violations of a table after a merge. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Database } from '../../../lib/index.ts';
import { quoteName } from '../../sql/names.ts';
import { wholeNumber } from '../../ui/figures.ts';
import { messageOf } from '../../ui/message_of.ts';
import type { TableTrouble } from '../status.ts';
import { ValueCell } from '../ValueCell.tsx';
import type { ConflictActions } from './ConflictsPane.tsx';
import { valueText } from './conflict.ts';
import { type Violation, violationOf } from './violation.ts';

interface ViolationsProps {
  /** Its own session is on the branch. */
  readonly database: Database;
  readonly trouble: TableTrouble;
  readonly isBusy: boolean;
  readonly actions: ConflictActions;
}

/** So many are listed; a query shows all. */
const SHOWN_MAX = 200;

/** Rows that break a constraint, because each side was right by itself: which, and what they break. */
export function Violations({ database, trouble, isBusy, actions }: ViolationsProps): JSX.Element {
  const { table, violations } = trouble;
  const found = useSignal<readonly Violation[] | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    const sql = `SELECT * FROM ${quoteName(`dolt_constraint_violations_${table}`)} LIMIT ${SHOWN_MAX}`;
    database.query(sql, [], { signal: abort.signal }).then(
      ({ rows }) => {
        found.value = rows.map(violationOf);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) failure.value = messageOf(error);
      },
    );
    return () => abort.abort();
  }, [database, table, violations]);
  return (
    <>
      <div class="violations">
        <p class="note is-warning">
          {violations === 1 ? 'A row breaks a constraint' : `${wholeNumber(violations)} rows break constraints`}. Each
          side is valid by itself, but the merged rows are not. Fix the rows with statements, or decide for all of them
          below.
        </p>
        {failure.value !== undefined && (
          <p class="form-problem" role="alert">
            {failure.value}
          </p>
        )}
        {found.value === undefined ? (
          failure.value === undefined && <span class="spinner" />
        ) : (
          <ViolationTable table={table} violations={found.value} />
        )}
      </div>
      <div class="resolve-bar">
        <button type="button" class="button small quiet" onClick={() => actions.onShowViolations(table)}>
          Show as query
        </button>
        <span class="spread" />
        <button
          type="button"
          class="button small danger"
          disabled={isBusy}
          onClick={() => actions.onSettleViolations(table, true)}
        >
          Delete the rows
        </button>
        <button
          type="button"
          class="button small"
          disabled={isBusy}
          onClick={() => actions.onSettleViolations(table, false)}
        >
          Keep them as they are
        </button>
      </div>
    </>
  );
}

interface TableProps {
  readonly table: string;
  readonly violations: readonly Violation[];
}

function ViolationTable({ table, violations }: TableProps): JSX.Element {
  const columns = Object.keys(violations[0]?.row ?? {});
  return (
    <table class="violation-table" aria-label={`Rows of ${table} that break a constraint`}>
      <thead>
        <tr>
          <th scope="col">Violation</th>
          {columns.map(column => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {violations.map(({ what, row }, index) => (
          <tr key={index}>
            <td class="violation-what">{what}</td>
            {columns.map(column => (
              <ValueCell key={column} text={valueText(row[column])} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
