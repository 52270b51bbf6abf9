import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Batch, Database } from '../../../lib/index.ts';
import { splitMessage } from '../../graph/log.ts';
import { DiffRows } from '../../grid/diff_rows.ts';
import { quoteName, quoteString } from '../../sql/names.ts';
import { wholeNumber } from '../../ui/figures.ts';
import { Icon } from '../../ui/icons.tsx';
import { currentConnection } from '../connection.ts';
import { closeDialog } from '../dialogs.ts';
import { here } from '../here.ts';
import { showCommit } from '../versions/log_state.ts';
import { conditionOf, type KeyValue } from './links.ts';

const CHANGES_MAX = 500;

interface Cell {
  readonly name: string;
  /** Undefined where that side has no row. */
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
}

interface Change {
  readonly kind: string;
  /** `WORKING` for what is not committed. */
  readonly hash: string;
  readonly date: string;
  readonly cells: readonly Cell[];
}

interface CommitFacts {
  readonly author: string;
  readonly message: string;
  /** Of a later commit it is greater. */
  readonly order: number;
}

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly changes: readonly Change[]; readonly commits: ReadonlyMap<string, CommitFacts> }
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
      readHistory(here(connection), table, rowKey, abort.signal).then(
        ready => {
          state.value = ready;
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          state.value = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
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
          <span class="spinner inline" /> Looking through the commits of the branch
        </p>
      )}
      {current.kind === 'failed' && (
        <p class="form-problem" role="alert">
          {current.message}
        </p>
      )}
      {current.kind === 'ready' && (
        <>
          {current.changes.length === 0 && <p role="status">No commit of this branch has this row.</p>}
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

const VERBS: Readonly<Record<string, string>> = { added: 'added', removed: 'removed', modified: 'changed' };

function ChangeItem({
  change,
  commit,
}: {
  readonly change: Change;
  readonly commit: CommitFacts | undefined;
}): JSX.Element {
  const { kind, hash, date, cells } = change;
  const isWorking = hash === 'WORKING';
  const subject = isWorking ? 'Not committed yet' : splitMessage(commit?.message ?? '').subject;
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
            title="Show the commit"
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
        {isWorking ? 'In the working set' : `${commit?.author ?? ''}, ${date.slice(0, 16)} UTC`}: the row was{' '}
        {VERBS[kind] ?? kind}
      </p>
      <dl>
        {cells.map(cell => (
          <div key={cell.name}>
            <dt class="truncate" title={cell.name}>
              {cell.name}
            </dt>
            <dd class="mono">
              {cell.before !== undefined && <del>{shown(cell.before)}</del>}
              {cell.before !== undefined && cell.after !== undefined && <Icon name="chevronRight" />}
              {cell.after !== undefined && <ins>{shown(cell.after)}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

const shown = (text: string | null): JSX.Element | string => (text === null ? <i>NULL</i> : text === '' ? "''" : text);

async function readHistory(
  found: Promise<Database>,
  table: string,
  key: readonly KeyValue[],
  signal: AbortSignal,
): Promise<State> {
  const database = await found;
  const diff = `SELECT * FROM ${quoteName(`dolt_diff_${table}`)} WHERE`;
  // Each half looks its row up in every commit; the two conditions in one would read all rows of all of them.
  const halves = [conditionOf(key, 'to_'), `${conditionOf(key, 'from_')} AND diff_type = 'removed'`];
  const sql = halves.map(half => `(${diff} ${half} LIMIT ${CHANGES_MAX})`).join(' UNION ALL ');
  const { columns, batches } = await database.query(sql, [], { signal });
  const rows = new DiffRows(columns);
  const names = columns.map(({ name }) => name);
  const changes: Change[] = [];
  for (const batch of batches) {
    for (const change of changesOf(rows, batch, names)) changes.push(change);
  }
  const commits = await readCommits(database, changes, signal);
  const orderOf = ({ hash }: Change) => commits.get(hash)?.order ?? Number.POSITIVE_INFINITY;
  changes.sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
  return { kind: 'ready', changes: changes.slice(0, CHANGES_MAX), commits };
}

async function readCommits(
  database: Database,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, CommitFacts>> {
  const hashes = changes.map(({ hash }) => hash).filter(hash => hash !== 'WORKING');
  if (hashes.length === 0) return new Map();
  const list = hashes.map(quoteString).join(', ');
  const sql = `SELECT commit_hash, author, message, commit_order FROM dolt_log WHERE commit_hash IN (${list})`;
  const { rows } = await database.query(sql, [], { signal });
  return new Map(
    rows.map(row => {
      const { commit_hash, author, message, commit_order } = row;
      return [String(commit_hash), { author: String(author), message: String(message), order: Number(commit_order) }];
    }),
  );
}

/** Of a modified row only the cells that differ, of another those that have a value. */
function* changesOf(rows: DiffRows, batch: Batch, names: readonly string[]): Iterable<Change> {
  const textOf = (name: string, row: number) => batch.column(names.indexOf(name)).text(row) ?? '';
  let line = rows.rowCount;
  rows.push(batch);
  for (let row = 0; row < batch.rowCount; row += 1) {
    const kind = textOf('diff_type', row);
    const lines = kind === 'modified' ? 2 : 1;
    const textAt = (at: number, column: number) => {
      const view = rows.view(at, column);
      return view === undefined || view.look === 'absent' ? undefined : view.look === 'null' ? null : view.text;
    };
    const cells = rows.columns.map(({ name }, column): Cell => {
      const first = textAt(line, column);
      if (kind === 'added') return { name, before: undefined, after: first };
      return { name, before: first, after: kind === 'removed' ? undefined : textAt(line + 1, column) };
    });
    const isTold = ({ before, after }: Cell) =>
      kind === 'modified' ? before !== after : (before ?? after ?? null) !== null;
    yield { kind, hash: textOf('to_commit', row), date: textOf('to_commit_date', row), cells: cells.filter(isTold) };
    line += lines;
  }
}
