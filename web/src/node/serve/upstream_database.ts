/** A served remote: the proxy of `varve serve URL`. */
import { FileFault, type HostFile, readBytes } from '../../host/files/file.ts';
import { EMPTY_ADDRESS, parseManifest } from '../../host/remotes/manifest_text.ts';
import type { OpenedRemote } from '../../host/remotes/remote_types.ts';
import { Journal } from './journal_index.ts';
import { ChunkLookup, type DatabaseWrites, type ServedDatabase, type Snapshot } from './served_database.ts';
import { openListed, openOld, servedFile, textOf, type UpstreamFile } from './upstream_files.ts';
import { UpstreamWrites } from './upstream_writes.ts';

/** The upstream's manifest is read anew when it was read longer ago. */
const FRESH_MS = 1000;
/** Where a remote and a database have their files. */
const FOLDERS = ['', '.dolt/noms/'];

/** A remote behind this server. Pages of its files stay in the cache on this disk; what clients push is handed on at once. */
export class UpstreamDatabase implements ServedDatabase {
  readonly lookup = new ChunkLookup();
  readonly writes?: DatabaseWrites;
  readonly #open: () => Promise<OpenedRemote>;
  #hasWorkingSets = false;
  #opened: Promise<Opened> | null = null;
  #openedMs = Number.NEGATIVE_INFINITY;

  constructor(open: () => Promise<OpenedRemote>, isWritable: boolean) {
    this.#open = open;
    if (!isWritable) return;
    const changed = (): void => {
      this.#openedMs = Number.NEGATIVE_INFINITY;
    };
    this.writes = new UpstreamWrites(open, this.lookup, changed);
  }

  /** As the upstream has them, when it was read last. */
  get hasWorkingSets(): boolean {
    return this.#hasWorkingSets;
  }

  async snapshot(): Promise<Snapshot> {
    if (this.#opened === null || performance.now() - this.#openedMs > FRESH_MS) this.#reopen();
    return (await (this.#opened as Promise<Opened>)).snapshot;
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    await opened?.remote.close();
  }

  #reopen(): void {
    const before = this.#opened;
    this.#openedMs = performance.now();
    this.#opened = this.#begin();
    this.#opened.then(
      async () => (await before?.catch(() => null))?.retire(),
      () => {
        // The next request tries again.
        this.#openedMs = Number.NEGATIVE_INFINITY;
      },
    );
  }

  async #begin(): Promise<Opened> {
    const remote = await this.#open();
    this.#hasWorkingSets = remote.assertsWorkingSet ?? false;
    try {
      return await Opened.read(remote, async (name, read) => (await (this.#opened as Promise<Opened>)).use(name, read));
    } catch (error) {
      await remote.close();
      throw error;
    }
  }
}

/** Reads a file of the remote that is open at the time. */
type Use = (name: string, read: (file: HostFile) => Promise<Uint8Array>) => Promise<Uint8Array>;

/** An open remote, until its last reader is done and a newer one is open. */
class Opened {
  readonly remote: OpenedRemote;
  readonly snapshot: Snapshot;
  readonly #files: ReadonlyMap<string, HostFile>;
  #readers = 0;
  #isRetired = false;

  private constructor(remote: OpenedRemote, snapshot: Snapshot, files: ReadonlyMap<string, HostFile>) {
    this.remote = remote;
    this.snapshot = snapshot;
    this.#files = files;
  }

  static async read(remote: OpenedRemote, use: Use): Promise<Opened> {
    const { directory } = remote;
    const found: UpstreamFile[] = [];
    let root = EMPTY_ADDRESS;
    for (const folder of FOLDERS) {
      const text = await textOf(directory, `${folder}manifest`);
      if (text === null) continue;
      const manifest = parseManifest(text);
      root = manifest.root;
      found.push(...(await openListed(directory, folder, manifest)), ...(await openOld(directory, folder)));
      break;
    }
    const files = new Map(found.map(({ name, file }) => [name, file]));
    const served = found.map(file =>
      servedFile(file, (offset, length) => use(file.name, now => readBytes(now, offset, length))),
    );
    const journal = found.find(Journal.isOne);
    const recorded = journal === undefined ? null : (await new Journal().upTo(servedFile(journal))).root;
    return new Opened(remote, { root: recorded ?? root, files: served }, files);
  }

  async use(name: string, read: (file: HostFile) => Promise<Uint8Array>): Promise<Uint8Array> {
    const file = this.#files.get(name);
    if (file === undefined) throw new FileFault('gone', `the upstream has no file ${name} any more`);
    this.#readers++;
    try {
      return await read(file);
    } finally {
      this.#readers--;
      await this.#closeUnused();
    }
  }

  async retire(): Promise<void> {
    this.#isRetired = true;
    await this.#closeUnused();
  }

  async #closeUnused(): Promise<void> {
    if (this.#isRetired && this.#readers === 0) await this.remote.close();
  }
}
