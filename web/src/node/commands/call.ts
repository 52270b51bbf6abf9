/** What every command about versions gets and does. */
import type { Database, Row } from '../../client/index.ts';
import type { Edit } from '../editor.ts';
import type { Output } from './output.ts';

export interface Invocation {
  readonly database: Database;
  /** As it was given on the command line. */
  readonly source: string;
  readonly args: readonly string[];
  readonly output: Output;
  readonly useColor: boolean;
  /** Where somebody sits at a terminal. */
  readonly edit?: Edit | undefined;
}

export async function call(database: Database, procedure: string, args: readonly string[]): Promise<Row> {
  const { rows } = await database.query(`CALL ${procedure}(${args.map(() => '?').join(', ')})`, args);
  return rows[0] ?? {};
}

export async function hashOf(database: Database, ref: string): Promise<string> {
  const { rows } = await database.query('SELECT dolt_hashof(?) AS hash', [ref]);
  return String(rows[0]?.hash ?? '');
}

/** Conflicts stay in the working set for the next command, instead of failing this one. */
export async function keepConflicts(database: Database): Promise<void> {
  await database.query('SET @@dolt_allow_commit_conflicts = 1, @@dolt_force_transaction_commit = 1');
}

/** One that says nothing when it is done. */
export function procedure(name: string) {
  return async ({ database, args }: Invocation): Promise<number> => {
    await call(database, name, args);
    return 0;
  };
}

export async function mergeBaseOf(database: Database, one: string, other: string): Promise<string> {
  const { rows } = await database.query('SELECT dolt_merge_base(?, ?) AS hash', [one, other]);
  return String(rows[0]?.hash);
}
