import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { counted } from '../ui/figures.ts';
import { Icon } from '../ui/icons.tsx';
import { MenuButton, type MenuEntry } from '../ui/menu.tsx';
import { ResponsiveSplit } from '../ui/responsive_split.tsx';
import { ChangeGroup } from './ChangeGroup.tsx';
import { type Author, CommitForm, type Draft } from './CommitForm.tsx';
import { rebasedBranch } from './rebase_plan.ts';
import { StashGroup } from './StashGroup.tsx';
import { type ChangeActions, type Selected, sameSelection, shortRef } from './selection.ts';
import type { TableChange, TableTrouble, WorkingState } from './status.ts';
import { TroubleGroup } from './TroubleGroup.tsx';
import type { WorkingSet } from './working_set.ts';

export interface ChangesProps {
  readonly workingSet: WorkingSet;
  readonly branch: string;
  /** Why nothing can be written; null when it can. */
  readonly readOnlyReason: string | null;
  readonly author: Signal<Author>;
  /** The message of the next commit of the branch. */
  readonly draft: Draft;
  /** The selected table; by default the first that needs attention. */
  readonly chosen: Signal<Selected | undefined>;
  readonly actions: ChangeActions;
  readonly isNarrow: boolean;
  readonly isBusy: boolean;
  /** The rows of a table that differ. */
  readonly renderDiff: (from: string, to: string, change: TableChange) => JSX.Element;
  readonly renderConflicts: (trouble: TableTrouble) => JSX.Element;
  /** What to do where nothing can be written. */
  readonly renderReadOnly: (reason: string) => JSX.Element;
}

/** The working set of a branch: what differs from the last commit, by table and row; staging, committing, resolving. */
export function ChangesView(props: ChangesProps): JSX.Element {
  const { workingSet, chosen, isNarrow } = props;
  const state = workingSet.state.value;
  if (state === undefined) return <Reading error={workingSet.error.value} />;
  const selected = shownOf(state, chosen.value);
  return (
    <ResponsiveSplit
      name="changes"
      isNarrow={isNarrow}
      sized="first"
      wide={{ initialPx: 320, leastPx: 240, leavePx: 320 }}
      narrow={{ initialPx: 340, leastPx: 160, leavePx: 160 }}
      label="Size of the change list"
    >
      <Side {...props} state={state} selected={selected} onSelect={next => (chosen.value = next)} />
      <Shown {...props} state={state} selected={selected} />
    </ResponsiveSplit>
  );
}

function Reading({ error }: { readonly error: string | undefined }): JSX.Element {
  if (error === undefined) {
    return (
      <div class="empty">
        <span class="spinner" />
        <p>Comparing with the last commit</p>
      </div>
    );
  }
  return (
    <div class="empty" role="alert">
      <Icon name="error" />
      <strong>The changes could not be read</strong>
      <p>{error}</p>
    </div>
  );
}

/** What was chosen as long as it is there, else the first of what matters most. */
function shownOf(state: WorkingState, chosen: Selected | undefined): Selected | undefined {
  const all: Selected[] = [
    ...state.troubles.map(({ table }): Selected => ({ group: 'trouble', table })),
    ...state.unstaged.map(({ table }): Selected => ({ group: 'unstaged', table })),
    ...state.staged.map(({ table }): Selected => ({ group: 'staged', table })),
  ];
  return all.find(one => sameSelection(one, chosen)) ?? all.find(({ table }) => table === chosen?.table) ?? all[0];
}

interface SideProps extends ChangesProps {
  readonly state: WorkingState;
  readonly selected: Selected | undefined;
  readonly onSelect: (selected: Selected) => void;
}

