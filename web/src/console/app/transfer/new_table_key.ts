/** Which column is the key of the table that an import makes: the one that seems to be, until all rows were looked at. */
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { ImportRowsOptions, UnfitKey } from '../../../lib/index.ts';
import { likelyKey } from '../../transfer/csv_head.ts';
import { wholeNumber } from '../../ui/figures.ts';
import type { ColumnPlan } from './column_plan.ts';

export type Duplicates = 'error' | 'replace' | 'ignore';

export interface NewTableKey {
  /** Of its column; empty for none, undefined for the first column. */
  readonly name: ReadonlySignal<string | undefined>;
  /** Why a column is not the key, or cannot be. */
  readonly unfit: ReadonlySignal<string | undefined>;
  readonly choose: (name: string | undefined) => void;
  readonly options: () => Pick<ImportRowsOptions, 'primaryKey'>;
}

interface GuessedKey extends NewTableKey {
  readonly name: Signal<string | undefined>;
  readonly unfit: Signal<string | undefined>;
  /** By a person. */
  readonly isChosen: Signal<boolean>;
}

/** @param rows the first ones, titles before them */
export function useNewTableKey(rows: readonly (readonly string[])[]): GuessedKey {
  const name = useSignal<string | undefined>(undefined);
  const isChosen = useSignal(false);
  const unfit = useSignal<string | undefined>(undefined);
  const set = (next: string | undefined, isByPerson: boolean) => {
    name.value = next;
    isChosen.value = isByPerson;
    unfit.value = undefined;
  };
  useLayoutEffect(() => set(rows.length > 1 ? (likelyKey(rows) ?? '') : undefined, false), [rows]);
  return {
    ...{ name, isChosen, unfit },
    choose: next => set(next, true),
    options: () => (name.value === undefined ? {} : { primaryKey: name.value === '' ? [] : [name.value] }),
  };
}

/** A key that was only guessed is given up when a row does not fit it; of one that was chosen it is told. */
export function useFittingKey(key: GuessedKey, plan: ColumnPlan, duplicates: ReadonlySignal<Duplicates>): void {
  const { name, isChosen, unfit } = key;
  const columns = plan.columns.value;
  useLayoutEffect(() => {
    const column = columns.find(column => column.unfit !== undefined);
    // Whoever wants one of several rows with the same key has the key for that.
    if (column?.unfit === undefined || (duplicates.value !== 'error' && column.unfit.value !== null)) {
      // Of a table without a key nothing is found: why it has none stays.
      if (name.peek() !== '') unfit.value = undefined;
      return;
    }
    unfit.value = said(column.name, column.unfit);
    if (!isChosen.peek()) name.value = '';
  }, [columns, duplicates.value]);
}

function said(name: string, { value, row }: UnfitKey): string {
  const what = value === null ? 'has nothing in it' : `has “${String(value)}” again`;
  return `${name} is no key: row ${wholeNumber(row)} ${what}.`;
}
