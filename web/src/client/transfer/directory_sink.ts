import { VarveError } from '../errors.ts';
import type { CopyTarget } from './transfer_types.ts';

/** Where files are copied to. */
export interface FileSink {
  /** Whether there is something of that name in the target. */
  has(name: string): Promise<boolean>;
  /** The target, for messages. */
  readonly name: string;
  write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
}

/** A directory of the browser: picked, or of the page's own storage. */
export class HandleSink implements FileSink {
  readonly name: string;
  readonly #root: FileSystemDirectoryHandle;

  constructor(root: FileSystemDirectoryHandle, name = root.name) {
    this.#root = root;
    this.name = name;
  }

  async has(name: string): Promise<boolean> {
    for await (const known of this.#root.keys()) if (known === name) return true;
    return false;
  }

  async write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const names = path.split('/');
    const last = names.pop() ?? '';
    let directory = this.#root;
    for (const name of names) directory = await directory.getDirectoryHandle(name, { create: true });
    const file = await (await directory.getFileHandle(last, { create: true })).createWritable();
    try {
      for await (const chunk of chunks) await file.write(chunk as Uint8Array<ArrayBuffer>);
      await file.close();
    } catch (error) {
      await file.abort().catch(() => {});
      const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
      throw isFull ? new VarveError('no_space', `This site may store no more: ${error.message}`) : error;
    }
  }
}

/** What a browser can copy to. */
export async function browserSink(target: CopyTarget): Promise<FileSink> {
  if ('directory' in target) return new HandleSink(target.directory);
  if (!('opfs' in target)) throw new VarveError('unsupported', 'Paths are of Node only');
  if (!isSecureContext) {
    throw new VarveError('unsupported', 'Browsers give storage to pages that come by HTTPS or from localhost alone');
  }
  let directory = await navigator.storage.getDirectory();
  for (const name of target.opfs.split('/').filter(part => part !== '')) {
    directory = await directory.getDirectoryHandle(name, { create: true });
  }
  return new HandleSink(directory, target.opfs);
}