function Side(props: SideProps): JSX.Element {
  const { state, branch, actions, readOnlyReason, isBusy, selected, onSelect, workingSet } = props;
  const canWrite = readOnlyReason === null;
  const isClean = state.staged.length + state.unstaged.length + state.troubles.length === 0;
  const { isAmending } = props.draft;
  const rebased = rebasedBranch(branch);
  const isQuiet = state.merging === undefined && rebased === undefined && state.troubles.length === 0;
  const entries: MenuEntry[] = [
    { label: 'Stash all changes', icon: 'archive', isDisabled: isClean || !isQuiet, onSelect: actions.onStash },
    {
      label: 'Discard all changes',
      icon: 'undo',
      // A merge is given up with them, a rebase has its own way out.
      isDisabled: isClean || rebased !== undefined,
      onSelect: actions.onDiscardAll,
    },
    { label: 'Compare with another commit', icon: 'compare', onSelect: actions.onCompare },
  ];
  const ofCommit: MenuEntry[] = [
    {
      label: 'Amend the last commit',
      icon: 'pencil',
      isDisabled: !isQuiet,
      onSelect: () => (isAmending.value = true),
    },
    { label: 'Undo the last commit', icon: 'commit', isDisabled: !isQuiet, onSelect: actions.onUndoCommit },
  ];
  return (
    <section class="changes-side" aria-label="Changes" aria-busy={isBusy}>
      <div class="panel-head">
        <h2 class="truncate">{rebased === undefined ? `Changes on ${branch}` : `Rebase of ${rebased}`}</h2>
        {canWrite && (
          <MenuButton
            class="button quiet small icon-only"
            label="More actions for changes"
            align="end"
            groups={[{ entries }, { entries: ofCommit }]}
          >
            <Icon name="more" />
          </MenuButton>
        )}
      </div>
      <div class="changes-scroll">
        {readOnlyReason !== null && props.renderReadOnly(readOnlyReason)}
        {state.merging !== undefined && rebased === undefined && (
          <MergeNote state={state} branch={branch} isBusy={isBusy} onAbort={actions.onAbortMerge} />
        )}
        {workingSet.error.value !== undefined && (
          <p class="note is-failure" role="alert">
            {workingSet.error.value}
          </p>
        )}
        {canWrite && rebased !== undefined && (
          <RebaseNote state={state} rebased={rebased} isBusy={isBusy} actions={actions} />
        )}
        {canWrite && rebased === undefined && (!isClean || state.merging !== undefined || isAmending.value) && (
          <CommitForm
            state={state}
            branch={branch}
            author={props.author}
            isBusy={isBusy}
            draft={props.draft}
            onCommit={actions.onCommit}
            lastMessage={actions.lastMessage}
          />
        )}
        <TroubleGroup troubles={state.troubles} selected={selected} onSelect={onSelect} />
        <ChangeGroup
          title="Staged"
          group="staged"
          changes={state.staged}
          selected={selected}
          canWrite={canWrite}
          actions={actions}
          onSelect={onSelect}
        />
        <ChangeGroup
          title={state.staged.length > 0 ? 'Unstaged' : 'Changed tables'}
          group="unstaged"
          changes={state.unstaged}
          selected={selected}
          canWrite={canWrite}
          actions={actions}
          onSelect={onSelect}
        />
        {isClean && state.merging === undefined && rebased === undefined && !isAmending.value && (
          <div class="empty small-empty">
            <strong>No changes</strong>
            <p>Uncommitted changes on this branch appear here.</p>
          </div>
        )}
        <StashGroup stashes={state.stashes} canWrite={canWrite} isBusy={isBusy} actions={actions.stashes} />
      </div>
    </section>
  );
}

interface RebaseNoteProps {
  readonly state: WorkingState;
  readonly rebased: string;
  readonly isBusy: boolean;
  readonly actions: ChangeActions;
}

function RebaseNote({ state, rebased, isBusy, actions }: RebaseNoteProps): JSX.Element {
  const count = state.troubles.length;
  return (
    <div class={count > 0 ? 'note rebase-note is-warning' : 'note rebase-note'} role="status">
      <p>
        The rebase of <strong>{rebased}</strong> has stopped.{' '}
        {count > 0
          ? `${counted(count, 'table')} to resolve, then continue.`
          : 'Changes you make now become part of the commit. Continue when ready.'}
      </p>
      <div class="note-buttons">
        <button
          type="button"
          class="button small primary"
          disabled={isBusy || count > 0}
          onClick={actions.onContinueRebase}
        >
          Continue the rebase
        </button>
        <button type="button" class="button small" disabled={isBusy} onClick={actions.onAbortRebase}>
          Abort the rebase
        </button>
      </div>
    </div>
  );
}

interface MergeNoteProps {
  readonly state: WorkingState;
  readonly branch: string;
  readonly isBusy: boolean;
  readonly onAbort: () => void;
}

function MergeNote({ state, branch, isBusy, onAbort }: MergeNoteProps): JSX.Element {
  const count = state.troubles.length;
  return (
    <div class={count > 0 ? 'note is-warning' : 'note'} role="status">
      <p>
        Merging <strong>{shortRef(state.merging ?? '')}</strong> into <strong>{branch}</strong>.{' '}
        {count > 0
          ? `${counted(count, 'table')} to resolve, then commit.`
          : 'All conflicts are resolved. Commit to finish the merge.'}
      </p>
      <button type="button" class="button small" disabled={isBusy} onClick={onAbort}>
        Abort the merge
      </button>
    </div>
  );
}

function Shown(
  props: ChangesProps & { readonly state: WorkingState; readonly selected: Selected | undefined },
): JSX.Element {
  const { state, selected } = props;
  if (selected === undefined) {
    return (
      <div class="empty">
        <p>Select a table to see its changed rows.</p>
      </div>
    );
  }
  const isOf = ({ table }: { readonly table: string }) => table === selected.table;
  if (selected.group === 'trouble') {
    const trouble = state.troubles.find(isOf);
    return trouble === undefined ? <div /> : props.renderConflicts(trouble);
  }
  const isStaged = selected.group === 'staged';
  const change = (isStaged ? state.staged : state.unstaged).find(isOf);
  if (change === undefined) return <div />;
  return isStaged ? props.renderDiff('HEAD', 'STAGED', change) : props.renderDiff('STAGED', 'WORKING', change);
}
