/** Directories that are made beside their place and renamed into it: there with all of their files, or not at all. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** What a directory under construction is called: the name of what it is to be, this, and the process that makes it. */
const UNFINISHED = '.varve-new-';

/** A directory under construction that was not touched for so long was left, whatever process has the number of its maker now. */
const LEFT_MS = 60_000;
const TOUCH_MS = LEFT_MS / 6;

/** Whether an entry of a directory is one under construction. */
export function isAside(entry: string): boolean {
  return entry.includes(UNFINISHED);
}

/** A directory under construction, for `name` in `parent`. */
export class Aside {
  readonly #parent: string;
  readonly #name: string;
  readonly #path: string;
  /** Of `parent` and what is above it, what was made for it. */
  readonly #made: string | undefined;
  readonly #directories = new Set<string>();
  #touchedMs = Date.now();

  /** @param parent is made if it is not there; what killed processes have left in it is removed. */
  constructor(parent: string, name: string) {
    this.#parent = parent;
    this.#name = name;
    this.#made = mkdirSync(parent, { recursive: true });
    this.#path = join(parent, `${name}${UNFINISHED}${process.pid}`);
    removeUnfinished(parent);
    rmSync(this.#path, { recursive: true, force: true });
    this.place('');
  }

  /** Where a file of it goes, whose directory is made. */
  place(path: string): string {
    const found = join(this.#path, path);
    const directory = path === '' ? found : dirname(found);
    mkdirSync(directory, { recursive: true });
    for (let at = directory; !this.#directories.has(at); at = dirname(at)) {
      this.#directories.add(at);
      if (at === this.#path) break;
    }
    return found;
  }

  /** Tells other processes that its maker is at work. */
  touch(): void {
    if (Date.now() < this.#touchedMs + TOUCH_MS) return;
    this.#touchedMs = Date.now();
    const now = new Date();
    utimesSync(this.#path, now, now);
  }

  /**
   * Gives it its name. All files are flushed.
   *
   * @param marks files that it has only until then
   */
  finish(marks: readonly string[] = []): void {
    for (const mark of marks) rmSync(join(this.#path, mark), { force: true });
    for (const directory of this.#directories) flushDirectory(directory);
    renameSync(this.#path, join(this.#parent, this.#name));
    flushDirectory(this.#parent);
    // The directories that were made for it are names as well.
    const made = this.#made;
    for (let at = this.#parent; made !== undefined && at.length >= made.length; at = dirname(at))
      flushDirectory(dirname(at));
  }

  abandon(): void {
    rmSync(this.#path, { recursive: true, force: true });
  }
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
