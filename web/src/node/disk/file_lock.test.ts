import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { OpenContext } from '../../host/files/source.ts';
import { DOLT, scratchDirectory } from '../../testing/built_engine.ts';
import { openPath } from './disk.ts';
import { DiskLease } from './disk_lease.ts';
import { FileLock } from './file_lock.ts';

const scratch = scratchDirectory();
const onLinux = test.skipIf(process.platform !== 'linux');
const withDolt = test.skipIf(!existsSync(DOLT));
const PATH = process.env.PATH;

afterEach(() => {
  process.env.PATH = PATH;
});

let made = 0;
const newPath = (): string => join(scratch, `lock${made++}`);
const take = (path: string, waitMs = 10_000): Promise<FileLock> =>
  FileLock.take(path, waitMs, new AbortController().signal);

/** Whether another process finds it locked, asking as native Dolt does. */
function isLocked(path: string): boolean {
  return spawnSync('flock', ['-n', '-x', path, 'true'], { env: { PATH } }).status === 1;
}

/** A directory that is the whole PATH, with some programs. */
function programs(scripts: Record<string, string>): string {
  const folder = newPath();
  mkdirSync(folder);
  for (const [name, script] of Object.entries(scripts)) {
    if (script.startsWith('/')) symlinkSync(script, join(folder, name));
    else {
      writeFileSync(join(folder, name), script);
      chmodSync(join(folder, name), 0o755);
    }
  }
  return folder;
}

const found = (name: string): string => execFileSync('which', [name], { encoding: 'utf8', env: { PATH } }).trim();

