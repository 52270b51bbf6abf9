import type { OpenProgress, Storage, WireSource } from '../../protocol/index.ts';
import { unpack } from './archive.ts';
import { emptyDatabase } from './empty_database.ts';
import { MemoryFile } from './memory.ts';
import { hostFailure, type OpenedSource, treeSource } from './source.ts';
import { baseName } from './tree.ts';

/** Sources that need nothing of the platform. */
export async function openPortable(
  source: WireSource,
  onProgress: (progress: OpenProgress) => void,
): Promise<OpenedSource> {
  const kept: Storage = { kind: 'memory', readOnly: true, remote: false, persistent: false };
  switch (source.kind) {
    case 'archive': {
      const files = await unpack(source.content, onProgress);
      const name = baseName(source.name).replace(/(\.(tar\.gz|tgz|tar|zip))$/i, '');
      return treeSource(files, name, { ...kept, kind: 'archive' });
    }
    case 'memory': {
      const files = Object.entries(source.files).map(([path, bytes]) => [path, new MemoryFile(bytes)] as const);
      return treeSource(new Map(files), '', kept);
    }
    case 'empty': {
      const files = Object.entries(emptyDatabase()).map(([path, bytes]) => [path, new MemoryFile(bytes)] as const);
      return treeSource(new Map(files), source.name, kept);
    }
    default:
      throw hostFailure('unsupported', `A source of kind ${source.kind} cannot be opened in this environment`);
  }
}
