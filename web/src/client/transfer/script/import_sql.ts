/** Import of a SQL script, in pieces that the worker runs. */
import type { PieceProgress, Warning } from '../../../protocol/index.ts';
import { checkedInput } from '../../checked.ts';
import { SqlError, VarveError } from '../../errors.ts';
import { scriptPieces, type Utf8Piece } from '../text/encodings.ts';
import { rawPieces } from '../text/text_input.ts';
import { strayByte } from '../text/utf8_decoder.ts';
import type { ImportSqlOptions, ImportSqlResult, ImportWarning, TextInput } from '../transfer_types.ts';
import { clientCommand } from './client_commands.ts';
import { foreignHint } from './foreign_dialects.ts';
import { leftOut, SOURCE_DEPTH_MAX } from './left_out.ts';
import { linesIn, NEWLINE, PieceBuffer } from './piece_buffer.ts';
import { ScriptSession } from './script_bytes.ts';

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
  const tally = new Tally();
  try {
    await new Script(run, options, tally, new ScriptSession(), []).read(input);
  } catch (error) {
    // What ran before the import was given up stays.
    await run(new Uint8Array(), true).catch(() => {});
    throw error;
  }
  return { rows: tally.rows, bytes: tally.bytes, warnings: { count: tally.warningCount, first: tally.warnings } };
}

/** Limit of warnings that are listed. */
const WARNINGS_MAX = 10;
/** Skipped statements are listed, so that they can be replaced by hand. */
const LEFT_OUT_MAX = 1000;

/** What the engine says of bytes that are no text, in a column of texts. */
const INCORRECT_STRING = /Incorrect string value/;

/** What a script has done, with the files that it names. */
class Tally {
  rows = 0;
  /** Of the input, without those of other files. */
  bytes = 0;
  warningCount = 0;
  readonly warnings: ImportWarning[] = [];

  warn(warning: ImportWarning, listedMax = WARNINGS_MAX): void {
    this.warningCount++;
    if (this.warnings.length < listedMax) this.warnings.push(warning);
  }
}

class Script {
  /** Ends of lines before what is waiting. */
  #lines = 0;
  /** What to do with a script of another dialect; undefined for one that looks like MySQL's. */
  #foreignHint: string | undefined;
  /** A command of the script has ended it. */
  #isOver = false;
  readonly #run: RunScript;
  readonly #options: ImportSqlOptions;
  readonly #tally: Tally;
  /** As statements have left it, also those of the files around it. */
  readonly #session: ScriptSession;
  /** The files around it and its own, as `source` names them. */
  readonly #from: readonly string[];
  readonly #waiting = new PieceBuffer();

  constructor(
    run: RunScript,
    options: ImportSqlOptions,
    tally: Tally,
    session: ScriptSession,
    from: readonly string[],
  ) {
    this.#run = run;
    this.#options = options;
    this.#tally = tally;
    this.#session = session;
    this.#from = from;
  }

