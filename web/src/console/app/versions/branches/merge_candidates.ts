/** Branches that can be merged into the selected one. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../../../ui/message_of.ts';
import { toast } from '../../../ui/toast.tsx';
import { boundDatabase } from '../../database/bound_database.ts';
import type { Connection } from '../../database/connection.ts';

export interface Candidate {
  readonly name: string;
  /** Commits that the selected branch does not have. */
  readonly ahead: number;
  /** Commits of the selected branch that this one does not have. */
  readonly behind: number;
}

/** Those with commits to merge come first, then by name; undefined until they are counted. */
export function useCandidates(connection: Connection | undefined, into: string): readonly Candidate[] | undefined {
  const found = useSignal<readonly Candidate[] | undefined>(undefined);
  const version = connection?.catalog.version.value;
  useEffect(() => {
    if (connection === undefined || into === '') return;
    let isShown = true;
    countCommits(connection, into).then(
      candidates => {
        if (isShown) found.value = sorted(candidates);
      },
      (error: unknown) => toast(messageOf(error), 'failure'),
    );
    return () => {
      isShown = false;
    };
  }, [connection, into, version]);
  return found.value;
}

async function countCommits(connection: Connection, into: string): Promise<readonly Candidate[]> {
  const database = await boundDatabase(connection);
  const names = (await database.branches()).map(({ name }) => name).filter(name => name !== into);
  const marks = ['?', ...names.map(() => '?')].join(', ');
  const sql = `SELECT branch, commits_ahead, commits_behind FROM dolt_branch_status(${marks})`;
  const { rows } = await database.query(sql, [into, ...names]);
  return rows.map(row => ({
    name: String(row.branch),
    ahead: Number(row.commits_ahead),
    behind: Number(row.commits_behind),
  }));
}

function sorted(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...candidates].sort(
    (a, b) => Number(a.ahead === 0) - Number(b.ahead === 0) || a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
}
