/** A script as UTF-8, from the charset that its own statements name: other charsets may follow each other in one file. */
import { VarveError } from '../../errors.ts';
import { joined, utf8CharacterLength } from '../text/utf8_decoder.ts';
import { fatalDecoder } from '../text/windows_1252.ts';
import { beginsClientLine, clientCommand } from './client_commands.ts';
import { ScriptCharset } from './script_charset.ts';
import { ScriptTables } from './script_tables.ts';

/** Where in a statement the next byte is. */
type Place = 'start' | 'code' | 'quoted' | 'line_comment' | 'comment';

/** What a byte may begin. */
const [TAB, LF, CR, BLANK] = [9, 10, 13, 32];
const [DOUBLE, HASH, SINGLE, STAR, DASH, SLASH, BACKSLASH, BACKTICK, UNDERSCORE, BANG] = [
  34, 35, 39, 42, 45, 47, 92, 96, 95, 33,
];

const [OPEN, CLOSE, COMMA] = [40, 41, 44];

/** So many bytes have to be there for a mark, a word or a delimiter to be whole. */
const AHEAD_BYTES = 256;
/** So much of a line is shown before a byte that is refused. */
const SHOWN_BYTES = 40;
/** So much of a statement is kept. */
const KEPT_BYTES_MAX = 1 << 16;
const IS_KEPT = /^(set|create|insert|replace)$/;
/** What changes rows may have bytes between quotes that are no text: those of binary columns. */
const MAY_HAVE_BYTES = /^(insert|replace|update|delete)$/i;
/** Escapes that stand for another byte than theirs. */
const ESCAPED: Readonly<Record<number, number>> = { 48: 0, 98: 8, 110: 10, 114: 13, 116: 9, 90: 26 };

/** First bytes of characters whose second byte may look like ASCII. */
const LEADS: Readonly<Record<string, (byte: number) => boolean>> = {
  shift_jis: byte => (byte > 0x80 && byte < 0xa0) || (byte >= 0xe0 && byte < 0xfd),
  big5: byte => byte > 0x80 && byte < 0xff,
  gbk: byte => byte > 0x80 && byte < 0xff,
  gb18030: byte => byte > 0x80 && byte < 0xff,
  'euc-kr': byte => byte > 0x80 && byte < 0xff,
};

