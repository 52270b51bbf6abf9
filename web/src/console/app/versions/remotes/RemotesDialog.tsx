import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { type LazyClone, remoteFolderName } from '../../../../lib/index.ts';
import { byteCount, distance } from '../../../ui/figures.ts';
import { Field, Form } from '../../../ui/form.tsx';
import { IconButton } from '../../../ui/icon_button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { isChanging } from '../../database/changing.ts';
import { currentConnection } from '../../database/connection.ts';
import { RemoteUrlField } from '../../RemoteUrlField.tsx';
import {
  addRemote,
  COMPLETION,
  cancelExchange,
  completeClone,
  exchange,
  fetchRemote,
  pullRemote,
  pushRemote,
  rejected,
  removeRemote,
} from './remote_actions.ts';
import { type RemoteState, useRemotes } from './use_remotes.ts';

/** Remotes: how far the current branch is from theirs, fetch, pull, push, add, remove. */
export function RemotesDialog(): JSX.Element | null {
  const connection = currentConnection();
  const branch = connection?.catalog.place.value.branch ?? '';
  const found = useRemotes(connection, branch);
  const remotes = found?.remotes;
  if (connection === undefined) return null;
  const canWrite = !connection.database.storage.readOnly;
  return (
    <div class="refs-dialog">
      {found?.lazy && <Incomplete lazy={found.lazy} canWrite={canWrite} />}
      <section aria-label="Remotes">
        {remotes?.length === 0 && <p class="muted">No remotes. Add one to push to and fetch from.</p>}
        <ul>
          {(remotes ?? []).map(remote => (
            <RemoteLine key={remote.name} remote={remote} current={branch} canWrite={canWrite} />
          ))}
        </ul>
      </section>
      {canWrite && <AddRemote taken={(remotes ?? []).map(({ name }) => name)} />}
    </div>
  );
}

/** Of a lazy clone: that rows are elsewhere, and how to get them. */
function Incomplete({ lazy, canWrite }: { readonly lazy: LazyClone; readonly canWrite: boolean }): JSX.Element {
  const running = exchange.value?.remote === COMPLETION ? exchange.value : undefined;
  return (
    <section aria-label="Lazy clone" class="lazy-clone">
      <Icon name="download" />
      <p>
        <strong>Some rows are not downloaded yet.</strong> They are fetched from <span class="mono">{lazy.url}</span> on
        demand: at most {byteCount(lazy.remoteBytes)} in all.
      </p>
      {running !== undefined ? (
        <span class="lazy-clone-running">
          <output class="muted">
            <span class="spinner" /> {running.told === '' ? 'Counting missing chunks…' : `${running.told} fetched`}
          </output>
          <button type="button" class="button small" onClick={cancelExchange}>
            Cancel
          </button>
        </span>
      ) : (
        canWrite && (
          <button
            type="button"
            class="button small"
            title="Fetches all missing rows"
            disabled={isChanging.value}
            onClick={() => void completeClone(lazy)}
          >
            Complete
          </button>
        )
      )}
    </section>
  );
}

interface RemoteLineProps {
  readonly remote: RemoteState;
  readonly current: string;
  readonly canWrite: boolean;
}

function RemoteLine({ remote, current, canWrite }: RemoteLineProps): JSX.Element {
  const { name, url } = remote;
  const folder = remoteFolderName(url);
  const hasAll = remote.distance?.ahead === 0;
  const isBusy = isChanging.value;
  const running = exchange.value?.remote === name ? exchange.value : undefined;
  const isRejected = rejected.value?.remote === name;
  return (
    <>
      <li class={isRejected ? 'ref-line remote-line has-note' : 'ref-line remote-line'}>
        <Icon name={folder === null ? 'globe' : 'folder'} />
        <span class="truncate" title={url}>
          {name} {folder === null ? <span class="muted mono">{url}</span> : <span class="muted">Folder {folder}</span>}
        </span>
        {running === undefined && <Distance remote={remote} current={current} />}
        <span class="spread" />
        {running !== undefined ? (
          <>
            <output class="muted figures">
              <span class="spinner" />
              {running.verb}… {running.told}
            </output>
            <button type="button" class="button quiet small" onClick={cancelExchange}>
              Cancel
            </button>
          </>
        ) : (
          canWrite && (
            <>
              <button
                type="button"
                class="button quiet small"
                disabled={isBusy}
                onClick={() => void fetchRemote(remote)}
              >
                Fetch
              </button>
              <button
                type="button"
                class="button quiet small"
                disabled={isBusy || current === ''}
                onClick={() => void pullRemote(remote)}
              >
                Pull
              </button>
              <button
                type="button"
                class="button quiet small"
                disabled={isBusy || current === '' || hasAll}
                title={hasAll ? `Up to date with ${name}` : undefined}
                onClick={() => void pushRemote(remote, current)}
              >
                Push
              </button>
              <IconButton
                icon="trash"
                label={`Remove the remote ${name}`}
                isDisabled={isBusy}
                onPress={() => void removeRemote(name)}
              />
            </>
          )
        )}
      </li>
      {isRejected && (
        <li class="ref-note">
          <p class="form-problem" role="alert">
            The push was rejected: {name} has commits that {current} does not have. Pull to merge them, then push again.
          </p>
        </li>
      )}
    </>
  );
}

/** `3 ahead, 7 behind`, as of the last fetch. */
function Distance({ remote, current }: { readonly remote: RemoteState; readonly current: string }): JSX.Element | null {
  const { name, branch } = remote;
  if (remote.distance === undefined) {
    return current === '' ? null : <span class="muted figures">{branch} not fetched</span>;
  }
  const { ahead, behind } = remote.distance;
  return (
    <span class="muted figures" title={`${current} compared with ${name}/${branch} as of the last fetch`}>
      {distance(ahead, behind) || 'up to date'}
    </span>
  );
}

function AddRemote({ taken }: { readonly taken: readonly string[] }): JSX.Element {
  const given = useSignal<string | undefined>(undefined);
  const url = useSignal('');
  // A folder's name is one that its person knows.
  const offered = taken.includes('origin') ? (remoteFolderName(url.value) ?? '').replace(/[^\w-]+/g, '-') : 'origin';
  const name = given.value ?? offered;
  const problem = taken.includes(name) && url.value !== '' ? `A remote named ${name} already exists` : undefined;
  const add = async () => {
    if (await addRemote(name.trim(), url.value.trim())) {
      url.value = '';
      given.value = undefined;
    }
  };
  return (
    <section aria-label="Add a remote">
      <div class="change-group-head">
        <h3>Add a remote</h3>
      </div>
      <Form onSubmit={add}>
        <Field label="Name" problem={problem}>
          {id => (
            <input
              id={id}
              class="field mono"
              value={name}
              spellcheck={false}
              autocomplete="off"
              onInput={event => (given.value = event.currentTarget.value)}
            />
          )}
        </Field>
        <RemoteUrlField
          url={url.value}
          mode="readwrite"
          pickLabel="Choose a folder…"
          hint={
            remoteFolderName(url.value) === null
              ? 'https:// of a Dolt service, s3://, or opfs:// in this browser’s storage'
              : 'Choose an empty folder, or one that was pushed to before.'
          }
          onChange={next => (url.value = next)}
        />
        <div class="form-buttons">
          <button
            type="submit"
            class="button primary"
            disabled={name.trim() === '' || url.value.trim() === '' || problem !== undefined || isChanging.value}
          >
            Add
          </button>
        </div>
      </Form>
    </section>
  );
}
