/** Directories in memory. */
import type { DirectoryWrites, HostDirectory, HostFile } from './file.ts';
import { GrowingFile } from './memory.ts';
import { TreeDirectory } from './tree.ts';

/** The files of databases that live in memory, by path. */
export type MemoryTree = Map<string, HostFile>;

/** A database in memory that can be written. */
export class MemoryDirectory implements HostDirectory, DirectoryWrites {
  readonly suspends = false;
  readonly isRemote = false;
  readonly writes = this;
  /** The files are private to this host. */
  readonly news = 0;
  readonly #files: MemoryTree;
  readonly #prefix: string;
  readonly #tree: TreeDirectory;
  readonly #onWritten: () => void;

  /** @param prefix of the paths in `files` that belong to this directory: empty, or with `/` at its end. */
  constructor(files: MemoryTree, prefix: string, onWritten: () => void) {
    this.#onWritten = onWritten;
    this.#files = files;
    this.#prefix = prefix;
    this.#tree = new TreeDirectory(files, prefix);
  }

  open(path: string): HostFile | null {
    return this.#tree.open(path);
  }

  list(path: string): string[] {
    return this.#tree.list(path);
  }

  create(path: string): HostFile {
    const file = new GrowingFile();
    this.#files.set(this.#prefix + path, file);
    return file;
  }

  rename(from: string, to: string): void {
    const file = this.#files.get(this.#prefix + from);
    if (file === undefined) return;
    this.#files.set(this.#prefix + to, file);
    this.#files.delete(this.#prefix + from);
  }

  remove(path: string): void {
    this.#files.delete(this.#prefix + path);
  }

  take(): boolean {
    return true;
  }

  claim(): boolean {
    return true;
  }

  release(): void {
    this.#onWritten();
  }

  async prepare(): Promise<void> {}
}
