/** Files of the origin-private file system, by sync access handles. */
import { messageOf } from '../../../protocol/index.ts';
import { FileFault, type FileWrites, type HostFile, LOCAL_PAGE_BYTES } from '../file.ts';
import { hostFailure } from '../source.ts';

/** A sync access handle, in the browsers that know modes of it (Chrome 121). */
type OpenHandle = (options: { mode: 'readwrite-unsafe' }) => Promise<FileSystemSyncAccessHandle>;

/** Chromium's `base::File::FILE_ERROR_NOT_FOUND`. */
const FILE_NOT_FOUND = -4;

/** A file of the origin-private file system through its sync access handle: bytes go straight from and to linear memory. */
export class OpfsFile implements HostFile, FileWrites {
  readonly pageBytes = LOCAL_PAGE_BYTES;
  readonly writes: FileWrites;
  readonly #handle: FileSystemSyncAccessHandle;
  // One object for all calls: a new one per read would be the most expensive part of a cached read.
  readonly #at = { at: 0 };
  #length = 0;
  #isGone = false;

  constructor(handle: FileSystemSyncAccessHandle) {
    this.#handle = handle;
    this.writes = this;
  }

  /** The file has no name any more: what is written to it from now on is an error. It can still be read. */
  markGone(): void {
    this.#isGone = true;
  }

  /** Asked each time: another tab may be writing. Of a handle that was closed under us what it was: reading then says so. */
  get length(): number {
    try {
      const length = this.#handle.getSize();
      if (Number.isSafeInteger(length)) this.#length = length;
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
    if (isNotFound(bytes)) throw goneFault('in a private window');
    if (bytes !== dest.length) throw new FileFault('host', `read ${bytes} of ${dest.length} bytes at offset ${offset}`);
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#try(() => {
      this.#at.at = offset;
      const written = this.#handle.write(bytes, this.#at);
      if (isNotFound(written)) throw goneFault('in a private window');
      if (written > bytes.length) throw quotaFault('in a private window');
      if (written < bytes.length) {
        const wrote = `${written} of ${bytes.length} bytes could be written`;
        throw new FileFault('no_space', `The disk is full: ${wrote}. Free space on it, then try again`);
      }
      this.#length = Math.max(this.#length, offset + written);
    });
  }

  truncate(length: number): void {
    this.#try(() => {
      this.#handle.truncate(length);
      // A private window of Chromium reports no error here.
      const found = this.#handle.getSize();
      if (!Number.isSafeInteger(found)) throw goneFault('in a private window');
      if (found < length) throw quotaFault('in a private window');
      this.#length = found;
    });
  }

  flush(): void {
    this.#try(() => this.#handle.flush());
  }

  /** Closing a handle whose file was cleared with the site's data never returns (Chromium 156): the end of the worker closes it. */
  close(): void {
    if (!this.#isGone) this.#handle.close();
  }

  #try(work: () => void): void {
    if (this.#isGone) throw goneFault('its name is gone');
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

/** A private window of Chromium returns the number of its error as a count, which is unsigned: more bytes than were asked for. */
function isNotFound(count: number): boolean {
  return count > 2 ** 31 && (count | 0) === FILE_NOT_FOUND;
}

function goneFault(detail: string): FileFault {
  return new FileFault(
    'gone',
    `The database files were removed from this site's storage while open, for example by clearing site data (${detail})`,
  );
}

/** What the browser's exceptions mean. */
export function opfsFault(error: unknown): FileFault {
  if (error instanceof FileFault) return error;
  const message = messageOf(error);
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') return quotaFault(message);
  // Cleared data: Firefox closes the handles; in Chromium those that are open go on, and nothing is found by its name any more.
  if (name === 'InvalidStateError' || name === 'NotFoundError') return goneFault(message);
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
        '{ memory: {}, create: true } creates a database in memory',
    );
  }
  const open = handle.createSyncAccessHandle.bind(handle) as OpenHandle;
  return new OpfsFile(await open({ mode: 'readwrite-unsafe' }));
}
