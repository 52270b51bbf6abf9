import type { Storage } from './opfs.ts';
import type { Actor, World } from './world.ts';

/** A request for a Web Lock that waits or is held. */
interface LockRequest {
  readonly name: string;
  readonly actor: Actor | null;
  readonly grant: (lock: { name: string } | null) => void;
  readonly lose: (reason: unknown) => void;
  isOver: boolean;
}

/** The longest time that a message between tabs takes, in ms. */
const MESSAGE_MS_MAX = 100;

/** The Web Locks of the site. Requests, grants and releases take time on their way; a dead tab loses its locks. */
export class Locks {
  readonly #world: World;
  readonly #held = new Map<string, LockRequest>();
  #waiting: LockRequest[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  readonly request = (name: string, ...rest: unknown[]): Promise<unknown> => {
    const call = rest.at(-1) as (lock: { name: string } | null) => unknown;
    const options = (rest.length > 1 ? rest[0] : {}) as { ifAvailable?: boolean; signal?: AbortSignal };
    const world = this.#world;
    const actor = world.current;
    return new Promise((resolve, reject) => {
      const request: LockRequest = {
        name,
        actor,
        isOver: false,
        lose: reason => world.post(actor, world.random.delay(0.2, 20), () => reject(reason)),
        grant: lock =>
          world.post(actor, world.random.delay(0.2, 20), () => {
            const done = async (): Promise<unknown> => call(lock);
            const end = (): void => {
              if (lock !== null) world.post(null, world.random.delay(0.2, 10), () => this.#release(request));
            };
            done().then(
              value => {
                end();
                resolve(value);
              },
              error => {
                end();
                reject(error);
              },
            );
          }),
      };
      const { signal } = options;
      signal?.addEventListener('abort', () => {
        if (!this.#waiting.includes(request) && this.#held.get(name) === request) return;
        request.isOver = true;
        this.#waiting = this.#waiting.filter(waiting => waiting !== request);
        reject(signal.reason);
      });
      world.post(null, world.random.delay(0.2, 20), () => this.#arrive(request, options.ifAvailable ?? false));
    });
  };

  readonly query = (): Promise<{ pending: { name: string }[]; held: { name: string }[] }> =>
    this.#world.later(0.2, 20, () => ({
      pending: this.#waiting.map(({ name }) => ({ name })),
      held: [...this.#held.keys()].map(name => ({ name })),
    }));

  /** Takes a lock from its holder, as a script of the site may. It is free again after a moment. */
  steal(name: string, keepsMs: number): void {
    const holder = this.#held.get(name);
    if (holder === undefined) return;
    this.#world.note(`the lock ${name} is stolen`);
    const thief: LockRequest = { name, actor: null, isOver: false, grant: () => {}, lose: () => {} };
    this.#held.set(name, thief);
    holder.isOver = true;
    holder.lose(new DOMException('the lock was stolen', 'AbortError'));
    this.#world.post(null, keepsMs, () => this.#release(thief));
  }

  #arrive(request: LockRequest, ifAvailable: boolean): void {
    if (request.isOver || request.actor?.isDead) return;
    const isFree = !this.#held.has(request.name) && !this.#waiting.some(({ name }) => name === request.name);
    request.actor?.onDeath.push(() => {
      this.#world.post(null, this.#world.random.delay(1, 100), () => {
        this.#waiting = this.#waiting.filter(waiting => waiting !== request);
        this.#release(request);
      });
    });
    if (isFree) this.#give(request);
    else if (ifAvailable) request.grant(null);
    else this.#waiting.push(request);
  }

  #give(request: LockRequest): void {
    this.#held.set(request.name, request);
    this.#world.note(`lock ${request.name} to ${request.actor?.name}`);
    request.grant({ name: request.name });
  }

  #release(request: LockRequest): void {
    if (this.#held.get(request.name) !== request) return;
    this.#held.delete(request.name);
    const at = this.#waiting.findIndex(({ name }) => name === request.name);
    const next = this.#waiting[at];
    if (next === undefined) return;
    this.#waiting.splice(at, 1);
    this.#give(next);
  }
}

/** Channels by name, and when the last message between two of them arrives: they keep their order. */
class Channels {
  readonly byName = new Map<string, Set<SimulatedChannel>>();
  readonly #lastMs = new WeakMap<SimulatedChannel, WeakMap<SimulatedChannel, number>>();

