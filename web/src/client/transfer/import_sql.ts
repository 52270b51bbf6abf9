import type { ScriptProgress } from '../../protocol/index.ts';
import { scriptBytes } from './encodings.ts';
import { rawPieces } from './text_input.ts';
import type { ImportResult, ImportSqlOptions, TextInput } from './transfer_types.ts';

/** So much of a script goes to the worker at once; of a statement that is longer, more and more. */
const PIECE_BYTES = 1 << 20;
/** Behind a statement that failed: others may fail as well, and what follows them is sent anew each time. */
const PIECE_BYTES_AFTER_ERROR = 1 << 14;

const NEWLINE = 10;

/** How a piece of a script ended. */
export interface ScriptOutcome {
  readonly progress: ScriptProgress;
  readonly error: unknown;
}

export type RunScript = (bytes: Uint8Array, isLast: boolean, signal?: AbortSignal) => Promise<ScriptOutcome>;

/**
 * Runs a script that is too long to hold.
 *
 * @param run of a session of its own: a dump changes settings of the session that it runs in.
 */
export async function importSql(
  run: RunScript,
  input: TextInput,
  options: ImportSqlOptions = {},
): Promise<ImportResult> {
  const script = new Script(run, options);
  try {
    for await (const { bytes, inputBytes } of scriptBytes(rawPieces(input), options.encoding)) {
      await script.add(bytes, inputBytes);
    }
    await script.end();
  } catch (error) {
    // What ran before the import was given up stays.
    await run(new Uint8Array(), true).catch(() => {});
    throw error;
  }
  return { rows: script.rows, bytes: script.bytes };
}

class Script {
  rows = 0;
  /** Of the input. */
  bytes = 0;
  /** Ends of lines before what is waiting. */
  #lines = 0;
  readonly #run: RunScript;
  readonly #options: ImportSqlOptions;
  /** What has come and has not run, in pieces: put together they would be copied for each that comes. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #wantedBytes = PIECE_BYTES;

  constructor(run: RunScript, options: ImportSqlOptions) {
    this.#run = run;
    this.#options = options;
  }

  async add(bytes: Uint8Array, inputBytes: number): Promise<void> {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.bytes += inputBytes;
    while (this.#waitingBytes >= this.#wantedBytes) await this.#runPiece(false);
  }

  async end(): Promise<void> {
    while (!(await this.#runPiece(true))) {
      // Until the last piece has run to its end.
    }
  }

  /** Whether all of what has come has run. */
  async #runPiece(isEnd: boolean): Promise<boolean> {
    const { signal, onProgress, onError } = this.#options;
    signal?.throwIfAborted();
    const whole = joined(this.#waiting, this.#waitingBytes);
    const piece = whole.slice(0, this.#wantedBytes);
    const isLast = isEnd && piece.length === whole.length;
    const { progress, error } = await this.#run(piece, isLast, signal);
    this.rows += progress.affectedRows;
    this.#waiting = [whole.subarray(progress.doneBytes)];
    this.#waitingBytes = whole.length - progress.doneBytes;
    const linesBefore = this.#lines;
    this.#lines += linesIn(piece.subarray(0, progress.doneBytes));
    if (error !== null) {
      if (onError === undefined || signal?.aborted || progress.doneBytes === 0) throw error;
      const sql = new TextDecoder().decode(piece.subarray(progress.start, progress.end));
      onError(error, sql, linesBefore + linesIn(piece.subarray(0, progress.start)) + 1);
      this.#wantedBytes = PIECE_BYTES_AFTER_ERROR;
      return false;
    }
    // Twice of what has begun: however long a statement is, its beginning is looked at again a few times only.
    const begunBytes = piece.length - progress.doneBytes;
    this.#wantedBytes = Math.max(Math.min(2 * this.#wantedBytes, PIECE_BYTES), 2 * begunBytes);
    onProgress?.({ table: '', rows: this.rows, bytes: this.bytes });
    return isLast;
  }
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (pieces.length === 1 && pieces[0] !== undefined) return pieces[0];
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
