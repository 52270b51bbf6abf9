/** The right to write on disk: the lock of native Dolt. */
import { FileLock } from './file_lock.ts';

/** Unused for so long, the lock is given back: another process may be waiting. */
const IDLE_MS = 100;

/** Dolt's own lock, on `.dolt/noms/LOCK`, so that native Dolt and Varve do not write at once; kept between commits that follow each other. */
export class DiskLease {
  readonly #path: string;
  readonly #waitMs: number;
  #phase: 'free' | 'asked' | 'held' | 'used' = 'free';
  #asking: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();
  #lock: FileLock | null = null;
  #term = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param path of `LOCK`; it is made when it is not there.
   * @param waitMs timeout after which the caller gets an error that another process holds it; may be Infinity.
   */
  constructor(path: string, waitMs: number) {
    this.#path = path;
    this.#waitMs = waitMs;
  }

  /** Lease epoch while it is used: how often the lock was taken. 0 when it is not here. */
  get term(): number {
    return this.#phase === 'used' ? this.#term : 0;
  }

  /** Whether it is held, until `release`. When it is not, it is asked for. */
  take(): boolean {
    if (!this.claim()) return false;
    clearTimeout(this.#timer);
    this.#phase = 'used';
    return true;
  }

  /** Whether `take` has it for certain, as long as no timer runs. When it is not here, it is asked for. */
  claim(): boolean {
    // If LOCK was removed, a second file of its name excludes no holder of this one.
    if (this.#phase === 'held' && this.#lock?.isWhole() === false) this.#free();
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
    this.#closing.abort();
    await this.#asking.catch(() => {});
    this.#free();
  }

  #ask(): void {
    this.#phase = 'asked';
    this.#asking = FileLock.take(this.#path, this.#waitMs, this.#closing.signal).then(
      lock => {
        this.#lock = lock;
        this.#term++;
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
    clearTimeout(this.#timer);
    this.#phase = 'free';
    this.#lock?.release();
    this.#lock = null;
  }
}
