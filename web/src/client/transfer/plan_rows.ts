import { usableNames } from './column_names.ts';
import { CsvReader } from './csv_reader.ts';
import { rowsDecoder } from './encodings.ts';
import { paramOf } from './json_head.ts';
import { JsonReader } from './json_reader.ts';
import { SAMPLE_ROWS } from './new_table.ts';
import { RowPlan } from './row_plan.ts';
import { pieces } from './text_input.ts';
import type { PlannedColumn, PlanRowsOptions, TextInput } from './transfer_types.ts';

/** Adds the rows of a piece of text to a plan. */
type TakeRows = (text: string, isLast: boolean) => void;

/** What the columns of the table are that an import of this text makes. */
export async function planRows(input: TextInput, options: PlanRowsOptions): Promise<readonly PlannedColumn[]> {
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

function csvRows(plan: RowPlan, rowsMax: number, { separator, columns }: PlanRowsOptions): TakeRows {
  const reader = new CsvReader(separator);
  let names = columns;
  if (names !== undefined) plan.addColumns(names);
  /** A row with more fields or fewer stops the import: what is behind it says nothing. */
  let isOver = false;
  return (text, isLast) => {
    for (const row of reader.read(text, isLast)) {
      if (names === undefined) {
        names = usableNames(row);
        plan.addColumns(names);
        continue;
      }
      isOver ||= row.length !== names.length;
      if (isOver || plan.rows >= rowsMax) return;
      plan.addRow(index => row[index] ?? null);
    }
  };
}

function jsonRows(plan: RowPlan, rowsMax: number, { format, columns }: PlanRowsOptions): TakeRows {
  const reader = new JsonReader(format === 'jsonl');
  if (columns !== undefined) plan.addColumns(columns);
  return (text, isLast) => {
    for (const object of reader.read(text, isLast)) {
      if (plan.rows >= rowsMax) return;
      if (columns === undefined) plan.addColumns(Object.keys(object));
      plan.addRow((_, name) => paramOf(object, name));
    }
  };
}
