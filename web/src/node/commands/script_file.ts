/** Scripts in files, and files that a line `source FILE` of one names. */
import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ScriptSession } from '../../client/transfer/script/script_bytes.ts';
import { refusingDecoder, scriptPieces } from '../../client/transfer/text/encodings.ts';

/** @throws Error where there is none */
export function checkFile(path: string): void {
  if (!existsSync(path)) throw new Error(`${path} does not exist`);
  if (statSync(path).isDirectory()) throw new Error(`${path} is a directory`);
}

/** Opened when the first bytes are read: a failure before that would be unhandled. */
export async function* bytesOf(path: string): AsyncIterable<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 1 << 20 });
}

/**
 * The whole text of a script. Bytes that are no text are refused before anything of it runs.
 *
 * @param session of the scripts around it, as far as these have run.
 */
export async function scriptText(
  input: AsyncIterable<Uint8Array | string>,
  encoding: string | undefined,
  session?: ScriptSession,
): Promise<string> {
  const decoder = refusingDecoder();
  let script = '';
  const pieces = scriptPieces(input, { encoding, spellsBytes: true, session: session?.ahead() });
  for await (const { bytes } of pieces) script += decoder.decode(bytes);
  return script + decoder.end();
}

/**
 * The path of a file that a script names: relative to the script's directory.
 *
 * @param around the scripts around that line, outermost first, the first one as it was given to the command; null for what comes through a
 * pipe, from where paths are those of this directory
 * @throws Error for a file that is not there, and for one that is read already
 */
export function sourcePath(file: string, around: readonly (string | null)[]): string {
  const paths: string[] = [];
  for (const path of [...around, file]) {
    if (path !== null) paths.push(resolve(dirname(paths.at(-1) ?? '.'), path));
  }
  const path = paths.pop() as string;
  checkFile(path);
  const real = realpathSync(path);
  if (paths.some(one => existsSync(one) && realpathSync(one) === real))
    throw new Error(`source ${file}: the file is read already, and would be without end`);
  return path;
}
