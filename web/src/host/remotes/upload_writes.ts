import { type DirectoryWrites, FileFault, type FileWrites, type HostFile, LOCAL_PAGE_BYTES } from '../files/file.ts';
import { asFault } from '../files/source.ts';

/** A temporary file that the engine writes; it is given back when it was uploaded, or removed. */
class Draft implements HostFile {
  readonly pageBytes = LOCAL_PAGE_BYTES;
  readonly writes: FileWrites;
  readonly #file: HostFile;

  constructor(file: HostFile) {
    if (file.writes === undefined) throw new FileFault('read_only', 'temporary files can only be read');
    this.#file = file;
    this.writes = file.writes;
  }

  get length(): number {
    return this.#file.length;
  }

  read(offset: number, dest: Uint8Array): void {
    this.#file.read(offset, dest);
  }

  /** The engine closes it before it is uploaded. */
  release(): void {}

  close(): void {
    (this.#file.release ?? this.#file.close).call(this.#file);
  }
}

/**
 * The write side of a remote whose files are put as wholes. What the engine writes is a temporary file until it is renamed: then the first
 * call throws `wait`, `prepare` uploads the file, and the next call has the outcome.
 */
export abstract class UploadWrites implements DirectoryWrites {
  readonly news = null;
  readonly #scratch: () => HostFile;
  readonly #drafts = new Map<string, Draft>();
  /** Uploads that a call waits for, by the name that the file is to get. */
  readonly #wanted = new Map<string, string>();
  readonly #outcomes = new Map<string, FileFault | null>();

  constructor(scratch: () => HostFile) {
    this.#scratch = scratch;
  }

  /** Uploads a file under its name; at no moment there is half of one. */
  protected abstract put(path: string, file: HostFile): Promise<void>;

  abstract take(): boolean;
  abstract claim(): boolean;
  abstract release(): void;
  /** Waits for what `take` asked for. */
  protected abstract granted(): Promise<void>;

  create(path: string): HostFile {
    this.remove(path);
    const draft = new Draft(this.#scratch());
    this.#drafts.set(path, draft);
    return draft;
  }

  rename(from: string, to: string): void {
    const outcome = this.#outcomes.get(to);
    if (outcome === undefined) {
      this.#wanted.set(to, from);
      throw new FileFault('wait', `${to} has to be uploaded first`);
    }
    this.#outcomes.delete(to);
    if (outcome !== null) throw outcome;
    this.remove(from);
  }

  remove(path: string): void {
    this.#drafts.get(path)?.close();
    this.#drafts.delete(path);
  }

  async prepare(): Promise<void> {
    await this.granted();
    for (const [to, from] of this.#wanted) {
      this.#wanted.delete(to);
      const draft = this.#drafts.get(from);
      const upload = draft === undefined ? Promise.reject(new Error(`${from} is gone`)) : this.put(to, draft);
      this.#outcomes.set(to, await upload.then(() => null, asFault));
    }
  }

  /** Gives temporary files back. */
  close(): void {
    for (const draft of this.#drafts.values()) draft.close();
    this.#drafts.clear();
  }
}

/** Bytes of a file that are read at a time. */
const PIECE_BYTES = 1 << 20;

/** The bytes of a file, piece by piece. */
export function* piecesOf(file: HostFile, start = 0, end = file.length): Iterable<Uint8Array<ArrayBuffer>> {
  for (let offset = start; offset < end; offset += PIECE_BYTES) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, end - offset));
    file.read(offset, piece);
    yield piece;
  }
}
