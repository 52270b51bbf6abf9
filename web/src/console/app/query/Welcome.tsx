/** The introduction on the sample database. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { listStored } from '../../files/stored_databases.ts';
import { Icon } from '../../ui/icons.tsx';
import { openTable } from '../actions.ts';
import type { Connection } from '../database/connection.ts';
import { dialog } from '../dialogs.ts';
import { overlay, view } from '../layout_state.ts';
import { openStored } from '../open/opening.ts';
import { ImportButton } from './ImportButton.tsx';

/** All of them are in the dialog that opens a database. */
const STORED_MAX = 5;

/** Stands where the name will be, so that nothing moves when it comes. */
const FIRST_OF_SAMPLE = 'accessions';

/** First visit: what Varve is, what to explore, and how to open data of one's own. */
export function Welcome({ connection: { catalog } }: { readonly connection: Connection }): JSX.Element {
  const names = useSignal<readonly string[]>([]);
  useEffect(() => {
    void listStored().then(found => (names.value = found));
  }, []);
  const place = catalog.place.value;
  const loaded = catalog.tables(place).value;
  const first = loaded?.kind === 'ready' ? loaded.value[0] : undefined;
  return (
    <div class="welcome">
      <h2>Version-controlled SQL, in your browser</h2>
      <p>
        Varve opens Dolt databases and versions tables the way Git does it for code: commit, branch, merge, diff. There
        is no server, and nothing is uploaded.
      </p>
      <div class="first-steps">
        <p>This is a sample database. Explore</p>
        <button
          type="button"
          class="button small"
          disabled={first === undefined}
          onClick={() => first !== undefined && openTable(place, first.name)}
        >
          <Icon name="table" />
          Rows of {first?.name ?? FIRST_OF_SAMPLE}
        </button>
        <button type="button" class="button small" onClick={() => (view.value = 'log')}>
          <Icon name="commit" />
          History
        </button>
        <button type="button" class="button small" onClick={() => (view.value = 'diagram')}>
          <Icon name="schema" />
          Table diagram
        </button>
      </div>
      {names.value.length > 0 && (
        <div class="first-steps">
          <p>Saved in this browser</p>
          {names.value.slice(0, STORED_MAX).map(name => (
            <button key={name} type="button" class="button small" onClick={() => void openStored(name)}>
              <Icon name="disk" />
              <span class="truncate">{name}</span>
            </button>
          ))}
        </div>
      )}
      <div class="first-steps">
        <p>Your own data (or drop a file anywhere)</p>
        <button type="button" class="button small" onClick={() => (overlay.value = 'open')}>
          <Icon name="folder" />
          Open a database
        </button>
        <ImportButton />
        <button type="button" class="button small" onClick={() => (dialog.value = { kind: 'new-database' })}>
          <Icon name="plus" />
          New database
        </button>
      </div>
    </div>
  );
}
