import type { JSX } from 'preact';
import { Icon } from '../../../ui/icons.tsx';
import type { Connection } from '../../database/connection.ts';
import { dialog } from '../../dialogs.ts';
import { deleteSavedQuery, openSavedQuery, type SavedQuery, useSavedQueries } from './saved_queries.ts';

interface SavedProps {
  readonly connection: Connection | undefined;
  readonly filter: string;
}

/** Queries that are kept in the database. */
export function SavedList({ connection, filter }: SavedProps): JSX.Element {
  const all = useSavedQueries(connection);
  const canWrite = connection?.database.storage.readOnly === false;
  const shown = (all ?? []).filter(({ name, query }) => `${name}\n${query}`.toLowerCase().includes(filter));
  if (shown.length === 0) {
    return (
      <div class="empty" aria-busy={all === undefined}>
        {all !== undefined && (
          <p>
            {filter !== ''
              ? 'No matching queries.'
              : 'Saved queries appear here. They are stored in the database and committed with it.'}
          </p>
        )}
      </div>
    );
  }
  return (
    <ul class="history" aria-label="Saved queries">
      {shown.map(saved => (
        <li key={saved.id} class="saved-line">
          <button
            type="button"
            class="history-entry"
            title={saved.query.slice(0, 1000)}
            onClick={() => openSavedQuery(saved)}
          >
            <span class="truncate">{saved.name}</span>
            <code class="truncate muted">{saved.query.replace(/\s+/g, ' ').slice(0, 200)}</code>
          </button>
          {canWrite && (
            <button
              type="button"
              class="button quiet small icon-only"
              aria-label={`Delete the query ${saved.name}`}
              title="Delete"
              onClick={() => confirmDelete(saved)}
            >
              <Icon name="trash" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function confirmDelete(saved: SavedQuery): void {
  dialog.value = {
    kind: 'confirm',
    title: `Delete ${saved.name}?`,
    text: 'The query is deleted from the working set. Earlier commits keep it.',
    verb: 'Delete the query',
    onConfirm: () => void deleteSavedQuery(saved),
  };
}
