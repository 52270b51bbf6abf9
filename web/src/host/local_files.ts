/** Files for LOAD DATA LOCAL INFILE. */
import type { WireLocalFile } from '../protocol/index.ts';
import type { HostFile } from './files/file.ts';
import { MemoryFile } from './files/memory.ts';
import type { Later } from './later.ts';

/** How a platform opens what is not in memory. Failures are thrown as HostFailure. */
export type OpenLocalFile = (file: Exclude<WireLocalFile, Uint8Array>, name: string) => Later<HostFile>;

/** Open files that came along with a statement, for LOAD DATA LOCAL. One that the engine takes is the engine's to close. */
export class LocalFiles {
  readonly #files: Map<string, HostFile>;

  private constructor(files: Map<string, HostFile>) {
    this.#files = files;
  }

  static async open(given: Readonly<Record<string, WireLocalFile>>, open: OpenLocalFile): Promise<LocalFiles> {
    const files = new LocalFiles(new Map());
    try {
      for (const [name, file] of Object.entries(given)) {
        files.#files.set(name, file instanceof Uint8Array ? new MemoryFile(file) : await open(file, name));
      }
      return files;
    } catch (error) {
      files.close();
      throw error;
    }
  }

  take(name: string): HostFile | null {
    const file = this.#files.get(name) ?? null;
    this.#files.delete(name);
    return file;
  }

  /** Closes the files that were not taken. */
  close(): void {
    for (const file of this.#files.values()) file.close();
    this.#files.clear();
  }
}
