import { expect, test } from 'vitest';
import { GrowingFile } from './memory.ts';
import type { OpfsFile } from './opfs.ts';
import { OpfsNames } from './opfs_names.ts';

/** The log needs no more of a file than what one in memory can do. */
const logOver = (file: GrowingFile): OpfsNames => new OpfsNames(file as unknown as OpfsFile);

test('names survive, each file has one, and what was removed stays removed', () => {
  const file = new GrowingFile();
  const names = logOver(file);
  names.set('noms/tmp', 'one');
  names.set('noms/manifest', 'one');
  names.set('noms/table', 'two');
  names.remove('noms/table');
  const expected = { 'noms/tmp': null, 'noms/manifest': 'one', 'noms/table': null };
  expect(Object.fromEntries(names.names)).toEqual(expected);
  expect(Object.fromEntries(logOver(file).names)).toEqual(expected);
});

test('a log that was cut at any byte has all names before the cut', () => {
  const file = new GrowingFile();
  const names = logOver(file);
  const ends = [0];
  for (const step of ['a', 'b', 'c']) {
    names.set(`noms/${step}`, `spare-${step}`);
    ends.push(file.length);
  }
  const whole = file.bytes();
  for (let cut = 0; cut <= whole.length; cut++) {
    const known = logOver(new GrowingFile(whole.slice(0, cut))).names;
    expect(known.size).toBe(ends.filter(end => end <= cut).length - 1);
    // Bytes that the file system promised and a crash never wrote.
    const torn = new Uint8Array(whole.length + 1).fill(0);
    torn.set(whole.subarray(0, cut));
    torn[whole.length] = 10;
    expect(logOver(new GrowingFile(torn)).names.size).toBe(known.size);
  }
});

test('another tab sees a new name when it looks again', () => {
  const file = new GrowingFile();
  const [mine, yours] = [logOver(file), logOver(file)];
  mine.set('noms/a', 'one');
  expect(yours.names.size).toBe(0);
  yours.read();
  expect(yours.names.get('noms/a')).toBe('one');
  mine.clear();
  yours.read();
  expect(yours.names.size).toBe(0);
});
