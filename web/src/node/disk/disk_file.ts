/** Files on disk, by synchronous calls. */
import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { FileFault, type FileWrites, type HostFile, LOCAL_PAGE_BYTES } from '../../host/files/file.ts';

/** A file on the disk of the machine. It is opened for writing at the first write. */
export class DiskFile implements HostFile, FileWrites {
  readonly pageBytes = LOCAL_PAGE_BYTES;
  readonly writes?: FileWrites;
  readonly #path: string;
  readonly #onClose: (file: DiskFile) => void;
  /** Null when it is closed: the number may be another file's by then. */
  #descriptor: number | null;
  #isWritable: boolean;
  #length = 0;

  /** @param mode `r`: never written; `r+`: may be; `w+`: made empty. */
  constructor(path: string, mode: 'r' | 'r+' | 'w+', onClose: (file: DiskFile) => void) {
    this.#path = path;
    this.#onClose = onClose;
    this.#isWritable = mode === 'w+';
    this.#descriptor = openSync(path, this.#isWritable ? mode : 'r');
    if (mode !== 'r') this.writes = this;
  }

  /** Of a closed file what it was: reading then says so. */
  get length(): number {
    if (this.#descriptor !== null) this.#length = fstatSync(this.#descriptor).size;
    return this.#length;
  }

  read(offset: number, dest: Uint8Array): void {
    const descriptor = this.#open();
    for (let done = 0; done < dest.length; ) {
      const bytes = readSync(descriptor, dest, done, dest.length - done, offset + done);
      if (bytes === 0) throw new FileFault('host', `read ${done} of ${dest.length} bytes at offset ${offset}`);
      done += bytes;
    }
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#write(descriptor => {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(descriptor, bytes, done, bytes.length - done, offset + done);
      }
    });
  }

  truncate(length: number): void {
    this.#write(descriptor => ftruncateSync(descriptor, length));
  }

  flush(): void {
    this.#write(fdatasyncSync);
  }

  release(): void {
    this.close();
  }

  close(): void {
    if (this.#descriptor === null) return;
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    this.#onClose(this);
    closeSync(descriptor);
  }

  #open(): number {
    if (this.#descriptor === null) throw new FileFault('gone', `${this.#path} was closed`);
    return this.#descriptor;
  }

  #write(work: (descriptor: number) => void): void {
    try {
      const before = this.#open();
      if (!this.#isWritable) {
        this.#descriptor = openSync(this.#path, 'r+');
        this.#isWritable = true;
        closeSync(before);
      }
      work(this.#open());
    } catch (error) {
      throw diskFault(error);
    }
  }
}

export function diskFault(error: unknown): FileFault {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') return new FileFault('no_space', message);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return new FileFault('read_only', message);
  if (code === 'ENOENT' || code === 'ESTALE') return new FileFault('gone', message);
  return error instanceof FileFault ? error : new FileFault('host', message);
}
