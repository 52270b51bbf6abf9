/** Zip export and copies of the files of a database. */
import { contentName, type ListedFile } from '../../../protocol/index.ts';
import { VarveError } from '../../errors.ts';
import type { Connection } from '../../wire/connection.ts';
import type { CopyOptions } from '../transfer_types.ts';
import type { FileSink } from './directory_sink.ts';
import { zipped } from './zip_writer.ts';

const CHUNK_BYTES = 1 << 20;

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
  const tops = new Set<string>();
  try {
    for await (const { path, chunks, databases } of filesOf(connection, options)) {
      const target = isBelowName || databases > 1 ? path : path.slice(path.indexOf('/') + 1);
      const [top = ''] = target.split('/');
      if (!tops.has(top) && (await sink.has(top))) throw inTheWay(sink.name, top);
      tops.add(top);
      await sink.write(target, chunks);
    }
    await sink.finish();
  } catch (error) {
    await sink.abandon();
    throw error;
  }
}

function inTheWay(target: string, name: string): VarveError {
  const place = target === '' ? 'The target' : target;
  const advice = 'copyTo does not overwrite: copy to another directory, or move that one first';
  return new VarveError('usage', `${place} has a ${name} already. ${advice}`);
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
      if (reply.bytes.byteLength < wanted) return;
    }
  }
  for (const { path, length } of files) yield { path, chunks: chunksOf(path, length), databases };
  // A collection puts other files in the place of these, a fetch adds some: the manifest, which was copied last, may list them.
  const after = await connection.ask({ kind: 'list_files' }, 'files');
  if (dataFiles(after.files) === dataFiles(files)) return;
  throw new VarveError(
    'unreadable',
    'The files of the database were replaced while it was copied, as by a garbage collection: copy it again',
  );
}

function dataFiles(files: readonly ListedFile[]): string {
  const paths = files.map(({ path }) => path).filter(path => contentName(path) !== null);
  return paths.sort().join('\n');
}
