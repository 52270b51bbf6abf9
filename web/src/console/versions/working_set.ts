/** The state of the working set, refreshed after every change. */
import { computed, signal } from '@preact/signals';
import type { Database, LiveQuery } from '../../lib/index.ts';
import { messageOf } from '../ui/message_of.ts';
import { ConflictStore } from './conflicts/conflict_store.ts';
import { countState, loadWorkingState, ROOTS_SQL, type WorkingState } from './status.ts';

/** Where others commit all the time, reading takes so much of it: the rest is theirs. */
const READING_PART = 0.2;
const REST_MS_MAX = 2000;

/** The working set of a branch, refreshed after every commit of a transaction, in this tab or another. */
export class WorkingSet {
  readonly state = signal<WorkingState | undefined>(undefined);
  readonly error = signal<string | undefined>(undefined);
  /** Goes up when what is shown of a diff may be another one. */
  readonly version = signal(0);
  readonly tableCount = computed(() => {
    const state = this.state.value;
    if (state === undefined) return 0;
    const names = [...state.staged, ...state.unstaged, ...state.troubles].map(({ table }) => table);
    return new Set(names).size;
  });
  readonly #database: Database;
  readonly #conflicts = new Map<string, ConflictStore>();
  #live: LiveQuery | undefined;
  #isClosed = false;
  #reading: Promise<void> = Promise.resolve();
  #counting = new AbortController();
  /** Until then only those read that changed something here. */
  #restsUntilMs = 0;
  #told: ReturnType<typeof setTimeout> | undefined;

  /** @param database its own session is on the branch. */
  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads, and goes on listening. */
  async start(): Promise<void> {
    await this.read();
    if (this.#database.storage.readOnly) return;
    try {
      // The first call reports what was committed between the reading and the subscription.
      const live = await this.#database.live(ROOTS_SQL, () => this.#readSoon());
      if (this.#isClosed) await live.close();
      else this.#live = live;
    } catch (error) {
      this.error.value = messageOf(error);
    }
  }

  /** However many commits come until then, one reading is enough. */
  #readSoon(): void {
    if (this.#isClosed) return;
    this.#told ??= setTimeout(() => {
      this.#told = undefined;
      void this.read();
    }, this.#restsUntilMs - performance.now());
  }

  /** One reading after the other: the last one is what is shown. Where many rows differ their number comes after it. */
  read(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      this.#counting.abort();
      if (this.#isClosed) return;
      const beganMs = performance.now();
      try {
        const state = await loadWorkingState(this.#database);
        if (this.#isClosed) return;
        this.#counting = new AbortController();
        await countState(this.#database, state, this.#counting.signal, known => this.#show(known));
      } catch (error) {
        if (!this.#isClosed) this.error.value = messageOf(error);
      }
      const tookMs = performance.now() - beganMs;
      this.#restsUntilMs = performance.now() + Math.min(REST_MS_MAX, tookMs / READING_PART - tookMs);
    });
    return this.#reading;
  }

  #show(state: WorkingState): void {
    const isOther = state.roots !== this.state.peek()?.roots;
    this.#forgetSettled(state);
    this.state.value = state;
    if (isOther) this.version.value += 1;
    this.error.value = undefined;
  }

  /** The conflicts of a table. Choices stay while another table is shown. */
  conflictsOf(table: string): ConflictStore {
    const known = this.#conflicts.get(table) ?? new ConflictStore(this.#database, table);
    this.#conflicts.set(table, known);
    return known;
  }

  /** Another merge begins with no choices. */
  #forgetSettled({ troubles }: WorkingState): void {
    for (const [table, store] of this.#conflicts) {
      if (troubles.some(trouble => trouble.table === table && trouble.conflicts > 0)) continue;
      store.close();
      this.#conflicts.delete(table);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#counting.abort();
    clearTimeout(this.#told);
    for (const store of this.#conflicts.values()) store.close();
    void this.#live?.close();
  }
}
