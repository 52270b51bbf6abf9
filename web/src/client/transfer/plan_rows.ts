import type { Param } from '../types.ts';
import { CsvHead } from './csv_head.ts';
import { rowsDecoder } from './encodings.ts';
import { JsonHead } from './json_head.ts';
import { planColumns } from './new_table.ts';
import { pieces } from './text_input.ts';
import type { ImportRowsOptions, PlannedColumn, TextInput } from './transfer_types.ts';

/** The beginning of a text of rows. */
interface Head {
  readonly titles: number;
  readonly columns: readonly string[];
  /** Of its rows, one after the other. */
  readonly values: readonly Param[];
  /** Takes more of the text, and tells whether that was enough. */
  take(text: string, isLast: boolean): boolean;
}

/** What the columns of the table are that an import of this text makes, by the first rows, which are all that is read. */
export async function planRows(input: TextInput, options: ImportRowsOptions): Promise<readonly PlannedColumn[]> {
  const making = { ...options, create: true };
  const head: Head = options.format === 'csv' ? new CsvHead(making) : new JsonHead(making);
  for await (const { text } of pieces(input, rowsDecoder(options.encoding))) {
    if (head.take(text, false)) return planned(head, making);
  }
  head.take('', true);
  return planned(head, making);
}

function planned(head: Head, options: ImportRowsOptions): readonly PlannedColumn[] {
  return planColumns(options, head.columns, head.values, head.titles);
}
