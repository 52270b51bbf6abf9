/** A served database on disk. */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { FileFault } from '../../host/files/file.ts';
import {
  addressBytes,
  type ListedFile,
  type Manifest,
  manifestText,
  NO_MANIFEST,
  parseManifest,
} from '../../host/remotes/manifest_text.ts';
import { JOURNAL_ID } from '../../protocol/index.ts';
import { flushDirectory } from '../disk/aside.ts';
import { FileLock } from '../disk/file_lock.ts';
import { refuseDangling, refuseMissingRoot } from './dangling.ts';
import { Journal, rootRecord } from './journal_index.ts';
import { type CheckedFile, checkedFile, ID_LENGTH, type ReceivedFiles, receivePieces } from './received_file.ts';
import {
  type AddedFile,
  ChunkLookup,
  type DatabaseWrites,
  Refusal,
  type ServedDatabase,
  type ServedFile,
  type Snapshot,
} from './served_database.ts';

/** Native Dolt's temporary files of a store have names like this; its collections remove what is left of them. */
const TEMPORARY = 'nbs_table_varve_';
const MANIFEST_TEMPORARY = 'nbs_manifest_varve_serve';
/** A writer is waited for so long. */
const LOCK_WAIT_MS = 10_000;
/** As often a manifest is read whose files are not there. */
const TRIES = 5;
/** As often one that is replaced while the journal is read. */
const BUSY_TRIES = 100;

/** A database directory on the disk, or a directory in the layout of a `file://` remote. Files are read as they are at each request. */
export class LocalDatabase implements ServedDatabase, DatabaseWrites {
  readonly hasWorkingSets: boolean;
  readonly writes?: DatabaseWrites;
  readonly lookup = new ChunkLookup();
  readonly #store: string;
  readonly #received: ReceivedFiles;
  readonly #journal = new Journal();

  /** @param store the directory with the manifest: `.dolt/noms` of a database, or a remote's own; it may be missing. */
  constructor(store: string, received: ReceivedFiles, isRemote: boolean, isWritable: boolean) {
    this.#store = store;
    this.#received = received;
    this.hasWorkingSets = !isRemote;
    if (isWritable) this.writes = this;
  }

