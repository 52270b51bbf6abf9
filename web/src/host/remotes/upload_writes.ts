/** Writes to a remote: temporary files that are uploaded when they are renamed. */
import { type DirectoryWrites, FileFault, type FileWrites, type HostFile, LOCAL_PAGE_BYTES } from '../files/file.ts';
import { MANIFEST_BYTES_MAX } from '../files/remote/remote.ts';
import { asFault } from '../files/source.ts';

export const MANIFEST = 'manifest';

/** A temporary file that the engine writes. It stays when the engine closes it, and is given back when it was uploaded, or removed. */
export class Draft implements HostFile {
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

  close(): void {}

  free(): void {
    (this.#file.release ?? this.#file.close).call(this.#file);
  }
}

/** Applies an upload when the engine takes its outcome. Returns whether the temporary file is still read. */
export type Uploaded = () => boolean;

/** A rename whose file is uploaded. */
interface Rename {
  readonly from: string;
  /** Of a manifest: an outcome is that of its text alone. */
  readonly text: string | null;
  outcome: FileFault | Uploaded | null;
}

/**
 * The write side of a remote whose files are put as wholes. What the engine writes is a temporary file until it is renamed: then the first
 * call throws `wait`, `prepare` uploads the file, and the next call has the outcome.
 */
export abstract class UploadWrites implements DirectoryWrites {
  readonly news = null;
  readonly #scratch: () => HostFile;
  readonly #drafts = new Map<string, Draft>();
  /** By the name that the file is to get. */
  readonly #renames = new Map<string, Rename>();

  constructor(scratch: () => HostFile) {
    this.#scratch = scratch;
  }

  /** Uploads a file under its name; at no moment there is half of one. */
  protected abstract put(path: string, file: Draft): Promise<Uploaded>;

  abstract take(): boolean;
  abstract claim(): boolean;
  abstract release(): void;
  /** Waits for what `take` asked for. */
  protected abstract granted(): Promise<void>;

  /** Whether the outcome of an upload waits for the engine. */
  protected get hasOutcome(): boolean {
    return [...this.#renames.values()].some(({ outcome }) => outcome !== null);
  }

  create(path: string): HostFile {
    this.remove(path);
    const draft = new Draft(this.#scratch());
    this.#drafts.set(path, draft);
    return draft;
  }

  rename(from: string, to: string): void {
    const draft = this.#drafts.get(from);
    if (draft === undefined) throw new FileFault('gone', `${from} was not written`);
    const text = to === MANIFEST ? manifestOf(draft) : null;
    const known = this.#renames.get(to);
    if (known === undefined || known.outcome === null || known.text !== text) {
      this.#renames.set(to, { from, text, outcome: null });
      throw new FileFault('wait', `${to} has to be uploaded first`);
    }
    this.#renames.delete(to);
    if (known.outcome instanceof FileFault) throw known.outcome;
    if (known.outcome()) this.#drafts.delete(from);
    else this.remove(from);
  }

  remove(path: string): void {
    this.#drafts.get(path)?.free();
    this.#drafts.delete(path);
  }

  async prepare(): Promise<void> {
    await this.granted();
    for (const [to, rename] of this.#renames) {
      if (rename.outcome !== null) continue;
      const draft = this.#drafts.get(rename.from);
      const gone = (): Promise<never> => Promise.reject(new FileFault('gone', `${rename.from} is gone`));
      rename.outcome = await (draft === undefined ? gone() : this.put(to, draft)).catch(asFault);
    }
  }

  /** Gives temporary files back. */
  close(): void {
    for (const draft of this.#drafts.values()) draft.free();
    this.#drafts.clear();
  }
}

/** The text of a manifest that the engine has written. */
export function manifestOf(file: HostFile): string {
  const bytes = new Uint8Array(Math.min(file.length, MANIFEST_BYTES_MAX));
  file.read(0, bytes);
  return new TextDecoder().decode(bytes);
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