  /** Runs all of it. */
  async read(input: TextInput): Promise<void> {
    for await (const { bytes, inputBytes, isHeld } of this.#pieces(input)) {
      this.#waiting.push(bytes);
      if (this.#from.length === 0) this.#tally.bytes += inputBytes;
      while (this.#waiting.isFull && !this.#isOver) await this.#runPiece(false);
      // A file that is named here runs before the next line is looked at.
      for (let before = -1; isHeld && !this.#isOver && before !== this.#waiting.length; ) {
        before = this.#waiting.length;
        await this.#runPiece(false);
      }
      if (this.#isOver) return;
    }
    while (!(await this.#runPiece(true)) && !this.#isOver) {
      // Until the last piece has run to its end.
    }
  }

  /** Of the script as UTF-8; an error says in which file it is. */
  async *#pieces(input: TextInput): AsyncIterableIterator<Utf8Piece> {
    const { encoding } = this.#options;
    const file = this.#from.at(-1);
    try {
      yield* scriptPieces(rawPieces(input), { encoding, session: this.#session });
    } catch (error) {
      if (file === undefined || !(error instanceof VarveError)) throw error;
      throw new VarveError(error.code, `${file}: ${error.message}`);
    }
  }

  /** Whether all of what has come has run. */
  async #runPiece(isEnd: boolean): Promise<boolean> {
    const { signal, onProgress } = this.#options;
    signal?.throwIfAborted();
    const { bytes: piece, isLast } = this.#waiting.take(isEnd);
    if (this.#lines === 0) this.#foreignHint ??= foreignHint(piece);
    const { progress, error } = await this.#run(piece, isLast, signal);
    const tally = this.#tally;
    tally.rows += progress.rows;
    this.#waiting.giveBack(piece.subarray(progress.doneBytes));
    const linesBefore = this.#lines;
    const lineOf = (at: number): number => linesBefore + linesIn(piece.subarray(0, at)) + 1;
    this.#lines += linesIn(piece.subarray(0, progress.doneBytes));
    const { count = 0, first = [] } = progress.warnings ?? {};
    for (const { at, ...warning } of first) this.#warn(warning, lineOf(at));
    tally.warningCount += Math.max(0, count - first.length);
    if (error !== null) {
      if (signal?.aborted || progress.doneBytes === 0) throw explain(error, piece, progress, lineOf);
      await this.#pass(error, piece, progress, lineOf);
      return false;
    }
    onProgress?.({ table: '', rows: tally.rows, bytes: tally.bytes });
    return isLast;
  }

  /** Goes on behind a statement that failed, or throws. */
  async #pass(error: unknown, piece: Uint8Array, progress: PieceProgress, lineOf: LineOf): Promise<void> {
    const sql = new TextDecoder().decode(piece.subarray(progress.start, progress.end));
    const line = lineOf(progress.start);
    const { onError, source } = this.#options;
    const command = clientCommand(sql);
    let failure = error;
    if (command?.kind === 'source' && source !== undefined) {
      try {
        return await this.#runFile(command.argument, source);
      } catch (thrown) {
        if (!(thrown instanceof SourceError)) throw thrown;
        failure = thrown.cause;
      }
    } else {
      this.#isOver = command?.kind === 'quit';
      const message = this.#isOver ? `${sql} ends the script here` : leftOut(error, sql);
      if (message !== null) {
        const errno = error instanceof SqlError ? error.errno : 0;
        this.#warn({ level: 'Warning', errno, message }, line, LEFT_OUT_MAX);
        return;
      }
    }
    const explained = withHint(explain(failure, piece, progress, lineOf), this.#foreignHint);
    if (onError === undefined) throw explained;
    onError(explained, sql, line, this.#from.at(-1));
    this.#waiting.shorten(PIECE_BYTES_AFTER_ERROR);
  }

  /** @throws SourceError for a file that cannot be opened */
  async #runFile(file: string, source: NonNullable<ImportSqlOptions['source']>): Promise<void> {
    let input: TextInput;
    try {
      if (this.#from.length >= SOURCE_DEPTH_MAX)
        throw new VarveError('usage', `source ${file}: files name each other more than ${SOURCE_DEPTH_MAX} deep`);
      input = checkedInput(`source ${file}`, await source(file, this.#from));
    } catch (cause) {
      throw new SourceError('', { cause });
    }
    await new Script(this.#run, this.#options, this.#tally, this.#session, [...this.#from, file]).read(input);
  }

  #warn(warning: Warning, line: number, listedMax?: number): void {
    const file = this.#from.at(-1);
    this.#tally.warn({ ...warning, line, ...(file !== undefined && { file }) }, listedMax);
  }
}

/** A file that a script names cannot be opened, for its `cause`. */
class SourceError extends Error {}

/** An error with a hint, where it has none of its own. */
function withHint(error: unknown, hint: string | undefined): unknown {
  if (hint === undefined || !(error instanceof SqlError) || error.hint !== undefined) return error;
  const { errno, sqlstate, message, position } = error;
  return new SqlError(errno, sqlstate, message, position, hint);
}

type LineOf = (at: number) => number;

/** Says where bytes are that are no text: they stand in a column of texts. */
function explain(error: unknown, piece: Uint8Array, { start, end }: PieceProgress, lineOf: LineOf): unknown {
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
