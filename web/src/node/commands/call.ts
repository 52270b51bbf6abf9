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
  /** Whether input is a terminal. */
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

/** Options whose value is the next word. */
const WITH_VALUE = new Set(['-m', '--message', '--author', '--date']);

/** Those that belong to no option. */
export function wordsOf(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => !word.startsWith('-') && !WITH_VALUE.has(args[index - 1] ?? ''));
}

/** Says of an error what was to be done, or how to go on. */
export async function explaining<T>(work: Promise<T>, explain: (message: string) => string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error) error.message = explain(error.message);
    throw error;
  }
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
