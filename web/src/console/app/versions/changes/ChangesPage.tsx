import type { JSX } from 'preact';
import { Icon } from '../../../ui/icons.tsx';
import { ChangesView } from '../../../versions/ChangesView.tsx';
import { ConflictsPane } from '../../../versions/conflicts/ConflictsPane.tsx';
import { rebasedBranch } from '../../../versions/rebase_plan.ts';
import { runInTab } from '../../actions.ts';
import { change, isChanging } from '../../database/changing.ts';
import type { Connection } from '../../database/connection.ts';
import { useBoundDatabase } from '../../database/use_bound_database.ts';
import { dialog } from '../../dialogs.ts';
import { areStacked } from '../../layout_state.ts';
import { DiffPane } from '../compare/DiffPane.tsx';
import { author } from './author.ts';
import { changeActions, settleViolations } from './change_actions.ts';
import { chosenChange, draftOf } from './changes_state.ts';
import { workingSet } from './working_set_state.ts';

/** The changes of the selected branch. A part of the page that is loaded when it is first looked at. */
export function ChangesPage({ connection }: { readonly connection: Connection }): JSX.Element | null {
  const shown = workingSet.value;
  const database = useBoundDatabase(connection);
  const { branch } = connection.catalog.place.value;
  if (branch === '') {
    return (
      <div class="empty">
        <strong>No branch is selected</strong>
        <p>Tags and commits are read-only. Switch to a branch to make changes.</p>
      </div>
    );
  }
  if (shown === undefined || database === undefined)
    return (
      <div class="empty">
        <span class="spinner" />
      </div>
    );
  const version = shown.version.value;
  const rebased = rebasedBranch(branch);
  return (
    <ChangesView
      key={branch}
      workingSet={shown}
      branch={branch}
      readOnlyReason={connection.database.storage.readOnlyReason}
      author={author}
      draft={draftOf(connection)}
      chosen={chosenChange}
      actions={changeActions}
      isNarrow={areStacked.value}
      isBusy={isChanging.value}
      renderDiff={(from, to, changed) => (
        <DiffPane
          key={`${from} ${changed.table}`}
          database={database}
          from={from}
          to={to}
          change={changed}
          version={version}
        />
      )}
      renderConflicts={trouble => (
        <ConflictsPane
          key={trouble.table}
          database={database}
          trouble={trouble}
          conflicts={shown.conflictsOf(trouble.table)}
          ours={rebased === undefined ? branch : 'the commits rebased so far'}
          theirs={rebased === undefined ? (shown.state.value?.merging ?? 'theirs') : `the commit of ${rebased}`}
          isBusy={isChanging.value}
          actions={{
            onResolve: async work => void (await change(work)),
            onTakeSide: (table, side) => void change(found => found.resolve(side, [table])),
            onSettleViolations: settleViolations,
            onShowViolations: table =>
              runInTab(
                `violations of ${table}`,
                `SELECT * FROM \`dolt_constraint_violations_${table.replaceAll('`', '``')}\`;`,
              ),
          }}
        />
      )}
      renderReadOnly={reason => <ReadOnlyNote reason={reason} />}
    />
  );
}

function ReadOnlyNote({ reason }: { readonly reason: string }): JSX.Element {
  return (
    <div class="note">
      <p>{reason}.</p>
      <button type="button" class="button small" onClick={() => (dialog.value = { kind: 'keep' })}>
        <Icon name="disk" />
        Make an editable copy
      </button>
    </div>
  );
}
