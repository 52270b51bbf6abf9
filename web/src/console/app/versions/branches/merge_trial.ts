/** Preview of a merge: it is made, inspected and rolled back in a private transaction. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { keepConflicts, type Queries, type StatementOptions } from '../../../../lib/index.ts';
import { quoteName, revisionName } from '../../../sql/names.ts';
import { messageOf } from '../../../ui/message_of.ts';
import { type Connection, currentConnection } from '../../database/connection.ts';

export interface Trouble {
  readonly table: string;
  readonly kind: 'rows' | 'schema' | 'constraints';
  /** Rows that are in conflict, or break a constraint. */
  readonly rows: number;
}

export type Outcome =
  | { readonly kind: 'trying' }
  | { readonly kind: 'merged'; readonly troubles: readonly Trouble[] }
  /** It would not even be begun. */
  | { readonly kind: 'refused'; readonly why: string };

/** @param branch to merge into the selected one; undefined where nothing can come of it but that this one is moved forward */
export function useTrial(branch: string | undefined): Outcome | undefined {
  const outcome = useSignal<Outcome | undefined>(undefined);
  const connection = currentConnection();
  const { database = '', branch: into = '' } = connection?.catalog.place.value ?? {};
  const version = connection?.catalog.version.value;
  useEffect(() => {
    outcome.value = undefined;
    if (branch === undefined || connection === undefined) return;
    const abort = new AbortController();
    outcome.value = { kind: 'trying' };
    const show = (next: Outcome) => {
      if (!abort.signal.aborted) outcome.value = next;
    };
    tryMerge(connection, branch, abort.signal).then(
      troubles => show({ kind: 'merged', troubles }),
      (error: unknown) => show({ kind: 'refused', why: whyRefused(error) }),
    );
    return () => abort.abort();
  }, [connection, database, into, branch, version]);
  return outcome.value;
}

function whyRefused(error: unknown): string {
  const message = messageOf(error);
  // Dolt says what to do behind a line end, and without a stop before it.
  return message.replace(/^error: /, '').replace(/([^:.\s])\s*\n\s*/g, '$1. ');
}

async function tryMerge(connection: Connection, branch: string, signal: AbortSignal): Promise<readonly Trouble[]> {
  const { database, branch: into } = connection.catalog.place.peek();
  const session = await connection.database.session();
  const options = { signal };
  try {
    await session.query(`USE ${quoteName(revisionName(database, into))}`, [], options);
    // Or what it is asked for would be refused with it.
    await keepConflicts(session, options);
    await session.query('START TRANSACTION', [], options);
    await session.query("CALL dolt_merge('--no-commit', '--no-ff', ?)", [branch], options);
    const troubles = await troublesOf(session, options);
    await session.query('ROLLBACK', [], options);
    return troubles;
  } finally {
    // What is left of the transaction goes with it.
    void session.close().catch(() => undefined);
  }
}

async function troublesOf(session: Queries, options: StatementOptions): Promise<readonly Trouble[]> {
  const read = async (sql: string, kind: Trouble['kind']): Promise<readonly Trouble[]> => {
    const { rows } = await session.query(sql, [], options);
    return rows.map(row => ({ table: String(row.name), kind, rows: Number(row.count) }));
  };
  return [
    ...(await read('SELECT table_name AS name, 0 AS count FROM dolt_schema_conflicts', 'schema')),
    ...(await read(
      'SELECT `table` AS name, num_conflicts AS count FROM dolt_conflicts WHERE num_conflicts > 0',
      'rows',
    )),
    ...(await read(
      'SELECT `table` AS name, num_violations AS count FROM dolt_constraint_violations WHERE num_violations > 0',
      'constraints',
    )),
  ];
}
