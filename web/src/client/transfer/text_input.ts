import type { PieceDecoder } from './encodings.ts';
import type { TextInput } from './transfer_types.ts';

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

export async function* rawPieces(input: TextInput): AsyncIterableIterator<Uint8Array | string> {
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
