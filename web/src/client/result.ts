import type { StatementStats, Warning } from '../protocol/index.ts';
import type { StatementStream } from './stream.ts';
import type { Batch, Column, Result, ResultSummary, Row, ScriptResult, Value } from './types.ts';

/** More pages than any result has: `query` keeps everything anyway. */
export const ALL_PAGES = 0x7fffffff;

/** Reads a stream to its end. */
export async function wholeResult(stream: StatementStream): Promise<WholeResult> {
  const batches: Batch[] = [];
  for await (const batch of stream) batches.push(batch);
  return new WholeResult(await stream.columns, batches, await stream.summary);
}

export class WholeResult implements Result {
  readonly columns: readonly Column[];
  readonly batches: readonly Batch[];
  readonly hasRows: boolean;
  readonly rowCount: number;
  readonly affectedRows: number;
  readonly lastInsertId: number | bigint;
  readonly warnings: readonly Warning[];
  readonly info: string;
  readonly stats: StatementStats;
  #rows: readonly Row[] | null = null;

  constructor(columns: readonly Column[], batches: readonly Batch[], summary: ResultSummary) {
    this.columns = columns;
    this.batches = batches;
    this.hasRows = summary.hasRows;
    this.rowCount = summary.rowCount;
    this.affectedRows = summary.affectedRows;
    this.lastInsertId = summary.lastInsertId;
    this.warnings = summary.warnings;
    this.info = summary.info;
    this.stats = summary.stats;
  }

  get rows(): readonly Row[] {
    this.#rows ??= this.batches.flatMap(batch => [...batch.rows()]);
    return this.#rows;
  }

  rowArrays(): Value[][] {
    return this.batches.flatMap(batch => [...batch.rowArrays()]);
  }
}

export class StatementOfScript extends WholeResult implements ScriptResult {
  readonly sql: string;
  readonly start: number;
  readonly end: number;

  constructor(result: WholeResult, span: { readonly sql: string; readonly start: number; readonly end: number }) {
    super(result.columns, result.batches, result);
    this.sql = span.sql;
    this.start = span.start;
    this.end = span.end;
  }
}
