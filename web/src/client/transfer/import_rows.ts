/** Import of rows into a table, in one transaction or several. */
import type { Queries } from '../types.ts';
import { quoteName } from '../versions/versions.ts';
import { CsvBody } from './csv/csv_preamble.ts';
import { CsvRows, type InsertRows } from './csv/csv_rows.ts';
import { JsonRows } from './json/json_rows.ts';
import { NewTable } from './table/new_table.ts';
import { asPlanned } from './table/plan_rows.ts';
import { sniffed } from './table/sniffed.ts';
import { rowsDecoder, utf8Pieces } from './text/encodings.ts';
import { pieces, rawPieces } from './text/text_input.ts';
import type { ImportResult, ImportRowsOptions, TextInput } from './transfer_types.ts';

/** A session that takes rows as text, too. */
export interface RowsSession extends Queries {
  readonly insertRows: InsertRows;
  readonly commit: (signal?: AbortSignal) => Promise<void>;
}

/** Rows on their way into a table. */
interface Rows {
  /** Those that were added. */
  readonly rows: number;
  /** The same with those that still wait. */
  readonly taken: number;
  /** The row that an error is about, from 1; undefined where it is about none. */
  readonly refusedRow: number | undefined;
  /** Adds what waits, as far as it is whole. */
  flush(): Promise<void>;
  /** Adds all the rest. */
  end(): Promise<void>;
  /** Waits for what is under way, whatever becomes of it, and forgets the rest. */
  stop(): Promise<void>;
}

/**
 * Puts the rows of a text into a table.
 *
 * @param session of its own: a transaction runs in it.
 */
export async function importRows(
  session: RowsSession,
  given: TextInput,
  asked: ImportRowsOptions,
): Promise<ImportResult> {
  const { input, options: read } = await sniffed(given, asked);
  const options = await asPlanned(input, read);
  const { signal, onProgress, table, commitRows } = options;
  const newTable = new NewTable(session, options);
  const { into, steps } =
    options.format === 'csv' ? csvRows(session, newTable, input, options) : jsonRows(session, newTable, input, options);
  await newTable.look();
  let bytes = 0;
  let committed = 0;
  await session.query('START TRANSACTION');
  try {
    if (options.emptied) await session.query(`DELETE FROM ${quoteName(table)}`);
    for await (const inputBytes of steps) {
      signal?.throwIfAborted();
      bytes += inputBytes;
      if (commitRows !== undefined && into.taken - committed >= commitRows) {
        await into.flush();
        await session.commit(signal);
        await session.query('START TRANSACTION');
        committed = into.rows;
      }
      onProgress?.({ table, rows: into.rows, bytes });
    }
    await into.end();
    signal?.throwIfAborted();
    await session.commit(signal);
    onProgress?.({ table, rows: into.rows, bytes });
    return { rows: into.rows, bytes };
  } catch (error) {
    await into.stop();
    await session.query('ROLLBACK').catch(() => {});
    throw newTable.explain(error, into.refusedRow);
  }
}

/** How rows get into the table, and what each step took of the input, in bytes. */
interface Import {
  readonly into: Rows;
  readonly steps: AsyncIterable<number>;
}

function csvRows(session: RowsSession, table: NewTable, input: TextInput, options: ImportRowsOptions): Import {
  const into = new CsvRows(session.insertRows, table, options);
  const body = new CsvBody(options.skipLines);
  async function* take(): AsyncIterableIterator<number> {
    for await (const { bytes, inputBytes } of utf8Pieces(rawPieces(input), options.encoding)) {
      await into.add(body.bytes(bytes));
      yield inputBytes;
    }
  }
  return { into, steps: take() };
}

function jsonRows(session: Queries, table: NewTable, input: TextInput, options: ImportRowsOptions): Import {
  const into = new JsonRows(session, table, options);
  async function* take(): AsyncIterableIterator<number> {
    for await (const { text, bytes } of pieces(input, rowsDecoder(options.encoding))) {
      await into.add(text);
      yield bytes;
    }
  }
  return { into, steps: take() };
}
