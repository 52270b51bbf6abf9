import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Row } from '../../../lib/index.ts';
import type { Connection } from './connection.ts';

/** A name for a commit, that stays where it is. */
export interface FixedRef {
  readonly name: string;
  readonly hash: string;
  readonly message: string;
}

/** The tags of the database, read anew whenever it has changed. */
export function useTags(connection: Connection | undefined): readonly FixedRef[] {
  return useRows(connection, 'SELECT tag_name AS name, tag_hash AS hash, message FROM dolt_tags');
}

const REMOTES = /^remotes\//;

/** Branches of remotes as they were fetched, such as `origin/main`. */
export function useRemoteBranches(connection: Connection | undefined): readonly FixedRef[] {
  const sql = 'SELECT name, hash, latest_commit_message AS message FROM dolt_remote_branches';
  return useRows(connection, sql).map(found => ({ ...found, name: found.name.replace(REMOTES, '') }));
}

function useRows(connection: Connection | undefined, sql: string): readonly FixedRef[] {
  const refs = useSignal<readonly FixedRef[]>([]);
  const version = connection?.catalog.version.value;
  useEffect(() => {
    connection?.database.query(sql).then(
      ({ rows }) => {
        refs.value = rows.map(fixedRef);
      },
      () => undefined,
    );
  }, [connection, version]);
  return refs.value;
}

function fixedRef({ name, hash, message }: Row): FixedRef {
  return { name: String(name), hash: String(hash), message: String(message ?? '') };
}

/** Names of commits to choose from: branches, tags, branches of remotes. */
export function useRefs(connection: Connection): readonly string[] {
  const fixed = [...useTags(connection), ...useRemoteBranches(connection)].map(({ name }) => name);
  const loaded = connection.catalog.branches(connection.catalog.place.value.database).value;
  const branches = loaded?.kind === 'ready' ? loaded.value.map(({ name }) => name) : [];
  return [...branches, ...fixed];
}
