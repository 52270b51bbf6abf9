import type { PieceProgress } from '../../protocol/index.ts';
import { utf8Pieces } from './encodings.ts';
import { linesIn, PieceBuffer } from './piece_buffer.ts';
import { rawPieces } from './text_input.ts';
import type { ImportResult, ImportSqlOptions, TextInput } from './transfer_types.ts';

/** Behind a statement that failed: others may fail as well, and what follows them is sent anew each time. */
const PIECE_BYTES_AFTER_ERROR = 1 << 14;

/** How a piece of a script ended. */
export interface PieceOutcome {
  readonly progress: PieceProgress;
  readonly error: unknown;
}

export type RunScript = (bytes: Uint8Array, isLast: boolean, signal?: AbortSignal) => Promise<PieceOutcome>;

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
    for await (const { bytes, inputBytes } of utf8Pieces(rawPieces(input), options.encoding)) {
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
  readonly #waiting = new PieceBuffer();

  constructor(run: RunScript, options: ImportSqlOptions) {
    this.#run = run;
    this.#options = options;
  }

  async add(bytes: Uint8Array, inputBytes: number): Promise<void> {
    this.#waiting.push(bytes);
    this.bytes += inputBytes;
    while (this.#waiting.isFull) await this.#runPiece(false);
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
    const { bytes: piece, isLast } = this.#waiting.take(isEnd);
    const { progress, error } = await this.#run(piece, isLast, signal);
    this.rows += progress.rows;
    this.#waiting.giveBack(piece.subarray(progress.doneBytes));
    const linesBefore = this.#lines;
    this.#lines += linesIn(piece.subarray(0, progress.doneBytes));
    if (error !== null) {
      if (onError === undefined || signal?.aborted || progress.doneBytes === 0) throw error;
      const sql = new TextDecoder().decode(piece.subarray(progress.start, progress.end));
      onError(error, sql, linesBefore + linesIn(piece.subarray(0, progress.start)) + 1);
      this.#waiting.shorten(PIECE_BYTES_AFTER_ERROR);
      return false;
    }
    onProgress?.({ table: '', rows: this.rows, bytes: this.bytes });
    return isLast;
  }
}
