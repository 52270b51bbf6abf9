/** What `varve serve` keeps of files that it has received, and how it refuses those whose references are missing. */
import { expect, test } from 'vitest';
import { addressBytes, addressText } from '../../host/remotes/manifest_text.ts';
import { outgoingReferences } from './chunk_check.ts';
import type { FileIndex } from './chunk_index.ts';
import { refuseDangling, refuseMissingRoot } from './dangling.ts';
import { type CheckedFile, ReceivedFiles } from './received_file.ts';
import { ChunkLookup, type ServedFile, type Snapshot } from './served_database.ts';

const address = (number: number): string => addressText(Uint8Array.from({ length: 20 }, () => number));

/** A file that contains and refers to these addresses. */
function fileOf(contained: readonly string[], outgoing: readonly string[], chunks = contained.length): CheckedFile {
  const place = { offset: 0, length: 1, dictionaryOffset: 0, dictionaryLength: 0 };
  const index: FileIndex = {
    chunks,
    named: { start: 0, end: 0 },
    find: wanted => (contained.includes(addressText(wanted)) ? place : null),
    readingOrder: () => new Uint32Array(),
    placeOf: () => place,
    copyAddress() {},
  };
  return { index, outgoing: Buffer.concat(outgoing.map(addressBytes)) };
}

const EMPTY: Snapshot = { root: address(0), files: [] };

test('references may lead to another file of the push, or to what a shallow clone has left out', async () => {
  const lookup = new ChunkLookup();
  const [one, two] = [fileOf([address(1)], [address(2)]), fileOf([address(2)], [address(3)])];
  const shallow: Snapshot = { ...EMPTY, ghosts: () => new Set([address(3)]) };
  await refuseDangling([one, two], shallow, lookup);
  await refuseMissingRoot(address(1), [one, two], EMPTY, lookup);
  await expect(refuseDangling([one, two], EMPTY, lookup)).rejects.toThrow(
    `cannot add table files: table file not found, missing: ${address(3)}.`,
  );
  await expect(refuseMissingRoot(address(9), [one, two], EMPTY, lookup)).rejects.toThrow(
    `failed to commit: dangling ref: found dangling references to ${address(9)}`,
  );
});

test('of many missing chunks a few are named', async () => {
  const missing = Array.from({ length: 200 }, (_, number) => address(number));
  const refused = refuseDangling([fileOf([], missing)], EMPTY, new ChunkLookup());
  await expect(refused).rejects.toThrow(/missing: (\w{32}, ){9}\w{32} and more\./);
});

test('the oldest files are dropped when there are too many, or when they are too large', () => {
  const files = new ReceivedFiles();
  for (let number = 0; number < 70; number++) files.keep(`${number}`, fileOf([], []));
  expect([files.get('5'), files.get('6')?.index.chunks]).toEqual([undefined, 0]);
  for (let number = 0; number < 3; number++) files.keep(`large ${number}`, fileOf([], [], 6_000_000));
  expect([files.get('69'), files.get('large 0')]).toEqual([undefined, undefined]);
  expect([files.get('large 1'), files.get('large 2')]).not.toContain(undefined);
  files.keep('huge', fileOf([], [], 30_000_000));
  expect([files.get('large 2'), files.get('huge')?.index.chunks]).toEqual([undefined, 30_000_000]);
});

test('a file with too many chunks is refused before it is read', async () => {
  const file: ServedFile = {
    name: 'file',
    id: 'file',
    chunks: 0,
    length: 0,
    read: () => Promise.reject(new Error('it was read')),
  };
  const refused = outgoingReferences(file, fileOf([], [], 8_388_609).index);
  await expect(refused).rejects.toThrow('file has 8388609 chunks, and 8388608 are taken');
});
