import type { JSX } from 'preact';
import { NEW_TABLE } from '../../sql/templates.ts';
import { wholeNumber } from '../../ui/figures.ts';
import { Icon } from '../../ui/icons.tsx';
import { openTable, writeInTab } from '../actions.ts';
import { type Connection, currentConnection, openState } from '../database/connection.ts';
import { Opening } from '../open/Opening.tsx';
import { keyText } from '../shortcuts.ts';
import { ImportButton } from './ImportButton.tsx';
import { shownTab, tabs } from './query_tabs.ts';
import { Welcome } from './Welcome.tsx';

/** In place of a result before anything has run. */
export function NothingRun(): JSX.Element {
  const connection = currentConnection();
  const isEmpty = connection !== undefined && hasNoTables(connection);
  // Only in the first tab.
  const isWelcome = connection?.isSample === true && shownTab.value === tabs.value[0];
  if (openState.value.kind === 'opening') {
    return (
      <section class="results" aria-label="Results">
        <Opening />
      </section>
    );
  }
  return (
    <section class="results" aria-label="Results">
      <div class="empty">
        {isWelcome && <Welcome connection={connection} />}
        {isEmpty && <strong>No tables yet</strong>}
        <p>
          <kbd>{keyText('Mod+Enter')}</kbd> runs the statement at the cursor or the selection,{' '}
          <kbd>{keyText('Mod+Shift+Enter')}</kbd> runs all.
          {!isEmpty && ' Double-click a table in the side panel to see its rows.'}
        </p>
        {connection !== undefined && !isWelcome && <FirstTables connection={connection} />}
      </div>
    </section>
  );
}

function hasNoTables({ catalog }: Connection): boolean {
  const loaded = catalog.tables(catalog.place.value).value;
  return loaded?.kind === 'ready' && loaded.value.length === 0;
}

/** More are found in the tree. */
const FIRST_TABLES_MAX = 8;

/** Buttons that show the first tables of a database. */
function FirstTables({ connection: { catalog, database } }: { readonly connection: Connection }): JSX.Element | null {
  const place = catalog.place.value;
  const loaded = catalog.tables(place).value;
  if (loaded?.kind !== 'ready') return null;
  if (loaded.value.length === 0 && database.storage.readOnly) return null;
  const others = loaded.value.length - FIRST_TABLES_MAX;
  return (
    <div class="first-steps">
      {loaded.value.slice(0, FIRST_TABLES_MAX).map(({ name, isView }) => (
        <button
          key={name}
          type="button"
          class="button small"
          aria-label={`Show the rows of ${name}`}
          onClick={() => openTable(place, name)}
        >
          <Icon name={isView ? 'view' : 'table'} />
          <span class="truncate">{name}</span>
        </button>
      ))}
      {others > 0 && <p>and {wholeNumber(others)} more in the side panel</p>}
      {loaded.value.length === 0 && (
        <>
          <button type="button" class="button small" onClick={() => writeInTab(NEW_TABLE)}>
            <Icon name="table" />
            Write CREATE TABLE
          </button>
          <ImportButton />
        </>
      )}
    </div>
  );
}
