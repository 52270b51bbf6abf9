/** Collected results: the rows, columns and batches of a statement. */
import type { StatementStats, Warning } from '../protocol/index.ts';
import type { Batch, Column, Result, ResultSet, ResultSummary, Row, ScriptResult, Value } from './types.ts';
import type { StatementStream } from './wire/stream.ts';

/** More pages than any result has: `query` keeps everything anyway. */
export const ALL_PAGES = 0x7fffffff;

/** Reads a stream to its end. */
export async function wholeResult<R extends object>(stream: StatementStream<R>): Promise<WholeResult<R>> {
  const sets: Batch[][] = [];
  for await (const batch of stream) {
    const set = sets[batch.resultIndex];
    if (set === undefined) sets[batch.resultIndex] = [batch];
    else set.push(batch);
  }
  const summary = await stream.summary;
  const results = stream.resultColumns.map((columns, index) => new BatchSet(columns, sets[index] ?? []));
  return new WholeResult<R>(results, summary);
}

class BatchSet implements ResultSet {
  readonly columns: readonly Column[];
  readonly batches: readonly Batch[];
  #rows: readonly Row[] | null = null;

  constructor(columns: readonly Column[], batches: readonly Batch[]) {
    this.columns = columns;
    this.batches = batches;
  }

  get [Symbol.toStringTag](): string {
    return 'ResultSet';
  }

  get rows(): readonly Row[] {
    this.#rows ??= this.batches.flatMap(batch => [...batch.rows()]);
    return this.#rows;
  }

  rowArrays(): Value[][] {
    return this.batches.flatMap(batch => [...batch.rowArrays()]);
  }
}

const NOTHING = new BatchSet([], []);

export class WholeResult<R extends object = Row> implements Result<R> {
  readonly results: readonly ResultSet[];
  readonly hasRows: boolean;
  readonly rowCount: number;
  readonly affectedRows: number;
  readonly lastInsertId: number | bigint;
  readonly warnings: readonly Warning[];
  readonly info: string;
  readonly stats: StatementStats;

  constructor(results: readonly ResultSet[], summary: ResultSummary) {
    this.results = results;
    this.hasRows = summary.hasRows;
    this.rowCount = summary.rowCount;
    this.affectedRows = summary.affectedRows;
    this.lastInsertId = summary.lastInsertId;
    this.warnings = summary.warnings;
    this.info = summary.info;
    this.stats = summary.stats;
  }

  get [Symbol.toStringTag](): string {
    return 'Result';
  }

  get columns(): readonly Column[] {
    return (this.results[0] ?? NOTHING).columns;
  }

  get batches(): readonly Batch[] {
    return (this.results[0] ?? NOTHING).batches;
  }

  get rows(): readonly R[] {
    return (this.results[0] ?? NOTHING).rows as readonly object[] as readonly R[];
  }

  rowArrays(): Value[][] {
    return (this.results[0] ?? NOTHING).rowArrays();
  }
}

export class StatementOfScript extends WholeResult implements ScriptResult {
  readonly sql: string;
  readonly start: number;
  readonly end: number;

  constructor(result: WholeResult, span: { readonly sql: string; readonly start: number; readonly end: number }) {
    super(result.results, result);
    this.sql = span.sql;
    this.start = span.start;
    this.end = span.end;
  }
}
