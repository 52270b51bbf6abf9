import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { hostFailure } from '../host/files/source.ts';

/** Unused for so long, the lock is given back: another process may be waiting. */
const IDLE_MS = 100;
const POLL_MS = 50;

/** A lock of the operating system; gives it back when called. */
type GiveBack = () => Promise<void>;

/**
 * Dolt's own lock: `flock` on `.dolt/noms/LOCK`, so that native Dolt and Varve do not write at once. Node cannot take
 * it, the command `flock` can; it holds the lock as long as its input is open, which the end of this process closes too.
 * Where there is no such command (outside Linux), a file beside it keeps other processes of Varve out.
 */
export class DiskLease {
  readonly #path: string;
  readonly #waitMs: number;
  #phase: 'free' | 'asked' | 'held' | 'used' = 'free';
  #asking: Promise<void> = Promise.resolve();
  #leaving: Promise<void> = Promise.resolve();
  #giveBack: GiveBack | null = null;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param path of `LOCK`; it is made when it is not there.
   * @param waitMs after so long whoever asks is told that another has it; may be Infinity.
   */
  constructor(path: string, waitMs: number) {
    this.#path = path;
    this.#waitMs = waitMs;
  }

  /** Whether it is held, until `release`. When it is not, it is asked for. */
  take(): boolean {
    if (this.#phase === 'free') this.#ask();
    if (this.#phase === 'asked') return false;
    clearTimeout(this.#timer);
    this.#phase = 'used';
    return true;
  }

  /** Whether `take` has it for certain, as long as no timer runs. When it is not here, it is asked for. */
  claim(): boolean {
    if (this.#phase === 'free') this.#ask();
    return this.#phase !== 'asked';
  }

  release(): void {
    if (this.#phase === 'used') this.#keep();
  }

  /** Resolves when what `take` asked for is there. */
  get granted(): Promise<void> {
    return this.#asking;
  }

  /** Resolves when other processes can have it. */
  async close(): Promise<void> {
    await this.#asking.catch(() => {});
    clearTimeout(this.#timer);
    if (this.#phase === 'held' || this.#phase === 'used') this.#free();
    await this.#leaving;
  }

  #ask(): void {
    this.#phase = 'asked';
    this.#asking = this.#leaving
      .then(() => lockWithCommand(this.#path, this.#waitMs))
      .then(
        giveBack => {
          this.#giveBack = giveBack;
          this.#keep();
        },
        error => {
          this.#phase = 'free';
          throw error;
        },
      );
    this.#asking.catch(() => {});
  }

  #keep(): void {
    this.#phase = 'held';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#free(), IDLE_MS);
    this.#timer.unref();
  }

  #free(): void {
    this.#phase = 'free';
    this.#leaving = this.#giveBack?.() ?? Promise.resolve();
    this.#giveBack = null;
  }
}

function lockWithCommand(path: string, waitMs: number): Promise<GiveBack> {
  return new Promise((resolve, reject) => {
    // What the inner command writes says that the lock is held; it stays until its input ends.
    const limit = waitMs === Infinity ? [] : ['-w', String(waitMs / 1000)];
    const args = ['-x', ...limit, path, 'sh', '-c', 'echo; exec cat >/dev/null'];
    const child = spawn('flock', args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = new Promise<void>(end => child.once('close', () => end()));
    child.once('error', error => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') resolve(lockWithFile(`${path}.varve`, waitMs));
      else reject(error);
    });
    child.stdout.once('data', () => {
      setHeld(child, false);
      resolve(() => {
        // Whoever waits for the end must not find the process ended before.
        setHeld(child, true);
        child.stdin.end();
        return ended;
      });
    });
    child.once('exit', () => reject(lockedFailure(path)));
  });
}

/** Whether this process lives on for the sake of another: not while that only holds a lock. */
function setHeld(child: ChildProcess, isHeld: boolean): void {
  const set = isHeld ? 'ref' : 'unref';
  child[set]();
  for (const stream of [child.stdin, child.stdout]) (stream as { ref?(): void; unref?(): void } | null)?.[set]?.();
}

async function lockWithFile(path: string, waitMs: number): Promise<GiveBack> {
  const endMs = performance.now() + waitMs;
  for (;;) {
    try {
      const descriptor = openSync(path, 'wx');
      writeSync(descriptor, String(process.pid));
      closeSync(descriptor);
      return async () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (isAbandoned(path)) rmSync(path, { force: true });
    else if (performance.now() >= endMs) throw lockedFailure(path);
    else await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}

/** Whether the process that made the file is gone. */
function isAbandoned(path: string): boolean {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function lockedFailure(path: string) {
  return hostFailure('locked', `Another process holds ${path}: nothing can be written while it has the database open`);
}