  async snapshot(): Promise<Snapshot> {
    // A collection replaces the manifest and then removes files: what is missing is looked for in the next manifest.
    for (let tried = 1; ; tried++) {
      const manifest = this.#manifest() ?? NO_MANIFEST;
      const old = readManifest(join(this.#store, 'oldgen'));
      const listed = [
        ...manifest.files.map(file => ({ ...file, folder: this.#store })),
        ...(old?.files ?? []).map(file => ({ ...file, folder: join(this.#store, 'oldgen') })),
      ];
      const files = listed.map(file => this.#fileOf(file.folder, file)).filter(file => file !== null);
      const journal = files.find(Journal.isOne);
      const recorded = journal === undefined ? null : (await this.#journal.upTo(journal)).root;
      // Another writer may have listed files meanwhile, in which the root of the journal is.
      const isCurrent = journal === undefined || isSame(manifest, this.#manifest() ?? NO_MANIFEST);
      if (files.length === listed.length && isCurrent)
        return { root: recorded ?? manifest.root, files, ghosts: () => readGhosts(this.#store) };
      if (tried >= TRIES && files.length < listed.length)
        throw new FileFault('host', `${this.#store}: files that its manifest lists are missing`);
      if (tried >= BUSY_TRIES) throw new FileFault('host', `${this.#store} changes constantly: try again`);
    }
  }

  async receive(name: string, length: number, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    mkdirSync(this.#store, { recursive: true });
    const temporary = join(this.#store, TEMPORARY + randomUUID());
    const file = await open(temporary, 'wx', 0o644);
    try {
      const digest = await receivePieces(name, length, pieces, piece => file.writeFile(piece));
      const checked = await checkedFile(new DiskServedFile(temporary, name, 0), digest);
      await file.sync();
      await file.close();
      renameSync(temporary, join(this.#store, name));
      flushDirectory(this.#store);
      this.#received.keep(join(this.#store, name), checked);
    } catch (error) {
      await file.close().catch(() => {});
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  async add(files: readonly AddedFile[]): Promise<void> {
    await this.#locked(async () => {
      const manifest = this.#manifest() ?? NO_MANIFEST;
      const added = await this.#checked(manifest, files);
      await refuseDangling(added, await this.snapshot(), this.lookup);
      await this.#list(manifest, manifest.root, added);
    });
  }

  async commit(current: string, last: string, files: readonly AddedFile[]): Promise<boolean> {
    return this.#locked(async () => {
      const manifest = this.#manifest() ?? NO_MANIFEST;
      const store = await this.snapshot();
      if (store.root !== last) return false;
      const added = await this.#checked(manifest, files);
      await refuseDangling(added, store, this.lookup);
      await refuseMissingRoot(current, added, store, this.lookup);
      const journal = store.files.find(Journal.isOne);
      if (journal !== undefined && this.#journal.hasRedo)
        throw new Refusal('the database has changes that Varve has not committed yet: open it with Varve once');
      await this.#list(manifest, current, added);
      // Where there is a journal, its last root is the one that counts.
      if (journal !== undefined) this.#record(current, journal.length);
      return true;
    });
  }

  #manifest(): Manifest | null {
    return readManifest(this.#store);
  }

  /** Puts files and a root into the manifest. The caller has the lock. */
  async #list(manifest: Manifest, root: string, added: readonly UnlistedFile[]): Promise<void> {
    if (added.length === 0 && root === manifest.root) return;
    const text = await manifestText({ ...manifest, root, files: [...manifest.files, ...added] });
    const temporary = join(this.#store, MANIFEST_TEMPORARY);
    const descriptor = openSync(temporary, 'w', 0o644);
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, join(this.#store, 'manifest'));
    flushDirectory(this.#store);
    for (const { name } of added) this.#received.drop(join(this.#store, name));
  }

  /** The files that are not listed yet, which have to be there. */
  async #checked(manifest: Manifest, files: readonly AddedFile[]): Promise<UnlistedFile[]> {
    const known = new Set(manifest.files.map(({ id }) => id));
    const added: UnlistedFile[] = [];
    for (const { id, chunks } of files.filter(file => !known.has(file.id))) {
      const file = this.#fileOf(this.#store, { id, chunks });
      if (file === null || Journal.isOne(file)) throw new Refusal(`the file ${id} was not uploaded`);
      // Another process may have received it, or this one long ago.
      const checked = this.#received.get(join(this.#store, file.name)) ?? (await checkedFile(file, null));
      const { index, outgoing } = checked;
      // Those of a table file have to be exact.
      if (index.chunks !== chunks) throw new Refusal(`the file ${id} has ${index.chunks} chunks, not ${chunks}`);
      known.add(id);
      added.push({ id, chunks, name: file.name, index, outgoing });
    }
    return added;
  }

  #record(root: string, length: number): void {
    const path = join(this.#store, JOURNAL_ID);
    if (this.#journal.end !== length)
      throw new Refusal('the journal of the database is damaged at its end: open it once');
    const descriptor = openSync(path, 'r+');
    try {
      writeSync(descriptor, rootRecord(addressBytes(root), Math.floor(Date.now() / 1000)), 0, 40, length);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    mkdirSync(this.#store, { recursive: true });
    const lock = await FileLock.take(join(this.#store, 'LOCK'), LOCK_WAIT_MS, new AbortController().signal);
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  #fileOf(folder: string, { id, chunks }: ListedFile): DiskServedFile | null {
    const name = [id, `${id}.darc`].find(found => existsSync(join(folder, found)));
    return name === undefined ? null : new DiskServedFile(join(folder, name), name, chunks);
  }
}

/** A file that is in the directory, and in no manifest yet. */
interface UnlistedFile extends CheckedFile, ListedFile {
  readonly name: string;
}

/** A file of a store. It is opened for each read, so that any number may be served. */
class DiskServedFile implements ServedFile {
  readonly name: string;
  readonly id: string;
  readonly chunks: number;
  readonly length: number;
  readonly #path: string;

  constructor(path: string, name: string, chunks: number) {
    this.#path = path;
    this.name = name;
    this.id = name.slice(0, ID_LENGTH);
    this.chunks = chunks;
    this.length = statSync(path).size;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const file = await open(this.#path, 'r');
    try {
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
        if (bytesRead === 0) throw new FileFault('host', `${this.name} ends before ${offset + length}`);
        done += bytesRead;
      }
      return bytes;
    } finally {
      await file.close();
    }
  }
}

function isSame(before: Manifest, after: Manifest): boolean {
  return (
    before.root === after.root &&
    before.files.length === after.files.length &&
    before.files.every(({ id }, place) => id === after.files[place]?.id)
  );
}

function readManifest(folder: string): Manifest | null {
  const path = join(folder, 'manifest');
  return existsSync(path) ? parseManifest(readFileSync(path, 'utf8')) : null;
}

/** What a shallow clone has left out (docs/format/store.md, section 7.5): an address in each line. */
function readGhosts(folder: string): Set<string> {
  const path = join(folder, 'ghostObjects.txt');
  return new Set(existsSync(path) ? readFileSync(path, 'utf8').split(/\r?\n/) : []);
}
