import type { Connection } from '../connection.ts';
import { VarveError } from '../errors.ts';
import type { CopyOptions, CopyTarget } from './transfer_types.ts';
import { zipped } from './zip_writer.ts';

const CHUNK_BYTES = 1 << 20;

/** Where files are copied to. */
export interface FileSink {
  /** Whether there is something of that name in the target. */
  has(name: string): Promise<boolean>;
  write(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
}

/** The bytes of a zip with the files of all databases, each below its name. */
export async function* zipFiles(connection: Connection, options: CopyOptions): AsyncIterableIterator<Uint8Array> {
  yield* zipped(filesOf(connection, options));
}

/** Copies the files of all databases: of an only one without its name, unless the target is a directory of databases. */
export async function copyFiles(
  connection: Connection,
  sink: FileSink,
  isBelowName: boolean,
  options: CopyOptions,
): Promise<void> {
  let isFirst = true;
  for await (const { path, chunks, databases } of filesOf(connection, options)) {
    const target = isBelowName || databases > 1 ? path : path.slice(path.indexOf('/') + 1);
    const [top = ''] = target.split('/');
    if (isFirst && (await sink.has(top))) throw new VarveError('usage', `The target has a ${top} already`);
    isFirst = false;
    await sink.write(target, chunks);
  }
}

async function* filesOf(connection: Connection, { signal, onProgress }: CopyOptions) {
  const { files } = await connection.ask({ kind: 'list_files' }, 'files');
  const totalBytes = files.reduce((sum, { length }) => sum + length, 0);
  const databases = new Set(files.map(({ path }) => path.slice(0, path.indexOf('/')))).size;
  let bytes = 0;
  async function* chunksOf(path: string, length: number): AsyncIterableIterator<Uint8Array> {
    for (let offset = 0; offset < length; offset += CHUNK_BYTES) {
      signal?.throwIfAborted();
      const wanted = Math.min(CHUNK_BYTES, length - offset);
      const reply = await connection.ask({ kind: 'read_file', path, offset, length: wanted }, 'bytes');
      bytes += wanted;
      onProgress?.({ bytes, totalBytes });
      yield new Uint8Array(reply.bytes);
    }
  }
  for (const { path, length } of files) yield { path, chunks: chunksOf(path, length), databases };
}

/** A directory of the browser: picked, or of the page's own storage. */
export class HandleSink implements FileSink {
  readonly #root: FileSystemDirectoryHandle;

  constructor(root: FileSystemDirectoryHandle) {
    this.#root = root;
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
  let directory = await navigator.storage.getDirectory();
  for (const name of target.opfs.split('/').filter(part => part !== '')) {
    directory = await directory.getDirectoryHandle(name, { create: true });
  }
  return new HandleSink(directory);
}
