import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { CommitLog } from '../../../graph/CommitLog.tsx';
import type { Commit } from '../../../graph/log.ts';
import { LogStore } from '../../../graph/log_store.ts';
import type { MenuGroup } from '../../../ui/menu.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { copyPlain, showTableAt } from '../../actions.ts';
import type { Connection } from '../../database/connection.ts';
import { useBoundDatabase } from '../../database/use_bound_database.ts';
import { dialog } from '../../dialogs.ts';
import { areStacked } from '../../layout_state.ts';
import { copyLinkTo } from '../../navigation/page_link.ts';
import { compare } from '../compare/compare_state.ts';
import { cherryPick, resetTo, revert, undoCommit } from './history_actions.ts';
import { chooseCommit, chosenCommit, logScope, logSearch, searchLog, soughtInLog, wantedCommit } from './log_state.ts';

const SCOPES = [
  { id: 'branch', name: 'This branch' },
  { id: 'all', name: 'All branches' },
] as const;

/** The log of the selected branch, or of all. A part of the page that is loaded when it is first looked at. */
export function LogView({ connection }: { readonly connection: Connection }): JSX.Element | null {
  const { database, branch } = connection.catalog.place.value;
  // After a commit, a merge or a pull the log is another one.
  const version = connection.catalog.version.value;
  const own = useBoundDatabase(connection);
  const shown = logScope.value;
  const sought = soughtInLog.value;
  const wanted = useMemo(
    () => (own === undefined ? undefined : new LogStore(own, { database, branch }, { scope: shown, search: sought })),
    [own, database, branch, version, shown, sought],
  );
  const store = useRead(wanted);
  if (store === undefined) return null;
  return (
    <CommitLog
      store={store}
      isReading={store !== wanted}
      isNarrow={areStacked.value}
      typed={logSearch}
      chosen={chosenCommit.value.hash}
      onChoose={chooseCommit}
      wanted={wantedCommit}
      onSearch={searchLog}
      scopes={<Segments label="Scope" options={SCOPES} chosen={shown} onChoose={next => (logScope.value = next)} />}
      actions={{
        onCopy: text => void copyPlain(text, 'Copied the hash'),
        onCopyLink: ({ hash }) => void copyLinkTo({ commit: hash }),
        onShowChanges: (commit, { table }) => compare(parentOf(commit), commit.hash, table),
        onShowTable: (commit, { table, kind }) =>
          showTableAt(kind === 'removed' ? parentOf(commit) : commit.hash, table),
        onCompare: commit => compare(parentOf(commit), commit.hash),
        ...(!connection.database.storage.readOnly && {
          onBranch: ({ hash }) => (dialog.value = { kind: 'new-branch', from: hash }),
          onTag: ({ hash }) => (dialog.value = { kind: 'new-tag', at: hash }),
          ...(branch !== '' && { moreOf: commit => moreOf(commit, branch) }),
        }),
      }}
    />
  );
}

/** The log that was read last, until the wanted one has as many commits to show: what a person looks at does not go and come. */
function useRead(wanted: LogStore | undefined): LogStore | undefined {
  const read = useSignal<LogStore | undefined>(undefined);
  useEffect(() => {
    if (wanted === undefined) return;
    let isWanted = true;
    const before = read.peek();
    void wanted.readLike(before).then(() => {
      if (!isWanted) return;
      read.value = wanted;
      before?.close();
    });
    return () => {
      isWanted = false;
      if (read.peek() !== wanted) wanted.close();
    };
  }, [wanted]);
  useEffect(() => () => read.peek()?.close(), []);
  return read.value ?? wanted;
}

/** What a commit is compared with; the first of all with itself. */
function parentOf({ hash, parents: [parent] }: Commit): string {
  return parent ?? hash;
}

function moreOf(commit: Commit, branch: string): readonly MenuGroup[] {
  const [parent] = commit.parents;
  const isMerge = commit.parents.length > 1;
  const isLast = commit.refs.some(({ kind }) => kind === 'head');
  return [
    {
      entries: [
        {
          label: `Cherry-pick onto ${branch}`,
          icon: 'plus',
          isDisabled: isMerge || isLast || parent === undefined,
          onSelect: () => cherryPick(commit),
        },
        {
          label: `Revert on ${branch}`,
          icon: 'undo',
          isDisabled: isMerge || parent === undefined,
          onSelect: () => revert(commit),
        },
      ],
    },
    {
      entries: [
        {
          label: `Rebase ${branch} from here`,
          icon: 'rebase',
          isDisabled: parent === undefined,
          onSelect: () => (dialog.value = { kind: 'rebase', onto: parent ?? '' }),
        },
        ...(isLast && !isMerge && parent !== undefined
          ? [{ label: 'Undo commit, keep changes', icon: 'undo' as const, onSelect: () => void undoCommit() }]
          : []),
        { label: `Reset ${branch} to here`, icon: 'commit', onSelect: () => resetTo(commit) },
      ],
    },
  ];
}
