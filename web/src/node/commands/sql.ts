import { type Database, SqlError } from '../../client/index.ts';
import { messageOf } from '../../protocol/index.ts';
import type { ResultForm } from '../render/renderer.ts';
import { localFiles } from './local_files.ts';
import { type Output, printResult } from './output.ts';

/** Of a statement that failed so much is printed. */
const STATEMENT_CHARACTERS_MAX = 400;

/** What a script does after a statement that failed. */
export type AfterError = 'stop' | 'go_on';

/**
 * Runs the statements of a script and prints their results.
 *
 * @returns the exit code: as native Dolt has it, 0 where the script was to go on after errors.
 */
export async function runScript(
  database: Database,
  script: string,
  form: ResultForm,
  output: Output,
  afterError: AfterError = 'stop',
): Promise<number> {
  for (const { sql, start } of await database.split(script)) {
    try {
      await printResult(database.stream(sql, [], localFiles(sql)), form, output);
    } catch (error) {
      output.error(describeFailure(error, sql, script.slice(0, start).split('\n').length));
      if (afterError === 'stop') return 1;
    }
  }
  return 0;
}

/** Which statement of a script failed, and why. */
export function describeFailure(error: unknown, sql: string, line: number): string {
  return `error on line ${line} for query ${shownStatement(sql)}: ${describeError(error)}\n`;
}

/** The reason stands behind it: a statement of a dump may be a megabyte. */
function shownStatement(sql: string): string {
  if (sql.length <= STATEMENT_CHARACTERS_MAX) return sql;
  return `${sql.slice(0, STATEMENT_CHARACTERS_MAX)}… (${sql.length} characters)`;
}

interface QueryToSave {
  readonly name: string;
  readonly description: string;
  readonly sql: string;
}

/** Runs a query and, when it went well, keeps it in the database under a name; it takes the place of one of that name. */
export async function saveQuery(
  database: Database,
  { name, description, sql }: QueryToSave,
  form: ResultForm,
  output: Output,
): Promise<number> {
  const status = await runScript(database, sql, form, output);
  if (status !== 0) return status;
  const next = 'SELECT COALESCE(MAX(display_order), 0) + 1 AS next FROM dolt_query_catalog';
  const [row] = (await database.query(next)).rows;
  await database.query(
    'INSERT INTO dolt_query_catalog VALUES (?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE query = ?, description = ?',
    [name, Number(row?.next ?? 1), name, sql, description, sql, description],
  );
  return 0;
}

/** Runs a query that was saved, and says first which it is. */
export async function runSavedQuery(
  database: Database,
  name: string,
  form: ResultForm,
  output: Output,
): Promise<number> {
  const [row] = (await database.query('SELECT query FROM dolt_query_catalog WHERE id = ?', [name])).rows;
  if (row === undefined) throw new Error(`saved query ${name} not found`);
  output.error(`Executing saved query '${name}':\n${row.query}\n`);
  return runScript(database, String(row.query), form, output);
}

/** The message, and for SQL errors their number (Dolt's general number says nothing) and what helps. */
export function describeError(error: unknown): string {
  const message = messageOf(error);
  if (!(error instanceof SqlError)) return message;
  const numbered = error.errno === 1105 ? message : `${message} (${error.errno})`;
  return error.hint === undefined ? numbered : `${numbered}\nhint: ${error.hint}`;
}
