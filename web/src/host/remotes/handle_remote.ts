import type { HostDirectory, HostFile } from '../files/file.ts';
import { PickedFile } from '../files/picked.ts';
import { hostFailure } from '../files/source.ts';
import { namesIn } from '../files/tree.ts';
import type { OpenedRemote, RemoteContext, RemoteRequest } from './remote_types.ts';
import { piecesOf, UploadWrites } from './upload_writes.ts';

/** Files that a reader of a remote needs: manifest, table files and archives. */
const PART_OF_REMOTE = /^(manifest|[0-9a-v]{32}(\.darc)?)$/;

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
  const directory = new HandleDirectory(handle, url, context);
  await directory.look();
  return { directory, close: () => directory.close() };
}

/** A remote that is not there. */
const NOTHING: HostDirectory = { suspends: false, isRemote: false, open: () => null, list: () => [] };

/** A remote in a directory of the browser's file system. Its files are put as wholes; a Web Lock lets one tab write at a time. */
class HandleDirectory extends UploadWrites implements HostDirectory {
  readonly suspends = false;
  readonly isRemote = true;
  readonly writes = this;
  readonly #handle: FileSystemDirectoryHandle;
  readonly #url: string;
  readonly #waitMs: number;
  readonly #files = new Map<string, HostFile>();
  #isHeld = false;
  #asking: Promise<void> | null = null;
  #giveBack: () => void = () => {};

  constructor(handle: FileSystemDirectoryHandle, url: string, context: RemoteContext) {
    super(context.scratch);
    this.#handle = handle;
    this.#url = url;
    this.#waitMs = context.lockTimeoutMs;
  }

  /** Takes in what others wrote. Files other than the manifest never change. */
  async look(): Promise<void> {
    for await (const [name, entry] of this.#handle.entries()) {
      if (entry.kind !== 'file' || !PART_OF_REMOTE.test(name)) continue;
      if (name === 'manifest' || !this.#files.has(name))
        this.#files.set(name, new PickedFile(await (entry as FileSystemFileHandle).getFile()));
    }
  }

  open(path: string): HostFile | null {
    return this.#files.get(path) ?? null;
  }

  list(path: string): string[] {
    return namesIn(this.#files.keys(), path);
  }

  protected async put(path: string, file: HostFile): Promise<void> {
    const handle = await this.#handle.getFileHandle(path, { create: true });
    // What is written becomes the file when it is closed, as one step.
    const stream = await handle.createWritable();
    try {
      for (const piece of piecesOf(file)) await stream.write(piece);
    } catch (error) {
      await stream.abort().catch(() => {});
      throw error;
    }
    await stream.close();
    this.#files.set(path, new PickedFile(await handle.getFile()));
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

  protected async granted(): Promise<void> {
    await this.#asking;
  }

  override close(): void {
    this.release();
    super.close();
  }

  #ask(): Promise<void> {
    const patience = this.#waitMs === Infinity ? {} : { signal: AbortSignal.timeout(Math.max(1, this.#waitMs)) };
    return new Promise<void>((resolve, reject) => {
      const hold = async (): Promise<void> => {
        await this.look();
        const given = new Promise<void>(free => {
          this.#giveBack = free;
        });
        this.#isHeld = true;
        resolve();
        await given;
      };
      navigator.locks.request(`varve-remote:${this.#url}`, patience, hold).catch(error => {
        const isLate = error instanceof DOMException && error.name === 'TimeoutError';
        const late = `Another tab writes to ${this.#url} and has not finished for ${this.#waitMs / 1000} s: try again`;
        reject(isLate ? hostFailure('locked', late) : error);
      });
    }).finally(() => {
      this.#asking = null;
    });
  }
}
