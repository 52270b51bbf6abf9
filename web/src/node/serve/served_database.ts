/** A database as clients of `varve serve` see it. */
import { type ChunkIndex, type Place, readIndex } from './chunk_index.ts';
import { Journal } from './journal_index.ts';

/** A data file, or the journal. */
export interface ServedFile {
  /** `<id>`, `<id>.darc`. */
  readonly name: string;
  readonly id: string;
  readonly chunks: number;
  readonly length: number;
  /** @throws FileFault */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** The files of a database at one moment. */
export interface Snapshot {
  readonly root: string;
  readonly files: readonly ServedFile[];
  /** Addresses that a shallow clone knows of and does not have; absent where there are none. */
  ghosts?(): ReadonlySet<string>;
}

/** A file that a client has uploaded, or says to have. */
export interface AddedFile {
  readonly id: string;
  readonly chunks: number;
}

export interface ServedDatabase {
  /** Whether it has a working set that a pusher has to respect. */
  readonly hasWorkingSets: boolean;
  readonly lookup: ChunkLookup;
  /** The current state of its files. */
  snapshot(): Promise<Snapshot>;
  /** Absent where nothing can be written. */
  readonly writes?: DatabaseWrites;
}

export interface DatabaseWrites {
  /**
   * Stores a data file that arrives in pieces. One with a damaged chunk, or whose name does not fit its content, is refused.
   *
   * @throws Refusal
   */
  receive(name: string, length: number, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** Lists files that were received. The root stays. @throws Refusal, also when their chunks refer to a missing one */
  add(files: readonly AddedFile[]): Promise<void>;
  /** Lists files and replaces the root, if it is `last`. @throws Refusal, as `add` */
  commit(current: string, last: string, files: readonly AddedFile[]): Promise<boolean>;
}

/** What a client asked for does not fit the database: its own fault. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Where a chunk is. */
export interface FoundChunk extends Place {
  readonly file: ServedFile;
}

/** Indexes of the files that were looked into; those of data files never change. */
export class ChunkLookup {
  readonly #indexes = new Map<string, Promise<ChunkIndex>>();
  readonly #journal = new Journal();

  /** The place of each chunk, or null. */
  async find({ files }: Snapshot, addresses: readonly Uint8Array[]): Promise<(FoundChunk | null)[]> {
    const found = new Array<FoundChunk | null>(addresses.length).fill(null);
    let missing = addresses.length;
    for (const file of files) {
      if (missing === 0) break;
      const index = await this.#indexOf(file);
      for (const [number, address] of addresses.entries()) {
        if (found[number] !== null) continue;
        const place = index.find(address);
        if (place === null) continue;
        found[number] = { ...place, file };
        missing--;
      }
    }
    return found;
  }

  #indexOf(file: ServedFile): Promise<ChunkIndex> {
    if (Journal.isOne(file)) return this.#journal.upTo(file);
    let index = this.#indexes.get(file.name);
    if (index === undefined) {
      index = readIndex(file);
      // What could not be read is tried again by the next request.
      index.catch(() => this.#indexes.delete(file.name));
      this.#indexes.set(file.name, index);
    }
    return index;
  }
}
