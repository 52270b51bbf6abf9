import { FileFault, type HostFile, LOCAL_PAGE_BYTES } from './file.ts';

/** A sync access handle, in the browsers that know modes of it (Chrome 121). */
type OpenHandle = (options: { mode: 'read-only' }) => Promise<FileSystemSyncAccessHandle>;

/** A file of the origin-private file system through its sync access handle: reads go straight into linear memory. */
export class OpfsFile implements HostFile {
  readonly pageBytes = LOCAL_PAGE_BYTES;
  readonly length: number;
  readonly #handle: FileSystemSyncAccessHandle;
  // One object for all reads: a new one per read would be the most expensive part of a cached read.
  readonly #at = { at: 0 };

  constructor(handle: FileSystemSyncAccessHandle) {
    this.#handle = handle;
    this.length = handle.getSize();
  }

  read(offset: number, dest: Uint8Array): void {
    this.#at.at = offset;
    const bytes = this.#handle.read(dest, this.#at);
    if (bytes < dest.length) throw new FileFault('host', `read ${bytes} of ${dest.length} bytes at offset ${offset}`);
  }

  close(): void {
    this.#handle.close();
  }
}

/**
 * Opens a file for reading, beside other readers where the browser can do that, alone elsewhere.
 *
 * @throws DOMException NoModificationAllowedError when another tab holds it; InvalidStateError outside OPFS.
 */
export async function openOpfsFile(handle: FileSystemFileHandle): Promise<OpfsFile> {
  const open = handle.createSyncAccessHandle.bind(handle) as OpenHandle;
  return new OpfsFile(await open({ mode: 'read-only' }));
}
