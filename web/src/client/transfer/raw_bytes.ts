/**
 * Dumps hold the bytes of BLOBs as they are, between quotes (`mysqldump` without --hex-blob, `dolt dump`), and these are no
 * UTF-8. Here such a byte becomes a single low surrogate, U+DC80 to U+DCFF, which no text has, so that a script is split as
 * text; and the literals that hold some are written as hexadecimal digits before a statement runs.
 */

const KEPT = /[\udc80-\udcff]/u;
const KEPT_BASE = 0xdc00;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Gives what stands for a byte that is no UTF-8, or throws. */
type Foreign = (byte: number, textBefore: string) => string;
const keep: Foreign = byte => String.fromCharCode(KEPT_BASE + byte);

/** Decodes UTF-8 piece by piece, and keeps the bytes that are none. */
export class KeepingDecoder {
  readonly #foreign: Foreign;
  #rest = new Uint8Array();
  #isFirst = true;

  constructor(foreign: Foreign = keep) {
    this.#foreign = foreign;
  }

  decode(piece: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? piece : joined(this.#rest, piece);
    const whole = bytes.length - unfinishedAtEnd(bytes);
    this.#rest = bytes.slice(whole);
    const text = decodeUtf8(bytes.subarray(0, whole), this.#foreign);
    const isMarked = this.#isFirst && text.startsWith('\ufeff');
    if (text !== '') this.#isFirst = false;
    return isMarked ? text.slice(1) : text;
  }

  end(): string {
    return decodeUtf8(this.#rest, this.#foreign);
  }
}

export function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

function decodeUtf8(bytes: Uint8Array, foreign: Foreign): string {
  try {
    return strict.decode(bytes);
  } catch {
    // Some are no UTF-8: those between them are decoded run by run.
  }
  let text = '';
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += strict.decode(bytes.subarray(from, at));
    text += foreign(bytes[at] ?? 0, text);
    at += 1;
    from = at;
  }
  return text + strict.decode(bytes.subarray(from));
}

/** Bytes of a character that begins with this one, and what its second may be: shortest forms only, no surrogates. */
function shapeOf(first: number): readonly [length: number, least: number, most: number] {
  if (first < 0x80) return [1, 0, 0];
  if (first < 0xc2 || first > 0xf4) return [0, 0, 0];
  if (first < 0xe0) return [2, 0x80, 0xbf];
  if (first < 0xf0) return [3, first === 0xe0 ? 0xa0 : 0x80, first === 0xed ? 0x9f : 0xbf];
  return [4, first === 0xf0 ? 0x90 : 0x80, first === 0xf4 ? 0x8f : 0xbf];
}

/** 0 where no character of UTF-8 stands. */
function characterLength(bytes: Uint8Array, at: number): number {
  const [length, least, most] = shapeOf(bytes[at] ?? 0);
  if (at + length > bytes.length) return 0;
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] ?? 0;
    if (byte < (index === 1 ? least : 0x80) || byte > (index === 1 ? most : 0xbf)) return 0;
  }
  return length;
}

/** Bytes of a last character that goes on in the next piece. */
function unfinishedAtEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0x80 && byte < 0xc0) continue;
    return shapeOf(byte)[0] > back ? back : 0;
  }
  return 0;
}

/** A text in quotes, or what only looks as if it had one in it. */
const LITERAL = /'[^'\\]*(?:(?:\\.|'')[^'\\]*)*'|"[^"\\]*(?:(?:\\.|"")[^"\\]*)*"|`[^`]*`|--[^\n]*|\/\*.*?\*\//gsu;

/** The statement, with literals that hold kept bytes in hexadecimal digits. */
export function withHexLiterals(sql: string): string {
  if (!KEPT.test(sql)) return sql;
  return sql.replace(LITERAL, literal => {
    const isText = literal.startsWith("'") || literal.startsWith('"');
    return isText && KEPT.test(literal) ? `x'${hexOf(literal)}'` : literal;
  });
}

const ESCAPED: Readonly<Record<string, string>> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a' };

function hexOf(literal: string): string {
  const quote = literal[0] as string;
  const text = literal
    .slice(1, -1)
    .replaceAll(quote + quote, quote)
    .replace(/\\(.)/gsu, (_, letter: string) => ESCAPED[letter] ?? letter);
  let hex = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const bytes = KEPT.test(character) ? [code - KEPT_BASE] : encoder.encode(character);
    for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  }
  return hex;
}
