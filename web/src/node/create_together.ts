/** A directory that is there with all of its files, or not at all. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** What a directory under construction is called: the name of what it is to be, this, and the process that makes it. */
const UNFINISHED = '.varve-new-';

/** A directory under construction that is older was left by a process that is gone: making one takes milliseconds. */
const LEFT_MS = 60_000;

/**
 * Makes a directory of files: writes them into a directory beside it, flushes them and all directories, and renames.
 *
 * @param parent is made if it is not there
 * @param name of the directory in `parent`; not there yet
 * @param contents by path below `parent`, all of them below `name`
 */
export function createTogether(parent: string, name: string, contents: Readonly<Record<string, Uint8Array>>): void {
  const made = mkdirSync(parent, { recursive: true });
  removeUnfinished(parent);
  const unfinished = join(parent, `${name}${UNFINISHED}${process.pid}`);
  rmSync(unfinished, { recursive: true, force: true });
  try {
    const directories = new Set([unfinished]);
    mkdirSync(unfinished);
    for (const [path, bytes] of Object.entries(contents)) {
      if (!path.startsWith(`${name}/`)) throw new Error(`${path} is not below ${name}`);
      const target = join(unfinished, path.slice(name.length + 1));
      mkdirSync(dirname(target), { recursive: true });
      for (let at = dirname(target); !directories.has(at); at = dirname(at)) directories.add(at);
      writeFileSync(target, bytes, { flush: true });
    }
    for (const directory of directories) flushDirectory(directory);
    renameSync(unfinished, join(parent, name));
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
  flushDirectory(parent);
  // The directories that were made for it are names as well.
  for (let at = parent; made !== undefined && at.length >= made.length; at = dirname(at)) flushDirectory(dirname(at));
}

/** Removes what processes that were killed have left. */
function removeUnfinished(parent: string): void {
  for (const entry of readdirSync(parent)) {
    const at = entry.indexOf(UNFINISHED);
    if (at < 0) continue;
    const path = join(parent, entry);
    const maker = Number(entry.slice(at + UNFINISHED.length));
    if (isLeftBy(maker, path)) rmSync(path, { recursive: true, force: true });
  }
}

/** Whether the process that makes what is at `path` is gone, or has left it. */
export function isLeftBy(pid: number, path: string): boolean {
  return !isRunning(pid) || Date.now() - statSync(path).mtimeMs > LEFT_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The new name survives a crash only after this. Systems on which a directory cannot be opened need none of it. */
export function flushDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
