import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Database } from '../../../lib/index.ts';
import { boundDatabase } from './bound_database.ts';
import type { Connection } from './connection.ts';

/** The database once its own session is on the selected branch. */
export function useBoundDatabase(connection: Connection): Database | undefined {
  const found = useSignal<Database | undefined>(undefined);
  const { database, branch } = connection.catalog.place.value;
  useEffect(() => {
    let isCurrent = true;
    boundDatabase(connection).then(
      ready => {
        if (isCurrent) found.value = ready;
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [connection, database, branch]);
  return found.value;
}
