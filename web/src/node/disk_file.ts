import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { FileFault, type FileWrites, type HostFile, LOCAL_PAGE_BYTES } from '../host/files/file.ts';

/** A file on the disk of the machine. It is opened for writing when somebody writes. */
export class DiskFile implements HostFile, FileWrites {
  readonly pageBytes = LOCAL_PAGE_BYTES;
  readonly writes?: FileWrites;
  readonly #path: string;
  readonly #onClose: (file: DiskFile) => void;
  #descriptor: number;
  #isWritable: boolean;

  /** @param mode `r`: never written; `r+`: may be; `w+`: made empty. */
  constructor(path: string, mode: 'r' | 'r+' | 'w+', onClose: (file: DiskFile) => void) {
    this.#path = path;
    this.#onClose = onClose;
    this.#isWritable = mode === 'w+';
    this.#descriptor = openSync(path, this.#isWritable ? mode : 'r');
    if (mode !== 'r') this.writes = this;
  }

  get length(): number {
    return fstatSync(this.#descriptor).size;
  }

  read(offset: number, dest: Uint8Array): void {
    for (let done = 0; done < dest.length; ) {
      const bytes = readSync(this.#descriptor, dest, done, dest.length - done, offset + done);
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
    this.#onClose(this);
    closeSync(this.#descriptor);
  }

  #write(work: (descriptor: number) => void): void {
    try {
      if (!this.#isWritable) {
        const descriptor = openSync(this.#path, 'r+');
        closeSync(this.#descriptor);
        this.#descriptor = descriptor;
        this.#isWritable = true;
      }
      work(this.#descriptor);
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
