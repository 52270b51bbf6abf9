/** A statement that runs or has run: its state, rows and summary. */
import { computed, batch as inOneStep, signal } from '@preact/signals';
import { type Queries, type ResultSummary, SqlError, VarveError } from '../../../lib/index.ts';
import { EditedRows } from '../../grid/edit/edited_rows.ts';
import type { GridPlace } from '../../grid/result_grid.ts';
import { statementTitle } from '../../sql/statement.ts';
import { messageOf } from '../../ui/message_of.ts';
import { noteFailure } from '../database/storage_state.ts';
import type { Editing } from './edit/edit_target.ts';

export type RunState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'skipped';

export interface RunError {
  readonly message: string;
  readonly errno: number | undefined;
  readonly sqlstate: string;
  /** UTF-16 offset in the statement. */
  readonly position: number | undefined;
  readonly hint: string | undefined;
}

/** Past this the rest is not fetched: pages are kept as bytes in the tab's memory. */
const RESULT_BYTES_MAX = 512 * 1024 * 1024;
const RESULT_ROWS_MAX = 20_000_000;

let lastId = 0;

/** One statement and what became of it. The view reads its signals. */
export class StatementRun {
  readonly id: number;
  readonly sql: string;
  /** Where a place of `sql` is in the document it came from. */
  readonly placeOf: (position: number) => number;
  /** Where in `sql` begins what was written: the console puts words before it. */
  readonly writtenFrom: number;
  readonly title: string;
  readonly state = signal<RunState>('waiting');
  /** Set when the columns are known; grows while rows come. */
  readonly pages = signal<EditedRows | undefined>(undefined);
  readonly rowCount = signal(0);
  readonly elapsedMs = signal(0);
  readonly firstRowMs = signal<number | undefined>(undefined);
  readonly summary = signal<ResultSummary | undefined>(undefined);
  readonly error = signal<RunError | undefined>(undefined);
  /** The result was longer than the console keeps. */
  readonly isClipped = signal(false);
  /** What its rows are rows of; undefined until that is known. */
  readonly editing = signal<Editing | undefined>(undefined);
  /** Where the person was when the grid was last on the page. */
  gridPlace: GridPlace | undefined;
  readonly isFinished = computed(() => this.state.value !== 'waiting' && this.state.value !== 'running');
  #startedAt = 0;
  #frame = 0;

  constructor(sql: string, placeOf: (position: number) => number, writtenFrom = 0) {
    lastId += 1;
    this.id = lastId;
    this.sql = sql;
    this.placeOf = placeOf;
    this.writtenFrom = writtenFrom;
    this.title = statementTitle(sql);
  }

  skip(): void {
    this.state.value = 'skipped';
  }

  /** Runs to the end. Never rejects: a failure is a state. */
  async run(session: Queries, signal: AbortSignal): Promise<void> {
    this.#startedAt = performance.now();
    this.state.value = 'running';
    this.#tick();
    try {
      await this.#read(session, signal);
      this.#finish(this.state.peek() === 'running' ? 'done' : this.state.peek());
    } catch (error) {
      // Only what the engine has ended is cancelled.
      const isCancelled = signal.aborted && error === signal.reason;
      this.error.value = isCancelled ? undefined : describe(error);
      this.#finish(isCancelled ? 'cancelled' : 'failed');
    }
  }

  async #read(session: Queries, signal: AbortSignal): Promise<void> {
    const stream = session.stream(this.sql, [], { signal });
    const columns = await stream.columns;
    const pages = new EditedRows(columns);
    if (columns.length > 0) this.pages.value = pages;
    for await (const page of stream) {
      if (this.firstRowMs.peek() === undefined && page.rowCount > 0) this.firstRowMs.value = this.#now();
      pages.push(page);
      if (pages.byteLength > RESULT_BYTES_MAX || pages.rowCount > RESULT_ROWS_MAX) {
        this.isClipped.value = true;
        return;
      }
    }
    const summary = await stream.summary;
    this.summary.value = summary;
  }

  #finish(state: RunState): void {
    cancelAnimationFrame(this.#frame);
    inOneStep(() => {
      this.elapsedMs.value = this.#now();
      this.rowCount.value = this.pages.peek()?.fetchedCount ?? 0;
      this.state.value = state;
    });
  }

  #now(): number {
    return performance.now() - this.#startedAt;
  }

  /** Time and rows are shown once a frame, however fast pages come. */
  #tick(): void {
    this.#frame = requestAnimationFrame(() => {
      inOneStep(() => {
        this.elapsedMs.value = this.#now();
        this.rowCount.value = this.pages.peek()?.fetchedCount ?? 0;
      });
      this.#tick();
    });
  }
}

function describe(error: unknown): RunError {
  noteFailure(error);
  if (error instanceof SqlError) {
    const { message, errno, sqlstate, position, hint } = error;
    return { message, errno, sqlstate, position, hint };
  }
  const code = error instanceof VarveError ? error.code : '';
  const message = messageOf(error);
  return { message, errno: undefined, sqlstate: code, position: undefined, hint: undefined };
}
