import { batch, signal } from '@preact/signals';
import type { Queries } from '../../lib/index.ts';
import { type GraphRow, LaneLayout } from './lanes.ts';
import {
  type ChangedTable,
  type Commit,
  LOG_PAGE_COMMITS,
  type LogScope,
  loadChanges,
  loadChangesBetween,
  loadLog,
  type Revision,
} from './log.ts';

/** The log of one branch, or of all of the database, as far as it was read, with its graph. */
export class LogStore {
  readonly commits = signal<readonly Commit[]>([]);
  readonly graph = signal<readonly GraphRow[]>([]);
  readonly laneCount = signal(1);
  readonly isLoading = signal(false);
  readonly isComplete = signal(false);
  readonly error = signal<string | undefined>(undefined);
  readonly revision: Revision;
  readonly scope: LogScope;
  private readonly queries: Queries;
  private readonly lanes = new LaneLayout();
  private readonly abort = new AbortController();
  private readonly changes = new Map<string, Promise<readonly ChangedTable[]>>();

  /** @param queries of a session in the database, which matters to the log of all branches */
  constructor(queries: Queries, revision: Revision, scope: LogScope) {
    this.queries = queries;
    this.revision = revision;
    this.scope = scope;
  }

  close(): void {
    this.abort.abort();
  }

  /** Reads the next commits; does nothing while it reads or when there are none left. */
  async more(): Promise<void> {
    if (this.isLoading.peek() || this.isComplete.peek() || this.error.peek() !== undefined) return;
    this.isLoading.value = true;
    try {
      const { signal } = this.abort;
      const next = await loadLog(this.queries, this.revision, this.scope, this.commits.peek().length, { signal });
      const rows = next.map(commit => this.lanes.add(commit));
      batch(() => {
        this.commits.value = [...this.commits.peek(), ...next];
        this.graph.value = [...this.graph.peek(), ...rows];
        this.laneCount.value = this.lanes.laneCount;
        this.isComplete.value = next.length < LOG_PAGE_COMMITS;
      });
    } catch (error) {
      this.error.value = error instanceof Error ? error.message : String(error);
    } finally {
      this.isLoading.value = false;
    }
  }

  /** Tables that a commit changed, read once. */
  changedTables({ hash, parents }: Commit): Promise<readonly ChangedTable[]> {
    const known = this.changes.get(hash);
    if (known !== undefined) return known;
    const { signal } = this.abort;
    const [parent] = parents;
    const read =
      this.scope === 'all' && parent !== undefined
        ? loadChangesBetween(this.queries, parent, hash, { signal })
        : loadChanges(this.queries, this.revision, hash, { signal });
    this.changes.set(hash, read);
    read.catch(() => this.changes.delete(hash));
    return read;
  }
}
