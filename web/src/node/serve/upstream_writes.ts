/** Pushes that are forwarded to the remote behind a proxy. */
import { FileFault, type HostDirectory } from '../../host/files/file.ts';
import { settled, taken } from '../../host/files/settled.ts';
import { type Manifest, manifestText } from '../../host/remotes/manifest_text.ts';
import type { OpenedRemote } from '../../host/remotes/remote_types.ts';
import { refuseDangling, refuseMissingRoot } from './dangling.ts';
import { checkedFile, ID_LENGTH, ReceivedFiles, receivePieces } from './received_file.ts';
import { type AddedFile, type ChunkLookup, type DatabaseWrites, Refusal, type Snapshot } from './served_database.ts';
import { manifestOf, openListed, openOld, servedFile } from './upstream_files.ts';

/** Native Dolt's temporary files of a remote have names like these. */
const TEMPORARY = 'nbs_table_varve_serve';
const MANIFEST_TEMPORARY = 'nbs_manifest_varve_serve';

/** Hands on to a remote elsewhere what clients push. Each request opens the remote anew, with this server's own credentials. */
export class UpstreamWrites implements DatabaseWrites {
  readonly #open: () => Promise<OpenedRemote>;
  readonly #lookup: ChunkLookup;
  readonly #onChanged: () => void;
  /** By id. */
  readonly #received = new ReceivedFiles();

  /** @param onChanged the manifest is another one */
  constructor(open: () => Promise<OpenedRemote>, lookup: ChunkLookup, onChanged: () => void) {
    this.#open = open;
    this.#lookup = lookup;
    this.#onChanged = onChanged;
  }

  async receive(name: string, length: number, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#with(async directory => {
      const writes = writesOf(directory);
      const temporary = `${TEMPORARY}_${Date.now()}_${name}`;
      const file = writes.create(temporary);
      try {
        const digest = await receivePieces(name, length, pieces, (piece, at) => file.writes?.write(at, piece));
        file.writes?.flush();
        const id = name.slice(0, ID_LENGTH);
        const checked = await checkedFile(servedFile({ name, id, chunks: 0, file }), digest);
        await settled(writes, () => writes.rename(temporary, name));
        this.#received.keep(id, checked);
      } finally {
        writes.remove(temporary);
      }
    });
  }

  async add(files: readonly AddedFile[]): Promise<void> {
    if (!(await this.#list(files, manifest => manifest.root)))
      throw new Refusal('another writer committed first: try again');
  }

  async commit(current: string, last: string, files: readonly AddedFile[]): Promise<boolean> {
    return this.#list(files, manifest => (manifest.root === last ? current : null));
  }

  /** Whether the manifest was replaced: not where `rootOf` gives no root, or where another writer was faster. */
  async #list(files: readonly AddedFile[], rootOf: (manifest: Manifest) => string | null): Promise<boolean> {
    const isDone = await this.#with(async directory => {
      const writes = writesOf(directory);
      await taken(writes);
      try {
        const manifest = await manifestOf(directory);
        const root = rootOf(manifest);
        if (root === null) return false;
        const known = new Set(manifest.files.map(({ id }) => id));
        const added = files.filter(({ id }) => !known.has(id) && known.add(id));
        await this.#check(directory, manifest, root, added);
        if (added.length === 0 && root === manifest.root) return true;
        const text = await manifestText({ ...manifest, root, files: [...manifest.files, ...added] });
        const file = writes.create(MANIFEST_TEMPORARY);
        file.writes?.write(0, new TextEncoder().encode(text));
        file.writes?.flush();
        await settled(writes, () => writes.rename(MANIFEST_TEMPORARY, 'manifest'));
        return true;
      } catch (error) {
        if (error instanceof FileFault && error.kind === 'moved') return false;
        throw error;
      } finally {
        writes.remove(MANIFEST_TEMPORARY);
        writes.release();
      }
    });
    if (isDone) for (const { id } of files) this.#received.drop(id);
    this.#onChanged();
    return isDone;
  }

  /** Refuses files and a root that would leave the remote without a chunk. `manifest` is the one that they are added to. */
  async #check(directory: HostDirectory, manifest: Manifest, root: string, added: readonly AddedFile[]): Promise<void> {
    const checked = added.map(({ id, chunks }) => {
      const file = this.#received.get(id);
      if (file === undefined) throw new Refusal(`the file ${id} was not uploaded`);
      if (file.index.chunks !== chunks)
        throw new Refusal(`the file ${id} has ${file.index.chunks} chunks, not ${chunks}`);
      return file;
    });
    if (checked.length === 0 && root === manifest.root) return;
    const opened = [...(await openListed(directory, '', manifest)), ...(await openOld(directory, ''))];
    const store: Snapshot = { root: manifest.root, files: opened.map(file => servedFile(file)) };
    await refuseDangling(checked, store, this.#lookup);
    await refuseMissingRoot(root, checked, store, this.#lookup);
  }

  async #with<T>(work: (directory: HostDirectory) => Promise<T>): Promise<T> {
    const remote = await this.#open();
    try {
      return await work(remote.directory);
    } finally {
      await remote.close();
    }
  }
}

function writesOf({ writes }: HostDirectory) {
  if (writes === undefined) throw new Refusal('the upstream can only be read');
  return writes;
}
