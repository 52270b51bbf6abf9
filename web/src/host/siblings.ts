/** Creating, dropping and restoring databases beside the open one. */
import { FileFault, type HostDirectory } from './files/file.ts';
import { asFault, inAnyCase, type OpenedSource, type SourceDatabase } from './files/source.ts';
import type { Remotes } from './remotes/remotes.ts';

/** What became of something that the engine asks for again. */
type Outcome<T> = { readonly value: T } | FileFault;

/**
 * Makes, removes and brings back databases of a source. The engine asks synchronously, the source makes directories asynchronously: the
 * first call throws a FileFault of kind `wait`, `prepare` does the work, the next call has its outcome.
 */
export class Siblings {
  readonly #source: OpenedSource;
  /** Names and what became of them. */
  readonly #made = new Map<string, SourceDatabase | FileFault>();
  /** Of those that were there from the start. */
  readonly #removed = new Set<SourceDatabase>();
  /** Answers that were prepared, by what was asked; each is taken once. */
  readonly #prepared = new Map<string, Outcome<unknown>>();
  readonly #work: (() => Promise<void>)[] = [];

  /** Remotes that statements use. */
  readonly remotes: Remotes;

  constructor(source: OpenedSource, remotes: Remotes) {
    this.#source = source;
    this.remotes = remotes;
  }

  /** Of the databases that were there from the start and those that were made. */
  get databases(): SourceDatabase[] {
    const made = [...this.#made.values()].filter(database => !(database instanceof FileFault));
    const kept = this.#source.databases.filter(database => !this.#removed.has(database));
    return [...kept, ...(made as SourceDatabase[])];
  }

  /** The directory of a new database; the same one when it is asked for again. */
  create(name: string): HostDirectory {
    const made = this.#made.get(name);
    if (made instanceof FileFault) {
      this.#made.delete(name);
      throw made;
    }
    if (made !== undefined) return made.directory;
    const { create } = this.#source;
    if (create === undefined) throw new FileFault('read_only', 'No database can be made here');
    return this.#later(async () => {
      this.#made.set(name, await create(name).catch(asFault));
    });
  }

  /**
   * Done at once: the engine does not look at it again.
   *
   * @param forGood it was never whole, and is not put aside
   */
  remove(name: string, forGood = false): void {
    const { remove } = this.#source;
    if (remove === undefined) throw new FileFault('read_only', 'No database can be removed here');
    try {
      remove(name, forGood);
      if (this.#made.delete(name)) return;
      for (const database of this.#source.databases) if (database.name === name) this.#removed.add(database);
    } catch (error) {
      throw asFault(error);
    }
  }

  /** The names of databases that were removed and can be brought back. */
  removed(): readonly string[] {
    const { dropped } = this.#source;
    return dropped === undefined ? [] : this.#answer('removed', () => dropped.list());
  }

  /** One of them, which may be called so in another case; null where there is none. */
  restore(name: string): SourceDatabase | null {
    const { dropped } = this.#source;
    if (dropped === undefined) return null;
    // The engine could not open it and asks again.
    const known = inAnyCase(name, [...this.#made.keys()]);
    const made = known === undefined ? undefined : this.#made.get(known);
    if (made !== undefined && !(made instanceof FileFault)) return made;
    const restored = this.#answer(`restore ${name}`, () => dropped.restore(name));
    if (restored !== null) this.#made.set(restored.name, restored);
    return restored;
  }

  /** Removes them for good. */
  purge(): void {
    const { dropped } = this.#source;
    if (dropped !== undefined) this.#answer('purge', () => dropped.purge());
  }

  async prepare(): Promise<void> {
    for (let work = this.#work.shift(); work !== undefined; work = this.#work.shift()) await work();
    await this.remotes.prepare();
  }

  /** What was prepared for this; the first time there is nothing. */
  #answer<T>(question: string, ask: () => Promise<T>): T {
    const outcome = this.#prepared.get(question) as Outcome<T> | undefined;
    if (outcome === undefined) {
      return this.#later(async () => {
        this.#prepared.set(question, await ask().then(value => ({ value }), asFault));
      });
    }
    this.#prepared.delete(question);
    if (outcome instanceof FileFault) throw outcome;
    return outcome.value;
  }

  #later(work: () => Promise<void>): never {
    this.#work.push(work);
    throw new FileFault('wait', 'the source has to do it first');
  }
}
