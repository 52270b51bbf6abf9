import type { JSX } from 'preact';
import type { StorageWarning } from '../../lib/index.ts';
import { counted } from '../ui/figures.ts';
import { Icon } from '../ui/icons.tsx';
import { type Connection, currentConnection, openForWriting } from './connection.ts';
import { dialog } from './dialogs.ts';
import { isGone } from './storage_state.ts';

/** Says that the opened state is not the newest one, or that the files are gone, and what to do about it. */
export function StorageBanner(): JSX.Element | null {
  const connection = currentConnection();
  if (connection === undefined) return null;
  if (isGone.value) return <Gone />;
  const [warning] = connection.database.storage.warnings.filter(({ kind }) => kind !== 'torn_tail');
  return warning === undefined ? null : <Lost connection={connection} warning={warning} />;
}

const download = () => (dialog.value = { kind: 'export' });
const keep = () => (dialog.value = { kind: 'keep' });

function Gone(): JSX.Element {
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <p>
        <strong>This database was deleted.</strong> Its files were removed while it was open, by clearing this site’s
        data for example. Save a copy now: what is still readable is lost when this page closes.
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

interface LostProps {
  readonly connection: Connection;
  readonly warning: StorageWarning;
}

function Lost({ connection, warning }: LostProps): JSX.Element {
  const { storage } = connection.database;
  const isMissing = warning.kind === 'missing_root';
  const bytes = `${counted(warning.droppedBytes, 'byte')} at offset ${warning.offset} of ${warning.file}`;
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <p title={warning.message}>
        <strong>
          {isMissing
            ? `The newest commit of ${warning.database} is lost.`
            : `The last commit of ${warning.database} may be lost.`}
        </strong>{' '}
        {isMissing
          ? `An older state is open (root ${warning.openedRoot.slice(0, 8)}, expected ${warning.expectedRoot?.slice(0, 8)}). `
          : 'A record at the end of its journal is damaged, so an older state is open. '}
        {warning.droppedBytes > 0 && `${bytes} ${warning.droppedBytes === 1 ? 'is' : 'are'} unreadable. `}
        {isMissing
          ? 'Restore a backup, continue read-only, or edit the older state.'
          : 'Restore a backup, or continue: the bytes are copied before the first change.'}
      </p>
      <div class="banner-actions">
        <button type="button" class="button" onClick={download}>
          Download
        </button>
        <button type="button" class="button" onClick={keep}>
          Make an editable copy
        </button>
        {isMissing && storage.readOnly && (
          <button type="button" class="button" onClick={() => void openForWriting(connection)}>
            Edit the older state
          </button>
        )}
      </div>
    </div>
  );
}
