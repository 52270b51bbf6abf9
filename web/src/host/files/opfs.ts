import { FileFault, type FileWrites, type HostFile, LOCAL_PAGE_BYTES } from './file.ts';

/** A sync access handle, in the browsers that know modes of it (Chrome 121). */
type OpenHandle = (options: { mode: 'readwrite-unsafe' }) => Promise<FileSystemSyncAccessHandle>;

/** A file of the origin-private file system through its sync access handle: bytes go straight from and to linear memory. */
export class OpfsFile implements HostFile, FileWrites {
  readonly pageBytes = LOCAL_PAGE_BYTES;
  readonly writes: FileWrites;
  readonly #handle: FileSystemSyncAccessHandle;
  // One object for all calls: a new one per read would be the most expensive part of a cached read.
  readonly #at = { at: 0 };

  constructor(handle: FileSystemSyncAccessHandle) {
    this.#handle = handle;
    this.writes = this;
  }

  /** Asked each time: another tab may be writing. */
  get length(): number {
    return this.#handle.getSize();
  }

  read(offset: number, dest: Uint8Array): void {
    this.#at.at = offset;
    const bytes = this.#handle.read(dest, this.#at);
    if (bytes < dest.length) throw new FileFault('host', `read ${bytes} of ${dest.length} bytes at offset ${offset}`);
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#try(() => {
      this.#at.at = offset;
      const written = this.#handle.write(bytes, this.#at);
      if (written < bytes.length) {
        throw new FileFault('no_space', `wrote ${written} of ${bytes.length} bytes at offset ${offset}`);
      }
    });
  }

  truncate(length: number): void {
    this.#try(() => this.#handle.truncate(length));
  }

  flush(): void {
    this.#try(() => this.#handle.flush());
  }

  close(): void {
    this.#handle.close();
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw opfsFault(error);
    }
  }
}

/** What the browser's exceptions mean. */
export function opfsFault(error: unknown): FileFault {
  if (error instanceof FileFault) return error;
  const message = error instanceof Error ? error.message : String(error);
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') {
    return new FileFault(
      'no_space',
      `This site may store no more: free space, or ask for persistent storage. ${message}`,
    );
  }
  // The handle was closed under us, or the person cleared the site's data.
  if (name === 'InvalidStateError' || name === 'NotFoundError') return new FileFault('gone', message);
  if (name === 'NoModificationAllowedError') return new FileFault('read_only', message);
  return new FileFault('host', message);
}

/** Whether several tabs can have a file open at once; elsewhere a sync access handle keeps all others out. */
export function sharesHandles(): boolean {
  return typeof FileSystemSyncAccessHandle === 'function' && 'mode' in FileSystemSyncAccessHandle.prototype;
}

/**
 * Opens a file for reading and writing, beside other tabs where the browser can do that, alone elsewhere. All handles of a
 * file must have been opened in the same mode, hence this one for those who only read as well.
 *
 * @throws DOMException NoModificationAllowedError when another tab holds it; InvalidStateError outside OPFS.
 */
export async function openOpfsFile(handle: FileSystemFileHandle): Promise<OpfsFile> {
  const open = handle.createSyncAccessHandle.bind(handle) as OpenHandle;
  return new OpfsFile(await open({ mode: 'readwrite-unsafe' }));
}
