/** Files of a remote elsewhere, read without blocking. */
import { FileFault, type HostDirectory, type HostFile, readBytes } from '../../host/files/file.ts';
import { type ListedFile, type Manifest, NO_MANIFEST, parseManifest } from '../../host/remotes/manifest_text.ts';
import type { ServedFile } from './served_database.ts';

const MANIFEST_BYTES_MAX = 1 << 20;

export async function openIn(directory: HostDirectory, path: string): Promise<HostFile | null> {
  return directory.openLater === undefined ? directory.open(path) : directory.openLater(path);
}

export interface UpstreamFile extends ListedFile {
  readonly name: string;
  readonly file: HostFile;
}

/**
 * Opens the files that a manifest lists.
 *
 * @param folder of the manifest: empty, or with a `/` at its end
 * @throws FileFault when one is missing
 */
export async function openListed(
  directory: HostDirectory,
  folder: string,
  { files }: Manifest,
): Promise<UpstreamFile[]> {
  const opened: UpstreamFile[] = [];
  for (const { id, chunks } of files) {
    for (const name of [id, `${id}.darc`]) {
      const file = await openIn(directory, folder + name);
      if (file === null) continue;
      opened.push({ id, chunks, name, file });
      break;
    }
    if (opened.at(-1)?.id !== id) throw new FileFault('host', `the upstream lists ${id}, and does not have it`);
  }
  return opened;
}

/** The same of its old generation, which only a database has. */
export async function openOld(directory: HostDirectory, folder: string): Promise<UpstreamFile[]> {
  const text = await textOf(directory, `${folder}oldgen/manifest`);
  return text === null ? [] : openListed(directory, `${folder}oldgen/`, parseManifest(text));
}

/** A file of an upstream whose bytes are read by `read`. */
export function servedFile(
  { name, id, chunks, file }: UpstreamFile,
  read: ServedFile['read'] = (offset, length) => readBytes(file, offset, length),
): ServedFile {
  return { name, id, chunks, length: file.length, read };
}

/** The manifest of a remote as it is now; that of an empty one has no files. */
export async function manifestOf(directory: HostDirectory): Promise<Manifest> {
  const text = await textOf(directory, 'manifest');
  return text === null ? NO_MANIFEST : parseManifest(text);
}

export async function textOf(directory: HostDirectory, path: string): Promise<string | null> {
  const file = await openIn(directory, path);
  if (file === null) return null;
  if (file.length > MANIFEST_BYTES_MAX) throw new FileFault('host', `${path} of the upstream is no manifest`);
  return new TextDecoder().decode(await readBytes(file, 0, file.length));
}
