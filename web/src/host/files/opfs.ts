import { messageOf } from '../../protocol/index.ts';
import { FileFault, type FileWrites, type HostFile, LOCAL_PAGE_BYTES } from './file.ts';
import { hostFailure } from './source.ts';

/** A sync access handle, in the browsers that know modes of it (Chrome 121). */
type OpenHandle = (options: { mode: 'readwrite-unsafe' }) => Promise<FileSystemSyncAccessHandle>;

/** A file of the origin-private file system through its sync access handle: bytes go straight from and to linear memory. */
export class OpfsFile implements HostFile, FileWrites {
  readonly pageBytes = LOCAL_PAGE_BYTES;
  readonly writes: FileWrites;
  readonly #handle: FileSystemSyncAccessHandle;
  // One object for all calls: a new one per read would be the most expensive part of a cached read.
  readonly #at = { at: 0 };
  #length = 0;

  constructor(handle: FileSystemSyncAccessHandle) {
    this.#handle = handle;
    this.writes = this;
  }

  /** Asked each time: another tab may be writing. Of a handle that was closed under us what it was: reading then says so. */
  get length(): number {
    try {
      this.#length = this.#handle.getSize();
    } catch {
      // There is no error for a length.
    }
    return this.#length;
  }

  read(offset: number, dest: Uint8Array): void {
    this.#at.at = offset;
    let bytes: number;
    try {
      bytes = this.#handle.read(dest, this.#at);
    } catch (error) {
      throw opfsFault(error);
    }
    if (bytes !== dest.length) throw new FileFault('host', `read ${bytes} of ${dest.length} bytes at offset ${offset}`);
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#try(() => {
      this.#at.at = offset;
      const written = this.#handle.write(bytes, this.#at);
      // A private window of Chromium gives the number of its error as a count: more than there was to write.
      if (written > bytes.length) throw quotaFault('in a private window');
      if (written < bytes.length) {
        const wrote = `${written} of ${bytes.length} bytes could be written`;
        throw new FileFault('no_space', `The disk is full: ${wrote}. Free space on it, then try again`);
      }
    });
  }

  truncate(length: number): void {
    this.#try(() => {
      this.#handle.truncate(length);
      // There it says nothing at all.
      if (this.#handle.getSize() < length) throw quotaFault('in a private window');
    });
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

function quotaFault(detail: string): FileFault {
  return new FileFault(
    'no_space',
    `The browser lets this site store no more: delete databases of it, and those that were dropped by CALL dolt_purge_dropped_databases(), or ask for more by navigator.storage.persist() (${detail})`,
  );
}

/** What the browser's exceptions mean. */
export function opfsFault(error: unknown): FileFault {
  if (error instanceof FileFault) return error;
  const message = messageOf(error);
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') return quotaFault(message);
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
  if (handle.createSyncAccessHandle === undefined) {
    throw hostFailure(
      'unsupported',
      'This browser has no sync access handles, by which files of its storage are read and written: take one from 2022 or later. ' +
        '{ memory: {}, create: true } makes a database that lives as long as the page',
    );
  }
  const open = handle.createSyncAccessHandle.bind(handle) as OpenHandle;
  return new OpfsFile(await open({ mode: 'readwrite-unsafe' }));
}
