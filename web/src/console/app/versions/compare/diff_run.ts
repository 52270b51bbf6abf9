/** A running comparison of one table, page by page. */
import { batch as inOneStep, signal } from '@preact/signals';
import type { Database } from '../../../../lib/index.ts';
import { DiffRows } from '../../../grid/diff/diff_rows.ts';
import { loadColumnsAt } from '../../../sql/columns_at.ts';
import { quoteString } from '../../../sql/names.ts';
import { messageOf } from '../../../ui/message_of.ts';
import type { TableChange } from '../../../versions/status.ts';

/** A window holds so many changes, or so many bytes: the others are other windows. */
const WINDOW_CHANGES = 200_000;
const WINDOW_BYTES_MAX = 256 * 1024 * 1024;

/** The rows of one table that differ between two commits, as they come: all, or one window after the other. */
export class DiffRun {
  readonly rows = signal<DiffRows | undefined>(undefined);
  readonly lineCount = signal(0);
  readonly isRunning = signal(true);
  /** Changes before the window that is shown. */
  readonly start = signal(0);
  /** The window is full: there may be more after it. */
  readonly isFull = signal(false);
  readonly error = signal<string | undefined>(undefined);
  /** Statements that define the table before and after, when they differ. */
  readonly definitions = signal<{ readonly before: string; readonly after: string } | undefined>(undefined);
  #abort = new AbortController();
  readonly #database: Database;
  readonly #from: string;
  readonly #to: string;
  readonly #range: string;
  readonly #change: TableChange;
  #keys: ReadonlySet<string> | undefined;
  /** Where the windows before this one began. */
  readonly #before: number[] = [];

  /** @param database its own session is on the branch. */
  constructor(database: Database, from: string, to: string, change: TableChange) {
    this.#database = database;
    this.#change = change;
    this.#from = from;
    this.#to = to;
    this.#range = `${quoteString(from)}, ${quoteString(to)}, ${quoteString(change.table)}`;
    void this.#read(async signal => {
      if (change.hasSchema) await this.#readDefinitions(signal);
      if (change.hasData) await this.#readRows(signal);
    });
  }

  close(): void {
    this.#abort.abort();
  }

  next(): void {
    const after = this.start.peek() + (this.rows.peek()?.changeCount ?? 0);
    this.#before.push(this.start.peek());
    this.#goTo(after);
  }

  previous(): void {
    this.#goTo(this.#before.pop() ?? 0);
  }

  #goTo(start: number): void {
    this.#abort.abort();
    this.start.value = start;
    void this.#read(signal => this.#readRows(signal));
  }

  async #read(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const own = new AbortController();
    this.#abort = own;
    this.isRunning.value = true;
    try {
      await work(own.signal);
    } catch (error) {
      if (!own.signal.aborted) this.error.value = messageOf(error);
    } finally {
      if (this.#abort === own) this.isRunning.value = false;
    }
  }

  async #readDefinitions(signal: AbortSignal): Promise<void> {
    const sql = `SELECT from_create_statement, to_create_statement FROM dolt_schema_diff(${this.#range})`;
    const { rows } = await this.#database.query(sql, [], { signal });
    const [row] = rows;
    if (row === undefined) return;
    this.definitions.value = {
      before: String(row.from_create_statement ?? ''),
      after: String(row.to_create_statement ?? ''),
    };
  }

  async #readRows(signal: AbortSignal): Promise<void> {
    this.#keys ??= await this.#readKeys();
    const start = this.start.peek();
    const page = `LIMIT ${WINDOW_CHANGES}${start > 0 ? ` OFFSET ${start}` : ''}`;
    const stream = this.#database.stream(`SELECT * FROM dolt_diff(${this.#range}) ${page}`, [], { signal });
    const rows = new DiffRows(await stream.columns, this.#keys);
    inOneStep(() => {
      this.rows.value = rows;
      this.lineCount.value = 0;
      this.isFull.value = false;
    });
    for await (const batch of stream) {
      if (rows.byteLength > WINDOW_BYTES_MAX) break;
      rows.push(batch);
      this.lineCount.value = rows.rowCount;
    }
    this.isFull.value = rows.changeCount >= WINDOW_CHANGES || rows.byteLength > WINDOW_BYTES_MAX;
  }

  /** Those of both sides: the key may have been another one, or a column of it have had another name. */
  async #readKeys(): Promise<ReadonlySet<string>> {
    const { table, tableBefore = table } = this.#change;
    const sides = [keysOf(this.#database, tableBefore, this.#from), keysOf(this.#database, table, this.#to)];
    return new Set((await Promise.all(sides)).flat());
  }
}

/** None where the revision does not have the table. */
async function keysOf(database: Database, table: string, revision: string): Promise<readonly string[]> {
  const columns = await loadColumnsAt(database, table, revision).catch(() => []);
  return columns.filter(({ isKey }) => isKey).map(({ name }) => name);
}
