import { expect, test } from 'vitest';
import { GrowingFile } from '../memory.ts';
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

test('a name that is appended behind the rest of a torn append is read again', () => {
  const file = new GrowingFile();
  const names = logOver(file);
  names.set('noms/a', 'one');
  const before = file.length;
  names.set('noms/tmp', 'two');
  // Two lines: what is left of the second one must not stay behind the shorter line of the next append.
  names.set('noms/b', 'two');
  const whole = file.bytes();
  for (let cut = before; cut <= whole.length; cut++) {
    const zeros = new Uint8Array(whole.length).fill(0);
    zeros.set(whole.subarray(0, cut));
    zeros.set(whole.subarray(-8), whole.length - 8);
    for (const bytes of [whole.slice(0, cut), zeros]) {
      const torn = new GrowingFile(bytes);
      const next = logOver(torn);
      const known = Object.fromEntries(next.names);
      next.set('x', '3');
      next.remove('noms/a');
      expect(Object.fromEntries(next.names)).toMatchObject({ ...known, x: '3', 'noms/a': null });
      expect(next.hasChanged()).toBe(false);
      expect(Object.fromEntries(logOver(torn).names)).toEqual(Object.fromEntries(next.names));
    }
  }
});

test('a rename that was cut off behind its first line leaves one name', () => {
  const file = new GrowingFile();
  const names = logOver(file);
  names.set('noms/tmp', 'one');
  const before = file.length;
  names.set('noms/manifest', 'one');
  const whole = file.bytes();
  const end = whole.indexOf(10, before) + 1;
  expect(end).toBeLessThan(whole.length);
  for (let cut = end; cut <= whole.length; cut++) {
    const known = logOver(new GrowingFile(whole.slice(0, cut))).names;
    expect(Object.fromEntries(known)).toEqual({ 'noms/tmp': null, 'noms/manifest': 'one' });
  }
});

test('a log that another tab has written meanwhile is not appended to', () => {
  const file = new GrowingFile();
  const [mine, yours] = [logOver(file), logOver(file)];
  mine.set('noms/a', 'one');
  expect(() => yours.set('noms/b', 'two')).toThrow('another tab');
  yours.read();
  yours.set('noms/b', 'two');
  expect(Object.fromEntries(logOver(file).names)).toEqual({ 'noms/a': 'one', 'noms/b': 'two' });
});
