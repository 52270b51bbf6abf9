/** Which column is the key of the table that an import makes: the one that seems to be, until all rows were looked at. */
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { ImportRowsOptions, UnfitKey } from '../../../lib/index.ts';
import { likelyKey } from '../../transfer/csv_head.ts';
import { wholeNumber } from '../../ui/figures.ts';
import type { ColumnPlan } from './column_plan.ts';

export type Duplicates = 'error' | 'replace' | 'ignore';

export interface NewTableKey {
  /** Of its column; empty for none of the file's, undefined for the first column. */
  readonly name: ReadonlySignal<string | undefined>;
  /** A column that the file does not have numbers the rows instead. */
  readonly isNumbered: ReadonlySignal<boolean>;
  /** What that is called. */
  readonly numbered: string;
  /** Why a column is not the key, or cannot be. */
  readonly unfit: ReadonlySignal<string | undefined>;
  readonly choose: (name: string | undefined) => void;
  readonly chooseNumbered: () => void;
  readonly options: () => Pick<ImportRowsOptions, 'primaryKey' | 'numbered'>;
}

interface GuessedKey extends NewTableKey {
  readonly name: Signal<string | undefined>;
  readonly unfit: Signal<string | undefined>;
  /** By a person. */
  readonly isChosen: Signal<boolean>;
}

/** The first that the file leaves free is the name of the column that numbers its rows. */
const NUMBERED = ['id', 'row_id', 'row_number'];

/** @param rows the first ones, titles before them */
export function useNewTableKey(rows: readonly (readonly string[])[]): GuessedKey {
  const name = useSignal<string | undefined>(undefined);
  const isNumbered = useSignal(false);
  const isChosen = useSignal(false);
  const unfit = useSignal<string | undefined>(undefined);
  const set = (next: string | undefined, isByPerson: boolean) => {
    name.value = next;
    isNumbered.value = false;
    isChosen.value = isByPerson;
    unfit.value = undefined;
  };
  useLayoutEffect(() => set(rows.length > 1 ? (likelyKey(rows) ?? '') : undefined, false), [rows]);
  const titles = (rows[0] ?? []).map(title => title.trim().toLowerCase());
  const numbered = NUMBERED.find(free => !titles.includes(free)) ?? 'varve_row';
  return {
    ...{ name, isNumbered, numbered, isChosen, unfit },
    choose: next => set(next, true),
    chooseNumbered: () => {
      set('', true);
      isNumbered.value = true;
    },
    options: () => {
      if (isNumbered.value) return { numbered };
      return name.value === undefined ? {} : { primaryKey: name.value === '' ? [] : [name.value] };
    },
  };
}

/** A guessed key is dropped when a row does not fit it; for a chosen key that is reported. */
export function useFittingKey(key: GuessedKey, plan: ColumnPlan, duplicates: ReadonlySignal<Duplicates>): void {
  const { name, isChosen, unfit } = key;
  const columns = plan.columns.value;
  useLayoutEffect(() => {
    const column = columns.find(column => column.unfit !== undefined);
    // Where duplicate rows are to be merged, the key is meant.
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
  const what = value === null ? 'is empty' : `has “${String(value)}” again`;
  return `${name} cannot be the key: row ${wholeNumber(row)} ${what}.`;
}
