/** What the columns of the table become that an import makes, and what a person wants them to be. */
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type ImportRowsOptions, type PlannedColumn, planRows } from '../../../lib/index.ts';
import { isCompressed } from '../../transfer/formats.ts';
import { NOTHING_YET, type TransferState } from '../../transfer/TransferState.tsx';

export interface ColumnPlan {
  /** What a table for the rows has: by the first ones, and by all as soon as they were looked at. */
  readonly columns: Signal<readonly PlannedColumn[]>;
  /** How far the look at all rows is; undefined when it is done. */
  readonly looking: ReadonlySignal<TransferState | undefined>;
  /** Resolves when all rows were looked at, or cannot be. */
  readonly looked: () => Promise<void>;
  /** Types that were chosen instead, by the names of columns. */
  readonly types: Signal<Readonly<Record<string, string>>>;
  /** Texts that mean NULL, with commas between them. */
  readonly nulls: Signal<string>;
  readonly options: () => Pick<ImportRowsOptions, 'nulls' | 'types' | 'plan'>;
}

const NUMBERS_AND_TIMES = /^(tiny|small|medium|big)?int|^(decimal|double|float|bit|year|date|time)/i;

/** A column of it takes any text: one of numbers, dates or times does not. */
export function takesTexts(type: string): boolean {
  return !NUMBERS_AND_TIMES.test(type);
}

/** A text, not a number, date or anything else. */
export function isOfTexts(type: string): boolean {
  return /text|char/.test(type);
}

/** @param how the file is read; undefined for a script */
export function useColumnPlan(file: File | undefined, how: ImportRowsOptions | undefined): ColumnPlan {
  const columns = useSignal<readonly PlannedColumn[]>([]);
  const looking = useSignal<TransferState | undefined>(undefined);
  const types = useSignal<Readonly<Record<string, string>>>({});
  const nulls = useSignal('');
  const look = useRef<Promise<void>>(Promise.resolve());
  // What the table is called makes no difference.
  const asked = how && JSON.stringify({ ...how, table: '', nulls: textsIn(nulls.value) });
  // What was chosen is about columns of this file, as it is read.
  const columnsAre = how && JSON.stringify([how.format, how.separator, how.escape, how.encoding, how.columns]);
  useMemo(() => {
    types.value = {};
  }, [file, columnsAre]);
  useEffect(() => {
    columns.value = [];
  }, [file, columnsAre]);
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    looking.value = undefined;
    if (file === undefined || asked === undefined) {
      columns.value = [];
      look.current = Promise.resolve();
      return;
    }
    const totalBytes = isCompressed(file) ? undefined : file.size;
    const onProgress = (progress: { table: string; rows: number; bytes: number }) => {
      if (!signal.aborted) looking.value = { ...progress, totalBytes };
    };
    const plan = async (more: { allRows?: boolean; onProgress?: typeof onProgress }) => {
      const planned = await planRows(file, { ...JSON.parse(asked), signal, ...more });
      if (!signal.aborted) columns.value = planned;
    };
    const lookAtAll = async () => {
      looking.value = { ...NOTHING_YET, totalBytes };
      // What was found in all rows before is better than what the first ones say.
      if (columns.peek().length === 0) await plan({});
      await plan({ allRows: true, onProgress });
    };
    look.current = lookAtAll()
      // A file that cannot be read says so when it is imported.
      .catch(() => undefined)
      .finally(() => {
        if (!signal.aborted) looking.value = undefined;
      });
    return () => abort.abort();
  }, [file, asked]);
  const options = () => ({ nulls: textsIn(nulls.peek()), types: types.peek(), plan: columns.peek() });
  const looked = async () => {
    for (let last: Promise<void> | undefined; last !== look.current; await last) last = look.current;
  };
  return { columns, looking, looked, types, nulls, options };
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
