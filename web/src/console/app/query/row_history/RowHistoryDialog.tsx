import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { splitMessage } from '../../../graph/log.ts';
import { wholeNumber } from '../../../ui/figures.ts';
import { Icon } from '../../../ui/icons.tsx';
import { messageOf } from '../../../ui/message_of.ts';
import { atCommit } from '../../database/at_commit.ts';
import { boundDatabase } from '../../database/bound_database.ts';
import { currentConnection } from '../../database/connection.ts';
import { closeDialog } from '../../dialogs.ts';
import { showCommit } from '../../versions/log/log_state.ts';
import { conditionOf, type KeyValue } from '../results/links.ts';
import {
  type AskAt,
  CHANGES_MAX,
  type CommitFacts,
  type RowChange,
  type RowHistory,
  readHistory,
  WORKING,
} from './row_history.ts';
import type { ChangedCell } from './row_versions.ts';

type State =
  | { readonly kind: 'loading' }
  | ({ readonly kind: 'ready' } & RowHistory)
  | { readonly kind: 'failed'; readonly message: string };

interface Props {
  readonly table: string;
  readonly rowKey: readonly KeyValue[];
}

/** Every commit that changed a row, the newest first: who, when, and which cells. */
export function RowHistoryDialog({ table, rowKey }: Props): JSX.Element {
  const state = useSignal<State>({ kind: 'loading' });
  useEffect(() => {
    const abort = new AbortController();
    const connection = currentConnection();
    if (connection !== undefined) {
      const at: AskAt = (hash, ask) => atCommit(connection, hash, ask);
      const reading = boundDatabase(connection).then(database =>
        readHistory(database, table, rowKey, at, abort.signal),
      );
      reading.then(
        history => {
          state.value = { kind: 'ready', ...history };
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          state.value = { kind: 'failed', message: messageOf(error) };
        },
      );
    }
    return () => abort.abort();
  }, []);
  const current = state.value;
  const where = conditionOf(rowKey);
  return (
    <div class="row-history" aria-busy={current.kind === 'loading'}>
      <p class="muted mono">{where}</p>
      {current.kind === 'loading' && (
        <p class="muted" role="status">
          <span class="spinner inline" /> Searching the commits of this branch
        </p>
      )}
      {current.kind === 'failed' && (
        <p class="form-problem" role="alert">
          {current.message}
        </p>
      )}
      {current.kind === 'ready' && (
        <>
          {current.changes.length === 0 && <p role="status">No commit on this branch contains this row.</p>}
          <ol aria-label="Changes of the row">
            {current.changes.map(change => (
              <ChangeItem key={change.hash} change={change} commit={current.commits.get(change.hash)} />
            ))}
          </ol>
          {current.changes.length === CHANGES_MAX && (
            <p class="muted">The newest {wholeNumber(CHANGES_MAX)} changes are shown.</p>
          )}
        </>
      )}
    </div>
  );
}

function ChangeItem({
  change,
  commit,
}: {
  readonly change: RowChange;
  readonly commit: CommitFacts | undefined;
}): JSX.Element {
  const { kind, hash, cells, tableBefore } = change;
  const isWorking = hash === WORKING;
  const subject = isWorking ? 'Uncommitted' : splitMessage(commit?.message ?? '').subject;
  return (
    <li class={`row-change ${kind}`}>
      <div class="row-change-head">
        <strong class="truncate" title={subject}>
          {subject}
        </strong>
        {!isWorking && (
          <button
            type="button"
            class="hash mono"
            title="Show commit"
            onClick={() => {
              closeDialog();
              showCommit(hash);
            }}
          >
            {hash.slice(0, 8)}
          </button>
        )}
      </div>
      <p class="muted figures">
        {isWorking ? 'In the working set' : `${commit?.author ?? ''}, ${commit?.date.slice(0, 16) ?? ''} UTC`}: the row
        was {kind}
        {tableBefore !== undefined && `, its table was ${tableBefore}`}
      </p>
      <dl>
        {cells.map(cell => (
          <div key={cell.name}>
            <dt class="truncate" title={cell.name}>
              {cell.name}
            </dt>
            <dd class="mono">
              <CellChange cell={cell} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function CellChange({ cell: { before, after } }: { readonly cell: ChangedCell }): JSX.Element {
  // Only the column is called otherwise.
  if (before !== undefined && before === after) return <span>{shown(before)}</span>;
  return (
    <>
      {before !== undefined && <del>{shown(before)}</del>}
      {before !== undefined && after !== undefined && <Icon name="chevronRight" />}
      {after !== undefined && <ins>{shown(after)}</ins>}
    </>
  );
}

const shown = (text: string | null): JSX.Element | string => (text === null ? <i>NULL</i> : text === '' ? "''" : text);
