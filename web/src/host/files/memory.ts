/** Files in memory. */
import { FileFault, type FileWrites, type HostFile, LOCAL_PAGE_BYTES } from './file.ts';

export class MemoryFile implements HostFile {
  readonly pageBytes = LOCAL_PAGE_BYTES;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#bytes.length;
  }

  read(offset: number, dest: Uint8Array): void {
    const part = this.#bytes.subarray(offset, offset + dest.length);
    if (part.length < dest.length) throw new FileFault('host', 'read past the end');
    dest.set(part);
  }

  close(): void {}
}

/** A file in memory that grows: its buffer is doubled when it is full. */
export class GrowingFile implements HostFile, FileWrites {
  readonly pageBytes = LOCAL_PAGE_BYTES;
  readonly writes = this;
  #buffer: Uint8Array;
  #length: number;
  /** Whether the buffer is still the one that was given. */
  #isGiven = true;

  /** @param bytes are not changed: the first write copies them. */
  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.#buffer = bytes;
    this.#length = bytes.length;
  }

  get length(): number {
    return this.#length;
  }

  /** What it holds now. */
  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  read(offset: number, dest: Uint8Array): void {
    if (offset + dest.length > this.#length) throw new FileFault('host', 'read past the end');
    dest.set(this.#buffer.subarray(offset, offset + dest.length));
  }

  write(offset: number, bytes: Uint8Array): void {
    const end = offset + bytes.length;
    if (this.#isGiven || end > this.#buffer.length)
      this.#grow(Math.max(end, 2 * this.#buffer.length, LOCAL_PAGE_BYTES));
    this.#buffer.set(bytes, offset);
    this.#length = Math.max(this.#length, end);
  }

  truncate(length: number): void {
    if (length > this.#length) {
      if (this.#isGiven || length > this.#buffer.length) this.#grow(length);
      this.#buffer.fill(0, this.#length, length);
    }
    this.#length = length;
  }

  flush(): void {}

  close(): void {}

  #grow(capacity: number): void {
    let buffer: Uint8Array;
    try {
      buffer = new Uint8Array(capacity);
    } catch {
      throw new FileFault('no_space', `no memory for a file of ${capacity} bytes`);
    }
    buffer.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = buffer;
    this.#isGiven = false;
  }
}
