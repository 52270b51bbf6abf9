import { Random } from './random.ts';

/** A thread of the simulation that can be killed or frozen: the page and the worker of a tab are two that share their fate. */
export class Actor {
  readonly name: string;
  isDead = false;
  /** Its events wait until then: the browser has put the tab to sleep. */
  frozenUntilMs = 0;
  /** Synchronous file operations until the tab is killed within one; null for no such end. */
  operationsLeft: number | null = null;
  /** Called once, by whatever kills it. */
  onDeath: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    for (const tell of this.onDeath) tell();
  }
}

interface SimulatedEvent {
  readonly atMs: number;
  readonly order: number;
  readonly actor: Actor | null;
  readonly run: () => void;
  isCancelled: boolean;
}

const turnOfEventLoop = setImmediate;

/** Waits until no promise reaction is left to run. */
function drainMicrotasks(): Promise<void> {
  return new Promise(resolve => turnOfEventLoop(resolve));
}

/**
 * The virtual clock and the queue of events. One event runs at a time, with all promise reactions that follow from it, so that the
 * actor it belongs to is the one that calls the doubles of the browser's objects meanwhile.
 */
export class World {
  readonly random: Random;
  /** The monotonic clock, in milliseconds. */
  nowMs = 1000;
  /** What the wall clock is ahead of the monotonic one. */
  wallAheadMs = Date.UTC(2026, 0, 2);
  current: Actor | null = null;
  readonly trace: string[] = [];
  isTraced = false;
  eventCount = 0;
  #traceHash = 2166136261;
  #order = 0;
  #heap: SimulatedEvent[] = [];

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  /** Of everything that was noted: equal for equal runs. */
  get fingerprint(): number {
    return this.#traceHash >>> 0;
  }

  /** Adds a line to the trace of the schedule. */
  note(line: string): void {
    let hash = this.#traceHash;
    for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 16777619);
    this.#traceHash = hash;
    if (this.isTraced) this.trace.push(`${this.nowMs.toFixed(3).padStart(10)} ${this.current?.name ?? '-'}: ${line}`);
  }

  /** Reading the clock takes time, so that work within one event is seen to last. */
  readClock(): number {
    this.nowMs += this.random.fraction() * 0.25;
    return this.nowMs;
  }

  /** Runs something later on an actor; nothing when that is dead by then. Null is the browser itself. */
  post(actor: Actor | null, delayMs: number, run: () => void): SimulatedEvent {
    const event = { atMs: this.nowMs + Math.max(0, delayMs), order: this.#order++, actor, run, isCancelled: false };
    this.#push(event);
    return event;
  }

  /** The answer of something asynchronous that the browser does for the current actor: done even when that dies meanwhile. */
  later<T>(shortMs: number, longMs: number, work: () => T): Promise<T> {
    const actor = this.current;
    return new Promise((resolve, reject) => {
      this.post(null, this.random.delay(shortMs, longMs), () => {
        let settle: () => void;
        try {
          const value = work();
          settle = () => resolve(value);
        } catch (error) {
          settle = () => reject(error);
        }
        this.post(actor, this.random.delay(shortMs / 2, longMs), settle);
      });
    });
  }

  /** Runs events until `isOver`, or until the clock passes `untilMs`, or until there are none: then false. */
  async run(untilMs: number, isOver: () => boolean): Promise<boolean> {
    while (!isOver()) {
      // An event that comes later stays for the next run.
      if ((this.#heap[0]?.atMs ?? Infinity) > untilMs) return false;
      const event = this.#pop();
      if (event === undefined) return false;
      if (event.isCancelled) continue;
      const { actor } = event;
      this.nowMs = Math.max(this.nowMs, event.atMs);
      if (actor !== null) {
        if (actor.isDead) continue;
        if (actor.frozenUntilMs > this.nowMs) {
          this.#push({ ...event, atMs: actor.frozenUntilMs });
          continue;
        }
      }
      this.eventCount++;
      this.current = actor;
      event.run();
      await drainMicrotasks();
      this.current = null;
    }
    return true;
  }

  #push(event: SimulatedEvent): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent] as SimulatedEvent)) break;
      heap[at] = heap[parent] as SimulatedEvent;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): SimulatedEvent | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as SimulatedEvent, heap[child] as SimulatedEvent))
        child++;
      if (!isBefore(heap[child] as SimulatedEvent, last)) break;
      heap[at] = heap[child] as SimulatedEvent;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: SimulatedEvent, b: SimulatedEvent): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
