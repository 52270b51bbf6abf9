/** A remote in a directory handle: OPFS or a picked folder. */
import { messageOf } from '../../protocol/index.ts';
import { holdsDatabase } from '../../protocol/remote_folders.ts';
import { FileFault, type HostDirectory, type HostFile } from '../files/file.ts';
import { MemoryFile } from '../files/memory.ts';
import { PickedFile } from '../files/picked.ts';
import { MANIFEST_BYTES_MAX } from '../files/remote/remote.ts';
import { hostFailure } from '../files/source.ts';
import { namesIn } from '../files/tree.ts';
import type { OpenedRemote, RemoteContext, RemoteRequest } from './remote_types.ts';
import { MANIFEST, manifestOf, piecesOf, type Uploaded, UploadWrites } from './upload_writes.ts';

/** Data files: table files and archives. */
const DATA_FILE = /^[0-9a-v]{32}(\.darc)?$/;
/** Files that are being written, with the time in milliseconds. Native Dolt removes files of such names, too. */
const TEMPORARY = 'nbs_table_varve_';
const TEMPORARY_FILE = /^nbs_table_varve_(\d+)_/;
/** Age from which a temporary file is taken for one of a push that was killed. */
const LEFT_MS = 24 * 60 * 60 * 1000;
/** As often a directory is listed whose manifest changes meanwhile. */
const LISTINGS_MAX = 20;

type Movable = FileSystemFileHandle & { move?(name: string): Promise<void> };