  arrival(world: World, from: SimulatedChannel, to: SimulatedChannel): number {
    const lastMs = this.#lastMs.get(from) ?? new WeakMap<SimulatedChannel, number>();
    this.#lastMs.set(from, lastMs);
    const atMs = Math.max(lastMs.get(to) ?? 0, world.nowMs + world.random.delay(0.5, MESSAGE_MS_MAX));
    lastMs.set(to, atMs);
    return atMs - world.nowMs;
  }
}

/** A BroadcastChannel whose messages take their time, in order between two tabs and in none among three. */
class SimulatedChannel {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  readonly name: string;
  readonly #world: World;
  readonly #channels: Channels;
  readonly #owner: Actor | null;
  #isClosed = false;

  constructor(world: World, channels: Channels, name: string) {
    this.#world = world;
    this.#channels = channels;
    this.#owner = world.current;
    this.name = name;
    const named = channels.byName.get(name) ?? new Set();
    channels.byName.set(name, named);
    named.add(this);
  }

  postMessage(message: unknown): void {
    if (this.#owner?.isDead) return;
    if (this.#isClosed) throw new DOMException('the channel is closed', 'InvalidStateError');
    const data = structuredClone(message);
    for (const other of this.#channels.byName.get(this.name) ?? []) {
      if (other === this || other.#owner?.isDead) continue;
      this.#world.post(other.#owner, this.#channels.arrival(this.#world, this, other), () => {
        if (!other.#isClosed) other.onmessage?.({ data });
      });
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#channels.byName.get(this.name)?.delete(this);
  }
}

/** The browser's objects that the host reaches through globals, in a simulated world. */
export class Browser {
  readonly locks: Locks;
  readonly #world: World;
  readonly #storage: Storage;

  constructor(world: World, storage: Storage) {
    this.#world = world;
    this.#storage = storage;
    this.locks = new Locks(world);
  }

  /** Puts the doubles in place of the globals; gives what puts those back. */
  install(): () => void {
    const world = this.#world;
    const { random } = world;
    const channels = new Channels();
    const storage = this.#storage;
    const doubles: Record<string, unknown> = {
      ...timers(world),
      BroadcastChannel: class extends SimulatedChannel {
        constructor(name: string) {
          super(world, channels, name);
        }
      },
      performance: { now: () => world.readClock(), timeOrigin: 0 },
      crypto: {
        getRandomValues: (bytes: Uint8Array) => {
          for (let at = 0; at < bytes.length; at++) bytes[at] = random.bits();
          return bytes;
        },
        randomUUID: () => {
          const part = (): string => random.bits().toString(16).padStart(8, '0');
          return `${part()}-${part().slice(0, 4)}-4000-8000-${part()}${part().slice(0, 4)}`;
        },
      },
      isSecureContext: true,
      navigator: {
        locks: this.locks,
        storage: {
          getDirectory: () => world.later(0.5, 20, () => storage.directory()),
          estimate: async () => ({ usage: 0, quota: 2 ** 40 }),
          persisted: async () => false,
        },
      },
    };
    const before = Object.keys(doubles).map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
    for (const [name, value] of Object.entries(doubles))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    const [dateNow, timeout] = [Date.now, AbortSignal.timeout];
    Date.now = () => Math.floor(world.nowMs + world.wallAheadMs);
    AbortSignal.timeout = milliseconds => {
      const controller = new AbortController();
      world.post(world.current, milliseconds, () =>
        controller.abort(new DOMException('The operation timed out', 'TimeoutError')),
      );
      return controller.signal;
    };
    return () => {
      for (const [name, descriptor] of before) {
        if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, descriptor);
      }
      Date.now = dateNow;
      AbortSignal.timeout = timeout;
    };
  }
}

/** Timers on the virtual clock, which belong to the actor that sets them. */
function timers(world: World): Record<string, unknown> {
  type Timer = { cancel: () => void };
  const setTimeout = (run: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]): Timer => {
    const event = world.post(world.current, delayMs + world.random.delay(0.3, 15), () => run(...args));
    return { cancel: () => (event.isCancelled = true) };
  };
  const setInterval = (run: () => void, delayMs = 0): Timer => {
    let timer: Timer;
    const again = (): void => {
      timer = setTimeout(() => {
        again();
        run();
      }, delayMs);
    };
    again();
    return { cancel: () => timer.cancel() };
  };
  const clear = (timer: Timer | undefined): void => timer?.cancel();
  return { setTimeout, setInterval, clearTimeout: clear, clearInterval: clear };
}
