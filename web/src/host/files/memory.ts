import { FileFault, type HostFile, LOCAL_PAGE_BYTES } from './file.ts';

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
