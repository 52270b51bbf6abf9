/** Archives: zip and tar.gz, unpacked into memory. */
import {
  type ByteSource,
  gunzipped,
  messageOf,
  type OpenProgress,
  piecesOf,
  sourceOf,
} from '../../../protocol/index.ts';
import { HostFailure } from '../source.ts';
import { readTar, startsLikeTar, TarStream } from './tar.ts';
import { Unpacking, type UnpackingOptions } from './unpacking.ts';
import { type ArchiveFile, readZip } from './zip.ts';

const TAR_BLOCK_BYTES = 512;

/**
 * Unpacks a zip, tar or tar.gz archive into memory: contents by path.
 *
 * @param name of the archive, for messages.
 * @throws HostFailure that names archive, entry and offset, when it is none of these, damaged, or unpacks to more than the limits
 *   allow; the signal's reason.
 */
export async function unpack(
  archive: Blob | Uint8Array,
  onProgress: (progress: OpenProgress) => void,
  name = '',
  options: UnpackingOptions = {},
): Promise<Map<string, Uint8Array>> {
  const source = sourceOf(archive);
  const unpacking = new Unpacking(name, source.length, options);
  const files = new Map<string, Uint8Array>();
  let bytesDone = 0;
  const report = (): void => onProgress({ what: 'unpacking', filesDone: files.size, bytesDone });
  report();
  try {
    for await (const { path, bytes } of filesOf(source, unpacking)) {
      unpacking.check();
      files.set(path, bytes);
      bytesDone += bytes.length;
      report();
    }
  } catch (error) {
    unpacking.check();
    throw error instanceof HostFailure ? error : unpacking.failure(messageOf(error));
  }
  return files;
}

async function* filesOf(source: ByteSource, unpacking: Unpacking): AsyncIterableIterator<ArchiveFile> {
  const head = await source.read(0, TAR_BLOCK_BYTES);
  if (startsWith(head, [0x50, 0x4b])) {
    yield* readZip(source, unpacking);
    return;
  }
  const isPacked = startsWith(head, [0x1f, 0x8b]);
  if (!isPacked && !startsLikeTar(head)) throw unpacking.failure('it is neither a zip nor a tar');
  const stream = new TarStream(isPacked ? unzipped(source, unpacking) : wholeOf(source));
  try {
    yield* readTar(stream, unpacking);
  } finally {
    await stream.close();
  }
}

/** Every byte counts, those of headers and of entries that are left out too. */
async function* unzipped(source: ByteSource, unpacking: Unpacking): AsyncIterableIterator<Uint8Array> {
  let at = 0;
  for await (const piece of gunzipped(piecesOf(source, 0, source.length))) {
    unpacking.account(piece.length, undefined, at);
    at += piece.length;
    yield piece;
  }
}

/** In memory as one piece, so that files are views of it. */
async function* wholeOf(source: ByteSource): AsyncIterableIterator<Uint8Array> {
  yield* source.isInMemory ? [await source.read(0, source.length)] : piecesOf(source, 0, source.length);
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}
