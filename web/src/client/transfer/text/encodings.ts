/** From bytes to text without losing any: what is no text in its encoding is an error that says where it is. */
import { VarveError } from '../../errors.ts';
import { ScriptBytes, type ScriptSession } from '../script/script_bytes.ts';
import { joined, Utf8Decoder } from './utf8_decoder.ts';
import { fatalDecoder } from './windows_1252.ts';

/** Decodes piece by piece. */
export interface PieceDecoder {
  decode(piece: Uint8Array): string;
  /** What the last piece left. */
  end(): string;
}

/** Marks that say how a text is encoded, with which files of Windows begin. */
const MARKS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
const MARK_BYTES_MAX = 3;

function markOf(first: Uint8Array): (typeof MARKS)[number] | undefined {
  return MARKS.find(([, bytes]) => bytes.every((byte, at) => first[at] === byte));
}

/**
 * Decodes rows: in the encoding that is named, or that the text's mark says, or UTF-8.
 *
 * @param encoding a label of the Encoding Standard, such as `windows-1252`.
 * @throws VarveError `usage` for an encoding that is not known; its decoder `unreadable` for bytes that are none in it.
 */
export function rowsDecoder(encoding: string | undefined): PieceDecoder {
  const named = (name: string): PieceDecoder =>
    name === 'utf-8' ? new RefusingDecoder() : new NamedDecoder(decoderNamed(name));
  return encoding === undefined ? new MarkedDecoder(named) : named(decoderNamed(encoding).encoding);
}

/** Bytes of UTF-8, and of how much of the input. */
export interface Utf8Piece {
  readonly bytes: Uint8Array;
  readonly inputBytes: number;
  /** It ends with a line that names a file: what follows is recoded when the next piece is asked for, once that file has run. */
  readonly isHeld: boolean;
}

/** Size of a piece: a text in memory may come as a single one. */
const PIECE_LENGTH_MAX = 1 << 20;

/**
 * Decodes UTF-8, and refuses other bytes.
 *
 * @param lines that came before.
 */
export function refusingDecoder(lines = 0): PieceDecoder {
  return new RefusingDecoder(lines);
}

/** Rows as UTF-8, decoded where they come in another encoding. What is no UTF-8 is left as it is: the engine sees it. */
export function utf8Pieces(
  input: AsyncIterable<Uint8Array | string>,
  encoding: string | undefined,
): AsyncIterableIterator<Utf8Piece> {
  const bytes = new MarkedBytes(encoding, name => (name === 'utf-8' ? SAME : new DecodedBytes(name)));
  return recodedPieces(input, bytes, SAME);
}

export interface ScriptInput {
  /** The encoding of all of it, whatever the script says. */
  readonly encoding?: string | undefined;
  /** All that comes out is text: what is behind `_binary` becomes hexadecimal digits. */
  readonly spellsBytes?: boolean;
  /** Shared with the scripts around it, whose charset it inherits. */
  readonly session?: ScriptSession | undefined;
}

/** Encodings that no statement can be found in before they are decoded. */
const NOT_LIKE_ASCII = /^(utf-16|iso-2022)/;

/**
 * A script as UTF-8: in the encoding that is named or that its mark says, or else the charset that its statements name. In UTF-8 the
 * bytes of binary values are left as they are.
 */
export function scriptPieces(
  input: AsyncIterable<Uint8Array | string>,
  { encoding, spellsBytes, session }: ScriptInput,
): AsyncIterableIterator<Utf8Piece> {
  const begin = (name: string, isSaid: boolean, offset: number): Recoder =>
    NOT_LIKE_ASCII.test(name)
      ? new DecodedBytes(name)
      : new ScriptBytes({ encoding: isSaid ? name : undefined, spellsBytes, offset, session });
  // Of strings only the session is followed: they are no bytes of a charset.
  return recodedPieces(input, new MarkedBytes(encoding, begin), new ScriptBytes({ encoding: 'utf-8', session }));
}

