/** File locks (`flock`) held by a helper process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, fstatSync, openSync, statfsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type HostFailure, hostFailure } from '../../host/files/source.ts';

/** Where the system has no call that waits for a lock, it is tried again after so long. */
const POLL_MS = 25;

/** Commands that were killed in a row before the lock is given up: something on this machine does not let them run. */
const KILLED_MAX = 50;

/** So often the file may be another one when it is locked than when it was opened. */
const REPLACED_MAX = 100;

/** `O_EXLOCK` of macOS and the BSDs: open(2) takes `flock(LOCK_EX)` with the descriptor; with `O_NONBLOCK` it does not wait. */
const BSD_EXLOCK = 0x20;
/** `UV_FS_O_EXLOCK` of Windows: no other handle of the file may be open, nor be opened. */
const WINDOWS_EXLOCK = 0x10000000;

/** Number that the descriptor of the lock has in the command. */
const PASSED = 3;

/** Programs that call flock(2) on a descriptor that they are given. */
const COMMANDS: readonly (readonly [name: string, lock: readonly string[], unlock: readonly string[]])[] = [
  ['flock', ['-x', String(PASSED)], ['-u', String(PASSED)]],
  ['perl', perl(2), perl(8)],
];

/** File systems of one machine, on which flock(2) always works: ext, XFS, Btrfs, tmpfs, overlay, F2FS, ZFS. */
const LOCAL_FILE_SYSTEMS = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1]);

/** A file, whatever its name. */
interface Identity {
  readonly dev: number;
  readonly ino: number;
}

/**
 * Exclusive lock of the operating system on a file, held by this process and given back by the kernel when it ends: `flock`, as native
 * Dolt takes it, or on Windows a handle that excludes all others, Dolt's among them.
 *
 * Node has no call for flock(2). Such a lock belongs to the open file and not to the process that asked for it, so that a command that
 * inherits the descriptor can take it: it ends at once, and the lock stays with the descriptor of this process. Whatever happens to a
 * child afterwards, the lock is not lost.
 */
export class FileLock {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #identity: Identity;

  private constructor(path: string, descriptor: number, identity: Identity) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#identity = identity;
  }

  /**
   * Takes the lock on a file, which is made when it is not there.
   *
   * @param waitMs timeout of the wait for another holder; may be Infinity.
   * @param signal ends the wait.
   * @throws HostFailure `locked` while another process has it, `read_only` where it cannot be had at all.
   */
  static async take(path: string, waitMs: number, signal: AbortSignal): Promise<FileLock> {
    const endMs = performance.now() + waitMs;
    for (let replaced = 0; ; replaced++) {
      const descriptor = await openLocked(path, endMs, signal);
      const identity = fstatSync(descriptor);
      // Removing the file would make room for a second one of its name, which another process may have locked.
      if (isAt(path, identity)) return new FileLock(path, descriptor, identity);
      closeSync(descriptor);
      if (replaced >= REPLACED_MAX) throw unlockable(path, 'it is another file each time that it is opened');
    }
  }

  /** Whether the lock still excludes those who open the file by its name. */
  isWhole(): boolean {
    return this.#ownsDescriptor() && isAt(this.#path, this.#identity);
  }

  release(): void {
    if (this.#ownsDescriptor()) closeSync(this.#descriptor);
  }

  /** Not where other code has closed it: its number may be another file's by then. */
  #ownsDescriptor(): boolean {
    try {
      return isSame(fstatSync(this.#descriptor), this.#identity);
    } catch {
      return false;
    }
  }
}

/** Why a lock on `path` cannot be had, as far as can be told without taking it; null when nothing is in its way. */
export async function reasonNotToLock(path: string): Promise<string | null> {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, constants.O_RDWR);
    if (!takesWithCommand()) return null;
    const command = foundCommand();
    if (command === undefined) return `${path} cannot be locked: ${NO_COMMAND}`;
    if (LOCAL_FILE_SYSTEMS.has(statfsSync(path).type)) return null;
    const { code, said } = await run(command[0], command[2], descriptor, new AbortController().signal);
    return code === 0 ? null : `${path} cannot be locked: ${said}`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return takesWithCommand() && foundCommand() === undefined ? NO_COMMAND : null;
    // Native Dolt on Windows, and other programs that lock by excluding others: that ends.
    return code === 'EBUSY' ? null : `${path} cannot be locked: ${message}`;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

const NO_COMMAND =
  'locking needs the command flock (of util-linux or BusyBox) or perl, and neither is on the PATH: install one to write';

async function openLocked(path: string, endMs: number, signal: AbortSignal): Promise<number> {
  for (;;) {
    const outcome = takesWithCommand() ? await openAndLock(path, endMs, signal) : openExclusively(path);
    if (outcome !== null) return outcome;
    if (signal.aborted || performance.now() >= endMs) throw lockedFailure(path);
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}

function takesWithCommand(): boolean {
  return !['win32', 'darwin', 'freebsd', 'openbsd', 'netbsd'].includes(process.platform);
}

/** The descriptor of the locked file; null while another process has the lock. */
function openExclusively(path: string): number | null {
  const { O_CREAT, O_RDWR, O_NONBLOCK = 0 } = constants;
  const exclusive = process.platform === 'win32' ? WINDOWS_EXLOCK : BSD_EXLOCK | O_NONBLOCK;
  try {
    return openSync(path, O_CREAT | O_RDWR | exclusive, 0o666);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'EBUSY') return null;
    throw unlockable(path, message);
  }
}

/** The descriptor of the file, on which a command has taken the lock; null when the time is over. */
async function openAndLock(path: string, endMs: number, signal: AbortSignal): Promise<number | null> {
  const command = foundCommand();
  if (command === undefined) throw unlockable(path, NO_COMMAND);
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_CREAT | constants.O_RDWR, 0o666);
  } catch (error) {
    throw unlockable(path, (error as Error).message);
  }
  try {
    if (await lockDescriptor(command, path, descriptor, endMs, signal)) return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return null;
}

