import { batch, signal } from '@preact/signals';
import type { Database } from '../../lib/index.ts';
import type { ChangedTable } from '../sql/changed_tables.ts';
import { countDiffs, type DiffStat } from '../sql/diff_stat.ts';
import { messageOf } from '../ui/message_of.ts';
import { type GraphRow, LaneLayout } from './lanes.ts';
import { type Commit, LOG_PAGE_COMMITS, type LogWish, loadChanges, loadLog, type Revision } from './log.ts';

/** The log of one branch, or of all of the database, as far as it was read, with its graph. */
export class LogStore {
  readonly commits = signal<readonly Commit[]>([]);
  readonly graph = signal<readonly GraphRow[]>([]);
  readonly laneCount = signal(1);
  readonly isLoading = signal(false);
  readonly isComplete = signal(false);
  readonly error = signal<string | undefined>(undefined);
  readonly revision: Revision;
  readonly wish: LogWish;
  readonly #database: Database;
  readonly #lanes = new LaneLayout();
  readonly #abort = new AbortController();
  #reading: Promise<void> | undefined;
  readonly #changes = new Map<string, Promise<readonly ChangedTable[]>>();
  readonly #counts = new Map<string, Promise<DiffStat>>();

  /** @param database whose own session is in it, which matters to the log of all branches */
  constructor(database: Database, revision: Revision, wish: LogWish) {
    this.#database = database;
    this.revision = revision;
    this.wish = wish;
  }

  close(): void {
    this.#abort.abort();
  }

  /** Reads the next commits, unless it does already or there are none left. */
  more(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** The commits of the same branches by the same words, at this moment or another. */
  isLike({ revision, wish }: LogStore): boolean {
    const isSamePlace = revision.database === this.revision.database && revision.branch === this.revision.branch;
    return isSamePlace && wish.scope === this.wish.scope && wish.search === this.wish.search;
  }

  /** Reads the first commits: as many as the same log had when it was read before. */
  async readLike(before: LogStore | undefined): Promise<void> {
    const least = before !== undefined && this.isLike(before) ? before.commits.peek().length : 0;
    do await this.more();
    while (this.commits.peek().length < least && !this.#isOver);
  }

  /** Reads all that there is. */
  async readToEnd(): Promise<void> {
    while (!this.#isOver) await this.more();
  }

  get #isOver(): boolean {
    return this.isComplete.peek() || this.error.peek() !== undefined || this.#abort.signal.aborted;
  }

  async #read(): Promise<void> {
    if (this.isComplete.peek() || this.error.peek() !== undefined) return;
    this.isLoading.value = true;
    try {
      const { signal } = this.#abort;
      const offset = this.commits.peek().length;
      // Each reading walks over what was read before: a long log comes in ever larger parts.
      const page = { offset, commits: Math.max(LOG_PAGE_COMMITS, Math.floor(offset / 2)) };
      const next = await loadLog(this.#database, this.revision, this.wish, page, { signal });
      // Between commits that were found lie others: no lines lead from one to the next.
      const isWhole = this.wish.search === '';
      const rows = next.map(commit => this.#lanes.add(isWhole ? commit : { ...commit, parents: [] }));
      batch(() => {
        this.commits.value = [...this.commits.peek(), ...next];
        this.graph.value = [...this.graph.peek(), ...rows];
        this.laneCount.value = this.#lanes.laneCount;
        this.isComplete.value = next.length < page.commits;
      });
    } catch (error) {
      this.error.value = messageOf(error);
    } finally {
      this.isLoading.value = false;
    }
  }

  /** Reads on until a commit is there: its place in the log, or -1 where the log does not have it. */
  async indexOf(hash: string): Promise<number> {
    for (;;) {
      const index = this.commits.peek().findIndex(commit => commit.hash === hash);
      if (index >= 0 || this.#isOver) return index;
      await this.more();
    }
  }

  /** Tables that a commit changed, read once. */
  changedTables(commit: Commit): Promise<readonly ChangedTable[]> {
    const { hash } = commit;
    const read =
      this.#changes.get(hash) ?? loadChanges(this.#database, this.revision, commit, { signal: this.#abort.signal });
    this.#changes.set(hash, read);
    read.catch(() => this.#changes.delete(hash));
    return read;
  }

  /** How many rows of each table a commit changed, read once. Undefined where they cannot be told. */
  async rowCounts({ hash, parents: [parent] }: Commit): Promise<DiffStat> {
    if (parent === undefined) return undefined;
    const read = this.#counts.get(hash) ?? this.#count(parent, hash);
    this.#counts.set(hash, read);
    return read;
  }

  async #count(parent: string, hash: string): Promise<DiffStat> {
    const [stat] = await countDiffs(this.#database, [[parent, hash]], { signal: this.#abort.signal });
    return stat;
  }
}
