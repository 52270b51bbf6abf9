import type { PieceProgress } from '../../protocol/index.ts';
import { SqlError } from '../errors.ts';
import { scriptPieces } from './encodings.ts';
import { linesIn, NEWLINE, PieceBuffer } from './piece_buffer.ts';
import { rawPieces } from './text_input.ts';
import type { ImportSqlOptions, ImportSqlResult, ImportWarning, TextInput } from './transfer_types.ts';
import { strayByte } from './utf8_decoder.ts';

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
): Promise<ImportSqlResult> {
  const script = new Script(run, options);
  try {
    for await (const { bytes, inputBytes } of scriptPieces(rawPieces(input), options)) {
      await script.add(bytes, inputBytes);
    }
    await script.end();
  } catch (error) {
    // What ran before the import was given up stays.
    await run(new Uint8Array(), true).catch(() => {});
    throw error;
  }
  return { rows: script.rows, bytes: script.bytes, warnings: { count: script.warningCount, first: script.warnings } };
}

/** Warnings that are told one by one. */
const WARNINGS_MAX = 10;

/** What the engine says of bytes that are no text, in a column of texts. */
const INCORRECT_STRING = /Incorrect string value/;

class Script {
  rows = 0;
  warningCount = 0;
  readonly warnings: ImportWarning[] = [];
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
    const lineOf = (at: number): number => linesBefore + linesIn(piece.subarray(0, at)) + 1;
    const linesBefore = this.#lines;
    this.#lines += linesIn(piece.subarray(0, progress.doneBytes));
    this.warningCount += progress.warnings?.count ?? 0;
    for (const { at, ...warning } of progress.warnings?.first ?? []) {
      if (this.warnings.length < WARNINGS_MAX) this.warnings.push({ ...warning, line: lineOf(at) });
    }
    if (
      error !== null &&
      isViewOfNothing(error, piece.subarray(progress.start, progress.end)) &&
      progress.doneBytes > 0
    ) {
      // Dumps have views whose tables are gone: these are left out and listed, and the rest is imported.
      const { errno, message } = error as SqlError;
      this.warningCount++;
      const warning = { level: 'Warning', errno, message: `the view is left out: ${message}` } as const;
      if (this.warnings.length < WARNINGS_MAX) this.warnings.push({ ...warning, line: lineOf(progress.start) });
      return false;
    }
    if (error !== null) {
      const explained = explain(error, piece, progress, lineOf);
      if (onError === undefined || signal?.aborted || progress.doneBytes === 0) throw explained;
      const sql = new TextDecoder().decode(piece.subarray(progress.start, progress.end));
      onError(explained, sql, lineOf(progress.start));
      this.#waiting.shorten(PIECE_BYTES_AFTER_ERROR);
      return false;
    }
    onProgress?.({ table: '', rows: this.rows, bytes: this.bytes });
    return isLast;
  }
}

const VIEW = /^(?:\/\*!\d*\s*)?create\b[^(]{0,400}?\bview\b/i;
/** ER_NO_SUCH_TABLE, ER_VIEW_INVALID. */
const NOTHING_THERE: ReadonlySet<number> = new Set([1146, 1356]);

/** Whether a statement makes a view that reads what is not there. */
function isViewOfNothing(error: unknown, statement: Uint8Array): boolean {
  if (!(error instanceof SqlError) || !NOTHING_THERE.has(error.errno)) return false;
  return VIEW.test(new TextDecoder().decode(statement.subarray(0, 1000)).replaceAll('*/ /*!', ' /*!'));
}

/** Says where bytes are that are no text: they stand in a column of texts. */
function explain(
  error: unknown,
  piece: Uint8Array,
  { start, end }: PieceProgress,
  lineOf: (at: number) => number,
): unknown {
  if (!(error instanceof SqlError) || !INCORRECT_STRING.test(error.message)) return error;
  // The message shows the first bytes of the value, which may be written otherwise behind the first one.
  const shown = Array.from(error.message.matchAll(/\\x([0-9A-F]{2})/gi), ([, digits = '']) =>
    Number.parseInt(digits, 16),
  );
  const statement = piece.subarray(start, end);
  const found = [shown, shown.slice(0, 1)].map(bytes => strayByte(statement, bytes)).find(at => at >= 0);
  if (found === undefined) return error;
  const at = start + found;
  const column = at - piece.subarray(0, at).lastIndexOf(NEWLINE);
  const { errno, sqlstate, message, position } = error;
  const hint = 'The bytes are text of another encoding: name it, such as windows-1252';
  return new SqlError(errno, sqlstate, `${message} (line ${lineOf(at)}, byte ${column} of it)`, position, hint);
}
