/** Databases by URL. */
import { JOURNAL_ID } from '../../../protocol/index.ts';
import { parseManifest } from '../../remotes/manifest_text.ts';
import { ARCHIVE_LIMITS } from '../archive/unpacking.ts';
import { FileFault, type HostFile } from '../file.ts';
import { openPortable } from '../portable_source.ts';
import {
  hostFailure,
  noTraffic,
  type OpenContext,
  type OpenedSource,
  readOnlyStorage,
  type Traffic,
} from '../source.ts';
import { baseName } from '../tree.ts';
import { type BlockingNetwork, type GetOptions, get, interpret, wholeLimit } from './http.ts';
import { MANIFEST_BYTES_MAX, RemoteDirectory } from './remote.ts';
import { type OpenPageCache, RemoteCache } from './remote_cache.ts';

/** Where a database directory and a Dolt remote have their files. */
const FOLDERS = ['.dolt/noms/', ''];

/**
 * Opens a database directory or a Dolt `file://` remote on a web server, or an archive of one.
 *
 * @param network how to read while the engine waits; null where its stack can be suspended instead
 * @param openCache where what was fetched stays; null for nowhere
 * @param traffic counts requests and bytes
 */
export async function openUrl(
  address: string,
  network: BlockingNetwork | null,
  context: OpenContext,
  openCache: OpenPageCache | null = null,
  traffic: Traffic = noTraffic(),
): Promise<OpenedSource> {
  const url = new URL(address);
  const closing = new AbortController();
  const options: GetOptions = {
    timeoutMs: context.networkTimeoutMs,
    fetch: context.fetch,
    refusesRedirects: context.refusesRedirects,
    signal: context.signal === undefined ? closing.signal : AbortSignal.any([closing.signal, context.signal]),
  };
  const path = decodeURIComponent(url.pathname);
  if (/\.(zip|tar|tgz|tar\.gz)$/i.test(path)) return openArchive(url, path, traffic, options, context);
  url.pathname = url.pathname.replace(/\/*(\.dolt\/*(noms\/*)?)?$/, '/');
  const cache = await RemoteCache.open(openCache, context.cacheBytes);
  const directory = new RemoteDirectory(url, network, traffic, options, cache);
  try {
    if (!(await openStore(directory))) {
      const what = `There is no Dolt database at ${url.href}`;
      const names = FOLDERS.map(folder => `${folder}manifest`);
      throw hostFailure('not_a_database', `${what}: neither ${names.join(' nor ')}`);
    }
  } catch (error) {
    await cache.close();
    throw error;
  }
  const name = baseName(decodeURIComponent(url.pathname).slice(0, -1)) || url.hostname;
  const { notRevalidated } = directory;
  return {
    storage: { ...readOnlyStorage('url', true), cache: cache.state, notRevalidated },
    databases: [{ name, directory }],
    traffic,
    cacheState: () => cache.state,
    interrupt: () => directory.interrupt(),
    close() {
      closing.abort();
      network?.close();
      return cache.close();
    },
  };
}

/**
 * Opens all files of a store before the engine asks for one after the other, in two rounds of requests side by side: those whose names are
 * known, then those that the manifests list. False when there is no store.
 */
async function openStore(directory: RemoteDirectory): Promise<boolean> {
  const [noms] = FOLDERS;
  // No more than the six that a browser sends at once to a server of HTTP/1.1: another one would wait for an answer.
  await directory.openAhead([
    ...FOLDERS.map(folder => `${folder}manifest`),
    `${noms}oldgen/manifest`,
    '.dolt/repo_state.json',
    `${noms}ghostObjects.txt`,
    // A database has its journal there whether the manifest lists it or not.
    `${noms}${JOURNAL_ID}`,
  ]);
  for (const folder of FOLDERS) {
    const [manifest, old] = await Promise.all(
      [folder, `${folder}oldgen/`].map(async below => ({ below, file: await directory.openLater(`${below}manifest`) })),
    );
    if (!manifest?.file) continue;
    const listed = [manifest, old].flatMap(found => (found?.file ? listedFiles(found.file, found.below) : []));
    await directory.openAhead(listed);
    return true;
  }
  return false;
}

/**
 * Paths under which the files of a manifest may lie. An id is a table file or, with `.darc`, an archive; the manifest does not tell. None of
 * one that is no manifest: the engine reads it next, and reports what is wrong with it.
 */
function listedFiles(file: HostFile, folder: string): string[] {
  return idsOf(file).flatMap(id =>
    id === JOURNAL_ID ? [`${folder}${id}`, `${folder}journal.idx`] : [`${folder}${id}`, `${folder}${id}.darc`],
  );
}

function idsOf(file: HostFile): string[] {
  if (file.length > MANIFEST_BYTES_MAX) return [];
  const bytes = new Uint8Array(file.length);
  file.read(0, bytes);
  // A lazy clone has a letter of its own for version 5.
  const text = new TextDecoder().decode(bytes).replace(/^L:/, '5:');
  try {
    return parseManifest(text).files.map(({ id }) => id);
  } catch (error) {
    if (error instanceof FileFault) return [];
    throw error;
  }
}

async function openArchive(
  url: URL,
  path: string,
  traffic: Traffic,
  options: GetOptions,
  context: OpenContext,
): Promise<OpenedSource> {
  const limit = wholeLimit(ARCHIVE_LIMITS.totalBytes);
  const answer = interpret(url.href, await get(url.href, null, 'mutable', traffic, limit, options));
  if (answer.kind !== 'whole') throw hostFailure('unreadable', `There is no archive at ${url.href}`);
  const source = await openPortable({ kind: 'archive', name: baseName(path), content: answer.bytes }, context);
  return { ...source, traffic };
}
