/** How the rows of a file are read, and the table that is made for them or the columns that they go into. */
import { type Signal, useSignal } from '@preact/signals';
import type { ImportRowsOptions } from '../../../lib/index.ts';
import { type ColumnMatching, useColumnMatching } from './column_matching.ts';
import { type ColumnPlan, useColumnPlan } from './column_plan.ts';
import { type CsvFields, useCsvFields } from './csv_fields.ts';
import type { ImportFile } from './import_file.ts';
import type { ImportTarget } from './import_target.ts';
import { type Duplicates, type NewTableKey, useFittingKey, useNewTableKey } from './new_table_key.ts';
import { useObjectRows } from './object_rows.ts';
import { useWrittenForms, type WrittenForms } from './written_forms.ts';

export interface ImportedRows {
  readonly csv: CsvFields;
  /** The first rows, titles before them; empty for a script, and for what is no rows. */
  readonly rows: readonly (readonly string[])[];
  readonly forms: WrittenForms;
  readonly plan: ColumnPlan;
  /** Of a new table. */
  readonly key: NewTableKey;
  readonly duplicates: Signal<Duplicates>;
  /** Where columns go, in a table that is there. */
  readonly matching: ColumnMatching;
  /** What the package is asked for; undefined for a script. */
  readonly rowsOptions: () => ImportRowsOptions | undefined;
}

export function useImportedRows(of: ImportFile, into: ImportTarget): ImportedRows {
  const head = of.head.value;
  const [format, encoding] = [of.format.value, of.encoding.value];
  const isCsv = format === 'csv';
  const intoNames = into.intoColumns.map(({ name }) => name);
  const csv = useCsvFields(isCsv ? head : undefined, encoding, intoNames);
  const objects = useObjectRows(of.file.value, format, head && encoding);
  const rows = isCsv ? csv.rows : objects;
  const key = useNewTableKey(rows);
  const duplicates = useSignal<Duplicates>('error');
  // Numbers of JSON are written in one way.
  const forms = useWrittenForms(csv.rows);

  /** All that decides how columns are read, and no more: a plan is made anew where any of it is another. */
  const reading = (): ImportRowsOptions | undefined =>
    format === 'sql'
      ? undefined
      : {
          ...{ table: into.tableName, format, encoding, create: into.isNewTable },
          ...(isCsv && { ...csv.options(), ...forms.options() }),
          ...key.options(),
        };
  const plan = useColumnPlan(of.file.value, head && reading());
  useFittingKey(key, plan, duplicates);
  const planned = plan.columns.value.map(({ name }) => name);
  const matching = useColumnMatching(planned, into.intoColumns, into.generated);

  const rowsOptions = (): ImportRowsOptions | undefined => {
    const read = reading();
    if (read === undefined) return undefined;
    const columns = into.isNewTable ? plan.options() : { nulls: plan.options().nulls, map: matching.match };
    return { ...read, ...columns, duplicates: duplicates.value };
  };
  return { csv, rows, forms, plan, key, duplicates, matching, rowsOptions };
}
