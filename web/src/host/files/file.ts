/** Files as the engine sees them: open before it starts, read by position, synchronously where that is possible. */

export interface HostFile {
  readonly length: number;
  /** Bytes that are worth reading at a time: a power of two. */
  readonly pageBytes: number;
  /**
   * Fills `dest` with the bytes at `offset`.
   *
   * @throws FileFault when fewer bytes could be had.
   */
  read(offset: number, dest: Uint8Array): void;
  /**
   * The same without blocking, for directories that suspend: at once where the bytes are here. The memory may have moved
   * meanwhile, hence the function.
   */
  readLater?(offset: number, length: number, dest: () => Uint8Array): Promise<void> | undefined;
  /** Ranges that will be read soon, as pairs of offset and end. Starts, never waits. */
  willNeed?(ranges: readonly ByteRange[]): void;
  /** The bytes of this range are wrong: copies of them are dropped, and the next read fetches them again. */
  renew?(range: ByteRange): void;
  /** Absent where a file can only be read. */
  readonly writes?: FileWrites;
  /** The engine does not use it any more; absent where other users of the same file go on. */
  release?(): void;
  close(): void;
}

/** The write side of a file. Everything throws FileFault: `no_space`, `read_only`, `gone` or the host's words. */
export interface FileWrites {
  /** Writes all of `bytes` at `offset`, which is at most the length. */
  write(offset: number, bytes: Uint8Array): void;
  /** Cuts the file, or makes it longer by zeros. */
  truncate(length: number): void;
  /** Returns when what was written would survive a crash. */
  flush(): void;
}

/** Bytes of a file, whether it blocks or not. @throws FileFault */
export async function readBytes(file: HostFile, offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  if (file.readLater === undefined) file.read(offset, bytes);
  else await file.readLater(offset, length, () => bytes);
  return bytes;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface HostDirectory {
  /** Whether calls are made through `openLater` and `readLater`, with the engine's stack suspended meanwhile. */
  readonly suspends: boolean;
  /** Whether the bytes come over a network: every chunk is then checked against its address. */
  readonly isRemote: boolean;
  /** Null when there is no such file. Paths are relative, with `/`. */
  open(path: string): HostFile | null;
  openLater?(path: string): Promise<HostFile | null>;
  /** Names in a directory; null when the source cannot tell. */
  list(path: string): string[] | null;
  /** The database cannot be opened: copies of files that change are dropped. */
  renew?(): void;
  /** Of a source that cannot list: the files that it knows of. */
  paths?(): string[];
  /** Absent where the database can only be read. */
  readonly writes?: DirectoryWrites;
}

/**
 * The write side of a database's directory. A call that needs something asynchronous done first throws a FileFault of kind
 * `wait`: the caller comes again after `prepare`.
 */
export interface DirectoryWrites {
  /** An empty file at `path`, over one that is there. */
  create(path: string): HostFile;
  /** Over a file that has the name: at no moment, not even after a crash, is there none or half of one. */
  rename(from: string, to: string): void;
  /** A file that is not there is no error. */
  remove(path: string): void;
  /**
   * A counter that changes when another writer may have written meanwhile. Null where none is available: then every statement
   * reads the files.
   */
  readonly news: number | null;
  /** Whether the right to write is here, until `release`. When it is not, it is asked for, and `prepare` waits for it. */
  take(): boolean;
  /** Whether the lease is held and can be taken synchronously. If not, it is requested as by `take`. */
  claim(): boolean;
  /**
   * Lease epoch: a number from 1 while the right to write is taken, another one when another writer may have had it since; 0 when it
   * is not taken or was lost. The engine asks before each append. Absent where nothing can take the right away.
   */
  readonly term?: number;
  /** Ends a use. The lease stays until another tab requests it. */
  release(): void;
  /** Does what calls that threw `wait` need, and waits for what `take` asked for. */
  prepare(): Promise<void>;
}

/**
 * `wait`: nothing was done, something has to be prepared first. `moved`: another writer has replaced the file that was to be replaced.
 * `denied`: the person's permission is missing.
 */
export type FaultKind = 'gone' | 'cancelled' | 'host' | 'read_only' | 'wait' | 'no_space' | 'moved' | 'denied';

/** A file that could not be read or written. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** 64 KiB: what an OPFS handle or a disk reads in about 10 microseconds. */
export const LOCAL_PAGE_BYTES = 64 * 1024;
