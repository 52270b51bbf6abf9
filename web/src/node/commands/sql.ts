import { type Database, SqlError } from '../../client/index.ts';
import type { ResultForm } from '../render/renderer.ts';
import { localFiles } from './local_files.ts';
import { type Output, printResult } from './output.ts';

/**
 * Runs the statements of a script and prints their results; the first error ends it.
 *
 * @returns the exit code.
 */
export async function runScript(database: Database, script: string, form: ResultForm, output: Output): Promise<number> {
  for (const { sql, start } of await database.split(script)) {
    try {
      await printResult(database.stream(sql, [], localFiles(sql)), form, output);
    } catch (error) {
      const line = script.slice(0, start).split('\n').length;
      output.error(`error on line ${line} for query ${sql}: ${describeError(error)}\n`);
      return 1;
    }
  }
  return 0;
}

/** The message, and for SQL errors their number (Dolt's general number says nothing) and what helps. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof SqlError)) return message;
  const numbered = error.errno === 1105 ? message : `${message} (${error.errno})`;
  return error.hint === undefined ? numbered : `${numbered}\nhint: ${error.hint}`;
}
