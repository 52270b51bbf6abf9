import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { StorageWarning } from '../../../lib/index.ts';
import { wholeNumber } from '../../ui/figures.ts';
import { IconButton } from '../../ui/icon_button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { dialog } from '../dialogs.ts';
import { type Connection, currentConnection, openForWriting } from './connection.ts';
import { isGone } from './storage_state.ts';

/** Says that the opened state is not the newest one, or that the files are gone, and what to do about it. */
export function StorageBanner(): JSX.Element | null {
  const connection = currentConnection();
  if (connection === undefined) return null;
  if (isGone.value) return <Gone />;
  const { warnings } = connection.database.storage;
  const lost = warnings.find(({ kind }) => kind !== 'torn_tail');
  if (lost !== undefined) return <Lost key={connection.label} connection={connection} warning={lost} />;
  const [torn] = warnings;
  return torn === undefined ? null : <Torn key={connection.label} warning={torn} />;
}

const download = () => (dialog.value = { kind: 'export' });
const keep = () => (dialog.value = { kind: 'keep' });

function Gone(): JSX.Element {
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <p>
        <strong>The files of this database were removed</strong> while it was open, for example by clearing this site’s
        data. Download a copy now: what can still be read is lost when this page closes.
      </p>
      <div class="banner-actions">
        <button type="button" class="button" onClick={download}>
          Download
        </button>
        <button type="button" class="button" onClick={() => (dialog.value = { kind: 'new-database' })}>
          New database
        </button>
      </div>
    </div>
  );
}

/** The end of a journal is cut: mostly by a crash within a write that was not acknowledged, sometimes by a copy that is not whole. */
function Torn({ warning }: { readonly warning: StorageWarning }): JSX.Element | null {
  const isDismissed = useSignal(false);
  if (isDismissed.value) return null;
  return (
    <div class="banner" role="status">
      <Icon name="warning" />
      <p title={warning.message}>
        <strong>The last write to “{warning.database}” is incomplete.</strong> Its journal ends within a record at byte{' '}
        {wholeNumber(warning.offset)}, so the state before it is open. If the database was copied or restored and a
        commit is missing, copy it again.
      </p>
      <div class="banner-actions">
        <IconButton icon="close" label="Dismiss" onPress={() => (isDismissed.value = true)} />
      </div>
    </div>
  );
}

interface LostProps {
  readonly connection: Connection;
  readonly warning: StorageWarning;
}

function Lost({ connection, warning }: LostProps): JSX.Element | null {
  const { storage } = connection.database;
  const isMissing = warning.kind === 'missing_root';
  const isDismissed = useSignal(false);
  // A database that is writable all the same was opened to go on from the older state.
  if (isDismissed.value || (isMissing && !storage.readOnly)) return null;
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <p title={warning.message}>
        <strong>
          The {isMissing ? 'newest' : 'last'} commit of “{warning.database}” {isMissing ? 'is' : 'may be'} missing.
        </strong>{' '}
        {isMissing ? (
          <>
            An older state is open (root <code>{warning.openedRoot.slice(0, 8)}</code>, expected{' '}
            <code>{warning.expectedRoot?.slice(0, 8)}</code>). Restore a backup, continue read-only, or edit the older
            state.
          </>
        ) : (
          `The record at byte ${wholeNumber(warning.offset)} of its journal is damaged, so an older state is open. Restore a backup, or continue: the damaged bytes are saved beside the journal before the first change.`
        )}
      </p>
      <div class="banner-actions">
        <button type="button" class="button" onClick={download}>
          Download
        </button>
        <button type="button" class="button" onClick={keep}>
          Make an editable copy
        </button>
        {isMissing && !storage.remote && (
          <button type="button" class="button" onClick={() => void openForWriting(connection)}>
            Edit the older state
          </button>
        )}
        {!isMissing && <IconButton icon="close" label="Dismiss" onPress={() => (isDismissed.value = true)} />}
      </div>
    </div>
  );
}
