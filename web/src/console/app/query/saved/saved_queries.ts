/** Queries that are kept in the database, in the table in which `dolt sql --save` keeps them. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toast } from '../../../ui/toast.tsx';
import { boundDatabase } from '../../database/bound_database.ts';
import { change } from '../../database/changing.ts';
import { type Connection, currentConnection } from '../../database/connection.ts';
import { isDrawerOpen, view } from '../../layout_state.ts';
import { addTab, type QueryTab, rename, setText, shownTab, shownTabId, tabs } from '../query_tabs.ts';

export interface SavedQuery {
  readonly id: string;
  readonly name: string;
  readonly query: string;
}

/** Of the selected branch, read anew whenever the database has changed; undefined until they are read. */
export function useSavedQueries(connection: Connection | undefined): readonly SavedQuery[] | undefined {
  const found = useSignal<readonly SavedQuery[] | undefined>(undefined);
  const place = connection?.catalog.place.value;
  const version = connection?.catalog.version.value;
  useEffect(() => {
    let isCurrent = true;
    const read = connection === undefined ? Promise.resolve([]) : load(connection);
    read
      .catch(() => [])
      .then(queries => {
        if (isCurrent) found.value = queries;
      });
    return () => {
      isCurrent = false;
    };
  }, [connection, place?.database, place?.branch, version]);
  return found.value;
}

async function load(connection: Connection): Promise<readonly SavedQuery[]> {
  const database = await boundDatabase(connection);
  const { rows } = await database.query('SELECT id, name, query FROM dolt_query_catalog ORDER BY display_order, name');
  return rows.map(row => ({ id: String(row.id), name: String(row.name), query: String(row.query) }));
}

/** Keeps the text of a tab under a name; what had the name before makes room for it. */
export async function saveQuery(tab: QueryTab, name: string): Promise<boolean> {
  const text = tab.text.peek().trim();
  const done = await change(async database => {
    await database.transaction(async transaction => {
      const next = 'SELECT COALESCE(MAX(display_order), 0) + 1 AS next FROM dolt_query_catalog';
      const [row] = (await transaction.query(next)).rows;
      const known = await transaction.query('SELECT id FROM dolt_query_catalog WHERE name = ?', [name]);
      const [id] = known.rows;
      if (id !== undefined)
        await transaction.query('UPDATE dolt_query_catalog SET query = ? WHERE id = ?', [text, id.id]);
      else {
        const insert =
          'INSERT INTO dolt_query_catalog (id, display_order, name, query, description) VALUES (?, ?, ?, ?, ?)';
        await transaction.query(insert, [name, Number(row?.next ?? 1), name, text, '']);
      }
    });
  });
  if (done === undefined) return false;
  rename(tab, name);
  toast(`Saved ${name}`);
  return true;
}

export async function deleteSavedQuery({ id, name }: SavedQuery): Promise<void> {
  const done = await change(database => database.query('DELETE FROM dolt_query_catalog WHERE id = ?', [id]));
  if (done !== undefined) toast(`Deleted the query ${name}`);
}

/** Shows it in the tab that has it already, in an empty one, or in a new one. It does not run by itself. */
export function openSavedQuery({ name, query }: SavedQuery): void {
  view.value = 'query';
  isDrawerOpen.value = false;
  const known = tabs.peek().find(tab => tab.title.peek() === name && tab.text.peek().trim() === query.trim());
  const shown = shownTab.peek();
  if (known !== undefined) shownTabId.value = known.id;
  else if (shown !== undefined && shown.text.peek().trim() === '') {
    setText(shown, query);
    rename(shown, name);
  } else addTab(query, name);
}

/** Why the query of a tab cannot be kept; undefined when it can. */
export function savingProblem(tab: QueryTab | undefined): string | undefined {
  const connection = currentConnection();
  if (connection === undefined) return 'Open a database first';
  const { readOnlyReason } = connection.database.storage;
  if (readOnlyReason !== null) return readOnlyReason;
  if (connection.catalog.place.value.branch === '') return 'Tags and commits are read-only. Switch to a branch to save';
  return tab === undefined || tab.text.value.trim() === '' ? 'There is no query to save' : undefined;
}