function children(): string[] {
  return readdirSync('/proc/self/task').flatMap(thread =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
}

/** What the commands of this process that run now are to lock. */
function lockedPaths(): string[] {
  return children().map(pid => readlinkSync(`/proc/${pid}/fd/3`));
}

async function storageOf(path: string) {
  const context: OpenContext = {
    canSuspend: false,
    readOnly: false,
    lockTimeoutMs: 100,
    onProgress() {},
    onMoved() {},
  };
  const source = await openPath(path, true, context);
  await source.close();
  return source.storage;
}

onLinux('the lock is this process itself: no child holds it, and it goes with the descriptor', async () => {
  const path = newPath();
  const lock = await take(path);
  expect(isLocked(path)).toBe(true);
  expect(children()).toEqual([]);
  await expect(take(path, 50)).rejects.toMatchObject({ failure: { code: 'locked' } });
  expect(lock.isWhole()).toBe(true);
  lock.release();
  expect(isLocked(path)).toBe(false);
  (await take(path)).release();
});

onLinux('a command that is killed says nothing of the lock: it is asked again', async () => {
  const path = newPath();
  const marks = newPath();
  mkdirSync(marks);
  // The first is killed before it has the lock, the second with it.
  const script = `#!/bin/sh
if [ ! -e ${marks}/1 ]; then : > ${marks}/1; kill -INT $$; fi
if [ ! -e ${marks}/2 ]; then : > ${marks}/2; ${found('flock')} "$@"; kill -KILL $$; fi
exec ${found('flock')} "$@"
`;
  process.env.PATH = programs({ flock: script });
  const lock = await take(path);
  expect(readdirSync(marks)).toEqual(['1', '2']);
  expect(isLocked(path)).toBe(true);
  lock.release();
  process.env.PATH = programs({ flock: '#!/bin/sh\nkill -KILL $$\n' });
  await expect(take(path)).rejects.toThrow('SIGKILL ended flock');
  expect(isLocked(path)).toBe(false);
});

onLinux(
  'perl locks where there is no flock; where there is neither, the directory is read-only and says why',
  async () => {
    const path = newPath();
    process.env.PATH = programs({ perl: found('perl') });
    const lock = await take(path);
    expect(isLocked(path)).toBe(true);
    lock.release();
    process.env.PATH = programs({});
    await expect(take(path)).rejects.toMatchObject({ failure: { code: 'read_only' } });
    const { readOnly, readOnlyReason } = await storageOf(newPath());
    expect(readOnly).toBe(true);
    expect(readOnlyReason).toContain('needs the command flock');
  },
);

test('a LOCK that cannot be opened says what is wrong with it', async () => {
  const path = newPath();
  await storageOf(path);
  const lock = join(path, '.dolt/noms/LOCK');
  rmSync(lock, { force: true });
  mkdirSync(lock);
  expect((await storageOf(path)).readOnlyReason).toMatch(/LOCK cannot be locked: EISDIR/);
  await expect(take(lock)).rejects.toThrow(/cannot be locked: EISDIR/);
  rmSync(lock, { recursive: true });
  symlinkSync('LOCK', lock);
  expect((await storageOf(path)).readOnlyReason).toMatch(/LOCK cannot be locked: ELOOP/);
  rmSync(lock);
  if (process.getuid?.() !== 0) {
    writeFileSync(lock, '', { mode: 0o000 });
    expect((await storageOf(path)).readOnlyReason).toMatch(/LOCK cannot be locked: EACCES/);
    rmSync(lock);
  }
  expect((await storageOf(path)).readOnly).toBe(false);
});

onLinux('a file that took the place of the locked one is seen', async () => {
  const path = newPath();
  const lease = new DiskLease(path, 10_000);
  expect(lease.take()).toBe(false);
  await lease.granted;
  expect(lease.take()).toBe(true);
  expect(lease.term).toBe(1);
  lease.release();
  renameSync(path, `${path}.away`);
  const other = await take(path);
  // Its lock excludes no other process any more.
  expect(lease.claim()).toBe(false);
  expect(lease.term).toBe(0);
  other.release();
  await lease.granted;
  expect(lease.take()).toBe(true);
  expect(lease.term).toBe(2);
  await lease.close();
});

onLinux('a lock that was removed while it was waited for is waited for anew', async () => {
  const path = newPath();
  const first = await take(path);
  const second = take(path);
  await vi.waitFor(() => expect(children()).toHaveLength(1));
  rmSync(path);
  const third = await take(path);
  first.release();
  // It gets the lock of the deleted file, which excludes no other process, and asks for the new one.
  await vi.waitFor(() => expect(lockedPaths()).toEqual([path]));
  third.release();
  (await second).release();
});

onLinux('a descriptor that other code has closed is not closed a second time', async () => {
  const path = newPath();
  const lock = await take(path);
  const isMine = (number: string): boolean => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`) === path;
    } catch {
      return false;
    }
  };
  const mine = Number(readdirSync('/proc/self/fd').find(isMine));
  closeSync(mine);
  const other = openSync('/dev/null', 'r');
  expect(other).toBe(mine);
  expect(lock.isWhole()).toBe(false);
  lock.release();
  closeSync(other);
});

onLinux('closing does not wait for another process, and leaves no command behind', async () => {
  const path = newPath();
  const other = await take(path);
  const lease = new DiskLease(path, Infinity);
  expect(lease.take()).toBe(false);
  await vi.waitFor(() => expect(children()).toHaveLength(1));
  await lease.close();
  await expect(lease.granted).rejects.toMatchObject({ failure: { code: 'locked' } });
  expect(children()).toEqual([]);
  other.release();
});

withDolt('native Dolt that has the database open is waited for, and this process is by native Dolt', async () => {
  const path = newPath();
  await storageOf(path);
  const lock = join(path, '.dolt/noms/LOCK');
  // A shell holds the lock until its input ends.
  const shell: ChildProcess = spawn(DOLT, ['sql'], { cwd: path, stdio: ['pipe', 'pipe', 'ignore'] });
  shell.stdin?.write('SELECT 1;\n');
  await new Promise(resolve => shell.stdout?.once('data', resolve));
  await expect(take(lock, 100)).rejects.toMatchObject({ failure: { code: 'locked' } });
  const waiting = take(lock);
  shell.stdin?.end();
  const mine = await waiting;
  const insert = (): string => {
    const { stdout, stderr } = spawnSync(DOLT, ['sql', '-q', 'CREATE TABLE t (a INT PRIMARY KEY)'], {
      cwd: path,
      encoding: 'utf8',
    });
    return stdout + stderr;
  };
  expect(insert()).toMatch(/read.only|locked/);
  mine.release();
  expect(insert()).not.toMatch(/read.only|locked/);
});
