import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { deleteStored, listStored, storedBytes } from '../../files/stored_databases.ts';
import { byteCount } from '../../ui/figures.ts';
import { Icon } from '../../ui/icons.tsx';
import { toast } from '../../ui/toast.tsx';
import { closeSource, currentConnection } from '../database/connection.ts';
import { dialog } from '../dialogs.ts';
import { overlay } from '../layout_state.ts';
import { storedAddress } from './address.ts';
import { openStored } from './opening.ts';

const names = signal<readonly string[]>([]);

async function readNames(): Promise<void> {
  names.value = await listStored();
}

/** Databases that were made or kept in this browser. */
export function StoredList(): JSX.Element | null {
  useEffect(() => void readNames(), []);
  if (names.value.length === 0) return null;
  const ask = (name: string) => {
    overlay.value = undefined;
    dialog.value = {
      kind: 'confirm',
      title: `Delete ${name}?`,
      text: `${isOpen(name) ? 'This database is open. It will be closed first. ' : ''}The database and its history will be deleted from this browser. This cannot be undone.`,
      verb: 'Delete the database',
      onConfirm: () => void remove(name),
    };
  };
  return (
    <section class="recent" aria-label="In this browser">
      <h3>In this browser</h3>
      <ul>
        {names.value.map(name => (
          <li key={name} class="recent-entry">
            <button type="button" class="recent-open" onClick={() => void openStored(name)}>
              <Icon name="disk" />
              <span class="truncate">{name}</span>
            </button>
            <Size name={name} />
            <button
              type="button"
              class="button quiet small icon-only"
              aria-label={`Delete ${name}`}
              onClick={() => ask(name)}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How much of the disk it has; it is there when the files were looked at. */
function Size({ name }: { readonly name: string }): JSX.Element | null {
  const bytes = useSignal<number | undefined>(undefined);
  useEffect(() => {
    void storedBytes(name).then(found => (bytes.value = found));
  }, [name]);
  return bytes.value === undefined ? null : <span class="recent-size muted figures">{byteCount(bytes.value)}</span>;
}

function isOpen(name: string): boolean {
  return currentConnection()?.origin.address === storedAddress(name);
}

async function remove(name: string): Promise<void> {
  if (isOpen(name)) await closeSource();
  try {
    await deleteStored(name);
    toast(`Deleted ${name}`);
  } catch {
    toast(`${name} is open in another tab of this browser: close that one and try again`, 'failure');
  }
  await readNames();
}
