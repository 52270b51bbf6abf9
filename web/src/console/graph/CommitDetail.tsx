import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ChangedTable } from '../sql/changed_tables.ts';
import { Icon } from '../ui/icons.tsx';
import { KindMark } from '../ui/kind_mark.tsx';
import { MenuButton, type MenuGroup } from '../ui/menu.tsx';
import { messageOf } from '../ui/message_of.ts';
import { Counts, type RowCounts } from '../ui/row_counts.tsx';
import { type Commit, splitMessage } from './log.ts';
import type { LogStore } from './log_store.ts';
import { Refs } from './Refs.tsx';

export interface CommitActions {
  readonly onCopy: (text: string) => void;
  readonly onCopyLink: (commit: Commit) => void;
  /** Shows the rows of a table that a commit changed. */
  readonly onShowChanges: (commit: Commit, table: ChangedTable) => void;
  /** Shows a table as a commit has it; one that it has dropped as it was before. */
  readonly onShowTable: (commit: Commit, table: ChangedTable) => void;
  /** Shows all that a commit changed. */
  readonly onCompare: (commit: Commit) => void;
  /** Absent where nothing can be written. */
  readonly onBranch?: (commit: Commit) => void;
  readonly onTag?: (commit: Commit) => void;
  /** What can be done with a commit on the selected branch; absent where nothing can be written. */
  readonly moreOf?: (commit: Commit) => readonly MenuGroup[];
}

/** More names than that would push the commit itself off the page. */
const REFS_SHOWN_MAX = 12;

interface DetailProps {
  readonly commit: Commit;
  readonly store: LogStore;
  readonly actions: CommitActions;
  readonly onParent: (hash: string) => void;
}

export function CommitDetail({ commit, store, actions, onParent }: DetailProps): JSX.Element {
  const { subject, body } = splitMessage(commit.message);
  const isWhole = useSignal(false);
  return (
    <article class="commit" aria-label={`Commit ${commit.hash.slice(0, 8)}`}>
      <h2>{subject}</h2>
      {commit.refs.length > 0 && (
        <div class="commit-refs">
          <Refs
            refs={commit.refs}
            shownMax={isWhole.value ? Infinity : REFS_SHOWN_MAX}
            onMore={() => (isWhole.value = true)}
          />
        </div>
      )}
      {body !== '' && <p class="commit-body">{body}</p>}
      <dl class="facts">
        <dt>Author</dt>
        <dd>
          {commit.author} <span class="muted">{commit.email}</span>
        </dd>
        <dt>Date</dt>
        <dd class="figures">{commit.date.replace(/\.0+$/, '')} UTC</dd>
        <dt>Commit</dt>
        <dd>
          <button type="button" class="hash mono" title="Copy the hash" onClick={() => actions.onCopy(commit.hash)}>
            {commit.hash}
            <Icon name="copy" />
          </button>
          <button
            type="button"
            class="hash icon-only"
            aria-label="Copy a link to the commit"
            title="Copy a link to the commit"
            onClick={() => actions.onCopyLink(commit)}
          >
            <Icon name="link" />
          </button>
        </dd>
        <dt>{commit.parents.length === 1 ? 'Parent' : 'Parents'}</dt>
        <dd>
          {commit.parents.length === 0 && <span class="muted">none (initial commit)</span>}
          {commit.parents.map(hash => (
            <button key={hash} type="button" class="hash mono" title="Go to parent" onClick={() => onParent(hash)}>
              {hash.slice(0, 12)}
            </button>
          ))}
        </dd>
      </dl>
      <div class="commit-actions">
        {commit.parents.length > 0 && (
          <button type="button" class="button small" onClick={() => actions.onCompare(commit)}>
            <Icon name="compare" />
            Compare
          </button>
        )}
        {actions.onBranch !== undefined && (
          <button type="button" class="button small" onClick={() => actions.onBranch?.(commit)}>
            <Icon name="branch" />
            Branch
          </button>
        )}
        {actions.onTag !== undefined && (
          <button type="button" class="button small" onClick={() => actions.onTag?.(commit)}>
            <Icon name="tag" />
            Tag
          </button>
        )}
        {actions.moreOf !== undefined && (
          <MenuButton
            class="button quiet small icon-only"
            label="More commit actions"
            align="end"
            groups={actions.moreOf(commit)}
          >
            <Icon name="more" />
          </MenuButton>
        )}
      </div>
      <Changes commit={commit} store={store} actions={actions} />
    </article>
  );
}

type ChangesState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly tables: readonly ChangedTable[] }
  | { readonly kind: 'failed'; readonly message: string };

function Changes({ commit, store, actions }: Omit<DetailProps, 'onParent'>): JSX.Element {
  const state = useSignal<ChangesState>({ kind: 'loading' });
  useEffect(() => {
    let isCurrent = true;
    store.changedTables(commit).then(
      tables => {
        if (isCurrent) state.value = { kind: 'ready', tables };
      },
      (error: unknown) => {
        if (isCurrent) state.value = { kind: 'failed', message: messageOf(error) };
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [commit.hash, store]);
  const current = state.value;
  const counts = useRowCounts(commit, store);
  return (
    <section class="changes" aria-label="Changed tables" aria-busy={current.kind === 'loading'}>
      <h3>
        Changed tables
        {current.kind === 'ready' && <span class="muted figures"> {current.tables.length}</span>}
      </h3>
      {current.kind === 'failed' && <p class="muted">{current.message}</p>}
      {current.kind === 'loading' && <div class="skeleton" />}
      {current.kind === 'ready' && current.tables.length === 0 && <p class="muted">None.</p>}
      {current.kind === 'ready' && (
        <ul>
          {current.tables.map(table => (
            <ChangedTableRow
              key={table.table}
              table={table}
              counts={counts?.get(table.table)}
              commit={commit}
              actions={actions}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Commits that a held key passes are not counted. */
const PASSING_MS = 150;

/** How many rows of each table a commit changed; undefined until that is known. */
function useRowCounts(commit: Commit, store: LogStore): ReadonlyMap<string, RowCounts> | undefined {
  const counts = useSignal<ReadonlyMap<string, RowCounts> | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const found = await store.rowCounts(commit);
      if (isCurrent) counts.value = found;
    }, PASSING_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [commit.hash, store]);
  return counts.value;
}

interface ChangedRowProps {
  readonly table: ChangedTable;
  readonly counts: RowCounts | undefined;
  readonly commit: Commit;
  readonly actions: CommitActions;
}

function ChangedTableRow({ table: changed, counts, commit, actions }: ChangedRowProps): JSX.Element {
  const { table, tableBefore, kind, hasSchema, hasData } = changed;
  return (
    <li class="change">
      <KindMark kind={kind} />
      <span class="truncate" title={tableBefore === undefined ? table : `${tableBefore} → ${table}`}>
        {table}
      </span>
      {hasSchema && kind === 'modified' && <span class="badge">schema</span>}
      {counts !== undefined && hasData && <Counts rows={counts} />}
      <span class="change-actions">
        {commit.parents.length > 0 && (
          <button type="button" class="button small quiet" onClick={() => actions.onShowChanges(commit, changed)}>
            Diff
          </button>
        )}
        <button
          type="button"
          class="button small quiet"
          title={kind === 'removed' ? 'Its rows before the commit' : 'Its rows at the commit'}
          onClick={() => actions.onShowTable(commit, changed)}
        >
          View at this commit
        </button>
      </span>
    </li>
  );
}
