import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { deleteStored, listStored } from '../../files/stored_databases.ts';
import { Icon } from '../../ui/icons.tsx';
import { toast } from '../../ui/toast.tsx';
import { dialog } from '../dialogs.ts';
import { overlay } from '../layout_state.ts';
import { openStored } from './opening.ts';

/** Databases that were made or kept in this browser. */
export function StoredList(): JSX.Element | null {
  const names = useSignal<readonly string[]>([]);
  useEffect(() => {
    void listStored().then(found => (names.value = found));
  }, []);
  if (names.value.length === 0) return null;
  const ask = (name: string) => {
    overlay.value = undefined;
    dialog.value = {
      kind: 'confirm',
      title: `Delete ${name}?`,
      text: 'The database goes from this browser with all of its history. This cannot be undone.',
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

async function remove(name: string): Promise<void> {
  try {
    await deleteStored(name);
    toast(`Deleted ${name}`);
  } catch {
    toast(`${name} is open: close it, here and in other tabs, and try again`, 'failure');
  }
}
