/** What the columns of the table become that an import makes, and what a person wants them to be. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type ImportRowsOptions, type PlannedColumn, planRows } from '../../../lib/index.ts';
import { textOf } from '../../transfer/formats.ts';

export interface ColumnPlan {
  /** By the first rows; empty until they were read, and where no table is made. */
  readonly columns: Signal<readonly PlannedColumn[]>;
  /** Types that were chosen instead, by the names of columns. */
  readonly types: Signal<Readonly<Record<string, string>>>;
  /** Texts that mean NULL, with commas between them. */
  readonly nulls: Signal<string>;
  readonly options: () => { readonly nulls: readonly string[]; readonly types: Readonly<Record<string, string>> };
}

/** @param how the file is read; undefined where its columns are not asked for */
export function useColumnPlan(file: File | undefined, how: ImportRowsOptions | undefined): ColumnPlan {
  const columns = useSignal<readonly PlannedColumn[]>([]);
  const types = useSignal<Readonly<Record<string, string>>>({});
  const nulls = useSignal('');
  const options = () => ({ nulls: textsIn(nulls.peek()), types: types.peek() });
  const asked = how && JSON.stringify({ ...how, nulls: textsIn(nulls.value) });
  // What was chosen is about columns of this file, as it is read.
  useMemo(() => {
    types.value = {};
  }, [file, how?.format, how?.separator, how?.encoding]);
  useEffect(() => {
    let isCurrent = true;
    const take = (planned: readonly PlannedColumn[]) => {
      if (isCurrent) columns.value = planned;
    };
    if (file === undefined || asked === undefined) take([]);
    // A file that cannot be read says so when it is imported.
    else planRows(textOf(file), JSON.parse(asked)).then(take, () => take([]));
    return () => {
      isCurrent = false;
    };
  }, [file, asked]);
  return { columns, types, nulls, options };
}

function textsIn(list: string): readonly string[] {
  return list
    .split(',')
    .map(text => text.trim())
    .filter(text => text !== '');
}

/** The list with more texts in it. */
export function withTexts(list: string, more: readonly string[]): string {
  return [...new Set([...textsIn(list), ...more])].join(', ');
}
