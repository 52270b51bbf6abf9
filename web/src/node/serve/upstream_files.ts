/** Files of a remote elsewhere, read without blocking. */
import { FileFault, type HostDirectory, type HostFile, readBytes } from '../../host/files/file.ts';
import { type Manifest, NO_MANIFEST, parseManifest } from '../../host/remotes/manifest_text.ts';

const MANIFEST_BYTES_MAX = 1 << 20;

export async function openIn(directory: HostDirectory, path: string): Promise<HostFile | null> {
  return directory.openLater === undefined ? directory.open(path) : directory.openLater(path);
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
