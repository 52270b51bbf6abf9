/** Conversion of what `open` is given to a source for the worker. */
import type { WireFile, WireSource } from '../protocol/index.ts';
import { checkArgument, shown } from './checked.ts';
import { VarveError } from './errors.ts';
import type { Source } from './types.ts';

/**
 * A source as it is sent to the host.
 *
 * @param acceptsPaths whether a string may be a path of the machine (Node).
 * @param baseUrl what relative addresses are relative to: the page.
 */
export function wireSource(source: Source, acceptsPaths: boolean, baseUrl: string | undefined): WireSource {
  if (source === '' || !isSource(source)) throw new VarveError('usage', NO_SOURCE);
  if (typeof source === 'string') return textSource(source, acceptsPaths, baseUrl);
  if (source instanceof URL) return urlSource(source, acceptsPaths);
  if ('url' in source) return urlSource(absoluteUrl(String(source.url), baseUrl), acceptsPaths);
  if ('path' in source) {
    if (!acceptsPaths) throw new VarveError('unsupported', 'Paths can be opened in Node only');
    return { kind: 'path', path: named('path', source.path), create: source.create ?? false, ...cloning(source) };
  }
  if ('opfs' in source)
    return { kind: 'opfs', path: named('opfs', source.opfs), create: source.create ?? false, ...cloning(source) };
  if ('directory' in source) {
    checkArgument('open', 'directory', source.directory, 'object');
    return { kind: 'directory', handle: source.directory };
  }
  if ('files' in source) return { kind: 'files', files: pickedFiles(source.files) };
  if ('archive' in source) return archiveSource(source.archive, source.name);
  if ('memory' in source) {
    checkArgument('open', 'memory', source.memory, 'object');
    return { kind: 'memory', files: source.memory, create: source.create ?? false };
  }
  checkArgument('open', 'empty', source.empty, 'text');
  return { kind: 'empty', name: source.empty };
}

/** What `clone` opens: the place in which the database is made. */
function cloning(source: object): { readonly cloning?: true } {
  return 'cloning' in source ? { cloning: true } : {};
}

const KEYS = ['url', 'path', 'opfs', 'directory', 'files', 'archive', 'memory', 'empty'] as const;
const NO_SOURCE = `open: expected a path, a URL, or one of { ${KEYS.join(' }, { ')} }`;

/** For callers without types. */
function isSource(source: unknown): boolean {
  if (typeof source === 'string' || source instanceof URL) return true;
  return typeof source === 'object' && source !== null && KEYS.some(key => key in source);
}

function textSource(text: string, acceptsPaths: boolean, baseUrl: string | undefined): WireSource {
  if (acceptsPaths && !/^(https?|file):|^[a-z][a-z\d+.-]*:\/\//i.test(text))
    return { kind: 'path', path: text, create: false };
  return urlSource(absoluteUrl(text, baseUrl), acceptsPaths);
}

function absoluteUrl(text: string, baseUrl: string | undefined): URL {
  try {
    return new URL(text, baseUrl);
  } catch {
    throw new VarveError('usage', `${text} is not an address`);
  }
}

function urlSource(url: URL, acceptsPaths: boolean): WireSource {
  if (url.protocol === 'http:' || url.protocol === 'https:') return { kind: 'url', url: url.href };
  if (url.protocol === 'file:' && acceptsPaths) return { kind: 'path', path: url.href, create: false };
  throw new VarveError('unsupported', `${url.protocol} addresses cannot be opened here: http: and https: can`);
}

/** Of an array, a FileList or any other iterable. */
function pickedFiles(given: Iterable<Picked>): readonly WireFile[] {
  if (typeof (given as Partial<Iterable<Picked>> | null | undefined)?.[Symbol.iterator] !== 'function')
    throw new VarveError('usage', `open: files is an iterable of Files, got ${shown(given)}`);
  return Array.from(given, pickedFile);
}

type Picked = File | { readonly path: string; readonly file: File };

function pickedFile(entry: Picked): WireFile {
  const file: unknown = typeof entry === 'object' && entry !== null && 'file' in entry ? entry.file : entry;
  if (!(file instanceof Blob))
    throw new VarveError('usage', `open: one of files is a File or { path, file }, got ${shown(entry)}`);
  if ('file' in entry) return { path: named('path', entry.path), file: entry.file };
  return { path: entry.webkitRelativePath || entry.name, file: entry };
}

function named(member: string, name: unknown): string {
  if (typeof name === 'string' && name !== '') return name;
  throw new VarveError('usage', `${member} of what is opened is a string, got ${shown(name)}`);
}

function archiveSource(given: Blob | Uint8Array, name: string | undefined): WireSource {
  // For callers without types.
  const content = (given as unknown) instanceof ArrayBuffer ? new Uint8Array(given as unknown as ArrayBuffer) : given;
  if (!(content instanceof Uint8Array || content instanceof Blob))
    throw new VarveError('usage', `archive is a File, a Blob or bytes (Uint8Array, ArrayBuffer), got ${shown(given)}`);
  const called = name ?? (typeof File === 'function' && content instanceof File ? content.name : '');
  return { kind: 'archive', name: called, content };
}
