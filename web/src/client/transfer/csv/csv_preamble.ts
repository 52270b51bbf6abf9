/** Lines of a CSV file that are no rows: what comes before its titles, and the mark of its end that DOS programs write. Pure. */
import { joined } from '../text/utf8_decoder.ts';

const LF = 10;
const CR = 13;
/** Ctrl+Z: the end of a text for programs of DOS and CP/M. */
const END_OF_TEXT = 26;

/** The first line that Excel reads, and writes for other programs: which separator follows. */
const SEPARATOR_LINE = /^\ufeff?"?sep=([^"\r\n])"?(?=[\r\n])/i;

/** The separator that a first line `sep=;` names. */
export function namedSeparator(text: string): string | undefined {
  return SEPARATOR_LINE.exec(text)?.[1];
}

/** The lines at the start of a text that begin with `#`, or are empty between such lines. */
export function leadingComments(text: string): readonly string[] {
  const lines: string[] = [];
  let comments = 0;
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; ) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end).replace(/[\r\n]+$/, '');
    if (line.startsWith('#')) comments = lines.length + 1;
    else if (line !== '' || lines.length === 0) break;
    lines.push(line);
    at = end;
  }
  return lines.slice(0, comments);
}

/** A text without its first lines. */
export function withoutLines(text: string, lines: number): string {
  let at = 0;
  for (let left = lines; left > 0 && at < text.length; left--) at = lineEnd(text, at);
  return text.slice(at);
}

/** The offset after the line that begins at `at`, its end included: LF, CR LF or CR. */
function lineEnd(text: string, at: number): number {
  for (let end = at; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === LF) return end + 1;
    if (code === CR) return text.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
  }
  return text.length;
}

/** The rows of a text that comes in pieces: without its first lines, and without a Ctrl+Z on a line of its own at the end. */
export class CsvBody {
  #linesLeft: number;
  /** The last line that is skipped has ended with CR: a line feed belongs to it. */
  #mayEndWithFeed = false;
  /** The last code of the rows so far. */
  #last = LF;
  /** A Ctrl+Z at the start of a line, which is data if more follows. */
  #isHeld = false;

  constructor(skipLines = 0) {
    this.#linesLeft = skipLines;
  }

  text(piece: string): string {
    const [start, end, held] = this.#rowsOf(piece.length, at => piece.charCodeAt(at));
    return held ? `\x1a${piece.slice(start, end)}` : piece.slice(start, end);
  }

  bytes(piece: Uint8Array): Uint8Array {
    const [start, end, held] = this.#rowsOf(piece.length, at => piece[at] as number);
    const rows = piece.subarray(start, end);
    return held ? joined(Uint8Array.of(END_OF_TEXT), rows) : rows;
  }

  /** Where the rows of a piece begin and end, and whether what was held goes before them. */
  #rowsOf(length: number, codeAt: (at: number) => number): readonly [number, number, boolean] {
    const start = this.#skip(length, codeAt);
    if (start === length) return [start, length, false];
    const held = this.#isHeld;
    const before = length - start > 1 ? codeAt(length - 2) : held ? END_OF_TEXT : this.#last;
    this.#last = codeAt(length - 1);
    this.#isHeld = this.#last === END_OF_TEXT && (before === LF || before === CR);
    return [start, this.#isHeld ? length - 1 : length, held];
  }

  /** How much of a piece belongs to the lines that are skipped. */
  #skip(length: number, codeAt: (at: number) => number): number {
    let at = 0;
    while (at < length && (this.#linesLeft > 0 || this.#mayEndWithFeed)) {
      const code = codeAt(at);
      const isFeedOfReturn = this.#mayEndWithFeed && code === LF;
      this.#mayEndWithFeed = code === CR && this.#linesLeft > 0;
      if (this.#linesLeft === 0 && !isFeedOfReturn) break;
      if (!isFeedOfReturn && (code === CR || code === LF)) this.#linesLeft--;
      at++;
    }
    return at;
  }
}
