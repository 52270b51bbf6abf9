import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LazyClone } from '../../../../lib/index.ts';
import { boundDatabase } from '../../database/bound_database.ts';
import type { Connection } from '../../database/connection.ts';

/** A remote, and how the current branch compares with its branch there as it was fetched last. */
export interface RemoteState {
  readonly name: string;
  readonly url: string;
  /** The branch there that is pulled: the one that the current branch follows, else the one of its name. */
  readonly branch: string;
  /** Undefined where nothing was fetched of it. */
  readonly distance: { readonly ahead: number; readonly behind: number } | undefined;
}

/** Remotes, and where the rest of a lazy clone is. */
export interface RemotesState {
  readonly remotes: readonly RemoteState[];
  readonly lazy: LazyClone | null;
}

/** The remotes of the database, read anew whenever it has changed; undefined until they are known. */
export function useRemotes(connection: Connection | undefined, current: string): RemotesState | undefined {
  const found = useSignal<RemotesState | undefined>(undefined);
  const version = connection?.catalog.version.value;
  useEffect(() => {
    if (connection === undefined) return;
    let isShown = true;
    readRemotes(connection, current).then(
      remotes => {
        if (isShown) found.value = remotes;
      },
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [connection, current, version]);
  return found.value;
}

async function readRemotes(connection: Connection, current: string): Promise<RemotesState> {
  const database = await boundDatabase(connection);
  const remotes = await database.remotes();
  const tracking = await database.query('SELECT name FROM dolt_remote_branches');
  const known = new Set(tracking.rows.map(({ name }) => String(name)));
  const sql = 'SELECT remote, branch FROM dolt_branches WHERE name = ?';
  const [followed] = (await database.query(sql, [current])).rows;
  const stateOf = async ({ name, url }: { name: string; url: string }): Promise<RemoteState> => {
    const branch = followed?.remote === name && followed.branch ? String(followed.branch) : current;
    const there = `${name}/${branch}`;
    if (current === '' || !known.has(`remotes/${there}`)) return { name, url, branch, distance: undefined };
    const count = async (range: string): Promise<number> =>
      Number((await database.query('SELECT COUNT(*) AS n FROM dolt_log(?)', [range])).rows[0]?.n);
    const distance = { ahead: await count(`${there}..${current}`), behind: await count(`${current}..${there}`) };
    return { name, url, branch, distance };
  };
  const states: RemoteState[] = [];
  for (const remote of remotes) states.push(await stateOf(remote));
  return { remotes: states, lazy: await database.lazyClone() };
}
