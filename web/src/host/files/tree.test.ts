import { expect, test } from 'vitest';
import { MemoryFile } from './memory.ts';
import { databaseRoots, TreeDirectory } from './tree.ts';

test('a database at the top takes the name of the source', () => {
  expect(databaseRoots(['.dolt/noms/manifest', '.dolt/repo_state.json'], 'shop')).toEqual([
    { name: 'shop', prefix: '' },
  ]);
});

test('every subdirectory with .dolt is a database, its statistics are not', () => {
  const paths = [
    'multi/b/.dolt/noms/manifest',
    'multi/a/.dolt/noms/manifest',
    'multi/a/.dolt/stats/.dolt/noms/manifest',
  ];
  expect(databaseRoots(paths, 'x')).toEqual([
    { name: 'a', prefix: 'multi/a/' },
    { name: 'b', prefix: 'multi/b/' },
  ]);
});

test('a directory with a manifest and no .dolt is a remote', () => {
  expect(databaseRoots(['remote/manifest', 'remote/oldgen/manifest', 'remote/abc.darc'], '')).toEqual([
    { name: 'remote', prefix: 'remote/' },
  ]);
  expect(databaseRoots(['manifest'], 'top')).toEqual([{ name: 'top', prefix: '' }]);
});

test('a damaged database without manifest is still one', () => {
  expect(databaseRoots(['a/.dolt/noms/LOCK'], '')).toEqual([{ name: 'a', prefix: 'a/' }]);
});

test('databases that were dropped or never finished are none', () => {
  const paths = [
    'a/.dolt/noms/manifest',
    '.dolt_dropped_databases/b/.dolt/noms/manifest',
    'c/.dolt/noms/x',
    'c/.dolt_safe_to_ignore',
  ];
  expect(databaseRoots(paths, '').map(({ name }) => name)).toEqual(['a']);
});

test('nothing to find is an empty list', () => {
  expect(databaseRoots(['readme.txt', 'not.dolt/noms/x', '.dolt/sql-server.info'], '')).toEqual([]);
});

test('a tree lists names of files and directories, and opens what it has', () => {
  const file = new MemoryFile(new Uint8Array([1, 2, 3]));
  const files = new Map([
    ['a/.dolt/noms/manifest', file],
    ['a/.dolt/noms/oldgen/manifest', file],
    ['ab/.dolt/x', file],
  ]);
  const directory = new TreeDirectory(files, 'a/');
  expect(directory.list('.dolt/noms')).toEqual(['manifest', 'oldgen']);
  expect(directory.list('')).toEqual(['.dolt']);
  expect(directory.list('absent')).toEqual([]);
  expect(directory.open('.dolt/noms/manifest')).toBe(file);
  expect(directory.open('.dolt/x')).toBeNull();
});

test('memory refuses to read past its end', () => {
  const file = new MemoryFile(new Uint8Array([1, 2, 3]));
  const dest = new Uint8Array(2);
  file.read(1, dest);
  expect([...dest]).toEqual([2, 3]);
  expect(() => file.read(2, dest)).toThrow('past the end');
});
