import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FileFault, readBytes } from '../files/file.ts';
import { MemoryScratchStore, Scratch } from '../files/scratch.ts';
import { noTraffic } from '../files/source.ts';
import { HandleDirectory } from './handle_remote.ts';
import type { RemoteContext } from './remote_types.ts';

const FIRST = 'the first manifest';
const NEXT = 'the next manifest';
const THEIRS = 'the manifest of another writer';

let folder: FileSystemDirectoryHandle;

beforeEach(async () => {
  const root = await navigator.storage.getDirectory();
  folder = await root.getDirectoryHandle(crypto.randomUUID(), { create: true });
});

afterEach(() => vi.restoreAllMocks());

test('a manifest that another writer replaced since it was read is not overwritten, and is seen', async () => {
  await write('manifest', FIRST);
  const remote = await taken();
  await write('manifest', THEIRS);
  expect(await replace(remote, NEXT)).toBe('moved');
  expect(await namesAndTexts()).toEqual({ manifest: THEIRS });
  expect(await seenBy(remote)).toBe(THEIRS);
});

test('a manifest that another writer made where there was none is not overwritten', async () => {
  const remote = await taken();
  await write('manifest', THEIRS);
  expect(await replace(remote, NEXT)).toBe('moved');
  expect(await namesAndTexts()).toEqual({ manifest: THEIRS });
});

test('a manifest is overwritten that no other writer changed', async () => {
  await write('manifest', FIRST);
  const remote = await taken();
  expect(await replace(remote, NEXT)).toBe('done');
  expect(await namesAndTexts()).toEqual({ manifest: NEXT });
  expect(await seenBy(remote)).toBe(NEXT);
  // The same lock, again.
  expect(await replace(remote, FIRST)).toBe('done');
  expect(await namesAndTexts()).toEqual({ manifest: FIRST });
});

test('a manifest that another writer overwrote right after its rename counts as lost', async () => {
  await write('manifest', FIRST);
  const remote = await taken();
  const { move } = FileSystemFileHandle.prototype as unknown as { move: (name: string) => Promise<void> };
  const prototype = FileSystemFileHandle.prototype as unknown as { move(name: string): Promise<void> };
  vi.spyOn(prototype, 'move').mockImplementation(async function (this: FileSystemFileHandle, name) {
    await move.call(this, name);
    await write('manifest', THEIRS);
  });
  expect(await replace(remote, NEXT)).toBe('moved');
  expect(await seenBy(remote)).toBe(THEIRS);
});

test('where the browser cannot rename, the manifest is compared before it is closed', async () => {
  await write('manifest', FIRST);
  const prototype = FileSystemFileHandle.prototype as unknown as { move(name: string): Promise<void> };
  vi.spyOn(prototype, 'move').mockRejectedValue(new DOMException('not here', 'NotSupportedError'));
  const remote = await taken();
  expect(await replace(remote, NEXT)).toBe('done');
  expect(await namesAndTexts()).toEqual({ manifest: NEXT });
  await write('manifest', THEIRS);
  expect(await replace(remote, FIRST)).toBe('moved');
  expect(await namesAndTexts()).toEqual({ manifest: THEIRS });
});

test('a full disk leaves the manifest as it was, and no temporary file', async () => {
  await write('manifest', FIRST);
  const remote = await taken();
  const full = new DOMException('full', 'QuotaExceededError');
  vi.spyOn(FileSystemWritableFileStream.prototype, 'write').mockRejectedValue(full);
  expect(await replace(remote, NEXT)).toMatch(/no_space: The folder test is full: free space there/);
  vi.restoreAllMocks();
  expect(await namesAndTexts()).toEqual({ manifest: FIRST });
});

test('an empty manifest, which a killed first push may leave, is none; old temporary files go, new ones stay', async () => {
  const dayBefore = Date.now() - 25 * 60 * 60 * 1000;
  await write('manifest', '');
  await write(`nbs_table_varve_${dayBefore}_0`, 'left');
  await write(`nbs_table_varve_${Date.now()}_0`, 'being written');
  const remote = await taken();
  expect(remote.open('manifest')).toBeNull();
  expect(Object.values(await namesAndTexts())).toEqual(['', 'being written']);
  expect(await replace(remote, FIRST)).toBe('done');
});

test('a folder with a database, and one that is gone, are refused', async () => {
  const database = await folder.getDirectoryHandle('database', { create: true });
  await database.getDirectoryHandle('.dolt', { create: true });
  await expect(opened(database).start()).rejects.toThrow('contains a database');
  const gone = await folder.getDirectoryHandle('gone', { create: true });
  await folder.removeEntry('gone');
  const error = await opened(gone)
    .start()
    .catch(error => error);
  expect(error).toBeInstanceOf(FileFault);
  expect(error.kind).toBe('gone');
  expect(error.message).toContain('choose the folder again');
});

function opened(handle: FileSystemDirectoryHandle): HandleDirectory {
  const scratch = new Scratch(new MemoryScratchStore());
  const context: RemoteContext = {
    canSuspend: false,
    network: () => {
      throw new Error('a folder needs no network');
    },
    traffic: noTraffic(),
    options: {},
    openCache: null,
    cacheBytes: undefined,
    scratch: () => scratch.open(),
    lockTimeoutMs: 10_000,
    credentials: async () => null,
  };
  return new HandleDirectory(handle, `directory://${handle.name}/test`, 'the folder test', context);
}

/** The remote in `folder`, with the right to write. */
async function taken(): Promise<HandleDirectory> {
  const remote = opened(folder);
  await remote.start();
  expect(remote.take()).toBe(false);
  await remote.prepare();
  expect(remote.take()).toBe(true);
  return remote;
}

/** What became of a manifest, as the engine writes it. */
async function replace(remote: HandleDirectory, text: string): Promise<string> {
  const rename = (): string => {
    try {
      remote.rename('nbs_manifest_varve', 'manifest');
      return 'done';
    } catch (error) {
      const { kind, message } = error as FileFault;
      return kind === 'wait' || kind === 'moved' ? kind : `${kind}: ${message}`;
    }
  };
  remote.create('nbs_manifest_varve').writes?.write(0, new TextEncoder().encode(text));
  expect(rename()).toBe('wait');
  await remote.prepare();
  return rename();
}

async function write(name: string, text: string): Promise<void> {
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
  await stream.write(text);
  await stream.close();
}

async function seenBy(remote: HandleDirectory): Promise<string | null> {
  const file = remote.open('manifest');
  return file === null ? null : new TextDecoder().decode(await readBytes(file, 0, file.length));
}

async function namesAndTexts(): Promise<Record<string, string>> {
  const found: [string, string][] = [];
  for await (const [name, entry] of folder.entries()) {
    found.push([name, await (await (entry as FileSystemFileHandle).getFile()).text()]);
  }
  return Object.fromEntries(found.sort(([a], [b]) => a.localeCompare(b)));
}