async function* recodedPieces(
  input: AsyncIterable<Uint8Array | string>,
  bytes: MarkedBytes,
  ofTexts: Recoder,
): AsyncIterableIterator<Utf8Piece> {
  const texts = new TextBytes(ofTexts);
  const nothing = new Uint8Array();
  for await (const whole of input) {
    for (let at = 0; at === 0 || at < whole.length; at += PIECE_LENGTH_MAX) {
      const piece = typeof whole === 'string' ? whole.slice(at, at + PIECE_LENGTH_MAX) : part(whole, at);
      const recoder = typeof piece === 'string' ? texts : bytes;
      const first = typeof piece === 'string' ? texts.encode(piece) : bytes.recode(piece);
      yield { bytes: first, inputBytes: piece.length, isHeld: recoder.isHeld };
      while (recoder.isHeld) yield { bytes: recoder.recode(nothing), inputBytes: 0, isHeld: recoder.isHeld };
    }
  }
  for (const recoder of [bytes, texts]) {
    do yield { bytes: recoder.end(), inputBytes: 0, isHeld: recoder.isHeld };
    while (recoder.isHeld);
  }
}

function part(whole: Uint8Array, at: number): Uint8Array {
  return whole.length <= PIECE_LENGTH_MAX ? whole : whole.subarray(at, at + PIECE_LENGTH_MAX);
}

/** Strings as UTF-8: one may end within a character. */
class TextBytes implements Recoder {
  readonly #encoder = new TextEncoder();
  readonly #recoder: Recoder;
  #isFirst = true;
  #half = '';

  /** @param recoder of the UTF-8 that they are */
  constructor(recoder: Recoder) {
    this.#recoder = recoder;
  }

  get isHeld(): boolean {
    return this.#recoder.isHeld;
  }

  recode(piece: Uint8Array): Uint8Array {
    return this.#recoder.recode(piece);
  }

  encode(piece: string): Uint8Array {
    let text = this.#half + piece;
    if (this.#isFirst && text !== '') {
      this.#isFirst = false;
      if (text.startsWith('\ufeff')) text = text.slice(1);
    }
    const isCut = /[\ud800-\udbff]$/.test(text);
    this.#half = isCut ? text.slice(-1) : '';
    return this.#recoder.recode(this.#encoder.encode(isCut ? text.slice(0, -1) : text));
  }

  end(): Uint8Array {
    const half = this.#recoder.recode(this.#encoder.encode(this.#half));
    this.#half = '';
    return joined(half, this.#recoder.end());
  }
}

/** Makes UTF-8 of bytes, piece by piece. */
interface Recoder {
  /** Some of what it got waits for the next call. */
  readonly isHeld: boolean;
  recode(piece: Uint8Array): Uint8Array;
  /** What the last piece left; again while it is held. */
  end(): Uint8Array;
}

const SAME: Recoder = { isHeld: false, recode: piece => piece, end: () => new Uint8Array() };

class DecodedBytes implements Recoder {
  readonly isHeld = false;
  readonly #encoder = new TextEncoder();
  readonly #decoder: PieceDecoder;

  constructor(encoding: string) {
    this.#decoder = new NamedDecoder(decoderNamed(encoding));
  }

  recode(piece: Uint8Array): Uint8Array {
    return this.#encoder.encode(this.#decoder.decode(piece));
  }

  end(): Uint8Array {
    return this.#encoder.encode(this.#decoder.end());
  }
}

/** @param isSaid the caller or a byte order mark names the encoding @param offset of the first byte that it gets */
type BeginRecoding = (encoding: string, isSaid: boolean, offset: number) => Recoder;

/** Bytes as UTF-8, from what is said of them or what their mark says, which goes. */
class MarkedBytes implements Recoder {
  readonly #named: string | undefined;
  readonly #beginRecoding: BeginRecoding;
  #first: Uint8Array = new Uint8Array();
  #recoder: Recoder | undefined;

  constructor(encoding: string | undefined, begin: BeginRecoding) {
    this.#named = encoding === undefined ? undefined : decoderNamed(encoding).encoding;
    this.#beginRecoding = begin;
  }

