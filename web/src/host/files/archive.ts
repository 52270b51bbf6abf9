import type { OpenProgress } from '../../protocol/index.ts';
import { FileFault, type HostFile } from './file.ts';
import { MemoryFile } from './memory.ts';
import { readTar } from './tar.ts';
import { readZip, unpacked } from './zip.ts';

/**
 * Unpacks a zip, tar or tar.gz archive into memory.
 *
 * @throws FileFault when it is none of these or damaged.
 */
export async function unpack(
  archive: Blob | Uint8Array,
  onProgress: (progress: OpenProgress) => void,
): Promise<Map<string, HostFile>> {
  const bytes = archive instanceof Uint8Array ? archive : new Uint8Array(await archive.arrayBuffer());
  onProgress({ what: 'unpacking', filesDone: 0, bytesDone: bytes.length });
  try {
    if (startsWith(bytes, [0x50, 0x4b])) return await unzip(bytes);
    return untar(startsWith(bytes, [0x1f, 0x8b]) ? await unpacked(bytes, 'gzip') : bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FileFault('host', `The archive could not be unpacked: ${reason}`);
  }
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

async function unzip(bytes: Uint8Array): Promise<Map<string, HostFile>> {
  const entries = await readZip(bytes);
  return new Map(entries.map(({ path, bytes: content }) => [path, new MemoryFile(content)]));
}

function untar(bytes: Uint8Array): Map<string, HostFile> {
  const files = new Map<string, HostFile>();
  for (const { path, bytes: content } of readTar(bytes)) files.set(path, new MemoryFile(content));
  return files;
}
