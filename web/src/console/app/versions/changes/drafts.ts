/** Messages of commits that are being written. They outlive the view, as long as the database is open. */
import { signal } from '@preact/signals';
import type { Draft } from '../../../versions/CommitForm.tsx';
import type { Connection } from '../../database/connection.ts';

const drafts = new WeakMap<Connection, Map<string, Draft>>();

/** That of the selected branch. */
export function draftOf(connection: Connection): Draft {
  const { database, branch } = connection.catalog.place.value;
  const key = `${database}/${branch}`;
  const all = drafts.get(connection) ?? new Map<string, Draft>();
  drafts.set(connection, all);
  const draft = all.get(key) ?? { message: signal(''), isAmending: signal(false), filled: '' };
  all.set(key, draft);
  return draft;
}
