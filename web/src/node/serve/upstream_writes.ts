import { FileFault, type HostDirectory, type HostFile, readBytes } from '../../host/files/file.ts';
import { settled, taken } from '../../host/files/settled.ts';
import { addressBytes, EMPTY_ADDRESS, type Manifest, manifestText } from '../../host/remotes/manifest_text.ts';
import type { OpenedRemote } from '../../host/remotes/remote_types.ts';
import type { FileIndex } from './chunk_index.ts';
import { checkedIndex, ID_LENGTH, receivePieces } from './received_file.ts';
import {
  type AddedFile,
  ChunkLookup,
  type DatabaseWrites,
  Refusal,
  type ServedFile,
  type Snapshot,
} from './served_database.ts';
import { manifestOf } from './upstream_files.ts';

/** Native Dolt's temporary files of a remote have names like these. */
const TEMPORARY = 'nbs_table_varve_serve';
const MANIFEST_TEMPORARY = 'nbs_manifest_varve_serve';
/** Of files that were received and are not listed yet, the indexes of so many are kept. */
const RECEIVED_MAX = 64;

/** Hands on to a remote elsewhere what clients push. Each request opens the remote anew, with this server's own credentials. */
export class UpstreamWrites implements DatabaseWrites {
  readonly #open: () => Promise<OpenedRemote>;
  readonly #snapshot: () => Promise<Snapshot>;
  readonly #onChanged: () => void;
  readonly #received = new Map<string, FileIndex>();
  readonly #lookup = new ChunkLookup();

  /** @param onChanged the manifest is another one */
  constructor(open: () => Promise<OpenedRemote>, snapshot: () => Promise<Snapshot>, onChanged: () => void) {
    this.#open = open;
    this.#snapshot = snapshot;
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
        const index = await checkedIndex(servedFile(name, file), digest);
        await settled(writes, () => writes.rename(temporary, name));
        this.#keep(name.slice(0, ID_LENGTH), index);
      } finally {
        writes.remove(temporary);
      }
    });
  }

  async add(files: readonly AddedFile[]): Promise<void> {
    if (!(await this.#list(files, manifest => manifest.root)))
      throw new Refusal('another writer was faster: try again');
  }

  async commit(current: string, last: string, files: readonly AddedFile[]): Promise<boolean> {
    await this.#checkRoot(current, files);
    return this.#list(files, manifest => (manifest.root === last ? current : null));
  }

  /** Whether the manifest was replaced: not where `rootOf` gives no root, or where another writer was faster. */
  async #list(files: readonly AddedFile[], rootOf: (manifest: Manifest) => string | null): Promise<boolean> {
    for (const { id, chunks } of files) {
      const found = this.#received.get(id)?.chunks;
      if (found !== undefined && found !== chunks)
        throw new Refusal(`the file ${id} has ${found} chunks, not ${chunks}`);
    }
    const isDone = await this.#with(async directory => {
      const writes = writesOf(directory);
      await taken(writes);
      try {
        const manifest = await manifestOf(directory);
        const root = rootOf(manifest);
        if (root === null) return false;
        const known = new Set(manifest.files.map(({ id }) => id));
        const added = files.filter(({ id }) => !known.has(id));
        for (const { id } of added) if (!this.#received.has(id)) throw new Refusal(`the file ${id} was not uploaded`);
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
    if (isDone) for (const { id } of files) this.#received.delete(id);
    this.#onChanged();
    return isDone;
  }

  async #checkRoot(root: string, files: readonly AddedFile[]): Promise<void> {
    if (root === EMPTY_ADDRESS) return;
    const address = addressBytes(root);
    if (files.some(({ id }) => (this.#received.get(id)?.find(address) ?? null) !== null)) return;
    const [found] = await this.#lookup.find(await this.#snapshot(), [address]);
    if (found === null) throw new Refusal(`the root ${root} is in none of the files`);
  }

  #keep(id: string, index: FileIndex): void {
    this.#received.set(id, index);
    for (const oldest of this.#received.keys()) {
      if (this.#received.size <= RECEIVED_MAX) break;
      this.#received.delete(oldest);
    }
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

function servedFile(name: string, file: HostFile): ServedFile {
  const read = (offset: number, length: number): Promise<Uint8Array> => readBytes(file, offset, length);
  return { name, id: name.slice(0, ID_LENGTH), chunks: 0, length: file.length, read };
}