  get isHeld(): boolean {
    return this.#recoder?.isHeld ?? false;
  }

  recode(piece: Uint8Array): Uint8Array {
    if (this.#recoder !== undefined) return this.#recoder.recode(piece);
    this.#first = joined(this.#first, piece);
    return this.#first.length < MARK_BYTES_MAX ? new Uint8Array() : this.#begin();
  }

  end(): Uint8Array {
    const first = this.#recoder === undefined ? this.#begin() : new Uint8Array();
    return joined(first, this.#recoder?.end() ?? first);
  }

  #begin(): Uint8Array {
    const mark = markOf(this.#first);
    const said = this.#named ?? mark?.[0];
    const name = said ?? 'utf-8';
    const marked = name === 'utf-8' && mark?.[0] === name ? mark[1].length : 0;
    this.#recoder = this.#beginRecoding(name, said !== undefined, marked);
    return this.#recoder.recode(this.#first.subarray(marked));
  }
}

function decoderNamed(encoding: string): TextDecoder {
  try {
    return fatalDecoder(encoding);
  } catch {
    throw new VarveError('usage', `${encoding} is not a known encoding`);
  }
}

/** Waits for the first bytes before it chooses. */
class MarkedDecoder implements PieceDecoder {
  readonly #named: (encoding: string) => PieceDecoder;
  #first: Uint8Array = new Uint8Array();
  #chosen: PieceDecoder | null = null;

  constructor(named: (encoding: string) => PieceDecoder) {
    this.#named = named;
  }

  decode(piece: Uint8Array): string {
    if (this.#chosen !== null) return this.#chosen.decode(piece);
    this.#first = joined(this.#first, piece);
    return this.#first.length < MARK_BYTES_MAX ? '' : this.#choose();
  }

  end(): string {
    const first = this.#chosen === null ? this.#choose() : '';
    return first + (this.#chosen?.end() ?? '');
  }

  #choose(): string {
    this.#chosen = this.#named(markOf(this.#first)?.[0] ?? 'utf-8');
    return this.#chosen.decode(this.#first);
  }
}

/** Whatever the platform decodes. */
class NamedDecoder implements PieceDecoder {
  readonly #decoder: TextDecoder;
  #bytes = 0;

  constructor(decoder: TextDecoder) {
    this.#decoder = decoder;
  }

  decode(piece: Uint8Array): string {
    const text = this.#decoded(() => this.#decoder.decode(piece, { stream: true }));
    this.#bytes += piece.length;
    return text;
  }

  end(): string {
    return this.#decoded(() => this.#decoder.decode());
  }

  #decoded(decode: () => string): string {
    try {
      return decode();
    } catch {
      const { encoding } = this.#decoder;
      throw new VarveError('unreadable', `Invalid ${encoding} after byte ${this.#bytes}`);
    }
  }
}

/** So much of a line is shown before a byte that is refused. */
const SHOWN_CHARACTERS = 40;

/** UTF-8; the first byte that is none is refused, with the line that it is in. */
class RefusingDecoder implements PieceDecoder {
  readonly #decoder = new Utf8Decoder((byte, before) => this.#refuse(byte, before));
  #lines: number;

  constructor(lines = 0) {
    this.#lines = lines;
  }

  decode(piece: Uint8Array): string {
    const text = this.#decoder.decode(piece);
    this.#lines += lineEndsIn(text);
    return text;
  }

  end(): string {
    return this.#decoder.end();
  }

  #refuse(byte: number, before: string): never {
    const line = this.#lines + lineEndsIn(before) + 1;
    const shown = before.slice(Math.max(before.lastIndexOf('\n') + 1, before.length - SHOWN_CHARACTERS));
    const hex = byte.toString(16).toUpperCase().padStart(2, '0');
    const after = shown === '' ? '' : `, after ${JSON.stringify(shown)},`;
    throw new VarveError(
      'unreadable',
      `Line ${line}: the byte 0x${hex}${after} is no UTF-8. Name the encoding of the text, such as windows-1252`,
    );
  }
}

function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
