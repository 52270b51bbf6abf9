/** UTF-8 with another way than TextDecoder's to say what is wrong. */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws for a byte that is no UTF-8. */
type Refuse = (byte: number, textBefore: string) => never;

/** Decodes UTF-8 piece by piece. */
export class Utf8Decoder {
  readonly #refuse: Refuse;
  #rest = new Uint8Array();
  #isFirst = true;

  constructor(refuse: Refuse) {
    this.#refuse = refuse;
  }

  decode(piece: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? piece : joined(this.#rest, piece);
    const whole = bytes.length - unfinishedAtEnd(bytes);
    this.#rest = bytes.slice(whole);
    const text = decodeUtf8(bytes.subarray(0, whole), this.#refuse);
    const isMarked = this.#isFirst && text.startsWith('\ufeff');
    if (text !== '') this.#isFirst = false;
    return isMarked ? text.slice(1) : text;
  }

  end(): string {
    return decodeUtf8(this.#rest, this.#refuse);
  }
}

export function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

function decodeUtf8(bytes: Uint8Array, refuse: Refuse): string {
  try {
    return strict.decode(bytes);
  } catch {
    // Some are no UTF-8: the first one is named.
  }
  for (let at = 0; at < bytes.length; ) {
    const length = utf8CharacterLength(bytes, at);
    if (length === 0) refuse(bytes[at] ?? 0, strict.decode(bytes.subarray(0, at)));
    at += length;
  }
  return '';
}

/** Bytes of a character that begins with this one, and what its second may be: shortest forms only, no surrogates. */
function shapeOf(first: number): readonly [length: number, least: number, most: number] {
  if (first < 0x80) return [1, 0, 0];
  if (first < 0xc2 || first > 0xf4) return [0, 0, 0];
  if (first < 0xe0) return [2, 0x80, 0xbf];
  if (first < 0xf0) return [3, first === 0xe0 ? 0xa0 : 0x80, first === 0xed ? 0x9f : 0xbf];
  return [4, first === 0xf0 ? 0x90 : 0x80, first === 0xf4 ? 0x8f : 0xbf];
}

/** 0 where there is no character of UTF-8. */
export function utf8CharacterLength(bytes: Uint8Array, at: number): number {
  const [length, least, most] = shapeOf(bytes[at] ?? 0);
  if (at + length > bytes.length) return 0;
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] ?? 0;
    if (byte < (index === 1 ? least : 0x80) || byte > (index === 1 ? most : 0xbf)) return 0;
  }
  return length;
}

/** Where the first byte is that is no UTF-8 and begins these, or with none of them any; -1 where there is none. */
export function strayByte(bytes: Uint8Array, wanted: readonly number[] = []): number {
  for (let at = 0; at < bytes.length; ) {
    const length = (bytes[at] as number) < 0x80 ? 1 : utf8CharacterLength(bytes, at);
    if (length === 0 && wanted.every((byte, index) => bytes[at + index] === byte)) return at;
    at += Math.max(length, 1);
  }
  return -1;
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
