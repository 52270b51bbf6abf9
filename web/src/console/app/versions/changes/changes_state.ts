/** State of the changes view: the selected table, and commit messages that are being written. */
import { signal } from '@preact/signals';
import type { Draft } from '../../../versions/CommitForm.tsx';
import type { Selected } from '../../../versions/selection.ts';
import type { Connection } from '../../database/connection.ts';

/** The selected table: it may have left the list, or be in another group, by now. */
export const chosenChange = signal<Selected | undefined>(undefined);

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
