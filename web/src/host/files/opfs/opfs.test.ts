import { expect, test } from 'vitest';
import { OpfsFile } from './opfs.ts';

/** As Chromium's handles are in a private window whose quota is full: errors are counts, and nothing is thrown. */
const full = {
  read: () => 2 ** 32 - 8,
  write: () => 2 ** 32 - 8,
  truncate: () => {},
  getSize: () => 10,
  flush: () => {},
  close: () => {},
} as FileSystemSyncAccessHandle;

test('a count that is an error is one: what was not written is never said to be', () => {
  const file = new OpfsFile(full);
  expect(() => file.write(0, new Uint8Array(8))).toThrow(/store no more/);
  expect(() => file.truncate(20)).toThrow(/store no more/);
  expect(() => file.truncate(5)).not.toThrow();
  expect(() => file.read(0, new Uint8Array(8))).toThrow(/of 8 bytes/);
});

test('a private window whose data was cleared says that the files are gone, and not that there is no space', () => {
  const error = -4;
  const cleared = { ...full, read: () => error >>> 0, write: () => error >>> 0, getSize: () => 2 ** 64 + error };
  const file = new OpfsFile(cleared as FileSystemSyncAccessHandle);
  const works = [
    () => file.write(0, new Uint8Array(8)),
    () => file.truncate(20),
    () => file.read(0, new Uint8Array(8)),
  ];
  for (const work of works) expect(work).toThrow(/database files were removed/);
  expect(file.length).toBe(0);
});
