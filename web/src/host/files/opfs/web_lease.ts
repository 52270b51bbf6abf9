/** The right to write, shared between tabs by a Web Lock. */
import { type HostFailure, hostFailure } from '../source.ts';

/** Unused for so long, the lease goes back: a tab that the browser puts to sleep must not keep the others waiting. */
const IDLE_MS = 250;

/** Interval at which a waiting tab repeats its request: the tab that heard it may have handed the lease to one that did not. */
const KNOCK_MS = 50;

/** What tabs tell each other. */
interface Message {
  readonly kind: 'want' | 'root' | 'files';
}

/** What the lease tells its tab. */
export interface LeaseEvents {
  /** The lease came from elsewhere: what others wrote is taken in before anybody writes here. */
  onGrant(): Promise<void>;
  onAnnounced(what: 'root' | 'files'): Promise<void>;
  /** Another tab waits for the lease, which is in use: for longer than a call of the engine where commits are put off. */
  onWanted(): void;
}

/** `granted`: not taken yet by the caller that asked. `used`: between `take` and `release`. `idle`: kept for the next commit. */
type Phase = 'free' | 'asked' | 'granted' | 'used' | 'idle';

/**
 * The Web Lock `varve:NAME`, kept between commits until another tab wants it. The browser gives it on when a tab dies.
 * The tabs talk over a BroadcastChannel of the same name.
 */
export class WebLease {
  readonly #name: string;
  readonly #waitMs: number;
  readonly #events: LeaseEvents;
  readonly #channel: BroadcastChannel;
  #phase: Phase = 'free';
  #isWanted = false;
  #asking: Promise<void> = Promise.resolve();
  #giveBack: () => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restsSinceMs = 0;
  #term = 0;
  #requests = 0;
  /** What is to be told soon. */
  #news: 'root' | 'files' | null = null;
  #isClosed = false;

  /** @param waitMs timeout of a request for the lease; may be Infinity. */
  constructor(name: string, waitMs: number, events: LeaseEvents) {
    this.#name = `varve:${name}`;
    this.#waitMs = waitMs;
    this.#events = events;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hear(data.kind);
  }

  /** Lease epoch while it is used: how often it came from elsewhere. 0 when it is not here, or was stolen. */
  get term(): number {
    return this.#phase === 'used' ? this.#term : 0;
  }

  /** The files may have changed since this tab wrote them: take the lock again and read them first. */
  lose(): void {
    this.#free();
  }

