import type { TextInput } from './transfer_types.ts';

interface PieceDecoder {
  decode(piece: Uint8Array): string;
  end(): string;
}

/** Takes a replacement character for bytes that are no UTF-8. */
function replacingDecoder(): PieceDecoder {
  const decoder = new TextDecoder();
  return { decode: piece => decoder.decode(piece, { stream: true }), end: () => decoder.decode() };
}

/** The pieces of a text, decoded: a character that two pieces share comes whole. */
export async function* pieces(input: TextInput, decoder = replacingDecoder()): AsyncIterableIterator<string> {
  if (typeof input === 'string') {
    yield input;
    return;
  }
  for await (const piece of rawPieces(input)) yield typeof piece === 'string' ? piece : decoder.decode(piece);
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

async function* rawPieces(input: Exclude<TextInput, string>): AsyncIterableIterator<Uint8Array | string> {
  if (input instanceof Uint8Array) {
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
