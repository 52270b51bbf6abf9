/** How a CSV file is cut into fields, and what those are called: what its beginning tells, and what a person chooses. */
import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { type CsvEscape, type ImportRowsOptions, startsWithRowNames } from '../../../lib/index.ts';
import { csvRows, formOf, type Separator, startsWithTitles } from '../../transfer/csv_head.ts';
import { type FileHead, textIn } from '../../transfer/file_head.ts';

type Rows = readonly (readonly string[])[];

const NONE: Rows = [];

export interface CsvFields {
  /** Between the fields. */
  readonly separator: Signal<Separator>;
  /** The escape of a quote within quotes. */
  readonly escape: Signal<CsvEscape>;
  /** Lines before the titles. */
  readonly skipLines: Signal<number>;
  /** The first row has the names of the columns. */
  readonly hasTitles: Signal<boolean>;
  /** The first rows, titles before them, whether they are the file's or not; none of another format. */
  readonly rows: Rows;
  readonly options: () => Pick<ImportRowsOptions, 'separator' | 'escape' | 'skipLines' | 'columns'>;
}

/** With a title for the names of rows, which R writes none for. */
function titled(rows: Rows): Rows {
  return startsWithRowNames(rows) ? [['', ...(rows[0] ?? [])], ...rows.slice(1)] : rows;
}

/**
 * @param head of a CSV file; undefined for another one, and before it was read
 * @param into the columns of the table that takes the rows; none of one that is made
 */
export function useCsvFields(head: FileHead | undefined, encoding: string, into: readonly string[]): CsvFields {
  const separator = useSignal<Separator>(',');
  const quoteEscape = useSignal<CsvEscape>('');
  const skipLines = useSignal(0);
  const hasTitles = useSignal(true);
  const written = useMemo(() => {
    if (head === undefined) return NONE;
    const text = textIn(head, encoding);
    return titled(csvRows(text, separator.value, head.isWhole, quoteEscape.value, skipLines.value));
  }, [head, encoding, separator.value, quoteEscape.value, skipLines.value]);
  // What a person chooses stays until the file, or how it is read, is another one. Before anybody can choose: what is shown is there
  // to be chosen from.
  useLayoutEffect(() => {
    if (head === undefined) return;
    const form = formOf(textIn(head, encoding), head.isWhole);
    separator.value = form.separator as Separator;
    quoteEscape.value = form.escape;
    skipLines.value = form.skipLines;
  }, [head, encoding]);
  useLayoutEffect(() => {
    hasTitles.value = startsWithTitles(written);
  }, [written]);
  const fields = written[0]?.length ?? 0;
  // Fields without names are those of the table in its order, or get a number.
  const names = Array.from({ length: fields }, (_, index) => into[index] ?? `column_${index + 1}`);
  const isNamed = hasTitles.value || written.length === 0;
  const rows = useMemo(() => (isNamed ? written : [names, ...written]), [written, isNamed, names.join('\n')]);
  return {
    ...{ separator, escape: quoteEscape, skipLines, hasTitles, rows },
    options: () => ({
      ...{ separator: separator.value, escape: quoteEscape.value, skipLines: skipLines.value },
      ...(!isNamed && { columns: names }),
    }),
  };
}
