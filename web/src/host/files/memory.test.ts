import { expect, test } from 'vitest';
import { GrowingFile } from './memory.ts';
import { MemoryDirectory } from './memory_directory.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const contents = (file: GrowingFile): string => new TextDecoder().decode(file.bytes());

test('a file grows, is cut, made longer by zeros, and leaves the bytes it was given alone', () => {
  const given = text('abc');
  const file = new GrowingFile(given);
  file.write(1, text('XY'));
  file.write(3, text('d'.repeat(100_000)));
  expect(file.length).toBe(100_003);
  file.truncate(4);
  expect(contents(file)).toBe('aXYd');
  file.truncate(6);
  expect(contents(file)).toBe('aXYd\0\0');
  expect(new TextDecoder().decode(given)).toBe('abc');
  expect(() => file.read(5, new Uint8Array(2))).toThrow('past the end');
});

test('a rename replaces, and open handles of the file go on', () => {
  const files = new Map([['db/.dolt/noms/manifest', new GrowingFile(text('old'))]]);
  let written = 0;
  const directory = new MemoryDirectory(files, 'db/', () => written++);
  const file = directory.create('.dolt/noms/new');
  file.writes?.write(0, text('new'));
  directory.rename('.dolt/noms/new', '.dolt/noms/manifest');
  const found = directory.open('.dolt/noms/manifest');
  expect(found).toBe(file);
  expect(directory.list('.dolt/noms')).toEqual(['manifest']);
  directory.remove('.dolt/noms/manifest');
  expect(directory.open('.dolt/noms/manifest')).toBeNull();
  expect(directory.take()).toBe(true);
  directory.release();
  expect(written).toBe(1);
});
