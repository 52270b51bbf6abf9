/** `planRows`: the table that an import would create. */
import { VarveError } from '../../errors.ts';
import { CsvBody } from '../csv/csv_preamble.ts';
import { CsvReader } from '../csv/csv_reader.ts';
import { paramOf, withColumns } from '../json/json_head.ts';
import { JsonReader } from '../json/json_reader.ts';
import { rowsDecoder } from '../text/encodings.ts';
import { pieces } from '../text/text_input.ts';
import type { ImportRowsOptions, PlannedColumn, PlanRowsOptions, TextInput } from '../transfer_types.ts';
import { columnsOfFields } from './column_map.ts';
import { COLUMNS_MAX, SAMPLE_ROWS } from './new_table.ts';
import { isUnfit, RowPlan } from './row_plan.ts';
import { type SniffedOptions, sniffed } from './sniffed.ts';

/** Adds the rows of a piece of text to a plan. */
type TakeRows = (text: string, isLast: boolean) => void;

/**
 * The options of an import that makes its table as it was planned, or as all of its rows say where that is wanted.
 *
 * @throws VarveError `usage` when the rows are to be looked at and can be read only once.
 */
export async function asPlanned(input: TextInput, options: SniffedOptions): Promise<SniffedOptions> {
  if (!options.create) return options;
  const { format, plan = options.allRows ? await planAll(input, options) : [] } = options;
  if (plan.length === 0) return options;
  // A first column that cannot be the key is not made the key, unless the caller asks for it.
  const isKeyLeft = options.primaryKey === undefined && plan.some(({ unfit }) => isUnfit(unfit, options));
  const primaryKey = isKeyLeft ? [] : options.primaryKey;
  const types = { ...Object.fromEntries(plan.map(({ name, type }) => [name, type])), ...options.types };
  // Titles of CSV name its columns; of JSON a later object may have others than the first ones.
  const planned = { ...options, plan, types, ...(primaryKey && { primaryKey }) };
  return format === 'csv' ? planned : { ...planned, columns: plan.map(({ name }) => name) };
}

function planAll(input: TextInput, options: ImportRowsOptions): Promise<readonly PlannedColumn[]> {
  if (!(typeof input === 'string' || input instanceof Uint8Array || input instanceof Blob)) {
    const instead = 'give a string, bytes or a Blob, or the plan that planRows makes of the same rows';
    throw new VarveError('usage', `allRows reads the rows twice, and an iterable can be read only once: ${instead}`);
  }
  // Progress is that of the import.
  const { onProgress: _, ...quietly } = options;
  return planRows(input, quietly);
}

/** What the columns of the table are that an import of this text makes. */
export async function planRows(given: TextInput, asked: PlanRowsOptions): Promise<readonly PlannedColumn[]> {
  const { input, options } = await sniffed(given, asked);
  const { allRows = false, signal, onProgress, table } = options;
  const isTitled = options.format === 'csv' && options.columns === undefined;
  const plan = new RowPlan(options, isTitled ? 1 : 0);
  const rowsMax = allRows ? Number.POSITIVE_INFINITY : SAMPLE_ROWS;
  const take = options.format === 'csv' ? csvRows(plan, rowsMax, options) : jsonRows(plan, rowsMax, options);
  let read = 0;
  for await (const { text, bytes } of pieces(input, rowsDecoder(options.encoding))) {
    signal?.throwIfAborted();
    take(text, false);
    if (plan.rows >= rowsMax) return plan.columns;
    read += bytes;
    onProgress?.({ table, rows: plan.rows, bytes: read });
  }
  take('', true);
  return plan.columns;
}

function csvRows(plan: RowPlan, rowsMax: number, options: SniffedOptions): TakeRows {
  const reader = new CsvReader(options.separator, options.escape);
  const body = new CsvBody(options.skipLines);
  const { create = false, allRows = false } = options;
  let titles: readonly (string | null)[] | undefined = options.columns;
  /** How many fields a line has. */
  let width = 0;
  /** Which fields have a column. */
  let wanted: readonly number[] = [];
  const take = (names: readonly (string | null)[], fieldCount: number) => {
    titles = names;
    const columns = columnsOfFields(names, { ...options, create: true }, fieldCount);
    width = columns.length;
    wanted = Array.from(columns.keys()).filter(index => columns[index] !== null);
    const rowsBefore = plan.rows > 0 ? { count: plan.rows, row: plan.rowNumber - plan.rows + 1 } : undefined;
    plan.addColumns(
      columns.filter(name => name !== null),
      rowsBefore,
    );
  };
  if (titles !== undefined) take(titles, 0);
  /** A row with more fields or fewer stops the import: what is behind it says nothing. */
  let isOver = false;
  return (text, isLast) => {
    for (const row of reader.read(body.text(text), isLast)) {
      if (titles === undefined) {
        take(row, 0);
        continue;
      }
      const isFilledIn = create && allRows && row.length <= COLUMNS_MAX;
      if (isFilledIn && row.length > width) take(titles, row.length);
      isOver ||= row.length !== width && !isFilledIn;
      if (isOver || plan.rows >= rowsMax) return;
      const lacked = row.length < width ? wanted.findIndex(index => index >= row.length) : -1;
      plan.addRow(index => row[wanted[index] ?? -1] ?? null, lacked < 0 ? undefined : lacked);
    }
  };
}

function jsonRows(plan: RowPlan, rowsMax: number, { format, columns, map }: PlanRowsOptions): TakeRows {
  const reader = new JsonReader(format === 'jsonl');
  if (columns !== undefined) plan.addColumns(columns);
  return (text, isLast) => {
    for (const read of reader.read(text, isLast)) {
      if (plan.rows >= rowsMax) return;
      const object = withColumns(read, map);
      if (columns === undefined) plan.addColumns(Object.keys(object));
      plan.addRow((_, name) => paramOf(object, name));
    }
  };
}
