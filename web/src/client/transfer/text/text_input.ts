/** Input of an import as pieces of text, decompressed and decoded. */
import { gunzipped, isGzip, messageOf } from '../../../protocol/index.ts';
import { VarveError } from '../../errors.ts';
import type { TextInput } from '../transfer_types.ts';
import type { PieceDecoder } from './encodings.ts';
import { joined } from './utf8_decoder.ts';

export interface TextPiece {
  readonly text: string;
  /** Of the input that was read for it. */
  readonly bytes: number;
}

/** The pieces of a text, decoded: a character that two pieces share comes whole. */
export async function* pieces(input: TextInput, decoder: PieceDecoder): AsyncIterableIterator<TextPiece> {
  for await (const piece of rawPieces(input)) {
    yield { text: typeof piece === 'string' ? piece : decoder.decode(piece), bytes: piece.length };
  }
  const rest = decoder.end();
  if (rest !== '') yield { text: rest, bytes: 0 };
}

/** So many bytes tell whether an input is gzip: no text in any encoding begins with them. */
const MAGIC_BYTES = 2;

/** The pieces of a text. Gzip is decompressed. */
export async function* rawPieces(input: TextInput): AsyncIterableIterator<Uint8Array | string> {
  const given = givenPieces(input);
  try {
    const head: Uint8Array[] = [];
    let headBytes = 0;
    while (headBytes < MAGIC_BYTES) {
      const { value, done } = await given.next();
      if (done || typeof value === 'string') {
        yield* head;
        if (!done) yield value;
        break;
      }
      head.push(value);
      headBytes += value.length;
    }
    if (headBytes >= MAGIC_BYTES) {
      const first = head.reduce(joined);
      if (isGzip(first)) yield* decompressed(first, given);
      else yield* head;
    }
    yield* given;
  } finally {
    await given.return?.();
  }
}

async function* givenPieces(input: TextInput): AsyncIterableIterator<Uint8Array | string> {
  if (typeof input === 'string' || input instanceof Uint8Array) {
    yield input;
  } else if (input instanceof Blob) {
    const reader = input.stream().getReader();
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
    } finally {
      await reader.cancel();
    }
  } else yield* input;
}

async function* decompressed(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array | string>,
): AsyncIterableIterator<Uint8Array> {
  let failure: unknown;
  async function* compressed(): AsyncIterableIterator<Uint8Array> {
    yield first;
    try {
      for await (const piece of rest) yield typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  let bytes = 0;
  try {
    for await (const piece of gunzipped(compressed())) {
      bytes += piece.length;
      yield piece;
    }
  } catch (error) {
    if (failure !== undefined) throw failure;
    const where = `after ${bytes} decompressed bytes`;
    throw new VarveError(
      'unreadable',
      `The gzip data is damaged ${where}: ${messageOf(error)}. Download the file again`,
    );
  }
}