  /** Whether it is held, until `release`. When it is not, it is asked for. */
  take(): boolean {
    if (this.#phase === 'free') this.#ask();
    if (this.#phase === 'asked') return false;
    // Another tab asked while it was granted: a commit that is deferred now is flushed after this call, before a statement builds on it.
    if (this.#phase === 'granted' && this.#isWanted) queueMicrotask(this.#tellWanted);
    this.#phase = 'used';
    return true;
  }

  /** Whether `take` has it for certain as long as no message of another tab is heard. When it is not here, it is asked for. */
  claim(): boolean {
    if (this.#phase === 'free') this.#ask();
    return this.#phase !== 'asked';
  }

  release(): void {
    if (this.#phase !== 'used') return;
    this.#keep('idle');
    if (!this.#isWanted) return;
    // After this call of the engine, not within it: a commit that found another root merges and takes the lease again. If it
    // had to stand in the queue for that, others would be faster every time.
    queueMicrotask(() => {
      if (this.#phase === 'idle') this.#free();
    });
  }

  /** Tells the other tabs that there is a new root, or that there are other files: once for commits that follow closely. */
  announce(what: 'root' | 'files'): void {
    if (this.#news === null) setTimeout(() => this.#tell(), 1);
    if (this.#news !== 'files') this.#news = what;
  }

  #tell(): void {
    if (this.#news !== null) this.#post(this.#news);
    this.#news = null;
  }

  /** Resolves when what `take` asked for is there. */
  get granted(): Promise<void> {
    return this.#asking;
  }

  close(): void {
    this.#free();
    this.#isClosed = true;
    this.#channel.close();
  }

  #ask(): void {
    this.#phase = 'asked';
    const endMs = performance.now() + this.#waitMs;
    this.#asking = new Promise((resolve, reject) => this.#request(endMs, resolve, reject));
    this.#asking.catch(() => {});
  }

  #request(endMs: number, resolve: () => void, reject: (error: unknown) => void): void {
    const request = ++this.#requests;
    this.#post('want');
    const knocking = setInterval(() => this.#post('want'), KNOCK_MS);
    let state: 'waiting' | 'granted' | 'over' = 'waiting';
    const isOver = (): boolean => state === 'over';
    const hold = async (): Promise<void> => {
      clearInterval(knocking);
      if (this.#isClosed) return;
      this.#term++;
      await this.#events.onGrant();
      // It may have been stolen meanwhile.
      if (isOver()) return;
      state = 'granted';
      this.#isWanted = false;
      const given = new Promise<void>(free => {
        this.#giveBack = free;
      });
      // The statement that asked may have been cancelled meanwhile: without a taker the lease goes back.
      this.#keep('granted');
      resolve();
      void this.#lookForOthers();
      await given;
    };
    const leftMs = Math.max(1, Math.ceil(endMs - performance.now()));
    const patience = this.#waitMs === Infinity ? {} : { signal: AbortSignal.timeout(leftMs) };
    navigator.locks.request(this.#name, patience, hold).catch(error => {
      clearInterval(knocking);
      const wasGranted = state === 'granted';
      state = 'over';
      // Another one has been asked for since.
      if (this.#requests !== request) return;
      const name = error instanceof DOMException ? error.name : '';
      // Stolen before it was granted: the request goes on waiting.
      if (!wasGranted && name === 'AbortError' && !this.#isClosed) this.#request(endMs, resolve, reject);
      else {
        this.#phase = 'free';
        reject(name === 'TimeoutError' ? this.#notGranted() : error);
      }
    });
  }

  #notGranted(): HostFailure {
    const path = this.#name.slice(this.#name.indexOf(':') + 1);
    return hostFailure(
      'locked',
      `Another tab writes to ${path} and has not released it for ${this.#waitMs / 1000} s: it may be busy or suspended. ` +
        'Try again, or close it',
    );
  }

  /** Requests from before this tab had the lease went to another tab. */
  async #lookForOthers(): Promise<void> {
    const { pending = [] } = await navigator.locks.query();
    if (pending.some(({ name }) => name === this.#name)) this.#hear('want');
  }

  #hear(kind: Message['kind']): void {
    if (kind !== 'want') void this.#events.onAnnounced(kind);
    else if (this.#phase === 'idle') this.#free();
    else if (this.#phase === 'granted') this.#isWanted = true;
    else if (this.#phase === 'used') {
      this.#isWanted = true;
      this.#events.onWanted();
    }
  }

  readonly #tellWanted = (): void => {
    if (this.#phase === 'used') this.#events.onWanted();
  };

  #keep(phase: 'granted' | 'idle'): void {
    this.#phase = phase;
    this.#restsSinceMs = performance.now();
    this.#timer ??= setTimeout(this.#freeWhenRested, IDLE_MS);
  }

  /** One timer for many commits: it looks when the last one was. */
  readonly #freeWhenRested = (): void => {
    this.#timer = undefined;
    if (this.#phase !== 'granted' && this.#phase !== 'idle') return;
    const leftMs = this.#restsSinceMs + IDLE_MS - performance.now();
    if (leftMs <= 0) this.#free();
    else this.#timer = setTimeout(this.#freeWhenRested, leftMs);
  };

  #free(): void {
    // Announced before the next holder gets it.
    this.#tell();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#phase = 'free';
    this.#isWanted = false;
    this.#giveBack();
  }

  #post(kind: Message['kind']): void {
    if (!this.#isClosed) this.#channel.postMessage({ kind } satisfies Message);
  }
}
