/** `varve sql`: statements from arguments, a file, a pipe or the shell. */
import { type Database, SqlError } from '../../client/index.ts';
import { clientCommand } from '../../client/transfer/script/client_commands.ts';
import { leftOut, SOURCE_DEPTH_MAX } from '../../client/transfer/script/left_out.ts';
import { ScriptSession } from '../../client/transfer/script/script_bytes.ts';
import { messageOf } from '../../protocol/index.ts';
import type { ResultForm } from '../render/renderer.ts';
import { localFiles } from './local_files.ts';
import { type Output, printResult } from './output.ts';
import { bytesOf, scriptText, sourcePath } from './script_file.ts';

/** Of a statement that failed so much is printed. */
const STATEMENT_CHARACTERS_MAX = 400;

/** What a script does after a statement that failed. */
export type AfterError = 'stop' | 'go_on';

export interface ScriptCall {
  readonly afterError?: AfterError;
  /** Statements of a dump that cannot run here are skipped and reported, as by an import. */
  readonly passesOver?: boolean;
  /** The files around the script and its own, outermost first; null for what is in none. */
  readonly around?: readonly (string | null)[];
  /** As the statements before have left it: files that are named inherit its charset. */
  readonly session?: ScriptSession;
  /** Ends the script, with its statement. */
  readonly signal?: AbortSignal;
}

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
  call: ScriptCall = {},
): Promise<number> {
  const { afterError = 'stop', passesOver = false, around = [], session = new ScriptSession(), signal } = call;
  const file = around.length > 1 ? around.at(-1) : null;
  for (const { sql, start, end } of await database.split(script)) {
    const line = (): number => script.slice(0, start).split('\n').length;
    const command = clientCommand(sql);
    if (command?.kind === 'quit') return 0;
    try {
      if (command?.kind === 'source') {
        const status = await runFile(database, command.argument, form, output, { ...call, session });
        if (status !== 0) return status;
        continue;
      }
      const isVertical = script.startsWith('\\G', end);
      await printResult(
        database.stream(sql, [], { signal, ...localFiles(sql) }),
        isVertical ? 'vertical' : form,
        output,
      );
      session.charset.take(sql);
    } catch (error) {
      const reason = passesOver || command !== null ? leftOut(error, sql) : null;
      if (reason === null) output.error(describeFailure(error, sql, line(), file));
      else output.error(`varve: line ${line()}${ofFile(file)}: ${reason}\n`);
      if (signal?.aborted || (reason === null && afterError === 'stop')) return 1;
    }
  }
  return 0;
}

/** Runs the file that a line `source FILE` names. */
async function runFile(
  database: Database,
  file: string,
  form: ResultForm,
  output: Output,
  call: ScriptCall,
): Promise<number> {
  const { around = [], session } = call;
  if (around.length > SOURCE_DEPTH_MAX)
    throw new Error(`source ${file}: files name each other more than ${SOURCE_DEPTH_MAX} deep`);
  const path = sourcePath(file, around);
  const script = await scriptText(bytesOf(path), undefined, session).catch(error => {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  });
  return runScript(database, script, form, output, {
    ...call,
    around: [...(around.length > 0 ? around : [null]), file],
  });
}

const ofFile = (file: string | null | undefined): string => (file ? ` of ${file}` : '');

/** Which statement of a script failed, and why. @param file that the script names, where the statement is in one */
export function describeFailure(error: unknown, sql: string, line: number, file?: string | null): string {
  return `error on line ${line}${ofFile(file)} for query ${shownStatement(sql)}: ${describeError(error)}\n`;
}

/** The reason is behind it: a statement of a dump may be a megabyte. */
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
