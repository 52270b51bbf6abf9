/** CSV reader: rows of a text that arrives in pieces. Pure. */
import { VarveError } from '../../errors.ts';
import { type CsvEscape, escapedField } from './csv_escapes.ts';

/** A field: null for nothing at all between two commas, `""` is an empty string. */
export type CsvField = string | null;

const QUOTE = 34;
const LF = 10;
const CR = 13;
const BLANK = 32;
const BACKSLASH = 92;

/** What means something else. */
const TAKEN = '"\r\n';

/**
 * Reads comma-separated values piece by piece (RFC 4180, any line ends; a quoted field may hold line ends; blanks after its
 * closing quote are passed over).
 *
 * @throws VarveError `usage` for a separator that is not one character, or one that means something else; `unreadable` for a quoted field that is not closed, or goes on behind its quote.
 */
export class CsvReader {
  readonly #separator: string;
  readonly #escape: CsvEscape;
  #rest = '';
  #isFirst = true;
  /** Rows that were read. */
  #count = 0;

  constructor(separator = ',', quoteEscape: CsvEscape = '') {
    if (separator.length !== 1 || TAKEN.includes(separator)) {
      throw new VarveError('usage', `${JSON.stringify(separator)} cannot be the delimiter: expected one character`);
    }
    this.#separator = separator;
    this.#escape = quoteEscape;
  }

  /** Takes the next piece, gives the rows that are complete; `isLast` ends the last one. */
  read(piece: string, isLast = false): CsvField[][] {
    let text = this.#rest + piece;
    // A byte order mark is no part of the first name.
    if (this.#isFirst && text !== '') {
      this.#isFirst = false;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    const rows: CsvField[][] = [];
    const marks = new Marks(text, this.#separator, this.#escape !== '');
    let at = 0;
    for (;;) {
      const row: CsvField[] = [];
      marks.row = this.#count + 1;
      const end = readRow(text, at, row, marks, isLast);
      if (end < 0) break;
      // An empty line is no row.
      if (row.length > 1 || row[0] !== null || text.charCodeAt(at) === BACKSLASH) {
        rows.push(row);
        this.#count++;
      }
      at = end;
      if (at >= text.length) break;
    }
    this.#rest = text.slice(at);
    return rows;
  }
}

/** Where fields without quotes end: `indexOf` finds that several times as fast as a look at each character. */
class Marks {
  readonly separatorCode: number;
  readonly hasEscapes: boolean;
  /** Which row of the file is read, from 1. */
  row = 1;
  readonly #text: string;
  readonly #separator: string;
  /** The next one of each, behind the end of the text when there is none. */
  #atSeparator = -1;
  #atLineFeed = -1;
  #atReturn = -1;

  constructor(text: string, separator: string, hasEscapes: boolean) {
    this.hasEscapes = hasEscapes;
    this.#text = text;
    this.#separator = separator;
    this.separatorCode = separator.charCodeAt(0);
  }

  /** @param at grows from call to call */
  fieldEnd(at: number): number {
    if (this.#atSeparator < at) this.#atSeparator = this.#next(this.#separator, at);
    if (this.#atLineFeed < at) this.#atLineFeed = this.#next('\n', at);
    if (this.#atReturn < at) this.#atReturn = this.#next('\r', at);
    return Math.min(this.#atSeparator, this.#atLineFeed, this.#atReturn);
  }

  #next(mark: string, at: number): number {
    const found = this.#text.indexOf(mark, at);
    return found < 0 ? this.#text.length : found;
  }
}

/** The offset after the row, or -1 when it is not complete. */
function readRow(text: string, start: number, row: CsvField[], marks: Marks, isLast: boolean): number {
  let at = start;
  for (;;) {
    let field: CsvField;
    if (text.charCodeAt(at) === QUOTE) {
      const quoted = quotedField(text, at + 1, marks, isLast);
      if (quoted === undefined && isLast) throw unreadable('is not closed', marks, text, start);
      if (quoted === undefined) return -1;
      at = quoted.end;
      // Blanks after the closing quote are no part of the field.
      while (text.charCodeAt(at) === BLANK && marks.separatorCode !== BLANK) at++;
      if (at === text.length && !isLast) return -1;
      field = quoted.value;
    } else {
      const { value, end } = plainField(text, at, marks);
      if (end === text.length && !isLast) return -1;
      field = end === at || (marks.hasEscapes && text.slice(at, end) === '\\N') ? null : value;
      at = end;
    }
    row.push(field);
    if (at >= text.length) return isLast && at > start ? at : -1;
    const code = text.charCodeAt(at);
    if (code === marks.separatorCode) {
      at++;
      if (at >= text.length && !isLast) return -1;
    } else if (code === CR) {
      if (at + 1 >= text.length && !isLast) return -1;
      return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
    } else if (code === LF) return at + 1;
    else throw unreadable('continues after its closing quote', marks, text, start);
  }
}

interface Found {
  readonly value: string;
  readonly end: number;
}

function plainField(text: string, at: number, marks: Marks): Found {
  const escaped = marks.hasEscapes ? escapedField(text, at, marks.separatorCode, false) : undefined;
  if (escaped !== undefined) return escaped;
  const end = marks.fieldEnd(at);
  return { value: text.slice(at, end), end };
}

/** A field behind its first quote; undefined where it is not known yet where it ends. */
function quotedField(text: string, start: number, marks: Marks, isLast: boolean): Found | undefined {
  if (marks.hasEscapes) {
    const found = escapedField(text, start, marks.separatorCode, true);
    return found?.end === text.length && !isLast ? undefined : found;
  }
  let value = '';
  let at = start;
  for (;;) {
    const quote = text.indexOf('"', at);
    // The next character decides whether the quote ends the field.
    if (quote < 0 || (quote + 1 === text.length && !isLast)) return undefined;
    value += text.slice(at, quote);
    at = quote + 1;
    if (text.charCodeAt(at) !== QUOTE) return { value, end: at };
    value += '"';
    at++;
  }
}

const SHOWN_CHARACTERS = 60;

function unreadable(what: string, { row, hasEscapes }: Marks, text: string, start: number): VarveError {
  const [line = ''] = text.slice(start, start + SHOWN_CHARACTERS).split(/[\r\n]/);
  const help =
    !hasEscapes && line.includes('\\"') ? '. Where quotes are written \\", name the backslash as the escape' : '';
  return new VarveError('unreadable', `Row ${row} of the file: a quoted field ${what}: ${line}${help}`);
}
