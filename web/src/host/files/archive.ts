import { messageOf, type OpenProgress } from '../../protocol/index.ts';
import { FileFault } from './file.ts';
import { readTar, startsLikeTar } from './tar.ts';
import { readZip, unpacked } from './zip.ts';

/**
 * Unpacks a zip, tar or tar.gz archive into memory: contents by path.
 *
 * @throws FileFault when it is none of these or damaged.
 */
export async function unpack(
  archive: Blob | Uint8Array,
  onProgress: (progress: OpenProgress) => void,
): Promise<Record<string, Uint8Array>> {
  const bytes = archive instanceof Uint8Array ? archive : new Uint8Array(await archive.arrayBuffer());
  onProgress({ what: 'unpacking', filesDone: 0, bytesDone: bytes.length });
  try {
    if (startsWith(bytes, [0x50, 0x4b])) return await unzip(bytes);
    return untar(startsWith(bytes, [0x1f, 0x8b]) ? await unpacked(bytes, 'gzip') : bytes);
  } catch (error) {
    const reason = messageOf(error);
    throw new FileFault('host', `The archive could not be unpacked: ${reason}`);
  }
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

async function unzip(bytes: Uint8Array): Promise<Record<string, Uint8Array>> {
  const entries = await readZip(bytes);
  return Object.fromEntries(entries.map(({ path, bytes: content }) => [path, content]));
}

function untar(bytes: Uint8Array): Record<string, Uint8Array> {
  if (!startsLikeTar(bytes)) throw new RangeError('it is neither a zip nor a tar');
  return Object.fromEntries(Array.from(readTar(bytes), ({ path, bytes: content }) => [path, content]));
}
