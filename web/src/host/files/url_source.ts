import type { OpenProgress } from '../../protocol/index.ts';
import { unpack } from './archive.ts';
import type { HostFile } from './file.ts';
import { type BlockingNetwork, get, interpret } from './http.ts';
import { RemoteDirectory } from './remote.ts';
import { hostFailure, type OpenedSource, type Traffic, treeSource } from './source.ts';
import { baseName } from './tree.ts';

/** Where a database directory and a Dolt remote have their manifest. */
const MANIFESTS = ['.dolt/noms/manifest', 'manifest'];

/**
 * Opens a database directory or a Dolt `file://` remote on a web server, or an archive of one.
 *
 * @param network how to read while the engine waits; null where its stack can be suspended instead.
 */
export async function openUrl(
  address: string,
  network: BlockingNetwork | null,
  onProgress: (progress: OpenProgress) => void,
): Promise<OpenedSource> {
  const url = new URL(address);
  const traffic: Traffic = { requests: 0, bytes: 0 };
  const path = decodeURIComponent(url.pathname);
  if (/\.(zip|tar|tgz|tar\.gz)$/i.test(path)) return openArchive(url, path, traffic, onProgress);
  url.pathname = url.pathname.replace(/\/*(\.dolt\/*(noms\/*)?)?$/, '/');
  const directory = new RemoteDirectory(url, network, traffic);
  const manifest = await firstManifest(directory);
  if (manifest === null) {
    throw hostFailure('not_a_database', `There is no Dolt database at ${url.href}: neither ${MANIFESTS.join(' nor ')}`);
  }
  const name = baseName(decodeURIComponent(url.pathname).slice(0, -1)) || url.hostname;
  return {
    storage: { kind: 'url', readOnly: true, remote: true, persistent: true },
    databases: [{ name, directory }],
    traffic,
    interrupt: () => directory.interrupt(),
    close: () => network?.close(),
  };
}

/** Asked for through the directory, which keeps the answer for the engine. */
async function firstManifest(directory: RemoteDirectory): Promise<HostFile | null> {
  for (const path of MANIFESTS) {
    const file = await directory.openLater(path);
    if (file !== null) return file;
  }
  return null;
}

async function openArchive(
  url: URL,
  path: string,
  traffic: Traffic,
  onProgress: (progress: OpenProgress) => void,
): Promise<OpenedSource> {
  const answer = interpret(url.href, await get(url.href, null, 'mutable', traffic));
  if (answer.kind !== 'whole') throw hostFailure('unreadable', `There is no archive at ${url.href}`);
  const files = await unpack(answer.bytes, onProgress);
  const name = baseName(path).replace(/\.(zip|tar|tgz|tar\.gz)$/i, '');
  const storage = { kind: 'archive', readOnly: true, remote: false, persistent: false } as const;
  return { ...treeSource(files, name, storage), traffic };
}
