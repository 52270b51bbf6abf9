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
  /** The same without blocking, for directories that suspend. The memory may have moved meanwhile, hence the function. */
  readLater?(offset: number, length: number, dest: () => Uint8Array): Promise<void>;
  /** Ranges that will be read soon, as pairs of offset and end. Starts, never waits. */
  willNeed?(ranges: readonly ByteRange[]): void;
  close(): void;
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
}

export type FaultKind = 'gone' | 'cancelled' | 'host';

/** A file that could not be read. */
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
