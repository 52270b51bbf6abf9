/** Files that clients send: they come in pieces, and are named by their content. */
import { createHash } from 'node:crypto';
import { FileFault } from '../../host/files/file.ts';
import { addressText } from '../../host/remotes/manifest_text.ts';
import { outgoingReferences } from './chunk_check.ts';
import { type FileIndex, readIndex } from './chunk_index.ts';
import { Refusal, type ServedFile } from './served_database.ts';

/** Of a file's name, what is before its ending. */
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

/** A data file whose chunks were checked. */
export interface CheckedFile {
  readonly index: FileIndex;
  /** The addresses that its chunks refer to and that it does not contain: sorted, 20 bytes each. */
  readonly outgoing: Uint8Array;
}

/**
 * Checks a file that a client has sent: its index, its chunks, and that its name is that of its content, in one of the ways in which Dolt
 * makes names.
 *
 * @param digest SHA-512 of the whole file; null when its name was checked before
 * @throws Refusal when it is damaged, or named otherwise
 */
export async function checkedFile(file: ServedFile, digest: Buffer | null): Promise<CheckedFile> {
  try {
    const index = await readIndex(file);
    if (digest !== null) await checkName(file, index, digest);
    return { index, outgoing: await outgoingReferences(file, index) };
  } catch (error) {
    throw error instanceof FileFault ? new Refusal(error.message) : error;
  }
}

async function checkName(file: ServedFile, { named: { start, end } }: FileIndex, digest: Buffer): Promise<void> {
  const part = createHash('sha512');
  for (let at = start; at < end; at += PIECE_BYTES) part.update(await file.read(at, Math.min(PIECE_BYTES, end - at)));
  const names = [digest, part.digest()].map(hash => addressText(hash.subarray(0, 20)));
  if (!names.includes(file.id)) throw new Refusal(`${file.name} has another content than its name says`);
}

/** Files that were checked and are not listed yet. */
const KEPT_MAX = 64;
/** Of their indexes and references: those of about 10 GiB. */
const KEPT_BYTES_MAX = 512 << 20;

/** The files that clients have sent and that no manifest lists yet; the oldest are dropped. */
export class ReceivedFiles {
  readonly #files = new Map<string, CheckedFile>();
  #bytes = 0;

  get(key: string): CheckedFile | undefined {
    return this.#files.get(key);
  }

  keep(key: string, file: CheckedFile): void {
    this.drop(key);
    this.#files.set(key, file);
    this.#bytes += bytesOf(file);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= 1 || (this.#files.size <= KEPT_MAX && this.#bytes <= KEPT_BYTES_MAX)) break;
      this.drop(oldest);
    }
  }

  drop(key: string): void {
    const file = this.#files.get(key);
    if (file === undefined) return;
    this.#bytes -= bytesOf(file);
    this.#files.delete(key);
  }
}

/** An index has 36 bytes for each chunk. */
function bytesOf({ index, outgoing }: CheckedFile): number {
  return 36 * index.chunks + outgoing.length;
}
