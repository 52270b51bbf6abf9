/** From bytes to text without losing any: what is no text in its encoding is an error that says where it stands. */
import { VarveError } from '../errors.ts';
import { joined, Utf8Decoder } from './utf8_decoder.ts';

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

/**
 * Scripts as UTF-8, decoded as rows are when they come in another encoding. What is no UTF-8 is left as it is: it may be the bytes
 * of a BLOB.
 */
export async function* scriptBytes(
  input: AsyncIterable<Uint8Array | string>,
  encoding: string | undefined,
): AsyncIterableIterator<{ readonly bytes: Uint8Array; readonly inputBytes: number }> {
  const encoder = new TextEncoder();
  const named = encoding === undefined ? undefined : decoderNamed(encoding).encoding;
  let first: Uint8Array | null = new Uint8Array();
  let decoder: PieceDecoder | null = null;
  const begin = (bytes: Uint8Array): Uint8Array => {
    first = null;
    const mark = markOf(bytes);
    const name = named ?? mark?.[0] ?? 'utf-8';
    if (name !== 'utf-8') decoder = new NamedDecoder(decoderNamed(name));
    return mark?.[0] === name && decoder === null ? bytes.subarray(mark[1].length) : bytes;
  };
  const recoded = (bytes: Uint8Array): Uint8Array => (decoder === null ? bytes : encoder.encode(decoder.decode(bytes)));
  for await (const piece of input) {
    const inputBytes = piece.length;
    if (typeof piece === 'string') {
      yield { bytes: encoder.encode(piece), inputBytes };
      continue;
    }
    let bytes = piece;
    if (first !== null) {
      first = joined(first, piece);
      bytes = first.length < MARK_BYTES_MAX ? new Uint8Array() : begin(first);
    }
    yield { bytes: recoded(bytes), inputBytes };
  }
  if (first !== null) yield { bytes: recoded(begin(first)), inputBytes: 0 };
  yield { bytes: encoder.encode((decoder as PieceDecoder | null)?.end() ?? ''), inputBytes: 0 };
}

function decoderNamed(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new VarveError('usage', `${encoding} is not an encoding that is known here`);
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
      throw new VarveError('unreadable', `Behind byte ${this.#bytes} stands what is no ${encoding}`);
    }
  }
}

/** So much of a line is shown before a byte that is refused. */
const SHOWN_CHARACTERS = 40;

/** UTF-8; the first byte that is none is refused, with the line that it stands in. */
class RefusingDecoder implements PieceDecoder {
  readonly #decoder = new Utf8Decoder((byte, before) => this.#refuse(byte, before));
  #lines = 0;

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
