import { VarveError } from '../errors.ts';
import type { JsonValue, Param, Queries } from '../types.ts';
import { usableNames } from './column_names.ts';
import { CsvReader } from './csv_reader.ts';
import { rowsDecoder } from './encodings.ts';
import { beginOf, Inserter, type Rows } from './inserter.ts';
import { JsonReader } from './json_reader.ts';
import { pieces } from './text_input.ts';
import type { ImportResult, ImportRowsOptions, TextInput } from './transfer_types.ts';

/**
 * Puts the rows of a text into a table.
 *
 * @param session of its own: a transaction runs in it.
 */
export async function importRows(
  session: Queries,
  input: TextInput,
  options: ImportRowsOptions,
): Promise<ImportResult> {
  const { signal, onProgress, table, commitRows } = options;
  const inserter = new Inserter(session, options);
  let bytes = 0;
  let uncommitted = 0;
  await session.query('START TRANSACTION');
  try {
    for await (const { rows, textBytes } of rowsOf(input, options)) {
      signal?.throwIfAborted();
      bytes += textBytes;
      if (rows !== null) {
        await inserter.add(rows);
        uncommitted += rows.rows.length;
      }
      if (commitRows !== undefined && uncommitted >= commitRows) {
        await inserter.flush();
        await session.query('COMMIT');
        await session.query('START TRANSACTION');
        uncommitted = 0;
      }
      onProgress?.({ table, rows: inserter.rows, bytes });
    }
    await inserter.flush();
    signal?.throwIfAborted();
    await session.query('COMMIT');
    onProgress?.({ table, rows: inserter.rows, bytes });
    return { rows: inserter.rows, bytes };
  } catch (error) {
    await inserter.settled();
    await session.query('ROLLBACK').catch(() => {});
    await inserter.unmake().catch(() => {});
    throw error;
  } finally {
    await inserter.close();
  }
}

async function* rowsOf(
  input: TextInput,
  options: ImportRowsOptions,
): AsyncIterableIterator<{ readonly rows: Rows | null; readonly textBytes: number }> {
  const take = options.format === 'csv' ? csvRows(options) : jsonRows(options);
  for await (const { text, bytes } of pieces(input, rowsDecoder(options.encoding))) {
    for (const rows of take(text, false)) yield { rows, textBytes: 0 };
    yield { rows: null, textBytes: bytes };
  }
  for (const rows of take('', true)) yield { rows, textBytes: 0 };
}

type Take = (piece: string, isLast: boolean) => Iterable<Rows>;

function csvRows(options: ImportRowsOptions): Take {
  const reader = new CsvReader(options.separator);
  let columns = options.columns;
  let line = 0;
  return (piece, isLast) => {
    const lines = reader.read(piece, isLast);
    if (columns === undefined) {
      const names = lines.shift();
      if (names === undefined) return [];
      columns = options.create ? usableNames(names) : names.map(name => name ?? '');
      line++;
    }
    const rows = lines.map(fields => {
      line++;
      if (fields.length === columns?.length) return fields;
      throw new VarveError(
        'unreadable',
        `Row ${line} of the file has ${counted(fields.length, 'field')}, where there are ${counted(columns?.length ?? 0, 'column')}: ${beginOf(fields)}`,
      );
    });
    return rows.length === 0 ? [] : [{ columns, rows }];
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function jsonRows(options: ImportRowsOptions): Take {
  const reader = new JsonReader(options.format === 'jsonl');
  return function* (piece, isLast) {
    let run: { columns: readonly string[]; rows: Param[][] } | null = null;
    for (const object of reader.read(piece, isLast)) {
      // Rows with the same members go into one statement.
      const columns: readonly string[] = options.columns ?? Object.keys(object);
      if (run === null || !isSame(run.columns, columns)) {
        if (run !== null) yield run;
        run = { columns, rows: [] };
      }
      run.rows.push(columns.map(name => jsonParam(object[name])));
    }
    if (run !== null) yield run;
  };
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, index) => name === others[index]);
}

/** Objects and arrays become JSON text when they are bound. */
function jsonParam(value: JsonValue | bigint | undefined): Param {
  return value === undefined ? null : value;
}
