/** Target of a copy: a directory of the browser. */
import { COPY_MARK } from '../../../protocol/index.ts';
import { VarveError } from '../../errors.ts';
import type { CopyTarget } from '../transfer_types.ts';

/** Where files are copied to. */
export interface FileSink {
  /** Whether there is something of that name in the target, but what an interrupted copy has left. */
  has(name: string): Promise<boolean>;
  /** The target, for messages. */
  readonly name: string;
  write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** All files are written: the databases are there from now on. */
  finish(): Promise<void>;
  /** Removes what was written. */
  abandon(): Promise<void>;
}

/** A directory of the browser: picked, or of the page's own storage. */
export class HandleSink implements FileSink {
  readonly name: string;
  readonly #root: FileSystemDirectoryHandle;
  /** What was written, by the first name of its path. */
  readonly #tops = new Set<string>();

  constructor(root: FileSystemDirectoryHandle, name = root.name) {
    this.#root = root;
    this.name = name;
  }

  async has(name: string): Promise<boolean> {
    let isThere = false;
    for await (const known of this.#root.keys()) isThere ||= known === name;
    if (!isThere || !(await this.#isLeft(name))) return isThere;
    await this.#root.removeEntry(name, { recursive: true });
    return false;
  }

  /** Whether an interrupted copy has left a database there. */
  async #isLeft(top: string): Promise<boolean> {
    const database = placeOf(top);
    return (await this.#fileAt(database + COPY_MARK)) !== null && (await this.#fileAt(database + MANIFEST)) === null;
  }

  async write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const [top = ''] = path.split('/');
    if (!this.#tops.has(top)) {
      this.#tops.add(top);
      await this.#fileAt(placeOf(top) + COPY_MARK, true);
    }
    const file = await (await this.#fileAt(path, true)).createWritable();
    try {
      for await (const chunk of chunks) await file.write(chunk as Uint8Array<ArrayBuffer>);
      await file.close();
    } catch (error) {
      await file.abort().catch(() => {});
      const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
      throw isFull ? new VarveError('no_space', `The site has used its storage quota: ${error.message}`) : error;
    }
  }

  async finish(): Promise<void> {
    for (const top of this.#tops) {
      const workshop = await this.#directoryOf(placeOf(top) + COPY_MARK, false);
      await workshop.removeEntry(COPY_MARK.slice(COPY_MARK.lastIndexOf('/') + 1));
    }
  }

  async abandon(): Promise<void> {
    for (const top of this.#tops) await this.#root.removeEntry(top, { recursive: true }).catch(() => {});
  }

  #fileAt(path: string, create: true): Promise<FileSystemFileHandle>;
  #fileAt(path: string): Promise<FileSystemFileHandle | null>;
  async #fileAt(path: string, create = false): Promise<FileSystemFileHandle | null> {
    try {
      const directory = await this.#directoryOf(path, create);
      return await directory.getFileHandle(path.slice(path.lastIndexOf('/') + 1), { create });
    } catch (error) {
      if (create) throw error;
      return null;
    }
  }

  async #directoryOf(path: string, create: boolean): Promise<FileSystemDirectoryHandle> {
    let directory = this.#root;
    for (const name of path.split('/').slice(0, -1)) {
      directory = await directory.getDirectoryHandle(name, { create });
    }
    return directory;
  }
}

const MANIFEST = '.dolt/noms/manifest';

/** The directory of the database whose paths begin with `top`: empty, or with `/` at its end. */
function placeOf(top: string): string {
  return top === '.dolt' ? '' : `${top}/`;
}

/** What a browser can copy to. */
export async function browserSink(target: CopyTarget): Promise<FileSink> {
  if ('directory' in target) return new HandleSink(target.directory);
  if (!('opfs' in target)) throw new VarveError('unsupported', 'Paths are of Node only');
  if (!isSecureContext) {
    throw new VarveError('unsupported', 'Browsers give storage only to pages served by HTTPS or from localhost');
  }
  let directory = await navigator.storage.getDirectory();
  for (const name of target.opfs.split('/').filter(part => part !== '')) {
    directory = await directory.getDirectoryHandle(name, { create: true });
  }
  return new HandleSink(directory, target.opfs);
}
