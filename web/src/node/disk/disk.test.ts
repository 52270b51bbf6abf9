import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyDatabase } from '../../host/files/empty_database.ts';
import type { DirectoryWrites, HostDirectory } from '../../host/files/file.ts';
import type { OpenContext, OpenedSource } from '../../host/files/source.ts';
import { DOLT, scratchDirectory } from '../../testing/built_engine.ts';
import { openPath } from './disk.ts';

const scratch = scratchDirectory();
const withDolt = test.skipIf(!existsSync(DOLT));

let made = 0;
const newPath = (): string => join(scratch, `db${made++}`);

function openAt(path: string, more: Partial<OpenContext> = {}, create = true): Promise<OpenedSource> {
  const context: OpenContext = {
    canSuspend: false,
    readOnly: false,
    lockTimeoutMs: 10_000,
    onProgress() {},
    onMoved() {},
    ...more,
  };
  return openPath(path, create, context);
}

function only(source: OpenedSource): { directory: HostDirectory; writes: DirectoryWrites } {
  const directory = source.databases[0]?.directory;
  if (directory?.writes === undefined) throw new Error('not writable');
  return { directory, writes: directory.writes };
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

test('files are made, written, renamed over others and removed', async () => {
  const source = await openAt(newPath());
  const { directory, writes } = only(source);
  const file = writes.create('.dolt/temptf/new');
  file.writes?.write(0, text('hello, world'));
  file.writes?.write(7, text('there'));
  file.writes?.truncate(12);
  file.writes?.flush();
  writes.rename('.dolt/temptf/new', '.dolt/noms/thing');
  const again = directory.open('.dolt/noms/thing');
  const bytes = new Uint8Array(12);
  again?.read(0, bytes);
  expect(new TextDecoder().decode(bytes)).toBe('hello, there');
  expect(directory.list('.dolt/noms')).toContain('thing');
  again?.writes?.write(12, text('!'));
  expect(file.length).toBe(13);
  writes.remove('.dolt/noms/thing');
  writes.remove('.dolt/noms/thing');
  expect(directory.open('.dolt/noms/thing')).toBeNull();
  await source.close();
});

test('what may not be looked at is not taken for nothing', async () => {
  const path = newPath();
  mkdirSync(path);
  // Root may look at everything but this.
  symlinkSync('.dolt', join(path, '.dolt'));
  await expect(openAt(path, {}, false)).rejects.toMatchObject({ failure: { code: 'unreadable' } });
  await expect(openAt(path)).rejects.toThrow('.dolt cannot be read: ELOOP');
});

test('a file that was closed is nobody else by its number: it says that it is closed, and closes nothing', async () => {
  const source = await openAt(newPath());
  const { directory } = only(source);
  const open = () => {
    const file = directory.open('.dolt/noms/manifest');
    if (file === null) throw new Error('no manifest');
    return file;
  };
  const closed = open();
  const { length } = closed;
  closed.close();
  const other = open();
  closed.close();
  closed.release?.();
  expect(() => closed.read(0, new Uint8Array(1))).toThrow('manifest was closed');
  expect(() => closed.writes?.write(0, text('x'))).toThrow('manifest was closed');
  expect(closed.length).toBe(length);
  const bytes = new Uint8Array(1);
  other.read(0, bytes);
  expect(bytes).toEqual(text('5'));
  await source.close();
});

test('a file that the engine is done with is closed', async () => {
  const before = readdirSync('/proc/self/fd').length;
  const source = await openAt(newPath());
  const { directory } = only(source);
  for (let index = 0; index < 50; index++) directory.open('.dolt/noms/manifest')?.release?.();
  expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 10);
  await source.close();
});

test('one holder of the lock at a time; the next gets it when the first rests', async () => {
  const path = newPath();
  const moved: string[] = [];
  const [first, second] = [
    await openAt(path, { onMoved: () => moved.push('first') }),
    await openAt(path, { onMoved: () => moved.push('second') }),
  ];
  const [a, b] = [only(first).writes, only(second).writes];
  expect(a.take()).toBe(false);
  await a.prepare();
  expect(a.take()).toBe(true);
  expect(b.take()).toBe(false);
  let isGranted = false;
  const granted = b.prepare().then(() => {
    isGranted = true;
  });
  await new Promise(resolve => setImmediate(resolve));
  expect(isGranted).toBe(false);
  a.release();
  expect(a.take()).toBe(true);
  a.release();
  await granted;
  expect(b.take()).toBe(true);
  b.release();
  expect(moved).toEqual(['first', 'first', 'second']);
  await first.close();
  await second.close();
});

