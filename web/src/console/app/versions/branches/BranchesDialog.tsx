import type { ComponentChildren, JSX } from 'preact';
import type { BranchInfo, Place } from '../../../schema/model.ts';
import { counted, distance, wholeNumber } from '../../../ui/figures.ts';
import { IconButton } from '../../../ui/icon_button.tsx';
import { Icon, type IconName } from '../../../ui/icons.tsx';
import { LongName } from '../../../ui/long_name.tsx';
import { selectBranch } from '../../actions.ts';
import { isChanging } from '../../database/changing.ts';
import { currentConnection } from '../../database/connection.ts';
import { type FixedRef, useRemoteBranches, useTags } from '../../database/use_refs.ts';
import { closeDialog, dialog } from '../../dialogs.ts';
import { deleteBranch, deleteTag } from './branch_actions.ts';
import { type Candidate, useCandidates } from './merge_candidates.ts';

/** All branches and tags, and the branches of remotes: switch, merge, rename, delete. */
export function BranchesDialog(): JSX.Element | null {
  const connection = currentConnection();
  const tags = useTags(connection);
  const remote = useRemoteBranches(connection);
  const compared = useCandidates(connection, connection?.catalog.place.value.branch ?? '');
  if (connection === undefined) return null;
  const place = connection.catalog.place.value;
  const loaded = connection.catalog.branches(place.database).value;
  const branches = loaded?.kind === 'ready' ? loaded.value : [];
  const canWrite = !connection.database.storage.readOnly;
  return (
    <div class="refs-dialog">
      <section aria-label="Branches">
        <div class="change-group-head">
          <h3>Branches</h3>
          {canWrite && (
            <button
              type="button"
              class="button small"
              onClick={() => (dialog.value = { kind: 'new-branch', from: place.branch || 'main' })}
            >
              <Icon name="plus" />
              New branch
            </button>
          )}
        </div>
        <ul>
          {branches.map(branch => (
            <BranchLine
              key={branch.name}
              branch={branch}
              place={place}
              canWrite={canWrite}
              compared={compared?.find(({ name }) => name === branch.name)}
            />
          ))}
        </ul>
      </section>
      <section aria-label="Tags">
        <div class="change-group-head">
          <h3>Tags</h3>
          {canWrite && (
            <button type="button" class="button small" onClick={() => (dialog.value = { kind: 'new-tag', at: 'HEAD' })}>
              <Icon name="plus" />
              New tag
            </button>
          )}
        </div>
        {tags.length === 0 && <p class="muted">No tags.</p>}
        <ul>
          {tags.map(tag => (
            <FixedLine key={tag.name} icon="tag" found={tag} canBranch={canWrite} branch="">
              {canWrite && (
                <IconButton
                  icon="trash"
                  label={`Delete the tag ${tag.name}`}
                  isDisabled={isChanging.value}
                  onPress={() => void deleteTag(tag.name)}
                />
              )}
            </FixedLine>
          ))}
        </ul>
      </section>
      {remote.length > 0 && (
        <section aria-label="Remote branches">
          <div class="change-group-head">
            <h3>Remote branches</h3>
          </div>
          <ul>
            {remote.map(found => (
              <FixedLine
                key={found.name}
                icon="globe"
                found={found}
                canBranch={canWrite}
                branch={found.name.slice(found.name.indexOf('/') + 1)}
              />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface BranchLineProps {
  readonly branch: BranchInfo;
  readonly place: Place;
  readonly canWrite: boolean;
  /** With the selected branch; undefined for itself, and until it is counted. */
  readonly compared: Candidate | undefined;
}

function BranchLine({ branch: { name, isDirty }, place, canWrite, compared }: BranchLineProps): JSX.Element {
  const isCurrent = name === place.branch;
  return (
    <li class="ref-line">
      <Icon name={isCurrent ? 'check' : 'branch'} />
      <span class={isCurrent ? 'truncate is-current' : 'truncate'} title={name}>
        <LongName text={name} />
      </span>
      {compared !== undefined && <Distance {...compared} from={place.branch} />}
      {isDirty && <span class="muted">uncommitted changes</span>}
      <span class="spread" />
      {!isCurrent && (
        <button
          type="button"
          class="button quiet small"
          onClick={() => {
            closeDialog();
            void selectBranch({ database: place.database, branch: name });
          }}
        >
          Switch
        </button>
      )}
      {canWrite && !isCurrent && (
        <button
          type="button"
          class="button quiet small"
          disabled={compared?.ahead === 0}
          title={compared?.ahead === 0 ? `Already merged into ${place.branch}` : undefined}
          onClick={() => (dialog.value = { kind: 'merge', branch: name })}
        >
          Merge
        </button>
      )}
      {canWrite && (
        <IconButton
          icon="pencil"
          label={`Rename the branch ${name}`}
          isDisabled={isChanging.value}
          onPress={() => (dialog.value = { kind: 'rename-branch', branch: name })}
        />
      )}
      {canWrite && !isCurrent && (
        <IconButton
          icon="trash"
          label={`Delete the branch ${name}`}
          isDisabled={isChanging.value}
          onPress={() => void deleteBranch(name)}
        />
      )}
    </li>
  );
}

/** `3 ahead, 7 behind` of the selected branch. */
function Distance({ ahead, behind, from }: Candidate & { readonly from: string }): JSX.Element {
  const title = `${counted(ahead, 'commit')} ahead of ${from}, ${wholeNumber(behind)} behind`;
  return (
    <span class="muted figures" title={title}>
      {distance(ahead, behind) || 'the same commit'}
    </span>
  );
}

interface FixedLineProps {
  readonly icon: IconName;
  readonly found: FixedRef;
  readonly canBranch: boolean;
  /** The name that is offered for a branch from here; empty for none. */
  readonly branch: string;
  readonly children?: ComponentChildren;
}

function FixedLine({ icon, found, canBranch, branch, children }: FixedLineProps): JSX.Element {
  const { name, hash, message } = found;
  return (
    <li class="ref-line">
      <Icon name={icon} />
      <span class="truncate" title={message || name}>
        {name}
      </span>
      <span class="muted mono">{hash.slice(0, 8)}</span>
      <span class="spread" />
      {canBranch && (
        <button
          type="button"
          class="button quiet small"
          onClick={() => (dialog.value = { kind: 'new-branch', from: name, name: branch })}
        >
          Branch
        </button>
      )}
      {children}
    </li>
  );
}
