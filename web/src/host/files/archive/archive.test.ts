import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { unpack as unpackFiles } from './archive.ts';

const quiet = () => {};
const unpack = async (...[archive, onProgress]: Parameters<typeof unpackFiles>): Promise<Record<string, Uint8Array>> =>
  Object.fromEntries(await unpackFiles(archive, onProgress));
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

/** Packs `files` with the system's tar in one of its formats. */
function tarOf(files: Record<string, string>, ...options: string[]): Uint8Array {
  const directory = mkdtempSync(join(tmpdir(), 'varve-tar-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(directory, path, '..'), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
    return execFileSync('tar', ['-C', directory, ...options, '-cf', '-', '.'], { maxBuffer: 1 << 26 });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const LONG = `${'directory/'.repeat(15)}${'n'.repeat(120)}`;

test.each(['gnu', 'pax', 'ustar'])('a %s archive unpacks, with long names where the format has them', async format => {
  const files = { 'db/.dolt/noms/manifest': '5:__DOLT__', [format === 'ustar' ? 'short' : LONG]: 'x'.repeat(1000) };
  const unpacked = await unpack(tarOf(files, `--format=${format}`), quiet);
  expect(Object.keys(unpacked).sort()).toEqual(Object.keys(files).sort());
  expect(textOf(unpacked['db/.dolt/noms/manifest'])).toBe('5:__DOLT__');
});

test('a compressed archive is told by its first bytes', async () => {
  const unpacked = await unpack(new Blob([tarOf({ a: 'one' }, '-z') as Uint8Array<ArrayBuffer>]), quiet);
  expect(textOf(unpacked.a)).toBe('one');
});

test('a zip unpacks without its directory entries', async () => {
  const zip = zipSync({ 'db/': new Uint8Array(), 'db/.dolt/x': new TextEncoder().encode('hello') });
  const unpacked = await unpack(zip, quiet);
  expect(Object.keys(unpacked)).toEqual(['db/.dolt/x']);
  expect(textOf(unpacked['db/.dolt/x'])).toBe('hello');
});

test('a zip of stored entries, with a comment, written by another program, unpacks', async () => {
  const zip = zipSync({ a: [new TextEncoder().encode('stored'), { level: 0 }], 'é/b': new Uint8Array(100_000) });
  const commented = new Uint8Array([...zip, ...new TextEncoder().encode('comment')]);
  new DataView(commented.buffer).setUint16(zip.length - 2, 'comment'.length, true);
  const unpacked = await unpack(commented, quiet);
  expect(textOf(unpacked.a)).toBe('stored');
  expect(unpacked['é/b']?.length).toBe(100_000);
});

test('an encrypted zip entry is refused by name', async () => {
  const zip = zipSync({ secret: new Uint8Array([1]) }).slice();
  const view = new DataView(zip.buffer);
  const entryAt = view.getUint32(zip.length - 22 + 16, true);
  view.setUint16(entryAt + 8, 1, true);
  await expect(unpack(zip, quiet)).rejects.toThrow('secret is encrypted');
});

test.each([0, 5, 2000])('what is no archive at all is called so, however long it is: %s bytes', async length => {
  const text = new TextEncoder().encode('hello '.repeat(400).slice(0, length));
  await expect(unpack(text, quiet)).rejects.toThrow('neither a zip nor a tar');
});

test.each([
  ['a cut gzip', tarOf({ a: 'one' }, '-z').subarray(0, 60)],
  ['a cut tar', tarOf({ a: 'x'.repeat(5000) }).subarray(0, 2000)],
  ['a cut zip', zipSync({ a: new Uint8Array(100) }).subarray(0, 40)],
])('%s is refused', async (_, bytes) => {
  await expect(unpack(bytes, quiet)).rejects.toThrow('could not be unpacked');
});

test.skipIf(!existsSync('../shared/fixtures'))('fixtures unpack (skipped: ../shared not found)', async () => {
  const unpacked = await unpack(readFileSync('../shared/fixtures/i_multi.tar.gz'), quiet);
  expect('multi/accounts/.dolt/noms/manifest' in unpacked).toBe(true);
});