const isBlank = (byte: number): boolean => byte === BLANK || (byte >= TAB && byte <= CR);
const isQuote = (byte: number): boolean => byte === SINGLE || byte === DOUBLE || byte === BACKTICK;
const isWordByte = (byte: number): boolean =>
  (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || (byte >= 48 && byte <= 57) || byte === UNDERSCORE;

/** What the statements of a script change for those that follow, also in the files that it names. */
export class ScriptSession {
  readonly charset: ScriptCharset;
  readonly tables: ScriptTables;
  delimiter = new Uint8Array([59]);

  constructor(charset = new ScriptCharset(), tables = new ScriptTables()) {
    this.charset = charset;
    this.tables = tables;
  }

  /** Of a script that is read before it runs: what it says is not said to the session yet. */
  ahead(): ScriptSession {
    return new ScriptSession(this.charset.copy(), this.tables);
  }
}

export interface ScriptBytesOptions {
  /** Of the scripts around it; its own by default. */
  readonly session?: ScriptSession | undefined;
  /** A label of the Encoding Standard that all bytes are in, whatever the statements say. */
  readonly encoding?: string | undefined;
  /** Bytes behind `_binary` become hexadecimal digits in UTF-8 as well: all that comes out is text. */
  readonly spellsBytes?: boolean | undefined;
  /** Of the first byte in the file. */
  readonly offset?: number;
}

/**
 * Recodes piece by piece. What comes out is UTF-8, but for the bytes of binary values between quotes in statements that change rows.
 *
 * @throws VarveError `unreadable` for bytes that are no text in their charset, with their line and offset.
 */
export class ScriptBytes {
  readonly #session: ScriptSession;
  readonly #charset: ScriptCharset;
  readonly #fixed: string | undefined;
  readonly #spellsBytes: boolean;
  readonly #encoder = new TextEncoder();
  #decoder: TextDecoder | undefined;
  #encoding: string | undefined;
  #isLead: ((byte: number) => boolean) | undefined;

  #place: Place = 'start';
  /** Where the comment was begun. */
  #before: Place = 'start';
  /** Of the comment, which is no reason to refuse a script; undefined where it stays as it is. */
  #comments: TextDecoder | undefined;
  #quote = 0;
  /** Between these quotes may be bytes that are no text. */
  #mayHaveBytes = false;
  /** Within quotes behind `_binary`, whose bytes are spelt. */
  #isSpelt = false;
  /** The last word before what comes, if nothing else is between them. */
  #word = '';
  /** The statement's first word, or nothing before it. */
  #verb = '';
  /** What is kept of a statement: all of SET and CREATE, of INSERT what is before its rows. */
  #kept: string | undefined;
  /** Which fields of an INSERT's rows are bytes, where that makes a difference. */
  #binaryFields: readonly boolean[] | undefined;
  /** Parentheses around what comes, and the field of the row. */
  #depth = 0;
  #field = 0;

  #rest = new Uint8Array();
  /** Of the script before `#bytes`. */
  #lines = 0;
  #offset: number;
  /** What is looked at, from where nothing has gone out yet. */
  #bytes = new Uint8Array();
  #from = 0;
  #out: Uint8Array[] = [];

  /** The line of a comment names a file whose statements come before the next line. */
  #namesFile = false;
  /** Stopped behind such a line: the rest is recoded once that file has run, which may change the session. */
  isHeld = false;

  constructor({ encoding, spellsBytes = false, offset = 0, session = new ScriptSession() }: ScriptBytesOptions = {}) {
    this.#session = session;
    this.#charset = session.charset;
    this.#offset = offset;
    this.#fixed = encoding;
    this.#spellsBytes = spellsBytes;
    this.#use(encoding ?? this.#charset.encoding);
  }

  recode(piece: Uint8Array): Uint8Array {
    return this.#run(piece, false);
  }

  end(): Uint8Array {
    return this.#run(new Uint8Array(), true);
  }

  #run(piece: Uint8Array, isLast: boolean): Uint8Array {
    const bytes = this.#rest.length === 0 ? piece : joined(this.#rest, piece);
    this.#bytes = bytes as Uint8Array<ArrayBuffer>;
    this.#from = 0;
    this.#out = [];
    if (this.isHeld) {
      this.isHeld = false;
      this.#use(this.#fixed ?? this.#charset.encoding);
    }
    // Behind this what begins may not be whole.
    const end = isLast ? bytes.length : Math.max(0, bytes.length - AHEAD_BYTES);
    let at = 0;
    while (at < end && !this.isHeld) at = this.#step(at, end);
    this.#flush(Math.min(at, bytes.length), isLast && !this.isHeld);
    const done = Math.min(at, bytes.length);
    this.#rest = bytes.slice(done);
    this.#offset += done;
    for (let line = bytes.indexOf(LF); line >= 0 && line < done; line = bytes.indexOf(LF, line + 1)) this.#lines++;
    const out = this.#out.length === 1 ? (this.#out[0] as Uint8Array) : concatenated(this.#out);
    this.#out = [];
    return out;
  }

  #step(at: number, end: number): number {
    switch (this.#place) {
      case 'quoted':
        return this.#isSpelt ? this.#spell(at, end) : this.#skipQuoted(at, end);
      case 'line_comment': {
        const found = this.#bytes.indexOf(LF, at);
        if (found < 0 || found >= end) return this.#comment(at, end, false);
        return this.#comment(at, found + 1, true);
      }
      case 'comment': {
        const star = this.#bytes.indexOf(STAR, at);
        if (star < 0 || star >= end) return this.#comment(at, end, false);
        if (this.#bytes[star + 1] === SLASH) return this.#comment(at, star + 2, true);
        return this.#comment(at, star + 1, false);
      }
      default:
        return this.#code(at);
    }
  }

  /** One thing outside of quotes and comments. */
  #code(at: number): number {
    const byte = this.#bytes[at] as number;
    if (this.#isDelimiter(at)) return this.#endStatement(at, this.#session.delimiter.length);
    // `\G` and `\g` of the mysql client.
    if (byte === BACKSLASH && ((this.#bytes[at + 1] ?? 0) | BLANK) === 103) return this.#endStatement(at, 2);
    if (isBlank(byte)) {
      this.#note(at, at + 1);
      return at + 1;
    }
    const comment = this.#commentAt(at);
    if (comment !== undefined) {
      this.#flush(at, true);
      this.#before = this.#place;
      this.#place = comment;
      const isKept = this.#encoding === 'utf-8' && !this.#spellsBytes;
      this.#comments = isKept ? undefined : new TextDecoder(this.#encoding);
      return at + (comment === 'comment' ? 2 : 1);
    }
    if (this.#place === 'start') {
      if (byte === SLASH && this.#bytes[at + 1] === STAR) return this.#versionComment(at);
      const text = this.#ascii(at, Math.min(at + AHEAD_BYTES, this.#bytes.length));
      const line = this.#delimiterLine(at, text);
      if (line !== undefined) return line;
      if (beginsClientLine(text)) {
        // Nothing in it begins a text, and the next line begins a statement.
        this.#flush(at, true);
        this.#before = 'start';
        this.#place = 'line_comment';
        this.#namesFile = clientCommand(text)?.kind === 'source';
        this.#comments = this.#encoding === 'utf-8' ? undefined : new TextDecoder(this.#encoding);
        return at;
      }
      this.#place = 'code';
      this.#verb = '';
    }
    if (isQuote(byte)) return this.#beginQuoted(at, byte);
    if (isWordByte(byte)) return this.#readWord(at);
    this.#word = '';
    if (this.#binaryFields !== undefined) this.#countFields(byte);
    const next = at + this.#characterAt(at);
    this.#note(at, next);
    return next;
  }

  #commentAt(at: number): Place | undefined {
    const [first, second, third] = [this.#bytes[at], this.#bytes[at + 1], this.#bytes[at + 2]];
    if (first === HASH || (first === DASH && second === DASH) || (first === SLASH && second === SLASH))
      return 'line_comment';
    return first === SLASH && second === STAR && third !== BANG ? 'comment' : undefined;
  }

  #comment(at: number, end: number, isOver: boolean): number {
    if (isOver) {
      this.#place = this.#before;
      this.isHeld = this.#namesFile;
      this.#namesFile = false;
    }
    if (this.#comments === undefined) this.#flush(end, false);
    else {
      this.#flush(this.#from, true);
      this.#emit(this.#comments.decode(this.#bytes.subarray(this.#from, end), { stream: !isOver }));
      this.#from = end;
    }
    return Math.max(end, at);
  }

  /** `/*!40101`, whose statement follows. */
  #versionComment(at: number): number {
    let next = at + 3;
    while (next < at + 10 && (this.#bytes[next] as number) >= 48 && (this.#bytes[next] as number) <= 57) next++;
    return next;
  }

  #delimiterLine(at: number, line: string): number | undefined {
    const [all, delimiter] = /^(?:delimiter|\\d)[ \t]+([^\s]+)/i.exec(line) ?? [];
    if (all === undefined || delimiter === undefined) return undefined;
    this.#session.delimiter = new Uint8Array(this.#encoder.encode(delimiter.replace(/^(['"`])(.+)\1$/, '$2')));
    return at + all.length;
  }

  #isDelimiter(at: number): boolean {
    const delimiter = this.#session.delimiter;
    for (let index = 0; index < delimiter.length; index++) {
      if (this.#bytes[at + index] !== delimiter[index]) return false;
    }
    return true;
  }

  #endStatement(at: number, length: number): number {
    const next = at + length;
    if (this.#verb === 'create' && this.#kept !== undefined) this.#session.tables.take(this.#kept);
    if (this.#verb === 'set' && this.#kept !== undefined) {
      this.#charset.take(this.#kept);
      const encoding = this.#fixed ?? this.#charset.encoding;
      if (encoding !== this.#encoding) {
        this.#flush(next, true);
        this.#use(encoding);
      }
    }
    this.#place = 'start';
    this.#word = '';
    this.#verb = '';
    this.#kept = undefined;
    this.#binaryFields = undefined;
    return next;
  }

  #countFields(byte: number): void {
    if (byte === OPEN) {
      this.#depth++;
      if (this.#depth === 1) this.#field = 0;
    } else if (byte === CLOSE) this.#depth--;
    else if (byte === COMMA && this.#depth === 1) this.#field++;
  }

  #readWord(at: number): number {
    let next = at + 1;
    while (next < this.#bytes.length && isWordByte(this.#bytes[next] as number)) next++;
    // Most words are numbers of a row, and of no interest.
    const isWanted = this.#verb === '' || this.#kept !== undefined || this.#bytes[at] === UNDERSCORE;
    this.#word = isWanted ? this.#ascii(at, Math.min(next, at + AHEAD_BYTES)).toLowerCase() : '';
    if (this.#verb === '') {
      this.#verb = this.#word;
      if (IS_KEPT.test(this.#word)) this.#kept = '';
    }
    this.#note(at, next);
    if (/^values?$/.test(this.#word) && /^(insert|replace)$/.test(this.#verb) && this.#kept !== undefined) {
      if (this.#encoding !== 'utf-8') this.#binaryFields = this.#session.tables.binaryFields(this.#kept);
      this.#kept = undefined;
      this.#depth = 0;
      this.#word = '';
    }
    return next;
  }

  #beginQuoted(at: number, quote: number): number {
    this.#place = 'quoted';
    this.#quote = quote;
    const isField = this.#depth === 1 && this.#binaryFields?.[this.#field] === true;
    const isBytes = (this.#word === '_binary' || (isField && this.#word === '')) && quote !== BACKTICK;
    this.#mayHaveBytes = quote !== BACKTICK && (isBytes || MAY_HAVE_BYTES.test(this.#verb));
    this.#isSpelt = isBytes && (this.#spellsBytes || this.#encoding !== 'utf-8');
    this.#word = '';
    if (this.#isSpelt) {
      this.#flush(at, true);
      this.#emit("x'");
      this.#from = at + 1;
    }
    this.#note(at, at + 1);
    return at + 1;
  }

  /** Goes on in a text, to behind its quote. */
  #skipQuoted(start: number, end: number): number {
    const bytes = this.#bytes;
    const quote = this.#quote;
    const escaping = quote !== BACKTICK && this.#charset.hasBackslashEscapes ? BACKSLASH : -1;
    const isLead = this.#isLead;
    const isChecked = this.#encoding === 'utf-8' && !this.#mayHaveBytes;
    let at = start;
    while (at < end) {
      const byte = bytes[at] as number;
      if (byte === quote) {
        this.#place = 'code';
        at++;
        break;
      }
      if (byte === escaping) at += 2;
      else if (byte < 0x80) at++;
      else if (isLead?.(byte)) at += 2;
      else at += isChecked ? this.#characterAt(at) : 1;
    }
    this.#note(start, at);
    return at;
  }

  /** Writes bytes of a text as digits. */
  #spell(start: number, end: number): number {
    let digits = '';
    let at = start;
    for (; at < end; at++) {
      let byte = this.#bytes[at] as number;
      if (byte === this.#quote) {
        if (this.#bytes[at + 1] !== byte) {
          this.#place = 'code';
          this.#isSpelt = false;
          digits += "'";
          at++;
          break;
        }
        at++;
      } else if (byte === BACKSLASH && this.#charset.hasBackslashEscapes) {
        byte = this.#bytes[++at] ?? BACKSLASH;
        // \% and \_ keep their backslash.
        if (byte === 37 || byte === UNDERSCORE) digits += '5c';
        byte = ESCAPED[byte] ?? byte;
      } else if (this.#isLead?.(byte)) {
        digits += hex(byte);
        byte = this.#bytes[++at] ?? 0;
      }
      digits += hex(byte);
    }
    this.#emit(digits);
    this.#from = at;
    return at;
  }

  /** The length of a character that is looked at; of a charset that is no ASCII it has to be one. */
  #characterAt(at: number): number {
    const byte = this.#bytes[at] as number;
    if (byte < 0x80) return 1;
    if (this.#encoding === undefined) this.#refuse(at);
    if (this.#encoding !== 'utf-8') return this.#isLead?.(byte) ? 2 : 1;
    const length = utf8CharacterLength(this.#bytes, at);
    return length === 0 ? this.#refuse(at) : length;
  }

  /** Keeps what the statement says. */
  #note(at: number, next: number): void {
    if (this.#kept === undefined) return;
    this.#kept += this.#ascii(at, Math.min(next, this.#bytes.length));
    if (this.#kept.length > KEPT_BYTES_MAX) this.#kept = undefined;
  }

  #ascii(at: number, end: number): string {
    return String.fromCharCode(...this.#bytes.subarray(at, Math.min(end, at + KEPT_BYTES_MAX + 1)));
  }

  #use(encoding: string | undefined): void {
    this.#encoding = encoding;
    this.#isLead = LEADS[encoding ?? ''];
    this.#decoder = encoding === undefined || encoding === 'utf-8' ? undefined : fatalDecoder(encoding);
  }

  /** Lets out what is before `end`. @param isWhole a character ends there */
  #flush(end: number, isWhole: boolean): void {
    const bytes = this.#bytes.subarray(this.#from, end);
    if (this.#encoding === 'utf-8') {
      if (bytes.length > 0) this.#out.push(bytes);
    } else if (this.#decoder === undefined) {
      const stray = bytes.findIndex(byte => byte >= 0x80);
      if (stray >= 0) this.#refuse(this.#from + stray);
      this.#out.push(bytes);
    } else this.#decode(this.#decoder, bytes, !isWhole);
    this.#from = end;
  }

  #decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): void {
    try {
      this.#out.push(this.#encoder.encode(decoder.decode(bytes, { stream })));
    } catch {
      const single = fatalDecoder(decoder.encoding);
      let at = 0;
      try {
        for (; at < bytes.length; at++) single.decode(bytes.subarray(at, at + 1), { stream: true });
      } catch {
        // This one.
      }
      this.#refuse(this.#from + Math.min(at, Math.max(0, bytes.length - 1)));
    }
  }

  #emit(text: string): void {
    this.#out.push(this.#encoder.encode(text));
  }

  #refuse(at: number): never {
    const before = this.#bytes.subarray(0, at);
    const line = this.#lines + before.reduce((count, byte) => count + (byte === LF ? 1 : 0), 1);
    const byte = hex(this.#bytes[at] ?? 0).toUpperCase();
    const shown = before.subarray(Math.max(before.lastIndexOf(LF) + 1, at - SHOWN_BYTES));
    const after = shown.length === 0 ? '' : `, after ${JSON.stringify(new TextDecoder(this.#encoding).decode(shown))},`;
    const { name } = this.#charset;
    const charset = this.#fixed ?? name;
    const what =
      this.#encoding === undefined
        ? `uses the unknown charset ${name}: convert the file, or pass encoding`
        : `is no ${charset === 'utf8mb4' ? 'UTF-8' : charset}. Name the encoding of the text, such as windows-1252`;
    throw new VarveError(
      'unreadable',
      `Line ${line}: the byte 0x${byte} at offset ${this.#offset + at}${after} ${what}`,
    );
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hex(byte: number): string {
  return HEX[byte] ?? '';
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
