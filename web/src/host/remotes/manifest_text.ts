/** The manifest of a remote as text (docs/format/store.md, section 3), and addresses in their text form. */
import { FileFault } from '../files/file.ts';

/** Of a remote without a root. */
export const EMPTY_ADDRESS = '0'.repeat(32);

const FORMAT = '__DOLT__';
const DIGITS = '0123456789abcdefghijklmnopqrstuv';
const ADDRESS = /^[0-9a-v]{32}$/;
/** A name of a data file; also the journal's. */
const FILE_NAME = /^([0-9a-v]{32})(\.darc)?$/;

export interface ListedFile {
  readonly id: string;
  readonly chunks: number;
}

export interface Manifest {
  readonly root: string;
  /** Changes only when a collection replaces the files. */
  readonly gcGeneration: string;
  readonly files: readonly ListedFile[];
}

/** Of a remote without a manifest. */
export const NO_MANIFEST: Manifest = { root: EMPTY_ADDRESS, gcGeneration: EMPTY_ADDRESS, files: [] };

/** The id in the name of a data file, and whether it is an archive; null when it is no such name. */
export function splitName(name: string): { readonly id: string; readonly isArchive: boolean } | null {
  const found = FILE_NAME.exec(name);
  return found === null ? null : { id: found[1] as string, isArchive: found[2] !== undefined };
}

/** @throws FileFault when it is no manifest. */
export function parseManifest(text: string): Manifest {
  const [version, format, , root = '', ...rest] = text.split(':');
  if (version === 'L') {
    const what = 'it is a lazy clone, which has a part of the database: fetch the rest with `varve complete` first';
    throw new FileFault('host', what);
  }
  const gcGeneration = version === '5' ? (rest.shift() ?? '') : EMPTY_ADDRESS;
  const files: ListedFile[] = [];
  for (let at = 0; at < rest.length; at += 2) {
    const [id = '', chunks = ''] = rest.slice(at, at + 2);
    if (!ADDRESS.test(id) || !/^\d{1,10}$/.test(chunks)) throw damaged();
    files.push({ id, chunks: Number(chunks) });
  }
  const isKnown = (version === '4' || version === '5') && format === FORMAT;
  if (!isKnown || !ADDRESS.test(root) || !ADDRESS.test(gcGeneration)) throw damaged();
  return { root, gcGeneration, files };
}

function damaged(): FileFault {
  return new FileFault('host', 'the manifest of the remote is damaged, or of an unknown version');
}

export async function manifestText({ root, gcGeneration, files }: Manifest): Promise<string> {
  const lock = await lockOf(
    root,
    files.map(({ id }) => id),
  );
  return ['5', FORMAT, lock, root, gcGeneration, ...files.flatMap(({ id, chunks }) => [id, String(chunks)])].join(':');
}

/** docs/format/store.md, section 3.2. */
async function lockOf(root: string, ids: readonly string[]): Promise<string> {
  const input = new Uint8Array(20 * (ids.length + 1) + 2);
  input.set(addressBytes(root));
  for (const [index, id] of ids.entries()) input.set(addressBytes(id), 21 + 20 * index);
  return addressText(new Uint8Array(await crypto.subtle.digest('SHA-512', input)).subarray(0, 20));
}

/** The text form of 20 bytes. */
export function addressText(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS[(value >> (bits - 5)) & 31];
    value &= 0xff;
  }
  return text;
}

/** The 20 bytes of a text form that was checked. */
export function addressBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(20);
  let at = 0;
  let bits = 0;
  let value = 0;
  for (const digit of text) {
    value = ((value << 5) | DIGITS.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = value >> bits;
  }
  return bytes;
}