test('who waits for the lock is told after as long as it wants to wait, and may ask again', async () => {
  const path = newPath();
  const [first, second] = [await openAt(path), await openAt(path, { lockTimeoutMs: 200 })];
  const [a, b] = [only(first).writes, only(second).writes];
  a.take();
  await a.prepare();
  expect(a.take()).toBe(true);
  expect(b.take()).toBe(false);
  await expect(b.prepare()).rejects.toMatchObject({ failure: { code: 'locked' } });
  a.release();
  expect(b.take()).toBe(false);
  await b.prepare();
  expect(b.take()).toBe(true);
  b.release();
  await first.close();
  await second.close();
});

withDolt(
  'native Dolt opens what was made, and cannot write while the lock is held',
  async () => {
    const path = newPath();
    const source = await openAt(path);
    const { writes } = only(source);
    const dolt = (...args: string[]): Promise<{ code: number | null; output: string }> =>
      new Promise(resolve => {
        const child = spawn(DOLT, args, { cwd: path });
        let output = '';
        for (const stream of [child.stdout, child.stderr]) {
          stream.on('data', data => {
            output += data;
          });
        }
        child.on('close', code => resolve({ code, output }));
      });
    expect((await dolt('fsck')).code).toBe(0);
    writes.take();
    await writes.prepare();
    expect(writes.take()).toBe(true);
    const refused = await dolt('sql', '-q', 'CREATE TABLE t (a int PRIMARY KEY)');
    expect(refused.code).not.toBe(0);
    expect(refused.output).toMatch(/read.only|locked/);
    await source.close();
    expect((await dolt('sql', '-q', 'CREATE TABLE t (a int PRIMARY KEY)')).code).toBe(0);
  },
  60_000,
);

test('what may not be written says why', async () => {
  const path = newPath();
  await (await openAt(path)).close();
  const asked = await openAt(path, { readOnly: true });
  expect(asked.storage).toMatchObject({ readOnly: true, readOnlyReason: 'It was opened with readOnly' });
  expect(asked.databases[0]?.directory.writes).toBeUndefined();
  await asked.close();
  const remote = newPath();
  await (await openAt(remote)).close();
  if (process.getuid?.() !== 0) {
    chmodSync(join(remote, '.dolt/noms'), 0o500);
    expect((await openAt(remote)).storage.readOnlyReason).toMatch(/may not be written/);
    chmodSync(join(remote, '.dolt/noms'), 0o700);
  }
  await expect(openAt(newPath(), {}, false)).rejects.toMatchObject({ failure: { code: 'not_a_database' } });
});

test('a database is made beside others, under a name that is one', async () => {
  const path = newPath();
  const source = await openAt(path);
  const second = await source.create?.('second');
  expect(second?.name).toBe('second');
  await expect(source.create?.('second')).rejects.toMatchObject({ failure: { code: 'usage' } });
  await expect(source.create?.('../third')).rejects.toMatchObject({ failure: { code: 'usage' } });
  // It is a database with its first manifest, and not before: a killed process has left none.
  const unfinished = await openAt(path, {}, false);
  expect(unfinished.databases.map(({ name }) => name)).not.toContain('second');
  await unfinished.close();
  const manifest = second?.directory.writes?.create('.dolt/noms/nbs_manifest_varve');
  manifest?.writes?.write(0, emptyDatabase()['.dolt/noms/manifest'] ?? new Uint8Array());
  second?.directory.writes?.rename('.dolt/noms/nbs_manifest_varve', '.dolt/noms/manifest');
  await source.close();
  const again = await openAt(path, {}, false);
  expect(again.databases.map(({ name }) => name)).toContain('second');
  expect(readFileSync(join(path, 'second/.dolt/repo_state.json'), 'utf8')).toContain('refs/heads/main');
  await again.close();
});
