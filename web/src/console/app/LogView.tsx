import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { CommitLog } from '../graph/CommitLog.tsx';
import { LogStore } from '../graph/log_store.ts';
import { copyPlain, showCommitChanges, showTableAt } from './actions.ts';
import { compare } from './change_actions.ts';
import type { Connection } from './connection.ts';
import { dialog } from './dialogs.ts';
import { isNarrow } from './layout_state.ts';

/** The log of the selected branch. A part of the page that is loaded when it is first looked at. */
export function LogView({ connection }: { readonly connection: Connection }): JSX.Element {
  const { database, branch } = connection.catalog.place.value;
  // After a commit, a merge or a pull the log is another one.
  const version = connection.catalog.version.value;
  const store = useMemo(
    () => new LogStore(connection.database, { database, branch }),
    [connection, database, branch, version],
  );
  useEffect(() => () => store.close(), [store]);
  return (
    <CommitLog
      store={store}
      isNarrow={isNarrow.value}
      actions={{
        onCopy: text => void copyPlain(text, 'Copied the hash'),
        onShowChanges: showCommitChanges,
        onShowTable: showTableAt,
        onCompare: ({ hash, parents }) => compare(parents[0] ?? hash, hash),
        ...(!connection.database.storage.readOnly && {
          onBranch: ({ hash }) => (dialog.value = { kind: 'new-branch', from: hash }),
          onTag: ({ hash }) => (dialog.value = { kind: 'new-tag', at: hash }),
        }),
      }}
    />
  );
}