async function lockDescriptor(
  [name, lock]: (typeof COMMANDS)[number],
  path: string,
  descriptor: number,
  endMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const leftMs = Math.max(0, endMs - performance.now());
  // Not AbortSignal.any, which Node 20 keeps for as long as the signal of the lease lives.
  const over = new AbortController();
  const abort = (): void => over.abort();
  // A timer takes 2^31 milliseconds at most.
  const timer = leftMs < 2 ** 31 ? setTimeout(abort, leftMs) : undefined;
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    for (let killed = 0; ; killed++) {
      const { code, said } = await run(name, lock, descriptor, over.signal);
      if (code === 0) return true;
      if (over.signal.aborted) return false;
      // A signal for the whole group ends the command, which is no word about the lock.
      if (code !== null || killed >= KILLED_MAX) throw unlockable(path, said);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Runs a command that has the descriptor. The code is null when a signal ended it. */
function run(
  name: string,
  args: readonly string[],
  descriptor: number,
  signal: AbortSignal,
): Promise<{ code: number | null; said: string }> {
  return new Promise(resolve => {
    let said = '';
    let child: ChildProcess;
    const end = (code: number | null, why: string): void => {
      signal.removeEventListener('abort', kill);
      resolve({ code, said: said.trim() || why });
    };
    const kill = (): void => void child.kill('SIGKILL');
    try {
      child = spawn(name, args, { stdio: ['ignore', 'ignore', 'pipe', descriptor] });
    } catch (error) {
      resolve({ code: -1, said: (error as Error).message });
      return;
    }
    signal.addEventListener('abort', kill);
    if (signal.aborted) kill();
    child.stderr?.on('data', data => {
      said += String(data);
    });
    child.once('error', error => end(-1, error.message));
    // Its end, and not that of its output: the descriptor is no longer shared with it.
    child.once('exit', (code, by) =>
      end(code, by === null ? `${name} ended with code ${code}` : `${by} ended ${name}`),
    );
  });
}

function perl(operation: number): readonly string[] {
  return ['-e', `open(my $file, "+<&=", ${PASSED}) or die "$!\\n"; flock($file, ${operation}) or die "$!\\n"`];
}

function foundCommand(): (typeof COMMANDS)[number] | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return COMMANDS.find(([name]) => folders.some(folder => isExecutable(join(folder, name))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isAt(path: string, identity: Identity): boolean {
  // There a file that is open without sharing is neither removed nor renamed.
  if (process.platform === 'win32') return true;
  try {
    return isSame(statSync(path), identity);
  } catch {
    return false;
  }
}

function isSame(a: Identity, b: Identity): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

function lockedFailure(path: string): HostFailure {
  return hostFailure('locked', `Another process holds ${path}: nothing can be written while it has the database open`);
}

function unlockable(path: string, why: string): HostFailure {
  return hostFailure('read_only', `Nothing can be written: ${path} cannot be locked: ${why}`);
}
