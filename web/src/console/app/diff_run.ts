import { signal } from '@preact/signals';
import type { Database } from '../../lib/index.ts';
import { DiffRows } from '../grid/diff_rows.ts';
import { quoteName, quoteString } from '../sql/names.ts';
import type { TableChange } from '../versions/status.ts';

/** Past this the rest is not fetched. */
const CHANGES_MAX = 200_000;
const BYTES_MAX = 256 * 1024 * 1024;

/** The rows of one table that differ between two commits, as they come. */
export class DiffRun {
  readonly rows = signal<DiffRows | undefined>(undefined);
  readonly lineCount = signal(0);
  readonly isRunning = signal(true);
  readonly isClipped = signal(false);
  readonly error = signal<string | undefined>(undefined);
  /** Statements that define the table before and after, when they differ. */
  readonly definitions = signal<{ readonly before: string; readonly after: string } | undefined>(undefined);
  private readonly abort = new AbortController();

  /** @param database whose own session stands on the branch. */
  constructor(database: Database, from: string, to: string, change: TableChange) {
    void this.read(database, from, to, change);
  }

  close(): void {
    this.abort.abort();
  }

  private async read(database: Database, from: string, to: string, change: TableChange): Promise<void> {
    const { signal } = this.abort;
    const range = `${quoteString(from)}, ${quoteString(to)}, ${quoteString(change.table)}`;
    try {
      if (change.hasSchema) await this.readDefinitions(database, range);
      if (change.hasData) await this.readRows(database, range, await keysOf(database, change.table));
    } catch (error) {
      if (!signal.aborted) this.error.value = error instanceof Error ? error.message : String(error);
    } finally {
      this.isRunning.value = false;
    }
  }

  private async readDefinitions(database: Database, range: string): Promise<void> {
    const sql = `SELECT from_create_statement, to_create_statement FROM dolt_schema_diff(${range})`;
    const { rows } = await database.query(sql, [], { signal: this.abort.signal });
    const [row] = rows;
    if (row === undefined) return;
    this.definitions.value = {
      before: String(row.from_create_statement ?? ''),
      after: String(row.to_create_statement ?? ''),
    };
  }

  private async readRows(database: Database, range: string, keys: ReadonlySet<string>): Promise<void> {
    const { signal } = this.abort;
    const stream = database.stream(`SELECT * FROM dolt_diff(${range})`, [], { signal });
    const rows = new DiffRows(await stream.columns, keys);
    this.rows.value = rows;
    for await (const batch of stream) {
      rows.push(batch);
      this.lineCount.value = rows.rowCount;
      if (rows.changeCount >= CHANGES_MAX || rows.byteLength > BYTES_MAX) {
        this.isClipped.value = true;
        return;
      }
    }
  }
}

/** Of a table that is there now; one that was dropped has none. */
async function keysOf(database: Database, table: string): Promise<ReadonlySet<string>> {
  const found = await database.query(`SHOW COLUMNS FROM ${quoteName(table)}`).catch(() => undefined);
  return new Set(found?.rows.filter(row => row.Key === 'PRI').map(row => String(row.Field)));
}
