/** Temporary files of the engine, for sorts and joins that spill. */
import { FileFault, type FileWrites, type HostFile, LOCAL_PAGE_BYTES } from './file.ts';

/** Where the bytes of temporary files lie: read and written anywhere, it grows as it is written. */
export interface ScratchStore {
  read(offset: number, dest: Uint8Array): void;
  write(offset: number, bytes: Uint8Array): void;
}

/** Bytes that a temporary file takes at a time. */
const EXTENT_BYTES = 1 << 20;

/**
 * Temporary files in one store, which is opened once: opening a file of its own for each is something that browsers do only
 * asynchronously. A file is a list of extents; those of a closed file serve the next.
 */
export class Scratch {
  readonly #store: ScratchStore;
  readonly #free: number[] = [];
  #extents = 0;

  constructor(store: ScratchStore) {
    this.#store = store;
  }

  open(): HostFile {
    return new ScratchFile(this.#store, this);
  }

  /** A free extent. */
  take(): number {
    return this.#free.pop() ?? this.#extents++;
  }

  give(extents: readonly number[]): void {
    this.#free.push(...extents);
  }
}

class ScratchFile implements HostFile, FileWrites {
  readonly pageBytes = LOCAL_PAGE_BYTES;
  readonly writes = this;
  readonly #store: ScratchStore;
  readonly #scratch: Scratch;
  #extents: number[] = [];
  #length = 0;

  constructor(store: ScratchStore, scratch: Scratch) {
    this.#store = store;
    this.#scratch = scratch;
  }

  get length(): number {
    return this.#length;
  }

  read(offset: number, dest: Uint8Array): void {
    if (offset + dest.length > this.#length) throw new FileFault('host', 'read past the end of a temporary file');
    this.#each(offset, dest, (at, part) => this.#store.read(at, part));
  }

  write(offset: number, bytes: Uint8Array): void {
    const end = offset + bytes.length;
    while (this.#extents.length * EXTENT_BYTES < end) this.#extents.push(this.#scratch.take());
    this.#each(offset, bytes, (at, part) => this.#store.write(at, part));
    this.#length = Math.max(this.#length, end);
  }

  truncate(length: number): void {
    if (length > this.#length) this.write(this.#length, new Uint8Array(length - this.#length));
    this.#length = length;
  }

  /** Not needed after a crash. */
  flush(): void {}

  release(): void {
    this.#scratch.give(this.#extents);
    this.#extents = [];
    this.#length = 0;
  }

  close(): void {
    this.release();
  }

  /** Calls `use` with each part of `bytes` that is in one extent, and its place in the store. */
  #each(offset: number, bytes: Uint8Array, use: (at: number, part: Uint8Array) => void): void {
    for (let done = 0; done < bytes.length; ) {
      const inside = (offset + done) % EXTENT_BYTES;
      const extent = this.#extents[Math.floor((offset + done) / EXTENT_BYTES)] as number;
      const part = bytes.subarray(done, done + Math.min(EXTENT_BYTES - inside, bytes.length - done));
      use(extent * EXTENT_BYTES + inside, part);
      done += part.length;
    }
  }
}

/** Outside linear memory, an extent at a time: for where there are no files. */
export class MemoryScratchStore implements ScratchStore {
  readonly #extents: Uint8Array[] = [];

  read(offset: number, dest: Uint8Array): void {
    const inside = offset % EXTENT_BYTES;
    dest.set(this.#extent(offset).subarray(inside, inside + dest.length));
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#extent(offset).set(bytes, offset % EXTENT_BYTES);
  }

  #extent(offset: number): Uint8Array {
    const number = Math.floor(offset / EXTENT_BYTES);
    this.#extents[number] ??= new Uint8Array(EXTENT_BYTES);
    return this.#extents[number];
  }
}

const DIRECTORY = '.varve-scratch';

/**
 * A file of the origin-private file system. Files of closed workers are removed on the way: they have no lock.
 *
 * @throws DOMException where there is no such file system.
 */
export async function openOpfsScratchStore(): Promise<ScratchStore> {
  const root = await navigator.storage.getDirectory();
  const directory = await root.getDirectoryHandle(DIRECTORY, { create: true });
  for await (const name of directory.keys()) {
    // One that is held cannot be removed.
    await directory.removeEntry(name).catch(() => {});
  }
  const file = await directory.getFileHandle(crypto.randomUUID(), { create: true });
  const handle = await file.createSyncAccessHandle();
  return {
    read(offset, dest) {
      if (handle.read(dest, { at: offset }) !== dest.length) throw new FileFault('host', 'a temporary file is cut off');
    },
    write(offset, bytes) {
      if (handle.write(bytes, { at: offset }) !== bytes.length)
        throw new FileFault('no_space', 'no room for a temporary file');
    },
  };
}
