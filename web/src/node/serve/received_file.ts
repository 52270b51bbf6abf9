/** Files that clients send: they come in pieces, and are named by their content. */
import { createHash } from 'node:crypto';
import { FileFault } from '../../host/files/file.ts';
import { addressText } from '../../host/remotes/manifest_text.ts';
import { type FileIndex, readIndex } from './chunk_index.ts';
import { Refusal, type ServedFile } from './served_database.ts';

/** Of a file's name, what stands before its ending. */
export const ID_LENGTH = 32;
const PIECE_BYTES = 1 << 20;

/**
 * Takes in the pieces of a file.
 *
 * @param length what was announced
 * @returns SHA-512 of the whole file
 * @throws Refusal when more or fewer bytes come
 */
export async function receivePieces(
  name: string,
  length: number,
  pieces: AsyncIterable<Uint8Array>,
  keep: (piece: Uint8Array, offset: number) => unknown,
): Promise<Buffer> {
  const whole = createHash('sha512');
  let received = 0;
  for await (const piece of pieces) {
    if (received + piece.length <= length) {
      whole.update(piece);
      await keep(piece, received);
    }
    received += piece.length;
    if (received > length) break;
  }
  if (received !== length) throw new Refusal(`${name}: ${received} bytes came, and ${length} were announced`);
  return whole.digest();
}

/**
 * The index of a file that a client has sent, whose name is that of its content, in one of the ways in which Dolt makes names.
 *
 * @param digest SHA-512 of the whole file
 * @throws Refusal when it is damaged, or named otherwise
 */
export async function checkedIndex(file: ServedFile, digest: Buffer): Promise<FileIndex> {
  try {
    const index = await readIndex(file);
    const { start, end } = index.named;
    const part = createHash('sha512');
    for (let at = start; at < end; at += PIECE_BYTES) part.update(await file.read(at, Math.min(PIECE_BYTES, end - at)));
    const names = [digest, part.digest()].map(hash => addressText(hash.subarray(0, 20)));
    if (!names.includes(file.id)) throw new Refusal(`${file.name} has another content than its name says`);
    return index;
  } catch (error) {
    throw error instanceof FileFault ? new Refusal(error.message) : error;
  }
}
