import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Connection } from './connection.ts';

/** Names of commits to choose from: branches and tags. */
export function useRefs(connection: Connection): readonly string[] {
  const tags = useSignal<readonly string[]>([]);
  useEffect(() => {
    connection.database.query('SELECT tag_name FROM dolt_tags').then(
      ({ rows }) => {
        tags.value = rows.map(row => String(row.tag_name));
      },
      () => undefined,
    );
  }, [connection, connection.catalog.version.value]);
  const loaded = connection.catalog.branches(connection.catalog.place.value.database).value;
  const branches = loaded?.kind === 'ready' ? loaded.value.map(({ name }) => name) : [];
  return [...branches, ...tags.value];
}