/** Opens `opfs://path`: a remote in the storage of the site. */
export async function openOpfsRemote({ url, create }: RemoteRequest, context: RemoteContext): Promise<OpenedRemote> {
  const names = url
    .replace(/^opfs:\/*/i, '')
    .split('/')
    .filter(name => name !== '' && name !== '.');
  if (names.length === 0) throw hostFailure('usage', `${url} names no directory: write opfs://name`);
  let handle = await navigator.storage.getDirectory();
  try {
    for (const name of names) handle = await handle.getDirectoryHandle(name, { create });
  } catch (error) {
    const isAbsent = error instanceof DOMException && error.name === 'NotFoundError';
    if (!isAbsent) throw hostFailure('unreadable', `${url} could not be opened: ${(error as Error).message}`);
    return { directory: NOTHING, close() {} };
  }
  const directory = new HandleDirectory(handle, url, url, context);
  await directory.start();
  return { directory, close: () => directory.close() };
}

/** A remote that is not there. */
const NOTHING: HostDirectory = { suspends: false, isRemote: false, open: () => null, list: () => [] };

/**
 * A remote in a directory of a browser: in its own storage, or one that a person picked. Files are written under temporary names and
 * renamed when they are whole. A Web Lock lets one tab write at a time; writers elsewhere (native Dolt, another browser, a program that
 * synchronizes the directory) are noticed by the manifest, which is compared right before it is replaced.
 */
export class HandleDirectory extends UploadWrites implements HostDirectory {
  readonly suspends = false;
  readonly isRemote = true;
  readonly writes = this;
  readonly #handle: FileSystemDirectoryHandle;
  readonly #url: string;
  /** How messages call it. */
  readonly #label: string;
  readonly #waitMs: number;
  readonly #files = new Map<string, HostFile>();
  /** The manifest that the engine sees; null: there is none. */
  #manifest: string | null = null;
  #canMove = 'move' in FileSystemFileHandle.prototype;
  #isHeld = false;
  #asking: Promise<void> | null = null;
  #giveBack: () => void = () => {};

  constructor(handle: FileSystemDirectoryHandle, url: string, label: string, context: RemoteContext) {
    super(context.scratch);
    this.#handle = handle;
    this.#url = url;
    this.#label = label;
    this.#waitMs = context.lockTimeoutMs;
  }

  /** Reads what is there. @throws FileFault or HostFailure for a database, and for a directory that is gone. */
  async start(): Promise<void> {
    const isDatabase = await holdsDatabase(this.#handle).catch(error => Promise.reject(this.#fault(error)));
    if (isDatabase) {
      const what = `${this.#label} contains a database, so it cannot be a remote`;
      throw hostFailure('not_a_database', `${what}: choose an empty one, or one that was pushed to before`);
    }
    await this.#look();
  }

  open(path: string): HostFile | null {
    if (path === MANIFEST) {
      return this.#manifest === null ? null : new MemoryFile(new TextEncoder().encode(this.#manifest));
    }
    return this.#files.get(path) ?? null;
  }

  list(path: string): string[] {
    return namesIn(this.#manifest === null ? this.#files.keys() : [MANIFEST, ...this.#files.keys()], path);
  }

  take(): boolean {
    if (!this.#isHeld) this.#asking ??= this.#ask();
    return this.#isHeld;
  }

  claim(): boolean {
    return this.take();
  }

  release(): void {
    this.#isHeld = false;
    this.#giveBack();
  }

  override close(): void {
    this.release();
    super.close();
  }

  protected async granted(): Promise<void> {
    await this.#asking;
  }

  protected async put(path: string, file: HostFile): Promise<Uploaded> {
    const uploaded: Uploaded = () => false;
    // Names of data files are made of their contents. One of another length is what a killed push has left.
    if (path !== MANIFEST && this.#files.get(path)?.length === file.length) return uploaded;
    try {
      if (!(await this.#moveIn(path, file))) await this.#overwrite(path, file);
      if (path === MANIFEST) await this.#adopt(manifestOf(file));
      else this.#files.set(path, new PickedFile(await (await this.#handle.getFileHandle(path)).getFile()));
      return uploaded;
    } catch (error) {
      const fault = this.#fault(error);
      // The engine has its own words for a file that is gone; here the directory is.
      throw fault.kind === 'gone' ? new FileFault('host', fault.message) : fault;
    }
  }

  /** Writes a file under a temporary name, and renames it when it is whole. @returns false where the browser cannot rename. */
  async #moveIn(path: string, file: HostFile): Promise<boolean> {
    if (!this.#canMove) return false;
    const temporary = `${TEMPORARY}${Date.now()}_${crypto.randomUUID().slice(0, 8)}`;
    const handle: Movable = await this.#handle.getFileHandle(temporary, { create: true });
    try {
      await write(handle, file);
      if (path === MANIFEST) await this.#compareManifest();
      await handle.move?.(path).catch(error => {
        if (!isUnsupported(error)) throw error;
        this.#canMove = false;
      });
    } catch (error) {
      await this.#handle.removeEntry(temporary).catch(() => {});
      throw error;
    }
    if (!this.#canMove) await this.#handle.removeEntry(temporary);
    return this.#canMove;
  }

  /** Writes a file in place: the browser writes to a file of its own, which becomes this one when it is closed. */
  async #overwrite(path: string, file: HostFile): Promise<void> {
    const handle = await this.#handle.getFileHandle(path, { create: true });
    await write(handle, file, async () => {
      if (path === MANIFEST) await this.#compareManifest();
    });
  }

  /**
   * Compares the manifest with the one that the engine saw. File System Access has no compare-and-set: a writer between this and the rename
   * that follows is overwritten.
   *
   * @throws FileFault `moved` when it is another one, which the engine then sees.
   */
  async #compareManifest(): Promise<void> {
    if ((await this.#readManifest()) === this.#manifest) return;
    await this.#look();
    throw new FileFault('moved', `${this.#label} was changed by another writer`);
  }

  /** Reads the manifest that was written: another writer may have overwritten it at once. @throws FileFault `moved` then. */
  async #adopt(written: string): Promise<void> {
    this.#manifest = written;
    await this.#compareManifest();
  }

  /** Takes in what others wrote: the manifest, and every file that was there when it was read. Data files never change. */
  async #look(): Promise<void> {
    try {
      let manifest = await this.#readManifest();
      for (let listings = 1; ; listings++) {
        await this.#openFiles();
        const current = await this.#readManifest();
        if (current === manifest) break;
        manifest = current;
        if (listings === LISTINGS_MAX)
          throw new FileFault('host', `${this.#label} changes constantly: try again when other writers are done`);
      }
      this.#manifest = manifest;
    } catch (error) {
      throw this.#fault(error);
    }
  }

  async #openFiles(): Promise<void> {
    for await (const [name, entry] of this.#handle.entries()) {
      if (entry.kind !== 'file' || !DATA_FILE.test(name) || this.#files.has(name)) continue;
      this.#files.set(name, new PickedFile(await (entry as FileSystemFileHandle).getFile()));
    }
  }

  /** An empty one is that of a first push that was killed, where the browser cannot rename. */
  async #readManifest(): Promise<string | null> {
    const handle = await this.#handle.getFileHandle(MANIFEST).catch(error => {
      if (isAbsent(error)) return null;
      throw error;
    });
    const file = await handle?.getFile();
    if (file === undefined || file.size === 0) return null;
    if (file.size > MANIFEST_BYTES_MAX)
      throw new FileFault('host', `${this.#label}: its manifest is larger than ${MANIFEST_BYTES_MAX} bytes`);
    return file.text();
  }

  /** Removes what killed pushes left. Failing is no harm: nothing lists these files. */
  async #tidy(): Promise<void> {
    const left: string[] = [];
    for await (const name of this.#handle.keys()) {
      const time = TEMPORARY_FILE.exec(name)?.[1];
      if (time !== undefined && Number(time) < Date.now() - LEFT_MS) left.push(name);
    }
    for (const name of left) await this.#handle.removeEntry(name).catch(() => {});
  }

  #fault(error: unknown): FileFault {
    if (error instanceof FileFault) return error;
    const label = `${this.#label.charAt(0).toUpperCase()}${this.#label.slice(1)}`;
    const message = messageOf(error);
    const isOneOf = (...names: string[]): boolean => error instanceof DOMException && names.includes(error.name);
    if (isAbsent(error)) {
      const where = 'it was moved, renamed or removed, or its drive is not connected';
      return new FileFault(
        'gone',
        `${label} is gone: ${where}. Bring it back, or choose the folder again (${message})`,
      );
    }
    if (isOneOf('NotAllowedError', 'SecurityError'))
      return new FileFault('denied', `${label} may not be used: allow it, then try again (${message})`);
    if (isOneOf('QuotaExceededError'))
      return new FileFault('no_space', `${label} is full: free space there, then try again (${message})`);
    return new FileFault('host', `${label}: ${message}`);
  }

  #ask(): Promise<void> {
    const patience = this.#waitMs === Infinity ? {} : { signal: AbortSignal.timeout(Math.max(1, this.#waitMs)) };
    return new Promise<void>((resolve, reject) => {
      const hold = async (): Promise<void> => {
        await this.#look();
        await this.#tidy().catch(() => {});
        const given = new Promise<void>(free => {
          this.#giveBack = free;
        });
        this.#isHeld = true;
        resolve();
        await given;
      };
      navigator.locks.request(`varve-remote:${this.#url}`, patience, hold).catch(error => {
        const isLate = error instanceof DOMException && error.name === 'TimeoutError';
        const late = `Another tab writes to ${this.#label} and has not finished for ${this.#waitMs / 1000} s: try again`;
        reject(isLate ? hostFailure('locked', late) : error);
      });
    }).finally(() => {
      this.#asking = null;
    });
  }
}

/** Writes all of a file. What is written becomes the file when it is closed, as one step. */
async function write(handle: FileSystemFileHandle, file: HostFile, beforeClose?: () => Promise<void>): Promise<void> {
  const stream = await handle.createWritable();
  try {
    for (const piece of piecesOf(file)) await stream.write(piece);
    await beforeClose?.();
  } catch (error) {
    await stream.abort().catch(() => {});
    throw error;
  }
  await stream.close();
}

function isAbsent(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError';
}

/** Whether a browser refuses to rename at all: older ones rename files of their own storage only, or none over another. */
function isUnsupported(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  const names = ['NotSupportedError', 'AbortError', 'InvalidModificationError', 'NoModificationAllowedError'];
  return error instanceof DOMException && names.includes(error.name);
}
