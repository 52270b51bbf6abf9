/** The first objects of JSON as rows, as those of CSV are. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Param, planRows, type RowFormat } from '../../../lib/index.ts';

type Rows = readonly (readonly string[])[];

const NONE: Rows = [];

/** The names of the members, and the values below them; no rows before they were read, and of other formats. */
export function useObjectRows(file: File | undefined, format: string, encoding: string | undefined): Rows {
  const rows = useSignal<Rows>(NONE);
  const wanted = format === 'json' || format === 'jsonl' ? format : undefined;
  useEffect(() => {
    let isCurrent = true;
    rows.value = NONE;
    if (file === undefined || wanted === undefined || encoding === undefined) return;
    // What cannot be read is shown as it is.
    void rowsOf(file, wanted, encoding).then(
      found => {
        if (isCurrent) rows.value = found;
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [file, wanted, encoding]);
  return rows.value;
}

async function rowsOf(file: File, format: RowFormat, encoding: string): Promise<Rows> {
  const columns = await planRows(file, { table: '', format, encoding });
  const [first] = columns;
  if (first === undefined) return NONE;
  const values = first.examples.map((_, row) => columns.map(({ examples }) => textOfValue(examples[row] ?? null)));
  return [columns.map(({ name }) => name), ...values];
}

function textOfValue(value: Param): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
